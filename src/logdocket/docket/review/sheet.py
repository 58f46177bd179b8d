"""Groups of tickets as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from logdocket.docket.review.documents import Document, group_document
from logdocket.store.review import Group
from logdocket.store.shown import harmless
from logdocket.ticket import Source

_Cell = Callable[[Document], object]


def _of(name: str) -> _Cell:
    return lambda document: document[name]


def _count(source: Source) -> _Cell:
    return lambda document: document["by_source"].get(source, 0)


def _words(name: str) -> _Cell:
    return lambda document: " ".join(document[name])


_COLUMNS: Final[dict[str, _Cell]] = {
    **{name: _of(name) for name in ("id", "state", "severity", "service", "evidence", "template")},
    **{name: _of(name) for name in ("count", "since")},
    **{f"from_{source}": _count(source) for source in Source},
    **{name: _of(name) for name in ("first_at", "last_at", "first_seen", "last_seen")},
    **{name: _words(name) for name in ("reasons", "all_reasons")},
    **{name: _of(name) for name in ("verdict", "decided_by", "decided_at", "reopened", "until")},
    **{name: _of(name) for name in ("waiting", "version", "ticket", "changed", "key")},
}
"""By the column's name, what its cells hold of :func:`group_document`."""


def csv_rows(groups: Iterable[Group]) -> Iterator[bytes]:
    """Groups as CSV (RFC 4180, UTF-8), a head first; lists of words with blanks between.

    No cell is run by a spreadsheet, and none moves a terminal's cursor: what is not printable is
    escaped as in Python. The JSON form has the text as it is.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_COLUMNS)
    for group in groups:
        document = group_document(group)
        writer.writerow(_cell(of(document)) for of in _COLUMNS.values())
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue().encode()


def _cell(value: object) -> str:
    """Empty for None; true or false for a truth."""
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
        )
    return harmless(text)

"""Groups of tickets as a table for people."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from logdocket.cli.output import one_line
from logdocket.store.review import Group, GroupState

_GAP: Final = "  "
_LEAST: Final = 12
"""Columns that the last cell of a row has, however narrow the terminal is."""
_MINUTE: Final = 60 * 1_000_000
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


class _Column(NamedTuple):
    """``cell`` is what stands in it; no more than ``widest`` columns are set aside for it."""

    title: str
    cell: Callable[[Group, int], str]
    widest: int = 24
    right: bool = False


_COLUMNS: Final = (
    _Column("id", lambda group, now: str(group.id), right=True),
    _Column("state", lambda group, now: state(group)),
    _Column("severity", lambda group, now: group.severity),
    _Column("service", lambda group, now: group.service, 16),
    _Column("count", lambda group, now: f"{group.count:,}", right=True),
    _Column("since", lambda group, now: f"{group.since:,}", right=True),
    _Column("last seen", lambda group, now: age(now - group.last_at), right=True),
    _Column("evidence", lambda group, now: group.evidence),
)


def room() -> int | None:
    """Columns of the terminal that standard output goes to; None where it goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def rows(groups: Sequence[Group], *, now: int, width: int | None) -> Iterator[str]:
    """A head and a row for each group, in ``width`` columns; nothing is cut for None, and nothing
    given for no groups. ``now`` is in µs since 1970 UTC."""
    if not groups:
        return
    # In a list of nothing but new groups their state says nothing.
    plain = all(group.state is GroupState.OPEN and not group.reopened for group in groups)
    columns = [column for column in _COLUMNS if not (plain and column.title == "state")]
    table = [
        [column.title, *(one_line(column.cell(group, now)) for group in groups)]
        for column in columns
    ]
    widths = [
        min(max(map(display_width, cells)), column.widest)
        for column, cells in zip(columns, table, strict=True)
    ]
    if width is not None:
        taken = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
        widths[-1] = max(width - taken, _LEAST)
    for row in zip(*table, strict=True):
        padded = (
            _padded(cell if width is None else cut(cell, size), size, right=column.right)
            for column, cell, size in zip(columns, row, widths, strict=True)
        )
        yield _GAP.join(padded).rstrip()


def state(group: Group) -> str:
    """The word that ``--state`` takes, and a mark where the group was decided about before."""
    again = " again" if group.reopened and group.state is GroupState.OPEN else ""
    return f"{group.state.value}{again}"


def age(micros: int) -> str:
    """So much time, roughly: ``now``, ``5 min``, ``3 h``, ``12 d``."""
    if micros < _MINUTE:
        return "now"
    if micros < _HOUR:
        return f"{micros // _MINUTE} min"
    if micros < 2 * _DAY:
        return f"{micros // _HOUR} h"
    return f"{micros // _DAY:,} d"


def display_width(text: str) -> int:
    """Columns that printable ``text`` takes on a terminal: two for wide characters of East Asia,
    none for marks that stand on the one before (Unicode Standard Annex #11)."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, width: int) -> str:
    """``text`` in ``width`` columns at most; an ellipsis stands for what was left out."""
    if display_width(text) <= width:
        return text
    taken, left = [], width - 1
    for char in text:
        left -= _columns(char)
        if left < 0:
            break
        taken.append(char)
    return "".join(taken) + "…"


def _padded(cell: str, width: int, *, right: bool) -> str:
    blanks = " " * (width - display_width(cell))
    return blanks + cell if right else cell + blanks


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1

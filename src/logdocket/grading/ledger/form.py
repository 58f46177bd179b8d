"""What a ledger looks like on the page: records, or sums of them, in one of several forms."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import msgspec

from logdocket.grading.ledger.words import KIND_KEYS, SOURCE_KEYS

__all__ = ["Page", "Record", "fresh", "page", "records_of"]

Record: TypeAlias = Mapping[str, Any]
_MOST: Final = 200_000
"""Records that are looked at: a grading makes some hundreds."""
_DEEPEST: Final = 4
"""Objects inside one another of which a record is made; what lies deeper is left out."""
_LARGEST: Final = 2**63
"""A number as large is no count of anything, and too long for a sentence."""
_PAIR: Final = re.compile(r'([A-Za-z_][\w.-]{0,63})=("(?:[^"\\]|\\.)*+"|[^\s"]*+)')
_COLUMN: Final = re.compile(r"[A-Za-z_][\w .-]{0,63}")
_COLUMNS: Final = 2
"""A table of one column is a list of words, and no ledger."""
_SAMPLE: Final = re.compile(
    r"(?P<name>[A-Za-z_:][\w:]{0,199})(?P<labels>\{[^}]*\})? (?P<value>[-+.\w]{1,40})( \d{1,20})?"
)
"""A line of the Prometheus text format, per its description of exposition formats."""
_LABEL: Final = re.compile(r'"([^"\\]{0,100})"')
_NO_COUNT: Final = ("_bucket", "_sum", "_created")
"""How names end of what Prometheus keeps beside a count."""
_GROUPED: Final = ("count", "total", "count(*)")
"""Columns that say how many entries a row stands for."""
_NEXT: Final[Mapping[str, str]] = {
    "next": "cursor",
    "next_cursor": "cursor",
    "nextCursor": "cursor",
    "cursor": "cursor",
    "next_page": "page",
    "nextPage": "page",
}
"""Keys that say where a ledger goes on, and the parameter that takes it there."""


_TELLING: Final = (*KIND_KEYS, *SOURCE_KEYS)
"""Keys of which an entry has one, and sums have none."""


class Page(msgspec.Struct, frozen=True):
    """The ``records`` of a ledger and the ``sums`` that it gives, by name; ``next`` is where it
    says that it goes on, an address or a query (``cursor=7``), None where it ends.
    """

    records: tuple[Record, ...] = ()
    sums: Mapping[str, int] = {}
    next: str | None = None


def page(body: bytes) -> Page | None:
    """What stands in ``body``, None where it is no form of a ledger that is known.

    An empty body is a ledger without entries.
    """
    text = body.decode("utf-8-sig", "replace").strip()
    if not text:
        return Page()
    forms: tuple[Callable[[str], Page | None], ...] = (
        _json,
        _json_lines,
        _samples,
        _pairs,
        _table,
    )
    return next((found for form in forms if (found := form(text)) is not None), None)


def fresh(before: Page, after: Page) -> Page:
    """What ``after`` has that ``before`` had not: old entries may leave a page that shows the
    latest, and like entries count each.
    """
    had = Counter(map(_name, before.records))
    new: list[Record] = []
    for record in after.records:
        name = _name(record)
        if had[name]:
            had[name] -= 1
        else:
            new.append(record)
    sums = {name: value - before.sums.get(name, 0) for name, value in after.sums.items()}
    return Page(tuple(new), sums)


def _name(record: Record) -> str:
    """A text that is the same for like records."""
    return json.dumps(record, sort_keys=True, default=repr)


def records_of(values: Iterable[Any]) -> tuple[Record, ...]:
    """The objects among ``values``, not more than can be looked at."""
    found = (value for value in values if isinstance(value, dict))
    return tuple(_tame(record) for record, _ in zip(found, range(_MOST), strict=False))


def _tame(value: Any, depth: int = _DEEPEST) -> Any:
    """The value without what is too deep or too large to speak of."""
    if isinstance(value, dict):
        return {key: _tame(inner, depth - 1) for key, inner in value.items()} if depth else None
    if isinstance(value, list):
        return [_tame(inner, depth - 1) for inner in value] if depth else None
    return None if isinstance(value, int) and abs(value) >= _LARGEST else value


# JSON.


def _read(text: str) -> Any:
    """The JSON value of ``text``, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _json(text: str) -> Page | None:
    value = _read(text)
    if isinstance(value, list):
        records = records_of(value)
        return _listed(records) if records or not value else None
    return _object(value) if isinstance(value, dict) else None


def _listed(records: tuple[Record, ...], **more: Any) -> Page:
    """Records, or the sums by their kind that they are rows of."""
    rows = [_row(record) for record in records]
    sums = {row[0]: row[1] for row in rows if row is not None}
    return Page(sums=sums) if records and len(sums) == len(rows) else Page(records, **more)


def _row(record: Record) -> tuple[str, int] | None:
    """The name and the number of ``{"kind": "model_call", "count": 5}``."""
    numbers = [int(record[key]) for key in _GROUPED if _whole(record.get(key))]
    names = [value for value in record.values() if isinstance(value, str)]
    alone = len(numbers) == len(names) == 1 and len(record) == 2
    return (names[0], numbers[0]) if alone else None


def _object(value: dict[str, Any]) -> Page | None:
    """A list of entries in an object, and the sums that it gives; a single entry is one as well."""
    lists = [records_of(inner) for inner in value.values() if isinstance(inner, list)]
    found = max(lists, key=len, default=())
    sums = _sums(value)
    if found:
        return _listed(found, sums=sums, next=_next(value))
    if any(isinstance(value.get(key), str) for key in _TELLING):
        return Page(records_of([value]))
    if sums:
        return Page(sums=sums)
    if lists:
        return Page(next=_next(value))
    return Page(records_of([value])) if any(isinstance(v, str) for v in value.values()) else None


def _next(value: dict[str, Any]) -> str | None:
    for key, parameter in _NEXT.items():
        if key not in value:
            continue
        told = value[key]
        if isinstance(told, str) and told.startswith(("/", "?", "http://", "https://")):
            return told
        if isinstance(told, str | int) and not isinstance(told, bool) and told != "":
            return f"{parameter}={quote(str(told), safe='', errors='replace')}"
        return None
    return None


def _sums(value: dict[str, Any]) -> dict[str, int]:
    """Whole numbers by their names, those one level down by both names."""
    found: dict[str, int] = {}
    for key, inner in value.items():
        if _whole(inner):
            found[key] = inner
        elif isinstance(inner, dict):
            found |= {f"{key}_{name}": deep for name, deep in inner.items() if _whole(deep)}
    return found


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST


def _json_lines(text: str) -> Page | None:
    """One object on a line; a last line that is still being written is left out."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = [_read(line) for line in lines[:_MOST]]
    whole = records_of(found)
    return Page(whole) if whole and len(whole) >= len(found) - 1 else None


# Others.


def _samples(text: str) -> Page | None:
    """Counters in the text format of Prometheus, each named with the values of its labels."""
    sums: dict[str, int] = {}
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        sample = _SAMPLE.fullmatch(line.rstrip())
        if sample is None:
            return None
        value = _number(sample["value"])
        if value is not None and not sample["name"].endswith(_NO_COUNT):
            name = "_".join([sample["name"], *_LABEL.findall(sample["labels"] or "")])
            sums[name] = sums.get(name, 0) + value
    return Page(sums=sums) if sums else None


def _number(text: str) -> int | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if math.isfinite(value) and abs(value) < _LARGEST else None


def _pairs(text: str) -> Page | None:
    """``key=value`` pairs on each line, whatever else stands there."""
    rows = [dict(_PAIR.findall(line)) for line in text.split("\n")[:_MOST] if line.strip()]
    if not all(rows):
        return None
    return Page(tuple({key: value.strip('"') for key, value in row.items()} for row in rows))


def _table(text: str) -> Page | None:
    """A table with the names of its columns in the first row; its last row may be half written."""
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    found: list[dict[Any, Any]] = []
    try:
        names = rows.fieldnames or ()
        if len(names) < _COLUMNS or not all(map(_COLUMN.fullmatch, names)):
            return None
        found.extend(row for row, _ in zip(rows, range(_MOST), strict=False))
    except csv.Error:
        return None
    whole = [row for row in found if None not in row and None not in row.values()]
    half = found[len(whole) :]
    return Page(tuple(whole)) if len(half) <= 1 and whole == found[: len(whole)] else None

"""What a ledger looks like on the page: records, or sums of them, in one of several forms."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

__all__ = ["Page", "Record", "page", "records_of"]

Record: TypeAlias = Mapping[str, Any]
_MOST: Final = 200_000
"""Records that are looked at: a grading makes some hundreds."""
_PAIR: Final = re.compile(r'([A-Za-z_][\w.-]{0,63})=("(?:[^"\\]|\\.)*+"|[^\s"]*+)')
_COLUMN: Final = re.compile(r"[A-Za-z_][\w .-]{0,63}")
_COLUMNS: Final = 2
"""A table of one column is a list of words, and no ledger."""


class Page(msgspec.Struct, frozen=True):
    """The ``records`` of a ledger, or the ``sums`` that it gives in their place, by name; ``next``
    is what it says of where it goes on, None where it ends.
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
    forms: tuple[Callable[[str], Page | None], ...] = (_json, _json_lines, _pairs, _table)
    return next((found for form in forms if (found := form(text)) is not None), None)


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
        return Page(records) if records or not value else None
    return _object(value) if isinstance(value, dict) else None


def _object(value: dict[str, Any]) -> Page | None:
    """A list of entries in an object, or the sums that it gives; a single entry is one as well."""
    lists = [records_of(inner) for inner in value.values() if isinstance(inner, list)]
    found = max(lists, key=len, default=())
    if found:
        return Page(found, next=_next(value))
    sums = _sums(value)
    if sums:
        return Page(sums=sums)
    if lists:
        return Page(next=_next(value))
    return Page((value,)) if any(isinstance(inner, str) for inner in value.values()) else None


def records_of(values: Iterable[Any]) -> tuple[Record, ...]:
    """The objects among ``values``, not more than can be looked at."""
    found = (value for value in values if isinstance(value, dict))
    return tuple(record for record, _ in zip(found, range(_MOST), strict=False))


def _next(value: dict[str, Any]) -> str | None:
    for key in ("next", "next_cursor", "cursor", "next_page"):
        told = value.get(key)
        if isinstance(told, str | int) and not isinstance(told, bool) and told != "":
            return str(told)
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
    return isinstance(value, int) and not isinstance(value, bool)


def _json_lines(text: str) -> Page | None:
    """One object on a line; a last line that is still being written is left out."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [_read(line) for line in lines[:_MOST]]
    whole = [value for value in found if isinstance(value, dict)]
    return Page(tuple(whole)) if whole and len(whole) >= len(found) - 1 else None


def _pairs(text: str) -> Page | None:
    """``key=value`` pairs on each line, whatever else stands there."""
    rows = [dict(_PAIR.findall(line)) for line in text.splitlines()[:_MOST] if line.strip()]
    if not all(rows):
        return None
    return Page(tuple({key: value.strip('"') for key, value in row.items()} for row in rows))


def _table(text: str) -> Page | None:
    """A table with the names of its columns in the first row."""
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        names = rows.fieldnames or ()
        if len(names) < _COLUMNS or not all(map(_COLUMN.fullmatch, names)):
            return None
        found = [row for row, _ in zip(rows, range(_MOST), strict=False)]
    except csv.Error:
        return None
    whole = [row for row in found if None not in row and None not in row.values()]
    return Page(tuple(whole)) if len(whole) == len(found) else None

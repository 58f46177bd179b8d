"""Dates without a time, which count only where a field is known to hold one."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.compact import EARLIEST_YEAR, LATEST_YEAR
from logdocket.reading.timestamp.days import MONTHS, in_any_order, in_order, is_day

_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)", re.ASCII)
_YEAR_LAST: Final = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)", re.ASCII)
_RUN: Final = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
_DAY_FIRST: Final = re.compile(r"(\d\d?)[-/ ]([A-Za-z]{3,9})\.?,?[-/ ](\d{4})", re.ASCII)
_MONTH_FIRST: Final = re.compile(r"([A-Za-z]{3,9})\.? {1,2}(\d\d?),? (\d{4})", re.ASCII)


def date_at(text: str, start: int, end: int, context: Context) -> Stamp | None:
    """The stamp of the date that ``start:end`` is, without a time in its value; or None."""
    if not 6 <= end - start <= 20:
        return None
    day = _day(text, start, end)
    if day is None:
        return None
    if isinstance(day, TimestampWhy):
        return Stamp(start, end, None, day)
    if not is_day(day):
        return Stamp(start, end, None, TimestampWhy.IMPOSSIBLE)
    return Stamp(start, end, day, None)


def _day(text: str, start: int, end: int) -> str | TimestampWhy | None:
    found = _YEAR_FIRST.fullmatch(text, start, end)
    if found is not None:
        return f"{found[1]}-{found[3]:0>2}-{found[4]:0>2}"
    found = _YEAR_LAST.fullmatch(text, start, end)
    if found is not None:
        if len(found[4]) == 2:
            return in_any_order(found[1], found[3], found[4])
        return in_order(found[1], found[3], found[4])
    found = _RUN.fullmatch(text, start, end)
    if found is not None:
        day = f"{found[1]}-{found[2]}-{found[3]}"
        return day if EARLIEST_YEAR <= found[1] <= LATEST_YEAR and is_day(day) else None
    return _named(text, start, end)


def _named(text: str, start: int, end: int) -> str | None:
    found = _DAY_FIRST.fullmatch(text, start, end)
    if found is not None:
        dom, name, year = found.groups()
    else:
        found = _MONTH_FIRST.fullmatch(text, start, end)
        if found is None:
            return None
        name, dom, year = found.groups()
    month = MONTHS.get(name.lower())
    return None if month is None else f"{year}-{month}-{dom:0>2}"

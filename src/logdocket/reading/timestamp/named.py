"""Dates with the month's English name: syslog, ctime, RFC 2822, CLF, Oracle, Java, Redis."""

from __future__ import annotations

import re
from typing import Final, cast

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import (
    ABBREVIATION,
    CLOCK,
    FULL_CLOCK,
    ZONE,
    Clock,
)
from logdocket.reading.timestamp.days import MONTHS, WEEKDAYS, in_either_order, is_day, weekday
from logdocket.reading.timestamp.moment import settle, unresolved
from logdocket.reading.timestamp.year import agreeing, without_year

_NO_YEAR: Final = TimestampWhy.NO_YEAR
_WEEKDAY: Final = r"(?:([A-Za-z]{3,9}),? {1,2})?"
_ORDINAL: Final = "(?:st|nd|rd|th)"
_LATE_YEAR: Final = r"((?(1)\d|(?=19|20)\d)\d{3})(?![\w-]|[.:]\d)"
"""A year behind the time: any where a weekday (group 1) makes it ctime's, else a recent one."""

_MONTH_FIRST: Final = re.compile(
    rf"{_WEEKDAY}([A-Za-z]{{3,9}})\.? {{1,3}}(\d\d?)(?:{_ORDINAL}(?=,? \d{{4}}))?"
    r"(?:,? {1,2}(\d{4}))?,? {1,2}(?:at )?"
    rf"{CLOCK}(?(4)|(?:(?: ({ABBREVIATION}))? {_LATE_YEAR}{ZONE}(?!\w))?)",
    re.ASCII,
)
_DAY_FIRST: Final = re.compile(
    rf"(\d\d?)(?:{_ORDINAL}(?= ))?([-/ ]?)([A-Za-z]{{3,9}})\.?,?\2(\d{{4}}|\d\d(?![\d:])),?"
    rf"(?: {{1,2}}|::?|T){CLOCK}",
    re.ASCII,
)
_DAY_FIRST_DOTS: Final = re.compile(
    rf"(\d\d?)([-/ ])([A-Za-z]{{3,9}})\2(\d{{4}}|\d\d) "
    r"(\d\d)\.(\d\d)\.(\d\d)(?:[.,](\d++))?(?: ([AaPp])[Mm]\b)?"
    rf"{ZONE}(?!\w)",
    re.ASCII,
)
_DAY_FIRST_NO_YEAR: Final = re.compile(
    rf"(\d\d?)[-/ ]([A-Za-z]{{3,9}}) {{1,2}}{FULL_CLOCK}", re.ASCII
)
_YEAR_FIRST: Final = re.compile(
    rf"(\d{{4}})([-/ ])([A-Za-z]{{3,9}})\2 ?(\d\d?)(?: {{1,2}}|[:T]){CLOCK}", re.ASCII
)


_SLASHED: Final = re.compile(rf"([A-Za-z]{{3}})/(\d\d)/(\d{{4}}) {CLOCK}", re.ASCII)
"""RouterOS: ``jun/14/2026 15:16:01``."""


def month_first_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``Jun 14 15:16:01``, ``Sun Jun 14 15:16:01 2026``, ``Jun 14, 2026 3:16:01 PM``."""
    found = _MONTH_FIRST.match(text, pos, end)
    if found is None:
        return _slashed_at(text, pos, end, context) if text[pos + 3 : pos + 4] == "/" else None
    # One call for all groups: this is the stamp of every syslog line.
    name, word, dom, year, hour, minute, second, part, half, zone, abbr, late, late_zone = (
        found.groups()
    )
    month = MONTHS.get(word) or MONTHS.get(word.lower())
    expected = None if name is None else WEEKDAYS.get(name.lower(), -1)
    if month is None or expected == -1:
        return None
    stop = found.end()
    clock = (hour, minute, second, part, half, zone or late_zone)
    year = year or late
    day = f"{month}-{dom if len(dom) == 2 else '0' + dom}"
    if year is None:
        if second is None:
            return None
        return without_year(text, pos, stop, end, day, clock, context, expected)
    stamp = settle(text, pos, stop, end, f"{year}-{day}", clock, context, abbr)
    return agreeing(stamp, f"{year}-{day}", expected)


def _slashed_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    found = _SLASHED.match(text, pos, end)
    month = None if found is None else MONTHS.get(found[1].lower())
    if found is None or month is None:
        return None
    day, clock = f"{found[3]}-{month}-{found[2]}", cast(Clock, found.groups()[3:])
    return settle(text, pos, found.end(), end, day, clock, context)


_DAYS: Final = {
    f"{name} {written}": f"{month}-{dom:02}"
    for name, month in MONTHS.items()
    if name.istitle()
    for dom in range(1, 32)
    if is_day(f"2000-{month}-{dom:02}")
    for written in (f"{dom}", f"{dom:2}", f"{dom:02}")
}
"""``MM-DD`` of each day of a leap year, as syslog writes it: ``Jun  4``, ``Jun 4``, ``Jun 04``."""

_CLOCK_LENGTH: Final = len(" 15:16:01")


def month_day_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``Jun 14 15:16:01``, exactly ``pos:end``, where the time of day is known to be one.

    None where the day is none.
    """
    at = end - _CLOCK_LENGTH
    day = _DAYS.get(text[pos:at])
    if day is None:
        return None
    if context.received_at is None:
        return Stamp(pos, end, None, _NO_YEAR)
    clock = (text[at + 1 : at + 3], text[at + 4 : at + 6], text[at + 7 : end], None, None, None)
    return without_year(text, pos, end, end, day, clock, context)


_CTIME_LENGTH: Final = len("Sun Jun 14 15:16:01 2026")


def ctime_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``Sun Jun 14 15:16:01 2026``, exactly ``pos:end``, where each piece is known to have its
    width and needs no zone.

    None where it is no plain moment: :func:`month_first_at` tells why.
    """
    if end - pos != _CTIME_LENGTH or context.timezone is not None or not text.isascii():
        return None
    day = _DAYS.get(text[pos + 4 : pos + 10])
    expected = WEEKDAYS.get(text[pos : pos + 3].lower())
    clock = text[pos + 11 : pos + 19]
    if day is None or expected is None or clock > "24" or clock[3] > "5" or clock[6] > "5":
        return None
    day = f"{text[pos + 20 : end]}-{day}"
    return Stamp(pos, end, f"{day}T{clock}", None) if weekday(day) == expected else None


def day_first_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``10/Oct/2000:13:55:36 -0700``, ``14-Jun-2026 15:16:01.123``, ``14 Jun 15:16:01``."""
    found = _DAY_FIRST.match(text, pos, end) or _DAY_FIRST_DOTS.match(text, pos, end)
    if found is None:
        return _day_first_no_year_at(text, pos, end, context)
    dom, _, name, year = found.groups()[:4]
    month = MONTHS.get(name.lower())
    if month is None:
        return None
    clock = cast(Clock, found.groups()[4:])
    if len(year) == 2:
        why = in_either_order(dom, month, year)
        return unresolved(pos, found.end(), clock, why)
    return settle(text, pos, found.end(), end, f"{year}-{month}-{dom:0>2}", clock, context)


def named_year_first_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``2026 Jun 14 15:16:01``, ``2026-Jun-14 15:16:01``."""
    found = _YEAR_FIRST.match(text, pos, end)
    if found is None:
        return None
    month = MONTHS.get(found[3].lower())
    if month is None:
        return None
    day = f"{found[1]}-{month}-{found[4]:0>2}"
    return settle(text, pos, found.end(), end, day, cast(Clock, found.groups()[4:]), context)


def _day_first_no_year_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    found = _DAY_FIRST_NO_YEAR.match(text, pos, end)
    if found is None:
        return None
    month = MONTHS.get(found[2].lower())
    if month is None:
        return None
    clock = cast(Clock, found.groups()[2:])
    return without_year(text, pos, found.end(), end, f"{month}-{found[1]:0>2}", clock, context)

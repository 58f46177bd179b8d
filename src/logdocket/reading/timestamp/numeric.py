"""Dates of numbers with separators: year first, day or month first, ordinal and week dates."""

from __future__ import annotations

import re
from typing import Final, cast

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import (
    ABBREVIATION,
    CLOCK,
    FRACTION,
    FULL_CLOCK,
    GAP,
    HALF,
    ZONE,
    Clock,
    offset,
)
from logdocket.reading.timestamp.dates import date_at
from logdocket.reading.timestamp.days import (
    WEEKDAYS,
    day_of_week,
    day_of_year,
    in_any_order,
    in_order,
    is_day,
)
from logdocket.reading.timestamp.moment import settle, unresolved
from logdocket.reading.timestamp.year import agreeing, without_year

_COMMON: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:[.,](\d{1,9}+))?+"
    r"(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?+"
    rf"(?![\w:+\-\[\u202f]|[ ](?:\(?{ABBREVIATION}|[AaPp](?:[Mm]|\.)|m=|[+-]\d))",
    re.ASCII,
)
"""What most lines begin with, where nothing that :data:`_YEAR_FIRST` would take follows."""

_YEAR_FIRST: Final = re.compile(rf"(\d{{4}})([-/.])(\d\d?)\2(\d\d?){GAP}{CLOCK}", re.ASCII)
_DOT_TIME: Final = re.compile(
    r"(\d{4}[-.]\d\d[-.]\d\d)[-T _](\d\d)(?:\.(?=\d\d\.)|-(?=\d\d-)|h(?=\d\dm))(\d\d)[-.m](\d\d)"
    rf"s?{FRACTION}{HALF}{ZONE}(?!\w)",
    re.ASCII,
)
"""Separators that file names and DB2 have: ``2026-06-14-15.16.01``, ``2026-06-14T15-16-01``."""

_YEAR_LAST: Final = re.compile(rf"(\d\d?)([-/.])(\d\d?)\2(\d{{4}}|\d\d){GAP}{CLOCK}", re.ASCII)
_ORDINAL: Final = re.compile(rf"(\d{{4}})-(\d{{3}})[Tt ]{CLOCK}", re.ASCII)
_WEEK: Final = re.compile(rf"(\d{{4}})-[Ww](\d\d)-(\d)[Tt ]{CLOCK}", re.ASCII)
_NO_YEAR: Final = re.compile(rf"(\d\d)([-/.])(\d\d)(?: {{1,2}}|-){FULL_CLOCK}", re.ASCII)
_TIME_ALONE: Final = re.compile(
    rf"(\d\d?):(\d\d):(\d\d){FRACTION}{HALF}{ZONE}(?!\w|:[\w:])", re.ASCII
)
_DATE_BEHIND: Final = re.compile(
    rf"(?: \(?({ABBREVIATION})\)?)?,? {{1,2}}(?:(?P<weekday>[A-Z][a-z]{{2,8}}),? {{1,2}})?"
    r"(\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}"
    r"|[A-Z][a-z]{2,8} {1,2}\d\d?,? \d{4}|\d\d?[- ][A-Z][a-z]{2,8}[- ]\d{4})(?![\w/.-]\w)",
    re.ASCII,
)
"""A date behind its time of day, as switches, controllers and clocks put it."""


def year_first_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``2026-06-14T15:16:01.123Z`` and its kin; DB2's ``2026-06-14-15.16.01.123456``."""
    found = _COMMON.match(text, pos, end)
    if found is not None:
        day, time, fraction, zone = found.groups()
        if (zone is not None or context.timezone is None) and is_day(day):
            where = zone if zone is None or zone == "Z" else offset(zone)
            tail = where or ""
            if fraction is not None:
                tail = f".{fraction}{tail}"
            return Stamp(pos, found.end(), f"{day}T{time}{tail}", None)
    found = _YEAR_FIRST.match(text, pos, end)
    if found is None:
        found = _DOT_TIME.match(text, pos, end)
        if found is None:
            return None
        day, clock = found[1].replace(".", "-"), found.groups()[1:]
    else:
        year, _, month, dom, *_ = found.groups()
        day, clock = f"{year}-{month:0>2}-{dom:0>2}", found.groups()[4:]
    return settle(text, pos, found.end(), end, day, cast(Clock, clock), context)


def ordinal_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """ISO 8601 ordinal and week dates: ``2026-165T15:16:01Z``, ``2026-W24-7T15:16:01Z``."""
    found = _ORDINAL.match(text, pos, end)
    if found is not None:
        day = day_of_year(found[1], found[2])
    else:
        found = _WEEK.match(text, pos, end)
        if found is None:
            return None
        day = day_of_week(found[1], found[2], found[3])
    clock = cast(Clock, found.groups()[-6:])
    return settle(text, pos, found.end(), end, day or "", clock, context)


def year_last_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``25/12/2026 15:16:01``, where one order alone gives a day; two-digit years never do."""
    found = _YEAR_LAST.match(text, pos, end)
    if found is None:
        return None
    clock = cast(Clock, found.groups()[-6:])
    first, second, year = found[1], found[3], found[4]
    if len(year) == 2:
        if found[2] == "." and len(first) + len(second) < 4:
            return None  # a version number, rather than a date
        return unresolved(pos, found.end(), clock, in_any_order(first, second, year))
    day = in_order(first, second, year)
    if isinstance(day, TimestampWhy):
        return unresolved(pos, found.end(), clock, day)
    return settle(text, pos, found.end(), end, day, clock, context)


def without_year_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``06-14 15:16:01``: the year follows from the arrival where the order of the two is clear."""
    found = _NO_YEAR.match(text, pos, end)
    if found is None:
        return None
    clock = cast(Clock, found.groups()[3:])
    day = in_order(found[1], found[3], "2000")
    if isinstance(day, TimestampWhy):
        why = unresolved(pos, found.end(), clock, day)
        return None if why.why is TimestampWhy.IMPOSSIBLE else why
    return without_year(text, pos, found.end(), end, day[5:], clock, context)


def time_alone_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``15:16:01.123``: a stamp without a date; None when it is no time of day.

    One with a date behind it is a moment: ``15:16:01 UTC Sun Jun 14 2026``.
    """
    found = _TIME_ALONE.match(text, pos, end)
    if found is None:
        return None
    clock = cast(Clock, found.groups())
    probe = unresolved(pos, found.end(), clock, TimestampWhy.NO_DATE)
    if probe.why is not TimestampWhy.NO_DATE:
        return None
    behind = _DATE_BEHIND.match(text, found.end(), end)
    dated = None if behind is None else _dated(behind, pos, clock, context)
    return dated or probe


def _dated(behind: re.Match[str], pos: int, clock: Clock, context: Context) -> Stamp | None:
    """The stamp from ``pos`` on whose date stands behind its time; None where that is no date."""
    text, end = behind.string, behind.end()
    date = date_at(text, *behind.span(3), context)
    if date is None:
        return None
    if date.value is None:
        return Stamp(pos, end, None, date.why)
    stamp = settle(text, pos, end, end, date.value, clock, context, behind[1])
    name = behind["weekday"]
    return agreeing(stamp, date.value, None if name is None else WEEKDAYS.get(name.lower(), -1))

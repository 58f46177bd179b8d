"""Dates of digits without separators, and the six-digit dates that no one can order."""

from __future__ import annotations

import re
from typing import Final, cast

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import FRACTION, HALF, ZONE, Clock
from logdocket.reading.timestamp.days import in_any_order
from logdocket.reading.timestamp.moment import settle, unresolved

EARLIEST_YEAR: Final = "1990"
LATEST_YEAR: Final = "2100"
"""Digits alone are a stamp only between these years; else they are somebody's number."""

_DATE_AND_TIME: Final = re.compile(
    rf"(\d{{4}})(\d\d)(\d\d)([Tt _:-])(\d\d):?(\d\d):?(\d\d){FRACTION}{HALF}{ZONE}(?!\w)", re.ASCII
)
_UNPADDED: Final = re.compile(
    r"(\d{4})(\d\d)(\d\d)[-_](\d\d?):(\d\d?):(\d\d?)(?::(\d{3}))?(?!\w)", re.ASCII
)
_RUN: Final = re.compile(
    r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,]?(\d{1,9}))?"
    r"((?:[Zz]|[+-]\d\d:?\d\d)\b)?(?!\w)",
    re.ASCII,
)
_SIX: Final = re.compile(
    rf"(\d\d)(\d\d)(\d\d) {{1,2}}(?:(\d\d?):(\d\d):(\d\d){FRACTION}|(\d\d)(\d\d)(\d\d))(?![\w:])",
    re.ASCII,
)


def date_and_time_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``20260614T151601Z``, ``20260614 151601``, ``20260614-15:16:01.123``."""
    found = _DATE_AND_TIME.match(text, pos, end)
    if found is None:
        return _unpadded_at(text, pos, end, context)
    year, month, day, gap = found.groups()[:4]
    clock = cast(Clock, found.groups()[4:])
    stamp = settle(text, pos, found.end(), end, f"{year}-{month}-{day}", clock, context)
    sure = gap in "Tt" or text[found.end(5)] == ":"
    return stamp if sure else _if_plausible(stamp, year)


def run_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``20260614151601``, with milliseconds behind or a fraction, and ``Z`` or an offset."""
    found = _RUN.match(text, pos, end)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    if fraction is not None and text[found.end(6)] not in ".," and len(fraction) not in (3, 6):
        return None
    clock = (hour, minute, second, fraction, None, zone)
    stamp = settle(text, pos, found.end(), end, f"{year}-{month}-{day}", clock, context)
    return _if_plausible(stamp, year)


def six_digits_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``260614 151601``, ``260614  5:16:01``: never resolved; None when no order gives a day."""
    found = _SIX.match(text, pos, end)
    if found is None or in_any_order(found[1], found[2], found[3]) is TimestampWhy.IMPOSSIBLE:
        return None
    clock = (found[4] or found[8], found[5] or found[9], found[6] or found[10], found[7])
    stamp = unresolved(pos, found.end(), (*clock, None, None), TimestampWhy.AMBIGUOUS)
    return stamp if stamp.why is TimestampWhy.AMBIGUOUS else None


def _unpadded_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``20260614-5:6:1``, as writers that do not pad their numbers have it."""
    found = _UNPADDED.match(text, pos, end)
    if found is None:
        return None
    year, month, day, hour, minute, second, millis = found.groups()
    clock = (hour, f"{minute:0>2}", f"{second:0>2}", millis, None, None)
    return settle(text, pos, found.end(), end, f"{year}-{month}-{day}", clock, context)


def _if_plausible(stamp: Stamp, year: str) -> Stamp | None:
    if stamp.value is None or not EARLIEST_YEAR <= year <= LATEST_YEAR:
        return None
    return stamp

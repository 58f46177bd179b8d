"""Counts since 1970: seconds, milliseconds, microseconds, nanoseconds."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from logdocket.line import Context
from logdocket.reading.parts import Stamp

UNITS: Final[dict[str, int]] = {"s": 0, "ms": 3, "us": 6, "ns": 9}
"""Digits of a second's fraction that each unit counts."""

_PLAIN: Final = {10: 0, 13: 3, 16: 6, 19: 9}
"""Digits of a second's fraction in counts of today with so many figures."""

_WHOLE: Final = 10
_EARLIEST: Final = int(datetime(1990, 1, 1, tzinfo=UTC).timestamp())
_LATEST: Final = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())
_LAST: Final = int(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp())
_ZERO: Final = date(1970, 1, 1)
_DAY: Final = 86_400
_MINUTES: Final = tuple(f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(60))
_NUMBER: Final = re.compile(
    r"[ \t]{0,8}(\d{1,24})(?:\.(\d{0,24}))?(?:[eE]\+?(\d{1,2}))?[ \t]{0,8}", re.ASCII
)


def epoch(
    text: str, start: int, end: int, context: Context, unit: str | None = None
) -> Stamp | None:
    """The stamp that the number ``start:end`` is, in UTC; None when it is no number or no time.

    ``unit`` is ``s``, ``ms``, ``us`` or ``ns``, for any moment from 1970 to 9999; without it, the
    one unit that puts the number between 1990 and 2100. The value has as many fraction digits as
    the unit counts and the number writes, at most nine.
    """
    plain = _plain(text, start, end, unit)
    if plain is not None:
        return plain
    found = _NUMBER.fullmatch(text, start, end)
    if found is None:
        return None
    whole, fraction, exponent = found[1], found[2] or "", int(found[3] or 0)
    digits, below = int(whole + fraction), len(fraction) - exponent
    if below < 0:
        digits, below = digits * 10**-below, 0
    if unit is None:
        scale = _scale(digits // 10**below)
        if scale is None:
            return None
    else:
        scale = UNITS[unit]
    places = scale + below
    seconds, rest = divmod(digits, 10**places)
    if seconds > _LAST:
        return None
    tail = f".{rest:0{places}}"[:10] if places else ""
    return Stamp(found.start(1), _end(found), f"{_moment(seconds)}{tail}Z", None)


def _plain(text: str, start: int, end: int, unit: str | None) -> Stamp | None:
    """The stamp of a number with as many figures as counts of its unit have today, else None."""
    places = _PLAIN.get(end - start)
    if places is None or (unit is not None and UNITS[unit] != places) or not text.isascii():
        return None
    number = text[start:end]
    if not number.isdecimal():
        return None
    seconds, rest = int(number[:_WHOLE]), number[_WHOLE:]
    if unit is None and not _EARLIEST <= seconds < _LATEST:
        return None
    return Stamp(start, end, f"{_moment(seconds)}{rest and '.'}{rest}Z", None)


def _moment(seconds: int) -> str:
    """``YYYY-MM-DDTHH:MM:SS`` of so many seconds after 1970 began."""
    day, second = divmod(seconds, _DAY)
    minute, second = divmod(second, 60)
    return f"{_date(day)}T{_MINUTES[minute]}:{second:02}"


@lru_cache(maxsize=1024)
def _date(day: int) -> str:
    """The date so many days after 1 January 1970."""
    return (_ZERO + timedelta(days=day)).isoformat()


def _scale(number: int) -> int | None:
    """The digits of the one unit that makes ``number`` a plausible moment."""
    for scale in UNITS.values():
        if _EARLIEST <= number // 10**scale < _LATEST:
            return scale
    return None


def _end(found: re.Match[str]) -> int:
    return max(found.end(1), found.end(2), found.end(3))

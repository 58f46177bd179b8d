"""The year of a stamp that has none, from when its line arrived."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import Clock, offset, on_24
from logdocket.reading.timestamp.days import is_day, weekday
from logdocket.reading.timestamp.moment import settle, unresolved
from logdocket.reading.zone import zone

SLACK: Final = timedelta(days=1)
"""How far a line's clock may run ahead of its arrival: time zones, and clocks set wrong."""

_LEAP_GAP: Final = 8
"""Years that may lie between two 29 Februaries, as from 1896 to 1904."""


def without_year(
    text: str,
    pos: int,
    stop: int,
    end: int,
    day: str,
    clock: Clock,
    context: Context,
    expected: int | None = None,
) -> Stamp:
    """The stamp on ``day`` (``MM-DD``) of the year in which its line arrived.

    ``clock`` has seconds. ``expected`` is the weekday that the stamp claims, Monday 0.
    """
    hour, minute, second, fraction, half, zone = clock
    if half is not None or len(hour) == 1:
        hour = f"{hour:0>2}" if half is None else on_24(hour, half) or "99"
        clock = (hour, minute, second, fraction, None, zone)
    if not is_day(f"2000-{day}"):
        return Stamp(pos, stop, None, TimestampWhy.IMPOSSIBLE)
    if context.received_at is None:
        return unresolved(pos, stop, clock, TimestampWhy.NO_YEAR)
    where = "" if zone is None else offset(zone) or ""
    year = year_of(day[:2], day[3:], f"{hour}:{minute}:{second}", where, context)
    if year is None:
        return unresolved(pos, stop, clock, TimestampWhy.NO_YEAR)
    stamp = settle(text, pos, stop, end, f"{year}-{day}", clock, context)
    return agreeing(stamp, f"{year}-{day}", expected)


def agreeing(stamp: Stamp, day: str, expected: int | None) -> Stamp:
    """``stamp``, unless the weekday it claims is not that of its ``day``."""
    if expected is None or stamp.value is None or weekday(day) == expected:
        return stamp
    return Stamp(stamp.start, stamp.end, None, TimestampWhy.IMPOSSIBLE)


def year_of(month: str, day: str, clock: str, where: str, context: Context) -> str | None:
    """The latest year, four digits, in which the stamp is at most a day after the line arrived.

    ``month`` and ``day`` are two digits, ``clock`` starts ``HH:MM:SS``. Wall clocks are compared in
    the stamp's own zone ``where`` (``Z`` or ``±HH:MM``); where that is ``""``, in the context's
    zone, else in the offset of the arrival time. 29 February goes back to a leap year. None when
    the context has no arrival time with an offset, or there is no such day.
    """
    arrived = context.received_at
    away = None if arrived is None else arrived.utcoffset()
    if arrived is None or away is None:
        return None
    name = "+00:00" if where == "Z" else where or context.timezone
    last, rest = _latest(arrived, away, name)
    if f"{month}-{day}T{clock}" > rest:
        last -= 1
    for year in range(last, max(last - _LEAP_GAP, 1) - 1, -1):
        if is_day(f"{year:04}-{month}-{day}"):
            return f"{year:04}"
    return None


@lru_cache(maxsize=256)
def _latest(arrived: datetime, away: timedelta, name: str | None) -> tuple[int, str]:
    """Year, and ``MM-DDTHH:MM:SS``, of the last moment that counts.

    ``away`` is the arrival's own offset: equal moments in two offsets must not share an answer.
    """
    wall = arrived.replace(tzinfo=None)
    try:
        if name is not None:
            there = zone(name)
            wall = arrived.astimezone(there).replace(tzinfo=None)
        wall += SLACK
    except OverflowError:
        pass
    return wall.year, wall.isoformat()[5:19]

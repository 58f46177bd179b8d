"""The year of a stamp that has none, from when its line arrived."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from logdocket.line import Context
from logdocket.reading.timestamp.days import is_day
from logdocket.reading.zone import zone

SLACK: Final = timedelta(days=1)
"""How far a line's clock may run ahead of its arrival: time zones, and clocks set wrong."""

_LEAP_GAP: Final = 8
"""Years that may lie between two 29 Februaries, as from 1896 to 1904."""


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

"""A day and a clock made into a stamp: the one place where values are written."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import (
    ABBREVIATION,
    Clock,
    is_leap_second,
    offset,
    on_24,
)
from logdocket.reading.timestamp.days import day_after, is_day
from logdocket.reading.zone import written, zone

_NANOSECONDS: Final = 9
_NAMED_ZONE: Final = re.compile(rf" ?\(?({ABBREVIATION})", re.ASCII)


def settle(
    text: str,
    start: int,
    end: int,
    bound: int,
    day: str,
    clock: Clock,
    context: Context,
    named: str | None = None,
) -> Stamp:
    """The stamp ``start:end`` that names ``clock`` on ``day`` (``YYYY-MM-DD``).

    ``named`` is the abbreviation of a zone inside the stamp; ``bound`` is how far past ``end`` the
    text may be read for one behind it. Hour 24 is midnight of the next day. Fractions are kept as
    written, cut to nanoseconds.
    """
    hour, minute, second, fraction, half, away = clock
    if half is not None:
        hour = on_24(hour, half) or "99"
    elif len(hour) == 1:
        hour = "0" + hour
    if hour == "24" and minute == "00" and not (second or "").strip("0"):
        if (fraction or "").strip("0"):
            return Stamp(start, end, None, TimestampWhy.IMPOSSIBLE)
        day, hour = day_after(day) or "", "00"
    if hour > "23" or minute > "59" or not is_day(day):
        return Stamp(start, end, None, TimestampWhy.IMPOSSIBLE)
    if away is not None:
        where = offset(away)
    elif context.timezone is None:
        where = ""
    else:
        if named is None:
            behind = _NAMED_ZONE.match(text, end, bound)
            named = None if behind is None else behind[1]
        where = local_offset(f"{day}T{hour}:{minute}", context.timezone, named)
    if where is None:
        return Stamp(start, end, None, TimestampWhy.IMPOSSIBLE)
    if second is None:
        return Stamp(start, end, f"{day}T{hour}:{minute}{where}", None)
    if second > "59" and not (second == "60" and is_leap_second(hour, minute, where)):
        return Stamp(start, end, None, TimestampWhy.IMPOSSIBLE)
    if fraction is None:
        return Stamp(start, end, f"{day}T{hour}:{minute}:{second}{where}", None)
    if len(fraction) > _NANOSECONDS:
        fraction = fraction[:_NANOSECONDS]
    return Stamp(start, end, f"{day}T{hour}:{minute}:{second}.{fraction}{where}", None)


@lru_cache(maxsize=4096)
def local_offset(minute: str, name: str, named: str | None) -> str:
    """The offset of zone ``name`` at the wall time ``YYYY-MM-DDTHH:MM``, or ``""``.

    A minute that comes twice, or that the clocks skip, has no one offset and gets none: the stamp
    stays as it is written. Beside an abbreviation (``named``) the offset is the one by which the
    zone goes by that name then, which tells the two apart; where it never does, the caller and the
    line contradict, and there is none. Offsets that are no whole minutes, as before 1900, have no
    ISO 8601 form and are not given.
    """
    early = datetime.fromisoformat(minute).replace(tzinfo=zone(name))
    late = early.replace(fold=1)
    first, second = early.utcoffset(), late.utcoffset()
    if first != second:  # PEP 495: by fold, and of a gap the first offset is the lesser
        if named is None or first is None or second is None or first < second:
            return ""
        early = late if early.tzname() != named else early
    if named is not None and early.tzname() != named:
        return ""
    return written(early.utcoffset()) or ""


def unresolved(start: int, end: int, clock: Clock, why: TimestampWhy) -> Stamp:
    """The stamp ``start:end`` that has ``why`` and no value, unless its clock is impossible."""
    hour, minute, second, _, half, away = clock
    plain = half is None and away is None and len(hour) == 2
    if plain and hour < "24" and minute < "60" and (second is None or second < "60"):
        return Stamp(start, end, None, why)
    probe = settle("", start, end, 0, "2000-01-01", clock, _NOWHERE)
    return Stamp(start, end, None, probe.why or why)


_NOWHERE: Final = Context()

"""Which kind of stamp can stand at a place, and where in a stretch one stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import ABBREVIATION
from logdocket.reading.timestamp.compact import date_and_time_at, run_at, six_digits_at
from logdocket.reading.timestamp.dates import date_at
from logdocket.reading.timestamp.days import MONTH_HEADS, WEEKDAY_HEADS, WEEKDAYS
from logdocket.reading.timestamp.named import (
    day_first_at,
    month_first_at,
    named_year_first_at,
)
from logdocket.reading.timestamp.numeric import (
    ordinal_at,
    time_alone_at,
    without_year_at,
    year_first_at,
    year_last_at,
)
from logdocket.reading.timestamp.year import agreeing

Kind: TypeAlias = Callable[[str, int, int, Context], Stamp | None]

_KINDS: Final[dict[int, tuple[Kind, ...]]] = {
    4: (year_first_at, named_year_first_at, ordinal_at),
    6: (six_digits_at,),
    8: (date_and_time_at,),
    14: (run_at,),
    17: (run_at,),
    20: (run_at,),
}
"""The kinds that can start with so many digits in a row."""

_CLOCKS: Final = (time_alone_at,)
_NAMED: Final = (day_first_at,)
_NUMBERED: Final[dict[int, tuple[Kind, ...]]] = {
    1: (year_last_at,),
    2: (year_last_at, without_year_at),
    3: (),
}
"""What one or two digits can begin: a time of day before a colon, and two kinds of dates by what
follows the mark behind them, a letter or a digit.
"""

_YEAR: Final = 4
_DIGITS: Final = re.compile(r"\d{1,21}", re.ASCII)
_WEEKDAY: Final = re.compile(r"([A-Za-z]{3,9}),? {1,2}(?=\d)", re.ASCII)


def at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """The longest stamp that starts exactly at ``pos``; None when there is none.

    A date without a time is none, and neither is a count of seconds (:func:`epoch`). Nothing at or
    past ``end`` is read.
    """
    head = text[pos : pos + 3]
    if "0" <= head[:1] <= "9":
        if text[pos + 4 : pos + 5] in ("-", "/"):  # by far the most common, so tried at once
            stamp = year_first_at(text, pos, end, context)
            if stamp is not None:
                return stamp
        digits = _DIGITS.match(text, pos, end)
        if digits is None:
            return None
        stop = digits.end()
        kinds = _KINDS.get(stop - pos, ())
        if stop - pos < _YEAR:
            parted = text[stop : stop + 1]
            if parted == ":":
                kinds = _CLOCKS
            else:
                kinds = _NAMED if text[stop + 1 : stop + 2].isalpha() else _NUMBERED[stop - pos]
        for kind in kinds:
            stamp = kind(text, pos, end, context)
            if stamp is not None:
                return stamp
        return None
    if head in MONTH_HEADS:
        return month_first_at(text, pos, end, context)
    if head in WEEKDAY_HEADS:
        return month_first_at(text, pos, end, context) or _after_weekday(text, pos, end, context)
    return None


def _after_weekday(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``Sun, 14 Jun 2026 15:16:01 +0000``, ``Sun 2026-06-14 15:16:01 UTC``."""
    found = _WEEKDAY.match(text, pos, end)
    if found is None or found[1].lower() not in WEEKDAYS:
        return None
    stamp = at(text, found.end(), end, context)
    if stamp is None or stamp.why is TimestampWhy.NO_DATE:
        return None
    day = "" if stamp.value is None else stamp.value[:10]
    return agreeing(Stamp(pos, stamp.end, stamp.value, stamp.why), day, WEEKDAYS[found[1].lower()])


_STARTS: Final = re.compile(
    r"[\dJFMASONDTW](?<![\w/.].)(?<!\w-.)(?<![\d:]:.)"
    r"(?:(?<=\d)(?=\d?(?:[-/][\dA-Za-z]|\.\d\d?\.\d| [A-Za-z]{3}|:\d\d:\d)"
    r"|\d{3}[-/.]\d|\d{3}[- /][A-Za-z]{3}|\d{7}[Tt _:-]\d|\d{13}(?:\d{3}){0,2}(?!\d))"
    r"|(?=[a-z]{2,8}[.,]? {1,3}[\dA-Z]|[A-Z]{2,8}[.,]? {1,3}[\dA-Z]))",
    re.ASCII | re.DOTALL,
)
"""The first character of what may be a stamp, at a word's edge.

A fixed set of characters comes first, so that the engine skips fast; the edge is checked after it.
"""


def search(text: str, start: int, end: int, context: Context) -> Stamp | None:
    """The first stamp that starts at a word's edge in the stretch, or None.

    ``start`` counts as an edge. A time of day alone is given only where nothing with a date stands
    in the stretch.
    """
    undated = at(text, start, end, context)
    if undated is not None and undated.why is not TimestampWhy.NO_DATE:
        return undated
    for place in _STARTS.finditer(text, start, end):
        stamp = at(text, place.start(), end, context)
        if stamp is None:
            continue
        if stamp.why is not TimestampWhy.NO_DATE:
            return stamp
        if undated is None and text[stamp.start - 1 : stamp.start] != ":":
            undated = stamp
    return undated


def joined(text: str, day: Stamp, clock: Stamp, context: Context) -> Stamp | None:
    """The stamp of a day and a time of day that stand apart; None when they name no moment."""
    moment = f"{day.value} {text[clock.start : clock.end]}"
    stamp = whole(moment, 0, len(moment), context)
    if stamp is None:
        return None
    return Stamp(min(day.start, clock.start), max(day.end, clock.end), stamp.value, stamp.why)


_OPEN: Final = {"[": "]", "(": ")", '"': '"', "'": "'"}
_AFTER: Final = re.compile(rf" ?(?:{ABBREVIATION}|\([A-Za-z ]{{1,40}}\))", re.ASCII)


def whole(text: str, start: int, end: int, context: Context) -> Stamp | None:
    """The stamp that fills the stretch, but for spaces, one pair of brackets or quotes; or None.

    A date without a time counts here and has a value without a time. A zone's abbreviation or a
    remark in brackets may follow; it is not part of the stamp.
    """
    stamp = at(text, start, end, context)
    if stamp is not None and stamp.end == end:
        return stamp
    start, end = _inside(text, start, end)
    stamp = at(text, start, end, context)
    if stamp is not None and (stamp.end == end or _AFTER.fullmatch(text, stamp.end, end)):
        return stamp
    return date_at(text, start, end, context)


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the spaces around it, and without one pair of brackets."""
    start, end = _trimmed(text, start, end)
    if end - start > 1 and _OPEN.get(text[start]) == text[end - 1]:
        return _trimmed(text, start + 1, end - 1)
    return start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t":
        start += 1
    while start < end and text[end - 1] in " \t":
        end -= 1
    return start, end

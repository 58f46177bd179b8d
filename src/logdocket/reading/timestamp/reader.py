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
    agreeing,
    day_first_at,
    month_first_at,
    named_year_first_at,
)
from logdocket.reading.timestamp.numeric import (
    ordinal_at,
    time_alone_at,
    year_first_at,
    year_last_at,
)

Kind: TypeAlias = Callable[[str, int, int, Context], Stamp | None]

_DAY: Final[tuple[Kind, ...]] = (year_last_at, day_first_at)
_KINDS: Final[dict[int, tuple[Kind, ...]]] = {
    1: (time_alone_at, *_DAY),
    2: (time_alone_at, *_DAY),
    4: (year_first_at, named_year_first_at, ordinal_at),
    6: (six_digits_at,),
    8: (date_and_time_at,),
    14: (run_at,),
    17: (run_at,),
    20: (run_at,),
}
"""The kinds that can start with so many digits in a row."""

_DIGITS: Final = re.compile(r"\d{1,21}", re.ASCII)
_WEEKDAY: Final = re.compile(r"([A-Za-z]{3,9}),? {1,2}(?=\d)", re.ASCII)


def at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """The longest stamp that starts exactly at ``pos``; None when there is none.

    A date without a time is none, and neither is a count of seconds (:func:`epoch`). Nothing at or
    past ``end`` is read.
    """
    head = text[pos : pos + 3]
    if head[:1].isdigit():
        digits = _DIGITS.match(text, pos, end)
        if digits is None:
            return None
        for kind in _KINDS.get(digits.end() - pos, ()):
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
    return agreeing(stamp._replace(start=pos), day, WEEKDAYS[found[1].lower()])


_STARTS: Final = re.compile(
    r"(?<![\w/.])(?<!\w-)(?<![\d:]:)"
    r"(?=\d{1,2}[-/. :][\dA-Za-z]|\d{4}[-/. ][\dA-Za-z]|\d{8}[Tt _:-]\d|\d{14}(?:\d{3}){0,2}(?!\d)"
    r"|(?:[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un|MON|TUE|WED|THU|FRI|SAT|SUN"
    r"|[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]u[nl]|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec"
    r"|JAN|FEB|MAR|APR|MAY|JU[NL]|AUG|SEP|OCT|NOV|DEC)[A-Za-z]{0,6}[., ])",
    re.ASCII,
)


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


_OPEN: Final = {"[": "]", "(": ")", '"': '"', "'": "'"}
_AFTER: Final = re.compile(rf" ?(?:{ABBREVIATION}|\([A-Za-z ]{{1,40}}\))", re.ASCII)


def whole(text: str, start: int, end: int, context: Context) -> Stamp | None:
    """The stamp that fills the stretch, but for spaces, one pair of brackets or quotes; or None.

    A date without a time counts here and has a value without a time. A zone's abbreviation or a
    remark in brackets may follow; it is not part of the stamp.
    """
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

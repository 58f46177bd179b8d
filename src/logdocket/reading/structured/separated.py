"""Values between commas, semicolons, bars or tabs, with a time in the first of them or in two.

Such lines have no keys: a column tells what it is by what it holds, and by its neighbours. The
heads of :mod:`..apps` read most of them; here are those that stand in single quotes, that have day
and time of day in a column each, or that begin with a count since 1970 and a tab.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis, TimestampWhy
from logdocket.reading import service, severity, timestamp
from logdocket.reading.parts import Level, Name, Parts, Stamp

_BEGINNING: Final = re.compile(
    r"(?:([\"'])[^\"'\n]{8,40}+\1|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{10,19}(?:\.\d{1,9})?(?=\t))"
    r"([,;|\t])"
)
_MOST: Final = 6
"""Columns that are looked at, of which the last is all the rest."""

_Span = tuple[int, int]


def parse_separated(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line of columns that begins with a time; None where none begins so.

    A level is a column of its own. The name is the column behind it, if one follows that.
    """
    beginning = _BEGINNING.match(text, start, end)
    if beginning is None:
        return None
    columns = _split(text, start, end, beginning[2])
    if len(columns) < 3:
        return None
    stamp, after = _time(text, columns, context)
    if stamp is None:
        return None
    level, name, after = _level_and_name(text, columns, after)
    if level is None and after < 2:
        return None
    first, last = columns[after][0], end
    if after == len(columns) - 1:
        first, last = columns[after]
    return Parts("app", (first, last), stamp, level, name)


def _split(text: str, start: int, end: int, mark: str) -> list[_Span]:
    """Where the first columns stand, without quotes; the last of many runs to the end."""
    columns: list[_Span] = []
    at = start
    while len(columns) < _MOST:
        last = _quoted_end(text, at, end) if text[at : at + 1] in ("'", '"') else at
        stop = text.find(mark, last, end)
        if stop < 0 or len(columns) == _MOST - 1:
            stop = end
        columns.append(_bare(text, at, stop))
        if stop == end:
            break
        at = stop + 1
    return columns


def _quoted_end(text: str, at: int, end: int) -> int:
    close = text.find(text[at], at + 1, end)
    return at if close < 0 else close + 1


def _bare(text: str, start: int, end: int) -> _Span:
    while start < end and text[start] == " ":
        start += 1
    while start < end and text[end - 1] == " ":
        end -= 1
    if end - start > 1 and text[start] in "\"'" and text[end - 1] == text[start]:
        return start + 1, end - 1
    return start, end


def _time(text: str, columns: list[_Span], context: Context) -> tuple[Stamp | None, int]:
    """The time that the first column holds, or the first two, and which column comes next."""
    first, last = columns[0]
    if text[first:last].replace(".", "", 1).isdecimal() and last - first >= 10:
        return timestamp.epoch(text, first, last, context), 1
    stamp = timestamp.whole(text, first, last, context)
    if stamp is None or (stamp.value is not None and "T" in stamp.value):
        return stamp, 1
    clock = timestamp.whole(text, *columns[1], context)
    if clock is None or clock.why is not TimestampWhy.NO_DATE:
        return None, 0
    if stamp.value is None:
        return Stamp(stamp.start, clock.end, None, stamp.why), 2
    return timestamp.joined(text, stamp, clock, context), 2


def _level_and_name(
    text: str, columns: list[_Span], at: int
) -> tuple[Level | None, Name | None, int]:
    """The level in a column behind the time, the name behind it, and where the message begins."""
    for index in range(at, len(columns) - 1):
        token = text[slice(*columns[index])]
        value = severity.letter(token) if len(token) == 1 else severity.word(token)
        if value is None:
            continue
        level = Level(*columns[index], value, SeverityBasis.LEVEL)
        named = columns[index + 1] if index + 2 < len(columns) else (0, 0)
        token = text[slice(*named)]
        if service.is_name(token) and (not service.is_thread(token) or service.is_counted(token)):
            return level, Name(*named, ServiceBasis.LOGGER), index + 2
        return level, None, index + 1
    return None, None, at

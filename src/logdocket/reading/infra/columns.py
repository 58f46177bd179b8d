"""Records exported as separated values in quotes: ``"time","host","err","text"``."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.levels import UNSURE
from logdocket.reading.parts import Level, Name, Parts, Stamp

_MOST: Final = 24
_LONGEST_STAMP: Final = 40
_LONGEST_LEVEL: Final = 13
_COLUMN: Final = {
    mark: re.compile(
        # A backslash hides a quote, unless that ends a column, as of a path.
        rf'"((?:[^"\\]++|""|\\(?:"(?!{mark}"|\Z))?+)*+)"(?:{mark}|\Z)'
        rf'|([^"{mark}\n]{{0,256}}+)(?:{mark}|\Z)'
    )
    for mark in (",", ";", "\t")
}
_TAG: Final = re.compile(r"([A-Za-z][\w./-]{0,63}+)\[\d{1,10}\]: ?")


def parse_columns(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a record of quoted columns, which begins with a quote: the first time, the
    first whole level, and the program of a syslog tag. The longest column is the message.
    """
    second = text.find('"', start + 1, min(end, start + _LONGEST_STAMP * 4))
    column = _COLUMN.get(text[second + 1 : second + 2])
    if second < 0 or column is None:
        return None
    stamp: Stamp | None = None
    level: Level | None = None
    name: Name | None = None
    named: tuple[int, int] | None = None
    message = (start, start)
    pos, seen = start, 0
    while pos < end and seen < _MOST:
        found = column.match(text, pos, end)
        if found is None:
            return None
        first, last = found.span(1 if found[1] is not None else 2)
        seen += 1
        if stamp is None and 8 <= last - first <= _LONGEST_STAMP:
            stamp = timestamp.whole(text, first, last, context)
        if level is None and last - first <= _LONGEST_LEVEL:
            level = _level(text, first, last)
        elif level is not None and named is None and _is_logger(text[first:last]):
            named = (first, last)
        if last - first > message[1] - message[0]:
            message = (first, last)
        pos = found.end()
    if seen < 3 or (stamp is None and level is None):
        return None
    tag = _TAG.match(text, *message)
    if tag is None and named is not None:
        name = Name(*named, ServiceBasis.LOGGER)
    if tag is not None:
        name = Name(*tag.span(1), ServiceBasis.APP)
        if tag.end() < message[1]:
            message = (tag.end(), message[1])
    return Parts("app", message, stamp, level, name)


def _is_logger(column: str) -> bool:
    return "." in column and service.is_name(column)


def _level(text: str, start: int, end: int) -> Level | None:
    value = None if text[start:end] in UNSURE else severity.word(text[start:end])
    return None if value is None else Level(start, end, value, SeverityBasis.LEVEL)

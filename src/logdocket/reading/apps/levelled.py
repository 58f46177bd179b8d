"""The commonest of heads in one pattern: a time, a level, perhaps a thread, a logger, a message."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps.head import parse_head
from logdocket.reading.parts import Level, Name, Parts

_LEVEL: Final = "(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL)"

_WORDS: Final = r"(?=[A-Za-z]++ [A-Za-z0-9])"
"""A message that begins with two words, among which the head cannot go on."""

# A time and a level in capitals after it: no shape but an application's begins like this.
_HEAD: Final = re.compile(
    r"\d[\d/.-]{4,9}+[T ][\d:]{6,8}+(?:[.,]\d{1,9}+)?(?:Z|[+-]\d\d:?\d\d)?[ \t]{1,4}+"
    rf"(?:\[{_LEVEL}[ ]{{0,4}}+\]"
    r"|(?:-[ \t]{1,4}+|\d{1,7}+[ \t]{1,4}+|(?P<before>\[[A-Za-z][\w#$-]{1,60}+\])[ \t]{1,4}+)?"
    rf"(?P<level>{_LEVEL})[ \t]{{1,4}}+"
    r"(?:(?P<thread>\[[^\[\]]{0,100}+\][ \t]{1,4}+)?"
    r"(?P<name>[A-Za-z_][\w.$]{0,120}+(?:::\w{1,40}+){0,8}+)(?::|[ \t]{1,40}+-)[ \t]{1,4}+(?=\S))?"
    # Python's and loguru's layouts.
    rf"|-[ \t]{{1,4}}+(?P<logger>[A-Za-z_][\w.-]{{0,120}}+)[ \t]{{1,4}}+-[ \t]{{1,4}}+"
    rf"(?P<second>{_LEVEL})[ \t]{{1,4}}+-[ \t]{{1,4}}+{_WORDS}"
    rf"|\|[ \t]{{1,4}}+(?P<column>{_LEVEL})[ \t]{{1,8}}+\|[ \t]{{1,4}}+"
    r"(?P<place>[A-Za-z_][\w.-]{0,120}+:[\w<>]{1,60}+:\d{1,6}+)[ \t]{1,4}+-[ \t]{1,4}+"
    rf"{_WORDS})"
)

# The groups of each layout: the name, the level, and what may stand in brackets beside them.
_LAYOUTS: Final = (
    ("name", "level", ("before", "thread")),
    ("logger", "second", ()),
    ("place", "column", ()),
)


def parse_levelled(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line that opens with a time and a level in capitals, else None.

    The same parts as :func:`parse_head` gives, sooner: such a line is asked for no shape that it
    cannot have, and where a logger follows plainly, for no single item.
    """
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    for name, level, beside in _LAYOUTS:
        if head[name] is not None:
            parts = _plainly(text, head, name, level, beside, start, end, context)
            return parts or parse_head(text, start, end, context)
    return parse_head(text, start, end, context)


def _plainly(
    text: str,
    head: re.Match[str],
    name: str,
    level: str,
    beside: tuple[str, ...],
    start: int,
    end: int,
    context: Context,
) -> Parts | None:
    named = service.look(head[name])
    if named is None or named.thread:
        return None
    for group in beside:
        if head[group] is not None and (not named.nested or severity.word(head[group][1:-1])):
            return None
    if name == "logger" and text[end - 1] == ")":  # a logger may stand there, too
        return None
    stamp = timestamp.at(text, start, end, context)
    value = severity.word(head[level])
    if stamp is None or value is None:
        return None
    at = head.start(name)
    return Parts(
        "app",
        (head.end(), end),
        stamp,
        Level(*head.span(level), value, SeverityBasis.LEVEL),
        Name(at + named.first, at + named.last, ServiceBasis.LOGGER),
    )

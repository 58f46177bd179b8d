"""The commonest of heads in one pattern: a time, a level, perhaps a thread, a logger, a message."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps.found import Found
from logdocket.reading.apps.head import parse_head, walk
from logdocket.reading.levels import FORMS
from logdocket.reading.parts import Level, Name, Parts, Stamp

_LEVEL: Final = "(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL)"
_STATED: Final = SeverityBasis.LEVEL
_LOGGER: Final = ServiceBasis.LOGGER

_WORDS: Final = r"(?=[A-Za-z]++ [A-Za-z0-9])"
"""A message that begins with two words, among which the head cannot go on."""

# A time and a level in capitals after it: no shape but an application's begins like this.
_HEAD: Final = re.compile(
    r"\d[\d/.-]{4,9}+[T ][\d:]{6,8}+(?:[.,]\d{1,9}+)?(?:Z|[+-]\d\d:?\d\d)?[ \t]{1,4}+"
    # Spring Boot's layout, with or without the application's name before the thread.
    rf"(?:(?P<third>{_LEVEL})[ \t]{{1,4}}+\d{{1,7}}+ --- (?:\[ {{0,20}}+[\w#-]{{1,60}}+\] ){{1,2}}+"
    rf"(?P<padded>[A-Za-z_][\w.$]{{0,120}}+) {{1,40}}+: {_WORDS}"
    rf"|\[(?P<boxed>{_LEVEL})[ ]{{0,4}}+\]"
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

# By the last group of each layout: the name, the level, what may stand in brackets beside them.
_LAYOUTS: Final[dict[str | None, tuple[str, str, tuple[str, ...]]]] = {
    "name": ("name", "level", ("before", "thread")),
    "second": ("logger", "second", ()),
    "place": ("place", "column", ()),
    "padded": ("padded", "third", ()),
}
_BETWEEN: Final = {"": 2, "-": 3}
"""What may stand between a time and its level, and how many items the three are."""


def parse_levelled(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line that opens with a time and a level in capitals, else None.

    The same parts as :func:`parse_head` gives, sooner: such a line is asked for no shape that it
    cannot have; where a logger follows plainly, for no single item, else for those behind the
    level. Brackets and marks behind a plain logger stay in the message, where the walk might pass
    over them.
    """
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    stamp = timestamp.at(text, start, end, context)
    if stamp is None:
        return parse_head(text, start, end, context)
    layout = _LAYOUTS.get(head.lastgroup)
    parts = None if layout is None else _plainly(head, *layout, end, stamp)
    return parts or _onwards(head, start, end, stamp, context)


def _plainly(
    head: re.Match[str], name: str, level: str, beside: tuple[str, ...], end: int, stamp: Stamp
) -> Parts | None:
    named = service.look(head[name])
    if named is None or named.thread:
        return None
    for group in beside:
        if head[group] is not None and (not named.nested or severity.word(head[group][1:-1])):
            return None
    if name == "logger" and head.string[end - 1] == ")":  # a logger may stand there, too
        return None
    at = head.start(name)
    return Parts(
        "app",
        (head.end(), end),
        stamp,
        _level(head, level),
        Name(at + named.first, at + named.last, _LOGGER),
    )


def _onwards(
    head: re.Match[str], start: int, end: int, stamp: Stamp, context: Context
) -> Parts | None:
    """What the walk along the head gives, which need not look at the time and the level again."""
    text = head.string
    level = "level" if head["level"] is not None else "boxed"
    first, last = head.span(level)
    between = text[stamp.end : first].strip(" \t") if first >= 0 else ""
    if level == "boxed" and first >= 0:
        between = between[:-1]
        last = text.index("]", last) + 1
        last += text.startswith(":", last)
    taken = _BETWEEN.get(between)
    if first < 0 or taken is None:
        return parse_head(text, start, end, context)
    found = Found(text, start, end, context, last, last, stamp=stamp, level=_level(head, level))
    return walk(found, taken)


def _level(head: re.Match[str], group: str) -> Level:
    return Level(*head.span(group), FORMS[head[group]], _STATED)

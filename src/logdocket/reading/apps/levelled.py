"""The commonest of heads in one pattern: a time, a level, perhaps a thread, a logger, a message."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps.head import parse_head
from logdocket.reading.parts import Level, Name, Parts

_LEVEL: Final = "(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL)"

# A time and a level in capitals after it: no shape but an application's begins like this.
_HEAD: Final = re.compile(
    r"\d[\d/.-]{4,9}+[T ][\d:]{6,8}+(?:[.,]\d{1,9}+)?(?:Z|[+-]\d\d:?\d\d)?[ \t]{1,4}+"
    rf"(?:\[{_LEVEL}[ ]{{0,4}}+\]"
    r"|(?:-[ \t]{1,4}+|\d{1,7}+[ \t]{1,4}+)?"
    rf"(?P<level>{_LEVEL})[ \t]{{1,4}}+"
    r"(?:(?P<thread>\[[^\[\]]{0,100}+\][ \t]{1,4}+)?"
    r"(?P<name>[A-Za-z_][\w.$]{0,120}+(?:::\w{1,40}+){0,8}+)(?::|[ \t]{1,40}+-)[ \t]{1,4}+(?=\S))?)"
)


def parse_levelled(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line that opens with a time and a level in capitals, else None.

    The same parts as :func:`parse_head` gives, sooner: such a line is asked for no shape that it
    cannot have, and where a logger follows plainly, for no single item.
    """
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    if head["name"] is not None:
        parts = _plainly(text, head, start, end, context)
        if parts is not None:
            return parts
    return parse_head(text, start, end, context)


def _plainly(
    text: str, head: re.Match[str], start: int, end: int, context: Context
) -> Parts | None:
    named = service.look(head["name"])
    if named is None or named.thread or (head["thread"] is not None and not named.nested):
        return None
    stamp = timestamp.at(text, start, end, context)
    value = severity.word(head["level"])
    if stamp is None or value is None:
        return None
    name = head.start("name")
    return Parts(
        "app",
        (head.end(), end),
        stamp,
        Level(*head.span("level"), value, SeverityBasis.LEVEL),
        Name(name + named.first, name + named.last, ServiceBasis.LOGGER),
    )

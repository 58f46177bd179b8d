"""Ruby's Logger: ``E, [2031-05-06T07:08:09.123456 #42] ERROR -- program: message``."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.parts import Level, Name, Parts

# The format is that of Logger::Formatter in Ruby's standard library.
_HEAD: Final = re.compile(
    r"[DIWEFA], \[(?P<time>[^\]#\s]{10,40}+)\s*+#\d{1,10}+\]\s{1,3}+(?P<level>[A-Z]{3,7}+) -- "
    r"(?P<name>[^\s:]{0,128}+(?::[^\s:]{1,64}+){0,8}+): ?"
)


def parse_ruby(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line that Ruby's Logger wrote, else None. ``ANY`` states no level."""
    if not text.startswith(", [", start + 1):
        return None
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    value = severity.word(head["level"])
    level = None
    if value is not None:
        level = Level(*head.span("level"), value, SeverityBasis.LEVEL)
    named = service.look(head["name"])
    at = head.start("name")
    return Parts(
        "ruby",
        (head.end(), end),
        timestamp.at(text, head.start("time"), head.end("time"), context),
        level,
        named and Name(at + named.first, at + named.last, ServiceBasis.APP),
    )

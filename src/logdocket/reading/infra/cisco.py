"""Messages of Cisco's systems, which carry their own head: ``%FACILITY-3-MNEMONIC: text``.

The digit is the syslog severity. See Cisco's "System Message Logging" for the head's parts.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import trimmed
from logdocket.reading.parts import Level, Name, Parts, Stamp

_REACH: Final = 200
_HEAD: Final = re.compile(
    r"%([A-Z][A-Z0-9_]{1,31}(?:-[A-Z][A-Z0-9_]{0,31}){0,3})-([0-7])-[A-Z0-9_]{2,64}+ ?:(?=\s|$)"
)
_PREFIX: Final = re.compile(r"(?:<(\d{1,3})>)?[\w .:*\-/+\[\]()]*+$")
_STAMP: Final = re.compile(
    r"\d{4} [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4}(?=[ :]))?"
    r"(?: [A-Z]{2,5}(?= ?:| ))?"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d(?::?\d\d)?)?"
)


def parse_cisco(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A record with a Cisco head within its first 200 characters, whatever stands before it.

    The head's digit is the level, its facility the name; the message begins with the head.
    """
    near = min(end, start + _REACH)
    at = text.find("%", start, near)
    if at < 0:
        return None
    head = _HEAD.match(text, at, end)
    if head is None or (at > start and text[at - 1] not in " :]>"):
        return None
    prefix = _PREFIX.match(text, start, at)
    if prefix is None:
        return None
    value = severity.pri(int(head[2]))
    level = None
    if value is not None:
        level = Level(head.start(2), head.end(2), value, SeverityBasis.PRIORITY)
    return Parts(
        "syslog-3164",
        trimmed(text, at, end),
        _stamp(text, start, at, context),
        level,
        Name(head.start(1), head.end(1), ServiceBasis.LOGGER),
    )


def _stamp(text: str, start: int, end: int, context: Context) -> Stamp | None:
    found = _STAMP.search(text, start, end)
    if found is None:
        return None
    return timestamp.at(text, found.start(), found.end(), context)

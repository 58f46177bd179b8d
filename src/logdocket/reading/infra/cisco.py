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
    r"%([A-Z][A-Z0-9_]{1,31}(?:-[A-Z][A-Z0-9_]{0,31}){0,3})-([0-7])"
    r"(?:-[A-Z0-9_]{2,64}+)? ?:(?=\s|$)"
)
_SLASHED: Final = re.compile(
    r"%%\d\d([A-Z][A-Z0-9_]{1,31})/([0-7])/[A-Za-z0-9_]{2,64}+(?:\(\w{1,8}\))?(?:\[\d{1,10}\])?:"
)
"""Huawei's and H3C's heads: ``%%01IFNET/4/LINK_STATE(l)[12]:``."""

_PROCESS: Final = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]{0,63}+)\[\d{1,10}\]: {0,4}\Z")
"""The program that wrote the message, as it stands before the head."""

_JUNOS: Final = frozenset(
    "KERN USER DAEMON AUTH AUTHORIZATION AUTHPRIV CRON FTP NTP SYSLOG LOCAL0 LOCAL1 LOCAL2 LOCAL3 "
    "LOCAL4 LOCAL5 LOCAL6 LOCAL7 CHANGE CONFLICT DFC EXTERNAL FIREWALL INTERACT PFE".split()
)
"""Junos' facilities, which are syslog's and so name no component."""
_PREFIX: Final = re.compile(r"(?:<\d{1,3}>)?%?[\w .:*\-/+\[\]()]*+$")
_STAMP: Final = re.compile(
    r"\d{4} [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4}(?=[ :]))?"
    r"(?: [A-Z]{2,5}(?= ?:| ))?"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d(?::?\d\d)?)?"
)


def parse_cisco(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A record with a Cisco head within its first 200 characters, whatever stands before it.

    The head's digit is the level, its facility the name, under Junos the program before it; the
    message begins with the head. Huawei's and H3C's heads are read alike.
    """
    near = min(end, start + _REACH)
    at = text.find("%", start, near)
    if at < 0:
        return None
    double = text.find("%%", at, near)
    if double >= 0:
        at = double
    head = (_HEAD if double < 0 else _SLASHED).match(text, at, end)
    if head is None or (at > start and text[at - 1] not in " :]>"):
        return None
    if _PREFIX.match(text, start, at) is None:
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
        _name(text, start, head),
    )


def _name(text: str, start: int, head: re.Match[str]) -> Name:
    """The head's facility; under Junos the program that stands before the head, if any."""
    if head[1] in _JUNOS:
        found = _PROCESS.search(text, max(start, head.start() - 80), head.start())
        if found is not None:
            return Name(*found.span(1), ServiceBasis.APP)
    return Name(*head.span(1), ServiceBasis.LOGGER)


def _stamp(text: str, start: int, end: int, context: Context) -> Stamp | None:
    found = _STAMP.search(text, start, end)
    if found is None:
        return None
    return timestamp.at(text, found.start(), found.end(), context)

"""The kernel's ring buffer, as dmesg and consoles print it."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.infra.tag import priority
from logdocket.reading.parts import Level, Name, Parts

_PRINTK: Final = re.compile(
    r"(?:<(?P<pri>\d{1,3})>"
    r"|(?:kern|user|mail|daemon|auth|syslog|local\d) {0,8}:(?P<word>[a-z]{3,6}) {0,8}: )?"
    r"\[(?: {0,8}+(?P<uptime>\d{1,10}\.\d{6})"
    r"|(?P<human>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}))\]"
    r"(?P<caller> ?\[ {0,8}+[TC]\d{1,10}\])? ?"
)
_DECODED: Final = ("kern", "user", "daemon", "auth", "syslog", "mail", "local")
_JOURNAL: Final = re.compile(r"[^\s:\[\]]{1,255}+ (?:kernel|[\w.@/\-]{1,64}+\[\d{1,10}\]): ")
"""``host kernel: `` and ``host app[1]: ``: journalctl's short-monotonic form."""

_SUBSYSTEM: Final = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9_.\-]{1,31}+)(?P<pid>\[\d{1,7}\])?"
    r"(?: \([^()\s]{1,32}+\)(?=:)|(?: (?=[^\d\s]{0,47}+\d)[^\s:]{1,48}+(?:[:.][^\s:]{1,32}+){0,6}+"
    r"){0,2}+)"
    r":(?= |$)"
)
_BRACKETED: Final = re.compile(
    r"\[([a-z][a-z0-9_]{2,15}+)(?::[^\]\s]{1,64}+)?(?: \[\w{1,32}\])?\] "
)
"""The graphics subsystem's way: ``[drm] …``, ``[drm:function [module]] …``."""
_NO_SUBSYSTEM: Final = re.compile(
    r"(?:bug|cpu|code|call|modules|hardware|command|memory|oops|tainted|comm|pid|caused|mem-info"
    r"|stack|process|from|for|at|by|of|the|end|lr|pc|sp|eflags)$"
    r"|[re]?[abcdsi][xip]$|r\d{1,2}$|[c-g]s$|[cd]r\d$|x\d{1,2}$",
    re.IGNORECASE,
)
"""Words and registers before a colon in the kernel's reports that name no subsystem."""


def parse_dmesg(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of the kernel's ring buffer: seconds since boot, or dmesg's human stamps.

    ``<6>`` and dmesg's decoded ``kern  :info  :`` are understood before it. The human form needs
    a subsystem's head, for other programs write such stamps too. Seconds since boot give a stamp
    without a date.
    """
    first = text[start : start + 1]
    if first not in "[<" and not text.startswith(_DECODED, start, end):
        return None
    found = _PRINTK.match(text, start, end)
    if found is None:
        return None
    if _JOURNAL.match(text, found.end(), end):
        return None
    name = _subsystem(text, found.end(), end)
    if found["human"] is not None:
        if name is None and found.start("human") == start + 1:
            return None
        stamp = timestamp.at(text, found.start("human"), found.end("human"), context)
    else:
        stamp = timestamp.uptime_at(text, found.start("uptime"), found.end("uptime"), context)
    if stamp is None:
        return None
    message = body(text, found.end(), end, start)
    return Parts("dmesg", message, stamp, _printk_level(found), name)


def _printk_level(found: re.Match[str]) -> Level | None:
    if found["pri"] is not None:
        return priority(found.string, found.start("pri"), found.end("pri"))
    if found["word"] is None:
        return None
    value = severity.word(found["word"])
    if value is None:
        return None
    return Level(found.start("word"), found.end("word"), value, SeverityBasis.PRIORITY)


def _subsystem(text: str, pos: int, end: int) -> Name | None:
    """The driver or subsystem that heads a message: ``usb`` of ``usb 1-1: …``.

    A name with a process id is a program that writes to the ring buffer.
    """
    found = _SUBSYSTEM.match(text, pos, end)
    if found is None:
        found = _BRACKETED.match(text, pos, end)
        if found is None or severity.word(found[1]) is not None:
            return None
        return Name(*found.span(1), ServiceBasis.HEAD)
    word = found["name"]
    if _NO_SUBSYSTEM.match(word) or severity.word(word) is not None:
        return None
    basis = ServiceBasis.HEAD if found["pid"] is None else ServiceBasis.APP
    return Name(found.start("name"), found.end("name"), basis)

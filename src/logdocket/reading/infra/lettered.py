"""Logs whose level is one letter: klog and glog, and Android's logcat."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Name, Parts

_KLOG_LETTERS: Final = frozenset("IWEFD")
_LOGCAT_LETTERS: Final = frozenset("VDIWEFAS")

_KLOG: Final = re.compile(
    r"[IWEFD](?P<stamp>(?:\d{4})?\d{4} \d\d:\d\d:\d\d(?:\.\d{1,9})?) {1,8}+(?:\d{1,20}+ {1,8}+)?"
    r"[^\s:\]]{1,300}+:\d{1,7}\](?: |$)"
)
_COCKROACH: Final = re.compile(
    r"[IWEF](?P<stamp>\d{6} \d\d:\d\d:\d\d\.\d{6}) \d{1,20}+ (?:\d{1,3}@)?[^\s:]{1,300}+:\d{1,7} "
    r"(?:[^\x00-\x7f] )? {0,4}(?=\[)"
)
"""CockroachDB's, whose two-digit year is never resolved."""

_WHEN: Final = r"(?P<stamp>(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?)[: ] {0,8}+"
_THREADTIME: Final = re.compile(
    _WHEN + r"(?:[a-z][\w]{1,31}+ {1,8}+)?\d{1,7}+ {1,8}+\d{1,7}+ {1,3}(?P<letter>[VDIWEFAS]) "
    r"(?P<tag>[^\n:]{0,128}?) {0,32}:(?: |$)"
)
_STUDIO: Final = re.compile(
    _WHEN + r"\d{1,7}-\d{1,7}(?:/[^\s]{1,200}+ (?P<old>[VDIWEFAS])/(?P<oldtag>[^\n:]{1,128}+):"
    r"| {1,8}+(?P<tag>[^\s]{1,128}+) {1,40}+[^\s]{1,200}+ {1,40}+(?P<letter>[VDIWEFAS])) "
)
_BRIEF: Final = re.compile(
    r"(?:" + _WHEN + r")?(?P<letter>[VDIWEFAS])/"
    r"(?P<tag>[^\n()]{1,128}?) {0,32}\( {0,6}\d{1,7}\): ?"
)
_TAG: Final = re.compile(
    r"(?:" + _WHEN + r")?(?P<letter>[VDIWEFAS])/(?P<tag>[A-Za-z][\w.$@-]{1,63}+) {0,32}: "
)
_TICKS: Final = re.compile(r"(?P<letter>[VDIWE]) \(\d{1,10}\) (?P<tag>[A-Za-z_][\w.-]{0,63}+): ?")
"""ESP-IDF's: letter, milliseconds since boot, tag."""


def parse_klog(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of klog, glog or CockroachDB: ``I0614 15:16:01.123456 1234 file.go:12] message``.

    It names no service: the source file is none.
    """
    if text[start : start + 1] not in _KLOG_LETTERS or not text[start + 1 : start + 5].isdecimal():
        return None
    found = _KLOG.match(text, start, end)
    if found is not None:
        stamp = timestamp.klog_at(text, found.start("stamp"), found.end("stamp"), context)
    else:
        found = _COCKROACH.match(text, start, end)
        if found is None:
            return None
        stamp = timestamp.at(text, found.start("stamp"), found.end("stamp"), context)
    return Parts(
        "klog",
        body(text, found.end(), end, start),
        stamp,
        _level(text, start),
    )


def parse_logcat(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of logcat: threadtime, time, brief, tag, or Android Studio's view of them;
    or of ESP-IDF, which writes much the same."""
    first = text[start : start + 1]
    if first.isdecimal():
        dated = text[start + 4 : start + 5] == "-"
        if text[start + 2 : start + 3] != "-" and not dated:
            return None
        if not text.startswith(".", start + (19 if dated else 14)):  # a fraction is always there
            return None
        found = (
            _THREADTIME.match(text, start, end)
            or _BRIEF.match(text, start, end)
            or _TAG.match(text, start, end)
            or _STUDIO.match(text, start, end)
        )
    elif first in _LOGCAT_LETTERS and text[start + 1 : start + 2] == "/":
        found = _BRIEF.match(text, start, end) or _TAG.match(text, start, end)
    elif first in _LOGCAT_LETTERS and text.startswith(" (", start + 1):
        found = _TICKS.match(text, start, end)
    else:
        return None
    if found is None:
        return None
    groups = found.groupdict()
    old = groups.get("old") is not None
    tag = found.span("oldtag" if old else "tag")
    name = Name(*tag, ServiceBasis.LOGGER) if tag[0] < tag[1] else None
    stamp = None
    if groups.get("stamp") is not None:
        stamp = timestamp.logcat_at(text, found.start("stamp"), found.end("stamp"), context)
    level = _level(text, found.start("old" if old else "letter"))
    return Parts("logcat", body(text, found.end(), end, start), stamp, level, name)


def _level(text: str, at: int) -> Level | None:
    value = severity.letter(text[at])
    return None if value is None else Level(at, at + 1, value, SeverityBasis.LEVEL)

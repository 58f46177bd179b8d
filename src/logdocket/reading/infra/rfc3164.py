"""Syslog of RFC 3164 and its relatives: daemons' files, relays, BusyBox, and the journal's view.

An application's name stands without its ``[pid]`` and ``(module)``: ``sshd(pam_unix)[123]`` is
``sshd``. The text after the tag is given as ``inner``, for it is often a record of its own.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context
from logdocket.reading import severity, timestamp
from logdocket.reading.infra import tag as tags
from logdocket.reading.infra.body import body
from logdocket.reading.infra.cisco import parse_cisco
from logdocket.reading.infra.classic import FORMAT, NEAR
from logdocket.reading.parts import Level, Parts, Stamp

JOURNALD: Final = "journald-short"

_DAYS: Final = "Mon|Tue|Wed|Thu|Fri|Sat|Sun"
_MONTHS: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_MONTH_INITIALS: Final = frozenset("JFMASOND")
_DAY_INITIALS: Final = frozenset("MTWFS")

# Year and zone are taken only where the header goes on, so that a host such as 2001:db8::1 is not
# cut in two. `unix`, `uptime` and `full` are journalctl's short-unix, short-monotonic, short-full.
_STAMP: Final = re.compile(
    rf"""
    (?P<bsd>(?:(?:{_DAYS}),?[ ])?(?:{_MONTHS})[ ]{{1,2}}\d{{1,2}}(?:[ ]\d{{4}})?
      [ ]\d\d:\d\d:\d\d(?P<fine>[.,]\d{{1,9}})?
      (?:[ ](?:(?:UTC|GMT|[A-Z]{{1,3}}[SD]T|CES?T)[ ])?(?:19|20)\d\d(?=[ ]|:[ ]))?
      (?:[ ](?:UTC|GMT|[A-Z]{{1,3}}[SD]T|[+-]\d\d:?\d\d)(?=[ ]|:[ ]))?)
    |(?P<iso>\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?
      (?:Z|(?P<offset>[+-])\d\d(?P<colon>:)?\d\d))
    |(?P<local>\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?)
    |(?P<full>(?:{_DAYS})[ ]\d{{4}}-\d\d-\d\d[ ]\d\d:\d\d:\d\d(?:\.\d{{1,9}})?
      [ ](?:[A-Z]{{3,5}}|[+-]\d{{2,4}}))
    |(?P<unix>1\d{{9}}\.\d{{6}})
    |(?P<uptime>\[[ ]{{0,8}}+\d{{1,10}}\.\d{{6}}\])
    """,
    re.VERBOSE,
)
_PRI: Final = re.compile(r"(?:\d{1,6}+ )?<(\d{1,3})>(?:[1-9]\d? (?=[\d\-]))?")
_UPTIME_FIRST: Final = frozenset(" 0123456789")
_AFTER_WORD: Final = frozenset(" ,")
_JOURNAL_ONLY: Final = frozenset({"full", "unix", "uptime"})
_SURE: Final = frozenset({"bsd", "full"})
_PIDLESS_DIALECTS: Final = frozenset({"iso", "unix"})
"""Stamps beside which a host that looks like one makes up for a tag without a process id."""

_HOSTLIKE: Final = re.compile(r"[\w:/#*+]{0,255}[\d.\-]|localhost$")
_PIDLESS: Final = frozenset({"kernel", "logger", "rsyslogd", "su", "sudo"})
"""Programs that commonly write no process id."""
_HOST: Final = re.compile(r"([^\s\[<%]{1,255}+)(?<!:) {1,3}+(?=[^ ])")
_UNTAGGED: Final = ("CEF:", "LEEF:", "{")
"""How records begin that stand right behind a host: they name their own program."""

_TAGLESS: Final = ("last message repeated ", "message repeated ", "-- MARK --", "--- last message")


def parse_syslog_3164(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A record of RFC 3164 or a relative: ``[<PRI>][stamp] [host] tag[pid]: message``.

    Without ``<PRI>`` a stamp is needed; with a stamp that other programs write too, a tag with a
    process id, or a host that looks like one. A level where the host would be is an application's
    own line, and None.
    """
    first = text[start : start + 1]
    pos = start
    level = None
    if first == "<" or (first.isdecimal() and "<" in text[start + 2 : start + 8]):
        pri = _PRI.match(text, start, end)
        if pri is not None:
            pos = pri.end()
            level = tags.priority(text, pri.start(1), pri.end(1))
            if level is None:
                return None
    if level is None and not _may_begin(text, start, first):
        return None
    if text.find("%", pos, min(end, pos + NEAR)) >= 0:
        cisco = parse_cisco(text, start, end, context)
        if cisco is not None:
            return cisco
    found = _STAMP.match(text, pos, end)
    if found is None:
        return None if level is None else _record(text, start, pos, end, level, "bsd")
    dialect = found.lastgroup or ""
    pos = found.end()
    if text.startswith(":", pos, end):
        pos += 1
    if pos < end and text[pos] != " ":
        return None
    parts = _record(text, start, pos, end, level, dialect)
    if parts is None:
        return None
    parts.stamp = _stamp(text, found, dialect, context)
    if level is None and _is_journal(found, dialect):
        parts.format = JOURNALD
    return None if parts.stamp is None else parts


def _may_begin(text: str, start: int, first: str) -> bool:
    """Whether a stamp could stand at ``start``, by its first characters alone."""
    if first.isdecimal():
        return text[start + 4 : start + 5] == "-" or text[start + 10 : start + 11] == "."
    if first == "[":
        return text[start + 1 : start + 2] in _UPTIME_FIRST
    return text[start + 3 : start + 4] in _AFTER_WORD and (
        first in _MONTH_INITIALS or first in _DAY_INITIALS
    )


def _is_journal(found: re.Match[str], dialect: str) -> bool:
    """Whether only journalctl writes stamps so: fractions, offsets without colon, its own forms."""
    if dialect == "bsd":
        return found["fine"] is not None
    if dialect == "iso":
        return found["offset"] is not None and found["colon"] is None
    return dialect in _JOURNAL_ONLY


def _stamp(text: str, found: re.Match[str], dialect: str, context: Context) -> Stamp | None:
    start, end = found.span()
    if dialect == "uptime":
        return timestamp.uptime_at(text, start + 1, end - 1, context)
    if dialect == "unix":
        return timestamp.epoch(text, start, end, context, "s")
    return timestamp.at(text, start, end, context)


def _record(
    text: str,
    start: int,
    pos: int,
    end: int,
    level: Level | None,
    dialect: str,
) -> Parts | None:
    """What stands between ``pos``, where the stamp ended, and ``end``; the stamp left open."""
    pos = _skip(text, pos, end)
    stated, pos = tags.facility(text, pos, end)
    head = pos
    tag = None
    host = _HOST.match(text, pos, end)
    if host is not None:
        if level is None and stated is None and severity.word(host[1]) is not None:
            return None
        again, after = tags.facility(text, host.end(), end)
        stated = stated or again
        tag = _fitting(text, after, end, "bsd" if again else dialect, host[1])
    if tag is None:
        tag = _fitting(text, pos, end, "bsd" if stated else dialect, None)
    level = stated or level
    if tag is not None:
        stated, rest = tags.solaris(text, _skip(text, tag.end, end), end)
        message = body(text, rest, end, start)
        inner = message if message[0] >= rest else None
        return Parts(FORMAT, message, None, stated or level, tag.name, inner)
    if dialect != "bsd":
        return None
    return _tagless(text, start, head, end, level, host)


def _tagless(
    text: str,
    start: int,
    head: int,
    end: int,
    level: Level | None,
    host: re.Match[str] | None,
) -> Parts | None:
    """A record without a tag: what a relay sends on, or a word of the daemon about itself."""
    for pos in (head, head if host is None else host.end()):
        if text.startswith(_TAGLESS, pos, end):
            return Parts(FORMAT, body(text, pos, end, start), None, level)
    if level is None and (host is None or not _HOSTLIKE.match(host[1])):
        return None
    if host is not None and _HOSTLIKE.match(host[1]):
        known = level is not None or text.startswith(_UNTAGGED, host.end())
        head = host.end() if known else head
    message = body(text, head, end, start)
    return Parts(FORMAT, message, None, level, None, message if message[0] >= head else None)


def _fitting(text: str, pos: int, end: int, dialect: str, host: str | None) -> tags.Tag | None:
    """The tag at ``pos``, if it is proof enough beside a stamp of this dialect."""
    tag = tags.tag(text, pos, end)
    if tag is None or dialect in _SURE:
        return tag
    if dialect in _PIDLESS_DIALECTS:
        sure = tag.pid or (host is not None and _HOSTLIKE.match(host) is not None)
        sure = sure or (host is not None and text[tag.name.start : tag.name.end] in _PIDLESS)
    else:
        sure = tag.numbered or text.startswith("kernel:", pos)
        sure = sure and (host is not None or dialect == "local")
    return tag if sure else None


def _skip(text: str, pos: int, end: int) -> int:
    while pos < end and text[pos] == " ":
        pos += 1
    return pos

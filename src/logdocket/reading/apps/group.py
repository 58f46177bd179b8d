"""What stands in brackets in a head: a time, a level, a logger, or what tells nothing here."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import ServiceBasis, Severity
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps.found import Found, Rank
from logdocket.reading.structured.keys import KEYS, Role

_LONGEST: Final = 256
_LONGEST_LEVEL: Final = 14
_CLOCK: Final = re.compile(r"(?<!\d)\d\d:\d\d(?::\d\d)?(?!\d)")
_TRACED: Final = re.compile(r"([^,\s]{1,128}+)(?:,(?:[0-9a-f]{16,32}|true|false)?){2,3}\Z")
_PAIR: Final = re.compile(r"([A-Za-z][\w.-]{0,40}+)(?:=|: ?)([A-Za-z][^\s,=:]{1,128}+)\Z")
_SECONDS: Final = re.compile(r"\d{10}\.\d{3,9}\Z")
_COUNT: Final = re.compile(r"(?:\d{10}|\d{13}|\d{16}|\d{19})\Z")
"""A count since 1970 without a fraction; further into a line it would be somebody's number."""

_LEAD: Final = re.compile(r"([A-Z]{3,11}+\d?)(?: {1,8}+- {1,8}+|([/|,: ]) {0,8}+)(?=\S)")
_TOKEN: Final = re.compile(r"[ \t|,:]{0,64}+([^\s|,]{1,128}+)")
_LOGGER_AT_LINE: Final = re.compile(
    r"(?:.*[:/\s()-])?([A-Za-z_][\w.$]{0,128}+)@\d{1,6}\Z", re.DOTALL
)
_LISTED: Final = re.compile(r"([a-z_]{2,40}+):([a-z]{4,9}+),(?=\d{4}-)")
_ESPHOME: Final = re.compile(r"\]\[[a-z_0-9.]{1,40}+:\d{1,5}\]")
_ZONE: Final = re.compile(r"[A-Z]{1,4}T\Z")
_LETTERS: Final = frozenset("EWIDF")
_NAME_ENDS: Final = ("", ":")
_TIME_STARTS: Final = frozenset("0123456789JFMASONDTW")


def read_group(found: Found, pos: int) -> bool:
    """Pass over the brackets at ``pos`` and take what they tell about the record.

    False when they belong to the message: they do not close nearby, or a name stands before them
    already and they hold no level.
    """
    text = found.text
    close = _closing(text, pos, found.end)
    if close < 0:
        return False
    start, end = pos + 1, close
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    after = close + 2 if text.startswith(":", close + 1) else close + 1
    if start == end:
        return found.settle(after)
    if found.level is None and _take_level(found, start, end):
        found.take_loose(Rank.LOOSE)
        return found.confirm(after)
    if found.named:
        return found.level is not None and found.settle(after)
    if found.stamp is None and text[start] in _TIME_STARTS and _take_stamp(found, start, end):
        return found.confirm(after)
    _take_name(found, start, end)
    return found.settle(after)


def read_aside(found: Found, pos: int) -> bool:
    """Pass over ``(thread)``, ``<pid>``, ``<level>``, ``(time)`` or ``(a.b.Logger)`` at ``pos``.

    False when they belong to the message: what they hold is none of these, and no head has begun
    or a name stands before them already.
    """
    text = found.text
    close = text.find(")" if text[pos] == "(" else ">", pos, min(pos + 64, found.end))
    start, end = pos + 1, close
    if end <= start:
        return False
    content = text[start:end]
    value = None
    if found.level is None:
        lettered = content in _LETTERS and found.stamp is not None
        value = severity.letter(content) if lettered else severity.word(content)
        if value is None and ":" in content and _take_tagged(found, start, end):
            return found.confirm(close + 1)
    if value is not None:
        found.take_level(start, end, value)
        found.take_loose(Rank.LOOSE)
        return found.confirm(close + 1)
    if found.named:
        return False
    if found.stamp is None and text[start] in _TIME_STARTS and _take_stamp(found, start, end):
        return found.confirm(close + 1)
    if not found.headed:
        return False
    if "." in content and (at := _nested(content)) > 0:
        found.offer(Rank.NESTED, start, start + at, ServiceBasis.LOGGER)
    elif found.level is not None:
        _take_aside(found, start, end, content)
    return found.settle(close + 1)


def _take_tagged(found: Found, start: int, end: int) -> bool:
    """``<Erro:Kern.Fan>``, as Extreme's switches begin their messages."""
    word, _, name = found.text[start:end].partition(":")
    value = severity.word(word) if len(word) <= _LONGEST_LEVEL else None
    if value is None or " " in name:
        return False
    found.take_level(start, start + len(word), value)
    if service.is_name(name):
        found.offer(Rank.GROUP, end - len(name), end, ServiceBasis.LOGGER)
    return True


def _nested(content: str) -> int:
    """Where a logger's dotted name ends, a number perhaps behind it; 0 where there is none."""
    name = content.partition(":")[0]
    if name != content and not content[len(name) + 1 :].isdecimal():
        return 0
    return len(name) if service.is_nested(name) else 0


def _take_aside(found: Found, start: int, end: int, content: str) -> None:
    """``<Subsystem>`` behind the level, as WebLogic has it, or pino's ``(name/pid):``."""
    if found.text[end] == ">":
        named = content[0].isupper() and service.is_name(content) and not service.is_thread(content)
        if named:
            found.offer(Rank.GROUP, start, end, ServiceBasis.LOGGER)
        return
    name, _, pid = content.partition("/")
    if pid.isdecimal() and service.is_name(name):
        found.offer(Rank.GROUP, start, start + len(name), ServiceBasis.LOGGER)


def _closing(text: str, start: int, end: int) -> int:
    """The bracket that closes the one at ``start``, nested ones skipped; -1 when none is near."""
    bound = min(end, start + _LONGEST)
    close = text.find("]", start, bound)
    depth = text.count("[", start + 1, close) if close > 0 else 0
    while close > 0 and depth > 0:
        previous = close
        close = text.find("]", close + 1, bound)
        depth += text.count("[", previous, close) - 1 if close > 0 else 0
    return close


def _take_level(found: Found, start: int, end: int) -> bool:
    """``[ERROR]``, ``[E]``, ``[E time …]``, ``[thread/ERROR]``, ``[module:error]``."""
    text = found.text
    if end - start == 1:
        value = severity.letter(text[start]) if found.headed else None
        if text[start] == "C" and _ESPHOME.match(text, end, found.end) is not None:
            value = Severity.LOW  # a configuration
        if value is not None:
            found.take_level(start, end, value)
        return value is not None
    if text[start + 1] == " " and text[start].isupper() and _take_lettered(found, start, end):
        return True
    if text[start].isupper() and _take_lead(found, start, end):
        return True
    cut = max(text.rfind("/", start, end), text.rfind(":", start, end), start - 1) + 1
    value = severity.word(text[cut:end]) if 1 < end - cut <= _LONGEST_LEVEL else None
    if value is None:
        return text[start].islower() and _take_listed(found, start, end)
    if cut > start:
        named = service.look(text[start : cut - 1])
        if named is not None and not named.thread:
            found.offer(Rank.BEFORE, start + named.first, start + named.last, ServiceBasis.LOGGER)
    found.take_level(cut, end, value)
    return True


def _take_listed(found: Found, start: int, end: int) -> bool:
    """``[ns_server:error,2031-05-06T07:08:09Z,…]``, as Couchbase writes it."""
    listed = _LISTED.match(found.text, start, end)
    value = None if listed is None else severity.word(listed[2])
    if listed is None or value is None:
        return False
    found.take_level(*listed.span(2), value)
    if found.stamp is None:
        _take_stamp(found, listed.end(), found.text.find(",", listed.end(), end))
    if service.is_name(listed[1]):
        found.offer(Rank.AFTER, *listed.span(1), ServiceBasis.LOGGER)
    return True


def _take_lead(found: Found, start: int, end: int) -> bool:
    """``[ERROR/thread]``, ``[INFO - a.b.Logger.method(Logger.java:12)]``, ``[WARN a.b.Logger]``."""
    lead = _LEAD.match(found.text, start, end)
    value = None if lead is None else severity.word(lead[1])
    if lead is None or value is None:
        return False
    found.take_level(*lead.span(1), value)
    if lead[2] != "/":
        rest = lead.end()
        named = service.look(found.text[rest:end])
        if named is not None and (named.nested or named.telling) and not named.thread:
            first, last = rest + named.first, rest + named.last
            found.offer(Rank.NESTED, first, last, ServiceBasis.LOGGER)
    return True


def _take_lettered(found: Found, start: int, end: int) -> bool:
    """``[E 2031-05-06 07:08:09 logger]``."""
    value = severity.letter(found.text[start])
    if value is None or found.stamp is not None or not _take_stamp(found, start + 2, end):
        return False
    found.take_level(start, start + 1, value)
    return True


def _take_stamp(found: Found, start: int, end: int) -> bool:
    """``[time]``, and ``[time LEVEL logger]``."""
    stamp = timestamp.at(found.text, start, end, found.context)
    if stamp is None and (
        _SECONDS.match(found.text, start, end)
        or (found.pos == found.start and _COUNT.match(found.text, start, end))
    ):
        stamp = timestamp.epoch(found.text, start, end, found.context)
    if stamp is None:
        found.clock |= _CLOCK.search(found.text, start, min(end, start + 40)) is not None
        return False
    found.take_stamp(stamp)
    if stamp.end < end:
        _take_rest(found, stamp.end, end)
    return True


def _take_rest(found: Found, pos: int, end: int) -> None:
    """Level and logger after the time in the same brackets."""
    for _ in range(6):
        match = _TOKEN.match(found.text, pos, end)
        if match is None:
            return
        start, pos = match.span(1)
        if found.level is None:
            first = match[1].partition("/")[0].rstrip(":")
            value = severity.word(first)
            if value is not None:
                found.take_level(start, start + len(first), value)
                continue
        named = service.look(match[1])
        if named is not None and not named.thread and _ZONE.match(match[1]) is None:
            found.offer(Rank.GROUP, start + named.first, start + named.last, ServiceBasis.LOGGER)


def _take_name(found: Found, start: int, end: int) -> None:
    """``[logger]``, ``[thread:Logger@12]``; threads, ids and sentences tell nothing."""
    content = found.text[start:end]
    if "@" in content:
        at_line = _LOGGER_AT_LINE.match(content)
        if at_line is not None:
            first, last = at_line.span(1)
            found.offer(Rank.AFTER, start + first, start + last, ServiceBasis.LOGGER)
        return
    content, start = _of_several(content, start)
    named = service.look(content)
    if named is None or named.thread or content[named.last : named.last + 1] not in _NAME_ENDS:
        return
    if named.last - named.first == 1:  # a letter
        return
    rank = Rank.NESTED if named.nested else Rank.BEFORE if found.level is None else Rank.GROUP
    if rank is Rank.GROUP and ":" in content and found.text.startswith("]:", end):
        rank = Rank.AFTER  # [logger:12]:
    found.offer(rank, start + named.first, start + named.last, ServiceBasis.LOGGER)


def _of_several(content: str, start: int) -> tuple[str, int]:
    """The part of ``service,trace,span`` or ``service=name`` that names, and where it stands."""
    traced = _TRACED.match(content)
    if traced is not None:
        return traced[1], start
    pair = _PAIR.match(content)
    if pair is None:
        return content, start
    known = KEYS.get(pair[1])
    if known is None or known.role is not Role.SERVICE:
        return "", start
    return pair[2], start + pair.start(2)

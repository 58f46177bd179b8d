"""What stands in brackets in a head: a time, a level, a logger, or what tells nothing here."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps.found import Found, Rank

_LONGEST: Final = 256
_CLOCK: Final = re.compile(r"(?<!\d)\d\d:\d\d(?::\d\d)?(?!\d)")
_TOKEN: Final = re.compile(r"[^\s|,]{1,128}+")
_LOGGER_AT_LINE: Final = re.compile(r"(?:[:/\s()-]|\A)([A-Za-z_][\w.$]{0,128}+)@\d{1,6}\Z")
_OTHER_STARTS: Final = frozenset("JFMASONDTW")


def closing(text: str, start: int, end: int) -> int:
    """The bracket that closes the one at ``start``, nested ones skipped; -1 when none is near."""
    bound = min(end, start + _LONGEST)
    close = text.find("]", start, bound)
    depth = text.count("[", start + 1, close) if close > 0 else 0
    while close > 0 and depth > 0:
        previous = close
        close = text.find("]", close + 1, bound)
        depth += text.count("[", previous, close) - 1 if close > 0 else 0
    return close


def read_group(found: Found, start: int, end: int, context: Context, named: bool) -> bool:
    """Take what ``text[start:end]``, the inside of brackets, tells about the record.

    False when the brackets belong to the message: they stand where none of a head would, or a
    name is known already (``named``) and they hold no level.
    """
    text = found.text
    whole = text[start:end]
    content = whole.strip()
    if not content:
        return True
    start += len(whole) - len(whole.lstrip())
    end = start + len(content)
    if found.level is None and _take_level(found, start, content):
        return True
    if named:
        return found.level is not None
    if found.stamp is None and _take_stamp(found, start, end, content, context):
        return True
    _take_name(found, start, content)
    return True


def _take_level(found: Found, start: int, content: str) -> bool:
    """``[ERROR]``, ``[E]``, ``[thread/ERROR]``, ``[module:error]``."""
    if len(content) == 1:
        value = severity.letter(content) if found.headed else None
        if value is not None:
            found.take_level(start, start + 1, value, SeverityBasis.LEVEL)
        return value is not None
    value = severity.word(content) if len(content) < 14 else None
    if value is None:
        cut = max(content.rfind("/"), content.rfind(":")) + 1
        value = severity.word(content[cut:]) if 1 < cut and 2 < len(content) - cut < 14 else None
        if value is None:
            return False
        name = content[: cut - 1]
        if service.is_name(name) and not service.is_thread(name):
            found.offer(Rank.BEFORE, (start, start + len(name)), ServiceBasis.LOGGER)
        start += cut
        content = content[cut:]
    found.take_level(start, start + len(content), value, SeverityBasis.LEVEL)
    return True


def _take_stamp(found: Found, start: int, end: int, content: str, context: Context) -> bool:
    """``[time]``, and ``[time LEVEL logger]`` or ``[L time logger]`` with the time first."""
    text = found.text
    letter = None
    if content[1:2] == " " and content[0].isalpha() and len(content) > 8:
        letter = severity.letter(content[0])
    pos = start + 2 if letter is not None else start
    if not (text[pos].isdigit() or text[pos] in _OTHER_STARTS):
        return False
    stamp = timestamp.at(text, pos, end, context)
    if stamp is None:
        found.clock = found.clock or _CLOCK.search(content[:40]) is not None
        return False
    found.take_stamp(stamp)
    if letter is not None:
        found.take_level(start, start + 1, letter, SeverityBasis.LEVEL)
    if stamp.end < end:
        _take_rest(found, stamp.end, end)
    return True


def _take_rest(found: Found, pos: int, end: int) -> None:
    """Level and logger after the time in the same brackets."""
    for _ in range(6):
        gap = pos
        while gap < end and found.text[gap] in " \t|,:":
            gap += 1
        match = _TOKEN.match(found.text, gap, end)
        if match is None:
            return
        pos = match.end()
        token = match[0].rstrip(":")
        if found.level is None:
            first = token.partition("/")[0]
            value = severity.word(first)
            if value is not None:
                found.take_level(gap, gap + len(first), value, SeverityBasis.LEVEL)
                continue
        place = service.trim(found.text, gap, gap + len(token))
        if place is not None and not service.is_thread(found.text[place[0] : place[1]]):
            found.offer(Rank.GROUP, place, ServiceBasis.LOGGER)


def _take_name(found: Found, start: int, content: str) -> None:
    """``[logger]``, ``[thread:Logger@12]``; threads, ids and sentences tell nothing."""
    at_line = _LOGGER_AT_LINE.search(content, max(0, len(content) - 140)) if "@" in content else None
    if at_line is not None:
        place = (start + at_line.start(1), start + at_line.end(1))
        found.offer(Rank.AFTER, place, ServiceBasis.LOGGER)
        return
    if not service.is_name(content) or service.is_thread(content):
        return
    place = (start, start + len(content))
    if service.is_nested(content):
        found.offer(Rank.NESTED, place, ServiceBasis.LOGGER)
    elif found.level is not None:
        found.offer(Rank.GROUP, place, ServiceBasis.LOGGER)
    else:
        found.offer(Rank.BEFORE, place, ServiceBasis.LOGGER)

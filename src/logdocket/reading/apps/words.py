"""Which word of a head is its level, which its name, which its time: by form and by neighbours."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Final

from logdocket.line import ServiceBasis, Severity
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps import unmarked
from logdocket.reading.apps.forms import LONGEST_LEVEL, facility_level
from logdocket.reading.apps.found import Found, Rank
from logdocket.reading.apps.names import (
    BUDGET,
    COLUMN,
    POSITION,
    ROOT,
    after_level,
    before_level,
    name_head,
    pair,
    source_position,
)
from logdocket.reading.apps.requests import request_status
from logdocket.reading.levels import FORMS, MARKED, UNSURE
from logdocket.reading.parts import Stamp

_UNMARKED: Final = frozenset("trace debug info notice warn warning error ERR Information".split())
"""Levels that count right after the time with nothing to mark them as levels."""

_UNKNOWN_COLUMNS: Final = 3
"""With this many columns before the time, the name is in one that nothing tells from the others."""

_BEHIND: Final = frozenset("debug info notice warn warning error".split())
"""Levels in small letters that may stand behind a name and a colon."""

_LEVEL_KEYS: Final = frozenset({"level", "lvl", "severity", "loglevel"})

_STAGES: Final = frozenset("production prod staging testing test development dev local".split())
"""What Laravel writes for a channel: where a program runs, and not which one it is."""

_DELIMITER: Final = re.compile(
    r"(?:[ \t]|\x1b\[[0-9;]{0,16}m){0,64}+(?:[|;]|,(?=\S)|[-–—:>]{1,3}+(?=[\s\x1b]|\Z))"
)

_PID: Final = re.compile(r"(?:\([^()\s]{1,40}\))?(?:\[[\w.-]{1,24}\])?:?(?=\s|\Z)")

_SPACED_PID: Final = re.compile(r" {1,24}+\[\d{1,10}\]:(?=\s)")

_COUNTS: Final = frozenset({10, 13, 16, 19})
"""So many figures and nothing else are no stamp but, perhaps, a count since 1970."""

_NUMBER: Final = re.compile(r"[#@]?[\d.,:/_+-]+[A-Za-z]?\Z")

_JOINED_NAME: Final = re.compile(r"([\w.$-]{1,128}+):")

_SPAN_FIELDS: Final = re.compile(r"\{[^{}]{0,512}+\}:?")

# Seconds, ms, µs or ns. Before a plain word a short one without milliseconds would count things.
_EPOCH: Final = re.compile(
    r"(\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})(?=[\s|,;\]])"
    r"(?:(?<=\d{16})|(?<=\.\d{3})|(?<=\.\d{6})|(?<=\.\d{9})"
    r"|(?![\s|]{1,16}+[a-z]{2,40}+(?=\s|\Z)(?!\s{1,8}+\[?[A-Z]{4,8}\b)))"
)


def time_or_number(found: Found, pos: int, stop: int, word: str) -> bool | None:
    """Whether the walk goes on after a time or a number; None when the word is neither."""
    known = found.stamp
    if known is None or (known.value is None and found.level is None) or not word[0].isdigit():
        counted = len(word) in _COUNTS and word.isdecimal()
        stamp = None if counted else timestamp.at(found.text, pos, found.end, found.context)
        if stamp is None and known is None and len(word) >= 10:
            stamp = _epoch(found, pos)
        if stamp is not None and (known is None or found.level is None):
            found.take_stamp(stamp)
            _before_time(found)
            return found.confirm(stamp.end)
    if found.named or _NUMBER.match(word) is None:
        return None
    if len(word) == 3 and request_status(found.text, pos, found.end) is not None:
        return False
    if found.level is not None or known is None:
        return found.wait(pos, stop, 1, BUDGET)
    found.cost += 1
    return found.cost <= BUDGET and found.settle(stop)


def _before_time(found: Found) -> None:
    """What the loose items before the time were: a name, a level's letter, or unknown columns."""
    if len(found.loose) >= _UNKNOWN_COLUMNS:
        found.named = True
    elif len(found.loose) == 1:
        start, end = found.loose[0]
        value = severity.letter(found.text[start:end]) if found.level is None else None
        if value is not None:
            found.take_level(start, end, value)
        found.take_loose(Rank.FIRST)


def _epoch(found: Found, pos: int) -> Stamp | None:
    """A count of seconds in a column of its own, but not one of many numbers between commas."""
    if pos > found.start and found.text[pos - 1] == "," and found.text[found.start].isdigit():
        return None
    column = _EPOCH.match(found.text, pos, found.end)
    if column is None:
        return None
    return timestamp.epoch(found.text, pos, column.end(1), found.context)


def colon_word(found: Found, pos: int, stop: int, word: str) -> bool:
    """``level:``, ``channel.LEVEL:``, ``name:`` or ``file.go:12:``."""
    if found.level is None:
        core = word[:-1]
        value = severity.word(core)
        if value is None and len(core) == 1 and pos == found.start and core in "EWI":
            value = severity.letter(core)  # E: no such package
        if value is not None:
            _level_and_colon(found, pos, stop - 1, value)
            return found.confirm(stop)
        channel, dot, last = core.rpartition(".")
        value = severity.word(last) if dot and last.isupper() else None
        if value is not None:
            if channel not in _STAGES:
                found.offer(Rank.COLON, pos, pos + len(channel), ServiceBasis.LOGGER)
            found.take_level(stop - 1 - len(last), stop - 1, value)
            return not found.confirm(stop)
        if joined(found, pos, word):
            return False
    if found.named:
        return False
    if POSITION.match(word):
        return source_position(found, pos, stop)
    return name_head(found, pos, stop, stop)


def _level_and_colon(found: Found, pos: int, stop: int, value: Severity) -> None:
    """Take ``error:``, or ``Fatal error:`` where the word before it says it worse."""
    if found.loose:
        start, end = found.loose[-1]
        worse = severity.word(found.text[start:end])
        if worse is not None:
            found.loose.pop()
            pos = start
            value = max(value, worse, key=attrgetter("rank"))
    found.take_level(pos, stop, value)
    found.take_loose(Rank.LOOSE)


def joined(found: Found, pos: int, word: str) -> bool:
    """Take ``LEVEL:name:message`` or ``LEVEL:message``, colons without spaces."""
    first, _, rest = word.partition(":")
    if first in _LEVEL_KEYS and (value := severity.field(rest)) is not None:
        found.take_level(pos + len(first) + 1, pos + len(word), value)
        return found.confirm(pos + len(word))
    value = severity.word(first) if 2 < len(first) <= LONGEST_LEVEL else None
    if value is None:
        return _joined_behind(found, pos, first, rest)
    middle = pos + len(first) + 1
    found.take_level(pos, middle - 1, value)
    match = _JOINED_NAME.match(found.text, middle, found.end)
    if match is not None and (match[1] == ROOT or service.is_name(match[1])):
        middle = match.end()
        if match[1] != ROOT:
            found.offer(Rank.COLON, *match.span(1), ServiceBasis.LOGGER)
    return found.confirm(middle)


def _joined_behind(found: Found, pos: int, first: str, rest: str) -> bool:
    """Take ``name:LEVEL``."""
    known = rest in MARKED or rest in _BEHIND
    if not known or found.loose or found.name is not None or not service.is_name(first):
        return False
    value = severity.word(rest)
    if value is None:
        return False
    middle = pos + len(first) + 1
    found.take_level(middle, middle + len(rest), value)
    found.offer(Rank.COLON, pos, middle - 1, ServiceBasis.HEAD)
    return found.confirm(middle + len(rest))


def take_level(found: Found, pos: int, stop: int, word: str) -> bool:
    """Take a level word that its form or its neighbours mark as one."""
    text = found.text
    if len(word) == 1:
        value = severity.letter(word) if found.headed and text.startswith("|", stop + 1) else None
        if value is None and found.stamp is not None and not (found.loose or found.named):
            value = unmarked.letter(text, stop, word)
            if value is not None:
                found.take_level(pos, stop, value)
                return found.confirm(stop)
    else:
        value = severity.word(word) if len(word) <= LONGEST_LEVEL else None
        if value is None and "/" in word and word.partition("/")[0] in MARKED:
            stop = pos + word.index("/")  # ERROR/ForkPoolWorker-1
            found.take_level(pos, stop, FORMS[word[: stop - pos]])
            return found.confirm(pos + len(word))
        if value is None and "." in word and (value := facility_level(word)) is not None:
            found.take_level(pos + word.index(".") + 1, stop, value)
            return found.confirm(stop)
    if value is None:
        return False
    marked = word in MARKED or (
        not (found.loose and word.islower())
        and not (word in UNSURE and text.startswith(",", stop))
        and (
            _DELIMITER.match(text, stop, found.end) is not None
            or COLUMN.match(text, stop, found.end) is not None
            or (word in UNSURE and text.startswith(" [", stop))
        )
    )
    if not marked and (found.stamp is None or found.loose or word not in _UNMARKED):
        return False
    found.take_level(pos, stop, value)
    found.take_loose(Rank.LOOSE)
    # A level that nothing marks is a word of the message too.
    return found.confirm(stop if marked or word.isupper() else pos)


def bare_word(found: Found, pos: int, stop: int, word: str) -> bool:
    """A word without a colon: a name by what follows it, a loose item, or the message."""
    text = found.text
    follows = text[stop : stop + 1]
    if follows in "[(" and follows:
        pid = _PID.match(text, stop, found.end)
        tail = text[pid.end() - 1] if pid is not None and pid.end() > stop else ""
        if pid is not None and (tail == ":" or (found.level is not None and tail == "]")):
            return name_head(found, pos, stop, pid.end())
    elif follows == " " and found.stamp is not None and not found.named:
        if text.startswith((" ", "["), stop + 1):
            pid = _SPACED_PID.match(text, stop, found.end)
            if pid is not None:
                return name_head(found, pos, stop, pid.end())
    elif follows == "{" and found.level is not None:
        fields = _SPAN_FIELDS.match(text, stop, found.end)
        return fields is not None and found.settle(fields.end())
    elif follows == "=":
        return pair(found, stop, word)
    ahead = 0
    if not (follows == " " and text[stop + 1 : stop + 2].isalnum()):
        delimiter = _DELIMITER.match(text, stop, found.end)
        if delimiter is not None:
            ahead = delimiter.end()
    if found.level is not None:
        return after_level(found, pos, stop, word, ahead)
    return before_level(found, pos, stop, word, ahead > 0)

"""Which word of a head is its service: by its form, its mark and its neighbours."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import ServiceBasis
from logdocket.reading import service
from logdocket.reading.apps import unmarked
from logdocket.reading.apps.found import Found, Rank
from logdocket.reading.structured.keys import KEYS, Role

BUDGET: Final = 8
"""How much loose text may stand before a level: a plain word costs 3, any other token 1."""

_MODULE: Final = re.compile(r" ([A-Za-z_][\w.$]{0,120}+)(?:@[\da-f]{1,16})?(?::| -)(?= )")
_VERDICTS: Final = frozenset("FAIL FAILED FAILURE OK PASS PASSED SUCCESS".split())
"""Levels that tell how a test went: what follows is the test."""

ROOT: Final = "root"
"""The logger without a name: it stands where a service's would, and is none."""

_FIELD_ENDS: Final = ("|", ";")

_FROM_THREAD: Final = frozenset({Rank.BEFORE, Rank.GROUP})

COLUMN: Final = re.compile(r"\t|  ")

_CONTEXT: Final = re.compile(r" \[(?:-|req-|None\b|[0-9a-f]{8}-)")
"""What OpenStack's loggers write right behind their name: the request."""

POSITION: Final = re.compile(r"[\w./<>-]{1,120}?\.[a-z]{1,5}:\d{1,6}:?\Z")

_CLASS_FILE: Final = re.compile(r"([A-Z]\w{1,80}+)\.(?:java|scala|kt):")

_VALUE: Final = re.compile(r"=\"?([^\s\"|,;=\[\]]{1,128}+)\"?(?=[\s|,;\]]|\Z)")


def name_head(found: Found, pos: int, stop: int, after: int) -> bool:
    """Take ``name:`` or ``name[pid]:`` at ``pos``; a level may still follow it."""
    named = service.look(found.text[pos:stop])
    if named is None or (not found.headed and pos != found.start):
        return False
    if not (found.rank is Rank.NONE or _outranks(found, named, pos)):
        return False
    if found.loose and _is_phrase(found.text, found.loose[-1], pos, stop):
        return False
    basis = ServiceBasis.HEAD if found.level is None else ServiceBasis.LOGGER
    found.offer(Rank.COLON, pos + named.first, pos + named.last, basis)
    found.named = True
    return found.confirm(after)


def _is_phrase(text: str, before: tuple[int, int], pos: int, stop: int) -> bool:
    """Whether a plain word before ``name:`` makes the two a phrase: ``quorum gone: …``."""
    last = text[slice(*before)]
    return last.isalpha() and last.islower() and text[pos:stop].rstrip(":").isalpha()


def _outranks(found: Found, named: service.Named, pos: int) -> bool:
    """Whether ``name:`` before the message says more than the name known from the head.

    The plain word before a colon may be the message's own first word.
    """
    if named.nested or found.rank is Rank.FIRST:
        return True
    return found.rank in _FROM_THREAD and found.text[pos + named.first].isupper()


def after_level(found: Found, pos: int, stop: int, word: str, ahead: int) -> bool:
    """A logger between level and message."""
    if found.named or (found.rank >= Rank.DELIMITED and found.rank is not Rank.GROUP):
        return False
    if POSITION.match(word):
        return source_position(found, pos, stop)
    if "/" in word and (hosted := unmarked.on_host(found.text, pos, found.end)) is not None:
        found.offer(Rank.COLON, hosted[0], hosted[1], ServiceBasis.LOGGER)
        return not found.confirm(hosted[2])
    named = service.look(word)
    if named is None:
        threaded = service.is_thread(word) and found.text.startswith("\t", stop)
        return threaded and found.settle(stop)
    if unmarked.numbered(found.text, stop):
        found.offer(Rank.AFTER, pos + named.first, pos + named.last, ServiceBasis.LOGGER)
        return False
    marked = ahead > 0 or COLUMN.match(found.text, stop, found.end) is not None
    if not marked and found.text.startswith(" [", stop):
        marked = _CONTEXT.match(found.text, stop, found.end) is not None
    if named.thread:
        return marked and found.settle(stop)
    first, last = pos + named.first, pos + named.last
    if marked and not named.nested and unmarked.logger_next(found.text, stop):
        return found.settle(stop)
    if marked or named.nested:
        found.offer(Rank.AFTER, first, last, ServiceBasis.LOGGER)
        found.named = True
        return found.confirm(ahead or stop)
    if found.stamp is None and found.text[stop + 1 : stop + 2].isdigit():
        return found.wait(pos, stop, 1, BUDGET)
    level = found.level
    if named.telling and not (level and found.text[level.start : level.end] in _VERDICTS):
        found.offer(Rank.FIRST, first, last, ServiceBasis.FIRST_TOKEN)
    return False


def take_module(found: Found, stop: int) -> bool:
    """Take the name in ``ERROR in name: message``, as Flask and logback's own status write it."""
    if found.level is None or found.named or found.level.end + 3 != stop:
        return False
    module = _MODULE.match(found.text, stop, found.end)
    if module is None or not service.is_name(module[1]):
        return False
    found.offer(Rank.AFTER, *module.span(1), ServiceBasis.LOGGER)
    return not found.confirm(module.end())


def before_level(found: Found, pos: int, stop: int, word: str, delimited: bool) -> bool:
    """A token that is head only if a level, a time or a name's mark still comes."""
    if found.named:
        return False
    plain = word.isalpha() and not word.isupper()
    if plain and not delimited and word.islower() and not service.is_name(word):
        return False
    if found.headed and (delimited or not found.loose):
        named = service.look(word)
        if named is None:
            found.named = delimited and word == ROOT
            stamp = found.stamp
            if ":" in word and stamp and unmarked.namespace(found.text, stamp.end, word):
                found.offer(Rank.FIRST, pos, stop, ServiceBasis.LOGGER)
        elif (delimited or named.nested) and not named.thread:
            found.offer(Rank.DELIMITED, pos + named.first, pos + named.last, ServiceBasis.LOGGER)
            if found.text.startswith(_FIELD_ENDS, stop):
                return found.settle(stop)
        elif named.telling or ("." in word and unmarked.logger(found.text, stop, word)):
            found.offer(Rank.FIRST, pos + named.first, pos + named.last, ServiceBasis.FIRST_TOKEN)
    return found.wait(pos, stop, 3 if plain else 1, BUDGET)


def pair(found: Found, stop: int, key: str) -> bool:
    """Take the service from ``key=value`` in the head; any other pair belongs to the message."""
    known = KEYS.get(key)
    if known is None or known.role is not Role.SERVICE or found.named:
        return False
    match = _VALUE.match(found.text, stop, found.end)
    if match is None or not service.is_name(match[1]):
        return False
    found.offer(Rank.KEY, *match.span(1), known.basis)
    return found.settle(match.end())


def source_position(found: Found, pos: int, stop: int) -> bool:
    """Pass over ``file.go:12``; on the JVM a file has the name of its class."""
    match = _CLASS_FILE.match(found.text, pos, stop)
    if match is not None and service.is_name(match[1]):
        found.offer(Rank.AFTER, *match.span(1), ServiceBasis.LOGGER)
    elif found.level is not None:
        found.named = True  # what follows with a colon is the function
    return found.settle(stop)

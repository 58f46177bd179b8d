"""Exit codes and HTTP statuses inside a message, where a word beside them says what they are."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from logdocket.line import Severity
from logdocket.reading.levels import http_status
from logdocket.reading.outcomes import (
    AFTER_STATUS,
    CODE_FILLERS,
    EXIT_KEYS,
    FULL_KEYS,
    HTTP_KEYS,
    REQUESTED,
    RETURN_KEYS,
    STATUS_KEYS,
)
from logdocket.reading.words import Words

CODE_KEYS: Final = (
    HTTP_KEYS | STATUS_KEYS | EXIT_KEYS | RETURN_KEYS | FULL_KEYS | {"code", "signal"}
)
"""Words near which a code may stand."""

_MAX_FILLERS: Final = 3
_MAX_GAP: Final = 4
_NUMBER: Final = re.compile(r"-?(\d{1,10})(?:/[a-z_]++(?:/[a-z]++)?)?\Z")
"""A code alone, or with its name as systemd writes it: ``1/failure``, ``143/n/a``."""

_FATAL_SIGNALS: Final = frozenset({4, 6, 7, 8, 9, 11, 31})
_ASKED_TO_END: Final = frozenset({130, 143})
"""What a program that is told to end by SIGINT or SIGTERM exits with: 128 and the signal."""

_NEAR_FULL: Final = 90
_FULL: Final = 100

_PERCENT: Final = re.compile(r"(\d{1,3})(?:\.\d{1,4})?\Z")


class Code(NamedTuple):
    """A code found: the words ``first`` to ``last`` (inclusive) that carry it.

    ``decides``: it is the status of a request's record, against which no word counts.
    """

    first: int
    last: int
    value: Severity
    decides: bool


def code_at(words: Words, place: int) -> Code | None:
    """The code that the key word at ``place`` announces, or None."""
    key = words.words[place]
    if key in FULL_KEYS:
        return _share(words, place)
    at = _number_after(words, place)
    if at is None:
        return None
    match = _NUMBER.match(words.words[at])
    assert match, "found by the same pattern"
    value = _value(words, place, at, key, int(match[1]))
    return None if value is None else Code(place, at, value, key in HTTP_KEYS)


def _number_after(words: Words, place: int) -> int | None:
    """Where the next number stands, past fillers and short gaps only."""
    for at in range(place + 1, min(place + 2 + _MAX_FILLERS, len(words.words))):
        gap = words.gaps[at - 1]
        if len(gap) > _MAX_GAP or "." in gap or ";" in gap or "," in gap:
            return None
        if _NUMBER.match(words.words[at]):
            return at
        if words.words[at] not in CODE_FILLERS:
            return None
    return None


def _value(words: Words, place: int, at: int, key: str, n: int) -> Severity | None:
    between = words.words[place + 1 : at]
    before = words.words[place - 1] if place else ""
    if "/" in words.words[at]:
        return _unit_status(words.words[at], n)
    if key in EXIT_KEYS:
        return _exit_status(words, n)
    if key in HTTP_KEYS:
        return http_status(n)
    if key == "signal":
        return Severity.HIGH if n in _FATAL_SIGNALS and before in ("on", "by", "with") else None
    if key == "code":
        return _exit_status(words, n) if before == "with" and n < 256 else None
    if key in RETURN_KEYS:
        return http_status(n) if n >= 400 and _stays_status(words, at) else None
    if n < 100 and before in ("with", "exited", "return"):
        return Severity.HIGH if n else Severity.LOW
    if key in ("http", "response") and not between and not _stays_status(words, at) and n != 200:
        return None
    return http_status(n)


def _exit_status(words: Words, n: int) -> Severity:
    """0 is a success; what ends because it was told to is a worry, no failure."""
    if n in _ASKED_TO_END or (n and not REQUESTED.isdisjoint(words.words)):
        return Severity.MEDIUM
    return Severity.HIGH if n else Severity.LOW


def _unit_status(word: str, n: int) -> Severity:
    """A status with its name: systemd's exit codes and signals, or HTTP's ``200/ok``."""
    if n in _ASKED_TO_END or word == "15/term":
        return Severity.MEDIUM
    return Severity.LOW if n == 0 or word.endswith("/ok") else Severity.HIGH


def _share(words: Words, place: int) -> Code | None:
    """A share in percent, near 100, of what is not to run full: ``97% full``, ``usage: 97%``."""
    for at in (*range(place - 1, max(-1, place - 3), -1), *range(place + 1, place + 4)):
        if not 0 <= at < len(words.words):
            continue
        percent = _PERCENT.match(words.words[at])
        if percent is None or not words.gaps[at].startswith("%"):
            continue
        share = int(percent[1])
        if not _NEAR_FULL <= share <= _FULL:
            return None
        value = Severity.HIGH if share == _FULL else Severity.MEDIUM
        return Code(min(place, at), max(place, at), value, False)
    return None


def _stays_status(words: Words, at: int) -> bool:
    """Whether what follows the number does not make it a count of something."""
    if at + 1 >= len(words.words) or words.gaps[at] != " ":
        return True
    return words.words[at + 1] in AFTER_STATUS

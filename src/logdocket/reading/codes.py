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
    HTTP_KEYS,
    RETURN_KEYS,
    STATUS_KEYS,
)
from logdocket.reading.words import Words

CODE_KEYS: Final = HTTP_KEYS | STATUS_KEYS | EXIT_KEYS | RETURN_KEYS | {"code", "signal"}
"""Words near which a code may stand."""

_MAX_FILLERS: Final = 3
_MAX_GAP: Final = 4
_NUMBER: Final = re.compile(r"-?(\d{1,10})(?:/[a-z_]++)?\Z")
"""A code alone, or with its name as systemd writes it: ``1/failure``."""

_FATAL_SIGNALS: Final = frozenset({4, 6, 7, 8, 9, 11, 31})


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
    if key in EXIT_KEYS:
        return Severity.HIGH if n else Severity.LOW
    if key in HTTP_KEYS:
        return http_status(n)
    if key == "signal":
        return Severity.HIGH if n in _FATAL_SIGNALS and before in ("on", "by", "with") else None
    if key == "code":
        return (Severity.HIGH if n else Severity.LOW) if before == "with" and n < 256 else None
    if key in RETURN_KEYS:
        return http_status(n) if n >= 400 and _stays_status(words, at) else None
    if n < 100 and (before in ("with", "exited", "return") or "/" in words.words[at]):
        return Severity.HIGH if n else Severity.LOW
    if key in ("http", "response") and not between and not _stays_status(words, at) and n != 200:
        return None
    return http_status(n)


def _stays_status(words: Words, at: int) -> bool:
    """Whether what follows the number does not make it a count of something."""
    if at + 1 >= len(words.words) or words.gaps[at] != " ":
        return True
    return words.words[at + 1] in AFTER_STATUS

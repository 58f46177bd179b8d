"""What the rest of a message makes of its worst word: what is quoted, retried, over, or all gone.

A word of somebody else's says nothing of the event: what a user wrote, a command that is run, a
unit's description. What is tried again is milder, what is over is low, and what has befallen all of
the servers that there are is critical.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from logdocket.reading.outcomes import MENDED, NONE, NOT
from logdocket.reading.surroundings import (
    ALARMS,
    ALL,
    BEGINNERS,
    CLIENTS,
    DOWN,
    GIVING_UP,
    INSTEAD,
    LEVEL_NAMES,
    NOUNS,
    OWN_QUOTES,
    RETRYING,
    SERVERS,
    TIES,
    UNDONE,
    USERS_KEYS,
)
from logdocket.reading.weighing import CRITICAL, HIGH, LOW, MEDIUM, Cue
from logdocket.reading.words import Words

_COMMAND: Final = re.compile(r"\bCOMMAND=|\bCMD \(")
"""Where sudo and cron say what they run; it goes on to the end of the line."""

_MARKS: Final = ('""', "''", "``", "“”", "«»")
_KEY_ENDS: Final = (":", "=", ": ", "= ")
_LEAD: Final = 3
"""So many words before one are looked at for what denies it."""

_LEFT: Final = 5
"""So many words before a cue are looked at for whom it has befallen."""

_RIGHT: Final = 12
"""So many words after the last bad one are looked at for one that says that it is over."""

_WILL_RETRY: Final = frozenset({"retry", "retried"})
_GOOD_NEWS: Final = MENDED | {"recovery"}
_MAKES_DO: Final = frozenset({"falling", "fell", "using"})


def command(stretch: str) -> tuple[int, int] | None:
    """Where a record of cron or sudo begins to quote the command it ran; None in any other."""
    if "COMMAND=" not in stretch and "CMD (" not in stretch:
        return None
    found = _COMMAND.search(stretch)
    return None if found is None else found.span()


def quotations(lower: str) -> list[tuple[int, int]]:
    """Where others' words stand in quotes: ``user wrote "all is critical"``, ``query='error'``.

    A quote counts as the message's own at its start, as the value of a key, unless that is one of
    :data:`USERS_KEYS`, and behind a word of :data:`OWN_QUOTES`: ``failed with "no route"``.
    """
    return [place for pair in _MARKS if pair[0] in lower for place in _quoted(lower, *pair)]


def _quoted(lower: str, mark: str, closing: str) -> Iterator[tuple[int, int]]:
    first = lower.find(mark)
    while first >= 0:
        if mark == "'" and lower[max(0, first - 1)].isalnum():  # as in: can't
            first = lower.find(mark, first + 1)
            continue
        last = lower.find(closing, first + 1)
        if last < 0:
            return
        if _of_others(lower, first, last):
            yield first, last
        first = lower.find(mark, last + 1)


def _of_others(lower: str, first: int, last: int) -> bool:
    before = lower[max(0, first - 40) : first].rstrip("\\")
    if lower[last + 1 : last + 2] in (":", "="):
        return False
    if before.endswith(_KEY_ENDS):
        return _last_word(before.rstrip(" =:\"'")) in USERS_KEYS
    if not before.endswith(" "):
        return False
    before = before.rstrip(" ")
    return before[-1:].isalnum() and _last_word(before) not in OWN_QUOTES


def _last_word(before: str) -> str:
    word = before.rpartition(" ")[2]
    for mark in "\"'([{,;":
        word = word.rpartition(mark)[2]
    return word


def named(words: Words, first: int, last: int) -> bool:
    """Whether a bad noun is but a part of what was started: ``Started MD array failure report``.

    Not where a preposition ties the two, as in ``stopped with an error``.
    """
    tokens = words.words
    return (
        tokens[0] in BEGINNERS
        and first == last
        and first > 0
        and tokens[first] in NOUNS
        and TIES.isdisjoint(tokens[1:first])
        and not any(":" in gap or ";" in gap or "," in gap for gap in words.gaps[:first])
    )


def set_to(words: Words, first: int) -> bool:
    """Whether the word at ``first`` is a level that something is set to: ``level set to error``."""
    tokens = words.words
    if first == 0 or tokens[first - 1] not in ("to", "from"):
        return False
    return not LEVEL_NAMES.isdisjoint(tokens[max(0, first - _LEFT) : first])


def value_of_users(words: Words, place: int) -> bool:
    """Whether the word at ``place`` is the bare value of a key of users' words: ``user=failed``."""
    return (
        place > 0 and words.gaps[place - 1] in ("=", ":") and words.words[place - 1] in USERS_KEYS
    )


def scoped(words: Words, worst: Cue, bad: int) -> Cue:
    """``worst`` as the whole message has it; ``bad`` is the place of its last bad word."""
    first, last, severity = worst
    if severity == LOW:
        return worst
    tokens = words.words
    mended = not _GOOD_NEWS.isdisjoint(tokens)
    if mended and _cleared(words, first):
        return 0, last, LOW
    if severity == CRITICAL:
        return worst
    over = _over(words, bad) if mended else None
    if over is not None:
        return first, over, LOW
    if severity != HIGH:
        return worst
    if (
        not ALL.isdisjoint(tokens)
        and not DOWN.isdisjoint(tokens[first : last + 1])
        and _all_of(words, last)
    ):
        return first, last, CRITICAL
    if CLIENTS.isdisjoint(tokens) and (RETRYING.isdisjoint(tokens) or not _retried(words)):
        return worst
    return first, last, MEDIUM


def _retried(words: Words) -> bool:
    tokens = words.words
    return GIVING_UP.isdisjoint(tokens) and any(
        _goes_on(words, place) for place, word in enumerate(tokens) if word in RETRYING
    )


def _goes_on(words: Words, place: int) -> bool:
    """Whether what is said to be tried again is: ``will retry``, but not ``will not retry``."""
    tokens = words.words
    word = tokens[place]
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    if word in _MAKES_DO:
        return after in INSTEAD
    start = place
    while start > max(0, place - _LEAD) and words.flows(start - 1):
        start -= 1
    before = tokens[start:place]
    if not NOT.isdisjoint(before) or not NONE.isdisjoint(before[-1:]):
        return False
    if word not in _WILL_RETRY or after[:1].isdigit():
        return True
    return not {"will", "be", "to"}.isdisjoint(before[-2:]) and before[-1:] != ["failed"]


def _cleared(words: Words, first: int) -> bool:
    """Whether the message is headed as good news: ``Alarm cleared: …``, ``RESOLVED: …``."""
    tokens = words.words
    if first == 0 or not any(":" in gap or "-" in gap for gap in words.gaps[: min(first, 4)]):
        return False
    if tokens[0] in _GOOD_NEWS:
        return words.gaps[0].lstrip("]*").startswith((":", " -"))
    return any(
        tokens[place] in MENDED and not tokens[place - 1 :: -1].count("not")
        for place in range(1, min(3, first))
        if ALARMS.intersection(tokens[:place])
    )


def _over(words: Words, bad: int) -> int | None:
    """The place of a word behind the last bad one that says that it is over: ``…, recovered``.

    What is counted, as in ``3 failed, 2 recovered``, says so of others.
    """
    tokens = words.words
    for place in range(bad + 1, min(bad + 1 + _RIGHT, len(tokens))):
        if (
            tokens[place] in MENDED
            and not tokens[place - 1].isdigit()
            and words.gaps[place][:1] not in ("=", ":")
            and UNDONE.isdisjoint(tokens[max(0, place - _LEAD) : place])
        ):
            return place
    return None


def _all_of(words: Words, last: int) -> bool:
    """Whether the cue up to ``last`` has befallen all there are: ``every backend is down``."""
    tokens = words.words
    for befallen in range(last - 1, max(-1, last - 1 - _LEFT - 4), -1):
        if tokens[befallen] in SERVERS:
            return any(
                tokens[at] in ALL and not (at and tokens[at - 1] in NOT)
                for at in range(max(0, befallen - 4), befallen)
            )
    return False

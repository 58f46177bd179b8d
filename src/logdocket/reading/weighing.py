"""What an outcome word is worth where it stands: negated, counted to zero, mended, tolerated.

A severity is a number here, 0 for low up to 3 for critical, as in :attr:`.Severity.rank`.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from logdocket.line import Severity
from logdocket.reading.outcomes import (
    BENIGN_AFTER,
    CLAIMS,
    FILLERS,
    FLIPS,
    MENDED,
    NONE,
    NOT,
    SETTINGS,
    TOLERATED,
)
from logdocket.reading.surroundings import (
    CLEANING,
    DONE_BEFORE,
    PASSED_OVER,
    REMNANTS,
    SCARCE,
    SERVERS,
    TALLIED,
    UNDONE,
)
from logdocket.reading.words import Words

Cue: TypeAlias = tuple[int, int, int]
"""A weighed cue: the words first to last (inclusive) that bear it out, and its severity."""

LOW, MEDIUM, HIGH, CRITICAL = (severity.rank for severity in Severity)

_NAUGHT: Final = re.compile(
    r"""["')\]]?+\ {0,2}
    (?:(?:count|code|rate|total|message|msg)["']?+\ {0,2})?+
    (?:
      (?:[=:]\ {0,16})?+["'(\[]?+0(?:\.0+)?+(?![\w.])
    | [=:]\ {0,2}(?:
        ""|''|\[\]|\{\}
      | ["'(\[<]?+(?:none|null|nil|false|no|n/a|undefined)\b(?!\ +\w++(?![=:]))
      )
    )""",
    re.VERBOSE,
)
"""``errors=0``, ``failed: 0``, ``error: none``, ``"error":null``, ``err=<nil>``, ``error=""``."""

_NAUGHT_STARTS: Final = frozenset("0crtm")
"""What a word begins with that :data:`_NAUGHT` takes behind a mere blank."""

_SET_TO: Final = re.compile(r"[\"']?+ {0,2}(?:[=:] {0,2}|(?:of |is |was |set to ))?[\"']?+\d")
"""``timeout=30s``, ``timeout: 3200``, ``timeout of 5 s``: a setting's value."""

_PREFIX_ZERO: Final = re.compile(r"0(?:\.0+)?(?:/\d+)?\Z")
_VALUED: Final = re.compile(r"[\"']?+ {0,2}[=:]")
"""A word is the key of what follows it, and so is no noun of a number before it."""

_UNTRUE: Final = re.compile(r"[\"']?+ {0,2}[=:] {0,2}[\"']?(?:(false|no)\b|0(?![\w.:/%]))")
"""``success=false``: a good outcome that did not come; ``ok=0``: none was counted."""

_MAX_BLANKS: Final = 4
_ARBITRARY: Final = 1
"""So many words that are no fillers may stand between ``no`` and what there was none of."""

_BACK: Final = 6
"""So many words before a cue are looked at for what negates it."""

_AHEAD: Final = 4
"""So many words after one are looked at for what mends it, or for what did not happen."""

_FLIPS: Final = {word: severity.rank for severity, words in FLIPS.items() for word in words.split()}
_NEGATING: Final = NOT | NONE
_AT_HAND: Final = frozenset({"available", "healthy", "online", "ready", "running", "connected"})
_EXCUSING: Final = MENDED | TOLERATED | {"after"}
_REASONS: Final = frozenset({"from", "after", "following", "this", "these", "previous", "last"})
_BACK_AGAIN: Final = frozenset({"back", "up", "online", "again", "normal", "healthy", "succeeded"})
"""``back after an outage``: the trouble is over, though no word of mending is there."""


def weigh(words: Words, first: int, last: int, severity: int) -> Cue | None:
    """What the cue ``first`` to ``last`` is worth; None when it tells of no event at all."""
    gap = words.gaps[last]
    if severity == LOW:
        if ":" in gap or "=" in gap:
            return _good(words, first, last)
        return (first, last, LOW) if first == 0 else _come(words, first, last)
    tokens = words.words
    if tokens[first] in SETTINGS or tokens[last] == "out":
        setting = _SET_TO.match(words.lower, words.end(last))
        if setting is not None and (severity == HIGH or setting[0].strip("\"' ")[0] in "=:"):
            return None
    after = tokens[last + 1] if last + 1 < len(tokens) else ""
    if gap != " " or after[:1] in _NAUGHT_STARTS:
        naught = _NAUGHT.match(words.lower, words.end(last))
        if naught is not None:
            while last + 1 < len(tokens) and words.start(last + 1) < naught.end():
                last += 1
            return first, last, LOW
    negation = _negation_before(words, first)
    if negation is not None:
        verb = tokens[negation] in NOT and severity == MEDIUM
        return None if verb else (negation, last, LOW)
    if gap == " " and after in BENIGN_AFTER and not tokens[last].endswith("ed"):
        return None
    if severity == MEDIUM and first == last:
        if _tallied(words, first):
            return None
        if _of_no_concern(words, first):
            return first, last, LOW
    if severity == CRITICAL or _EXCUSING.isdisjoint(tokens):
        return first, last, severity
    return _excused(words, first, last, severity)


def _tallied(words: Words, place: int) -> bool:
    """Whether the word is one under which a run counts: ``2 skipped``, ``skipped=2``."""
    tokens = words.words
    if tokens[place] not in TALLIED:
        return False
    if place and tokens[place - 1].isdigit() and words.gaps[place - 1] == " ":
        return True
    valued = words.gaps[place].strip("\"' ") in ("=", ":", "[") and place + 1 < len(tokens)
    return valued and tokens[place + 1].isdigit()


def _of_no_concern(words: Words, place: int) -> bool:
    """What was cleaned away, or was passed over because nothing was to be done."""
    tokens = words.words
    if tokens[place] in REMNANTS:
        around = tokens[max(0, place - 3) : place + _AHEAD]
        return not CLEANING.isdisjoint(around) and UNDONE.isdisjoint(around)
    return tokens[place] in PASSED_OVER and (
        words.gaps[place].startswith(": [")
        or not DONE_BEFORE.isdisjoint(tokens)
        or "up to date" in words.lower
    )


def _negation_before(words: Words, first: int) -> int | None:
    """The place of the negation that takes the cue at ``first`` back."""
    tokens = words.words
    if first == 0 or (
        _NEGATING.isdisjoint(tokens[max(0, first - _BACK) : first]) and "0/" not in words.lower
    ):
        return None
    arbitrary = 0
    for place in range(first - 1, max(-1, first - _BACK), -1):
        if not words.flows(place):
            return None
        word = tokens[place]
        if word in NOT:
            return place if arbitrary == 0 else None
        if word[0].isdigit() and _is_value(words, place, first):
            return None
        if word in NONE or _PREFIX_ZERO.match(word):
            return None if tokens[place + 1] == "such" else place
        if word == "of" and place and _PREFIX_ZERO.match(tokens[place - 1]):
            return None if _is_value(words, place - 1, first) else place - 1
        if word.isdigit() and not (place and tokens[place - 1] == "of"):
            return None
        if word not in FILLERS and not word.isdigit():
            arbitrary += 1
            if arbitrary > _ARBITRARY:
                return None
    return None


def _is_value(words: Words, place: int, first: int) -> bool:
    """Whether the number at ``place`` is the value of a key before it: ``lost=0 failed=1``.

    After a colon and a blank it is one only where the cue at ``first`` has a value of its own.
    """
    at = words.start(place)
    before = words.lower[max(0, at - _MAX_BLANKS) : at].rstrip("\"'")
    if before.endswith(("=", ":")):
        return True
    if not before.rstrip(" ").endswith(("=", ":")):
        return False
    return _VALUED.match(words.lower, words.end(first)) is not None


def _good(words: Words, first: int, last: int) -> Cue | None:
    """A good outcome, unless its own value says that it did not come."""
    untrue = _UNTRUE.match(words.lower, words.end(last))
    if untrue is None:
        return first, last, LOW
    claimed = untrue[1] is not None and words.words[last] in CLAIMS
    return (first, last, HIGH) if claimed else None


def _come(words: Words, first: int, last: int) -> Cue | None:
    """A good outcome, unless the words before it say that it came to none or to a few only:
    ``no backend available``, ``only 1 of 3 replicas ready``.
    """
    tokens = words.words
    before = tokens[max(0, first - _BACK) : first]
    if not NOT.isdisjoint(before[-2:]) and _denied(words, first):
        return None
    if NONE.isdisjoint(before[-3:]) and "only" not in before:
        return first, last, LOW
    for place in range(first - 1, max(-1, first - 1 - _BACK), -1):
        if not words.flows(place):
            break
        word = tokens[place]
        if word == "only":
            return (place, last, MEDIUM) if tokens[place + 1][0].isdigit() else (first, last, LOW)
        if word in NONE and place >= first - 3:
            if tokens[first] not in _AT_HAND or word in ("nothing", "without"):
                return first, last, LOW
            return _none_at_hand(words, place, last)
    return first, last, LOW


def _denied(words: Words, first: int) -> bool:
    """Whether the outcome is said not to have come: ``not properly unmounted``."""
    place = first - 1
    while place > 0 and words.flows(place) and words.words[place] in FILLERS:
        place -= 1
    return words.flows(place) and words.words[place] in NOT


def _none_at_hand(words: Words, place: int, last: int) -> Cue | None:
    tokens = words.words
    counted = {*tokens[place + 1 : last], *tokens[last + 1 : last + 2]}
    if not SERVERS.isdisjoint(counted):
        return place, last, CRITICAL
    return None if SCARCE.isdisjoint(counted) else (place, last, HIGH)


def _excused(words: Words, first: int, last: int, severity: int) -> Cue:
    """The cue, milder where a word beside it says that the trouble was mended or tolerated."""
    tokens = words.words
    for place in range(last + 1, min(last + 1 + _AHEAD, len(tokens))):
        if not words.flows(place - 1):
            break
        if tokens[place] in MENDED:
            undone = not UNDONE.isdisjoint(tokens[first:place])
            return first, place, severity if undone else LOW
    for place in range(first - 1, max(-1, first - 4), -1):
        if not words.flows(place):
            break
        word = tokens[place]
        if word in MENDED or word in TOLERATED:
            return place, last, LOW if word in MENDED else MEDIUM
        if word in _BACK_AGAIN and tokens[place + 1] == "after":
            return place, last, LOW
        if word not in FILLERS and word not in _REASONS and not word.isdigit():
            break
    return first, last, severity


def flipped(words: Words, place: int) -> Cue | None:
    """A good outcome that did not come about: ``not started``, ``no longer available``."""
    tokens = words.words
    first = place
    if tokens[place] == "longer":
        if not place or tokens[place - 1] != "no":
            return None
        first = place - 1
    waiting = False
    for at in range(place + 1, min(place + 1 + _AHEAD, len(tokens))):
        if not words.flows(at - 1):
            return None
        word = tokens[at]
        severity = _FLIPS.get(word)
        if severity is not None:
            return first, at, MEDIUM if waiting else severity
        if word not in FILLERS:
            return None
        waiting = waiting or word == "yet"
    return None

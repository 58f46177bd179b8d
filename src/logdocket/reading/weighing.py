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
from logdocket.reading.words import Words

Cue: TypeAlias = tuple[int, int, int]
"""A weighed cue: the words first to last (inclusive) that bear it out, and its severity."""

LOW, MEDIUM, HIGH, CRITICAL = (severity.rank for severity in Severity)

_NAUGHT: Final = re.compile(
    r"""["')\]]?+\ {0,2}
    (?:(?:count|code|rate|total|message|msg)["']?+\ {0,2})?+
    (?:
      (?:[=:]\ {0,2})?+["'(\[]?+0(?:\.0+)?+(?![\w.])
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
_EXCUSING: Final = MENDED | TOLERATED
_REASONS: Final = frozenset({"from", "this", "these", "previous", "last"})


def weigh(words: Words, first: int, last: int, severity: int) -> Cue | None:
    """What the cue ``first`` to ``last`` is worth; None when it tells of no event at all."""
    gap = words.gaps[last]
    if severity == LOW:
        return _good(words, first, last) if ":" in gap or "=" in gap else (first, last, LOW)
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
    if gap == " " and after in BENIGN_AFTER:
        return None
    if severity == CRITICAL or _EXCUSING.isdisjoint(tokens):
        return first, last, severity
    return _excused(words, first, last, severity)


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


def _excused(words: Words, first: int, last: int, severity: int) -> Cue:
    """The cue, milder where a word beside it says that the trouble was mended or tolerated."""
    tokens = words.words
    for place in range(last + 1, min(last + 1 + _AHEAD, len(tokens))):
        if not words.flows(place - 1):
            break
        if tokens[place] in MENDED:
            undone = tokens[place - 1] in NOT
            return first, place, severity if undone else LOW
    for place in range(first - 1, max(-1, first - 4), -1):
        if not words.flows(place):
            break
        word = tokens[place]
        if word in MENDED or word in TOLERATED:
            return place, last, LOW if word in MENDED else MEDIUM
        if word not in FILLERS and word not in _REASONS:
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

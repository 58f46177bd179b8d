"""How a message says things went, where it states no level: outcome words, exit codes, statuses.

The tables stand in :mod:`.outcomes`; here is how they are weighed. A cue is a whole word: one that
touches ``_``, ``/``, ``-``, ``.`` or a digit is part of a name (``error_log``, ``on-error``,
``ErrorHandler``, ``/var/log/errors.txt``) and says nothing.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.codes import CODE_KEYS, Code, code_at
from logdocket.reading.outcomes import (
    BENIGN_AFTER,
    CLAIMS,
    COMMON,
    CUES,
    FILLERS,
    FLIPS,
    MENDED,
    NONE,
    NOT,
    SETTINGS,
    TOLERATED,
)
from logdocket.reading.parts import Level
from logdocket.reading.words import Words, folded, lower_case

_REACH: Final = 2_048
"""A message tells its outcome near its start; characters further in are not looked at."""

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

_CLASS_ENDS: Final = ("exception", "error")
_BACK: Final = 6
"""So many words before a cue are looked at for what negates it."""

_AHEAD: Final = 4
"""So many words after one are looked at for what mends it, or for what did not happen."""


class _Cue(NamedTuple):
    """A weighed cue: the words ``first`` to ``last`` (inclusive) that bear it out."""

    first: int
    last: int
    value: Severity


def _phrases() -> dict[str, list[tuple[tuple[str, ...], Severity]]]:
    """Phrases by their first word, as (the words after it, severity), longest first."""
    phrases: dict[str, list[tuple[tuple[str, ...], Severity]]] = {}
    for severity, rows in CUES.items():
        for row in filter(None, map(str.split, rows.replace("\n", ",").split(","))):
            phrases.setdefault(row[0], []).append((tuple(row[1:]), severity))
    for options in phrases.values():
        options.sort(key=lambda option: -len(option[0]))
    return phrases


def _telling() -> frozenset[bytes]:
    """Folded words of which a message must hold one to tell anything.

    Of each phrase it is the last word that is not too common.
    """
    telling = {"longer", *CODE_KEYS, *NOT}
    for first, options in _PHRASES.items():
        for rest, _ in options:
            phrase = (first, *rest)
            rare = [word for word in phrase if word not in COMMON]
            telling.add((rare or phrase)[-1])
    return frozenset(max(folded(word), key=len) for word in telling)


_PHRASES: Final = _phrases()
_FLIPS: Final = {word: severity for severity, words in FLIPS.items() for word in words.split()}
_STARTS: Final = frozenset(_PHRASES) | CODE_KEYS | NOT | {"longer"}
_NEGATING: Final = NOT | NONE
_EXCUSING: Final = MENDED | TOLERATED
_TELLING: Final = _telling()
_LOW, _MEDIUM, _HIGH, _CRITICAL = Severity


def cue(text: str, start: int, end: int) -> Level | None:
    """The worst outcome that a message tells of, with the words that say so; None without any.

    Looks at the first 2,048 characters. A cue that is negated (``no errors``, ``did not fail``) or
    counted to zero (``errors=0``) tells of a good outcome, and a good one that is negated (``not
    started``) of a bad one. A request's own status decides; any other exit code or status of
    medium or worse outweighs all words but critical ones.
    """
    stretch = text[start : min(end, start + _REACH)]
    classes = "Exception" in stretch or "Error" in stretch
    if not classes and stretch.isascii() and _TELLING.isdisjoint(folded(stretch)):
        return None
    words = Words(lower_case(stretch))
    places = [
        place
        for place, word in enumerate(words.words)
        if word in _STARTS or (classes and word.endswith(_CLASS_ENDS))
    ]
    return _worst(words, places, start, stretch) if places else None


def _worst(words: Words, places: list[int], start: int, stretch: str) -> Level | None:
    """The worst of the cues and codes that begin at ``places``."""
    code = worst = None
    done = -1
    for place in places:
        if place <= done:
            continue
        word = words.words[place]
        found: _Cue | None = None
        if word in CODE_KEYS:
            code = _worse_code(code, code_at(words, place))
        if word in _PHRASES:
            found, done = _phrase(words, place)
        elif word.endswith(_CLASS_ENDS):
            found = _class_name(words, place, stretch)
        if found is None and (word in NOT or word == "longer"):
            found = _flipped(words, place)
        if found is not None and (worst is None or found.value.rank > worst.value.rank):
            worst = found
    return _settle(words, start, code, worst)


def _settle(words: Words, start: int, code: Code | None, worst: _Cue | None) -> Level | None:
    """The code or the word cue, whichever counts."""
    if code is not None and (
        code.decides
        or worst is None
        or (code.value is not _LOW and worst.value is not _CRITICAL)
        or worst.value is _LOW
    ):
        return _level(words, start, code.first, code.last, code.value, SeverityBasis.STATUS)
    if worst is None:
        return None
    return _level(words, start, worst.first, worst.last, worst.value, SeverityBasis.CUE)


def _level(
    words: Words, start: int, first: int, last: int, value: Severity, basis: SeverityBasis
) -> Level:
    return Level(start + words.span(first)[0], start + words.span(last)[1], value, basis)


def _worse_code(old: Code | None, new: Code | None) -> Code | None:
    if old is None or new is None:
        return old or new
    if old.decides != new.decides:
        return old if old.decides else new
    return new if new.value.rank > old.value.rank else old


def _phrase(words: Words, place: int) -> tuple[_Cue | None, int]:
    """The longest phrase that begins at ``place``, weighed, and its last word's place."""
    for rest, severity in _PHRASES[words.words[place]]:
        if not rest:
            return _weigh(words, place, place, severity), place
        last = place + len(rest)
        if tuple(words.words[place + 1 : last + 1]) == rest and all(
            words.flows(at) for at in range(place, last)
        ):
            return _weigh(words, place, last, severity), last
    return None, place


def _class_name(words: Words, place: int, stretch: str) -> _Cue | None:
    """An exception named by its class, ``java.io.IOException`` or ``ValueError``."""
    written = stretch[slice(*words.span(place))]
    name = written.rpartition(".")[2].rpartition("$")[2]
    if not (name[0].isupper() and name.endswith(("Exception", "Error"))) or "/" in written:
        return None
    severity = _CRITICAL if name.startswith("OutOfMemory") else _HIGH
    return _weigh(words, place, place, severity)


def _weigh(words: Words, first: int, last: int, severity: Severity) -> _Cue | None:
    """What a cue is worth where it stands; None when it tells of no event at all."""
    if severity is _LOW:
        return _good(words, first, last)
    if words.words[first] in SETTINGS or words.words[last] == "out":
        setting = _SET_TO.match(words.lower, words.span(last)[1])
        if setting is not None and (severity is _HIGH or setting[0].strip("\"' ")[0] in "=:"):
            return None
    naught = _NAUGHT.match(words.lower, words.span(last)[1])
    if naught is not None:
        while last + 1 < len(words) and words.span(last + 1)[0] < naught.end():
            last += 1
        return _Cue(first, last, _LOW)
    negation = _negation_before(words, first)
    if negation is not None:
        verb = words.words[negation] in NOT and severity is _MEDIUM
        return None if verb else _Cue(negation, last, _LOW)
    if last + 1 < len(words) and words.words[last + 1] in BENIGN_AFTER and words.gap(last) == " ":
        return None
    return _excused(words, first, last, severity)


def _negation_before(words: Words, first: int) -> int | None:
    """The place of the negation that takes the cue at ``first`` back."""
    window = words.words[max(0, first - _BACK) : first]
    if _NEGATING.isdisjoint(window) and "0/" not in words.lower:
        return None
    arbitrary = 0
    for place in range(first - 1, max(-1, first - _BACK), -1):
        if not words.flows(place):
            return None
        word = words.words[place]
        if word in NOT:
            return place if arbitrary == 0 else None
        if word[0].isdigit() and _is_value(words, place, first):
            return None
        if word in NONE or _PREFIX_ZERO.match(word):
            return None if words.words[place + 1] == "such" else place
        if word == "of" and place and _PREFIX_ZERO.match(words.words[place - 1]):
            return None if _is_value(words, place - 1, first) else place - 1
        if word.isdigit() and not (place and words.words[place - 1] == "of"):
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
    at = words.span(place)[0]
    before = words.lower[max(0, at - _MAX_BLANKS) : at].rstrip("\"'")
    if before.endswith(("=", ":")):
        return True
    if not before.rstrip(" ").endswith(("=", ":")):
        return False
    return _VALUED.match(words.lower, words.span(first)[1]) is not None


def _good(words: Words, first: int, last: int) -> _Cue | None:
    """A good outcome, unless its own value says that it did not come."""
    untrue = _UNTRUE.match(words.lower, words.span(last)[1])
    if untrue is None:
        return _Cue(first, last, _LOW)
    claimed = untrue[1] is not None and words.words[last] in CLAIMS
    return _Cue(first, last, _HIGH) if claimed else None


def _excused(words: Words, first: int, last: int, severity: Severity) -> _Cue:
    """The cue, milder where a word beside it says that the trouble was mended or tolerated."""
    if severity is _CRITICAL or _EXCUSING.isdisjoint(words.words):
        return _Cue(first, last, severity)
    for place in range(last + 1, min(last + 1 + _AHEAD, len(words))):
        if not words.flows(place - 1):
            break
        if words.words[place] in MENDED:
            undone = words.words[place - 1] in NOT
            return _Cue(first, place, severity if undone else _LOW)
    for place in range(first - 1, max(-1, first - 4), -1):
        if not words.flows(place):
            break
        word = words.words[place]
        if word in MENDED or word in TOLERATED:
            return _Cue(place, last, _LOW if word in MENDED else _MEDIUM)
        if word not in FILLERS and word not in ("from", "this", "these", "previous", "last"):
            break
    return _Cue(first, last, severity)


def _flipped(words: Words, place: int) -> _Cue | None:
    """A good outcome that did not come about: ``not started``, ``no longer available``."""
    first = place
    if words.words[place] == "longer":
        if not place or words.words[place - 1] != "no":
            return None
        first = place - 1
    waiting = False
    for at in range(place + 1, min(place + 1 + _AHEAD, len(words))):
        if not words.flows(at - 1):
            return None
        word = words.words[at]
        severity = _FLIPS.get(word)
        if severity is not None:
            return _Cue(first, at, _MEDIUM if waiting else severity)
        if word not in FILLERS:
            return None
        waiting = waiting or word == "yet"
    return None

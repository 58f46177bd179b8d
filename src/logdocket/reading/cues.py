"""How a message says things went, where it states no level: outcome words, exit codes, statuses.

The tables stand in :mod:`.outcomes`, how a word is weighed in :mod:`.weighing`; here is which words
are looked at. A cue is a whole word: one that touches ``_``, ``/``, ``-``, ``.`` or a digit is part
of a name (``error_log``, ``on-error``, ``ErrorHandler``, ``/var/log/errors.txt``) and says nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.codes import CODE_KEYS, Code, code_at
from logdocket.reading.outcomes import COMMON, CUES, NOT
from logdocket.reading.parts import Level
from logdocket.reading.scopes import command, named, quotations, scoped, set_to, value_of_users
from logdocket.reading.weighing import CRITICAL, HIGH, LOW, MEDIUM, Cue, flipped, weigh
from logdocket.reading.words import Words, alike, folded, lower_case

_REACH: Final = 2_048
"""A message tells its outcome near its start; characters further in are not looked at."""

_REPEATED: Final = 256
"""What is told in so many characters is kept for messages alike; longer ones seldom come again."""

_CLASS_ENDS: Final = ("exception", "error", "warning")
_CLASSES: Final = ("Exception", "Error", "Warning")
_CLIENTS_FAULTS: Final = ("Throttl", "TooManyRequests", "AccessDenied", "Forbidden", "Unauthor")
"""How names of exceptions begin that refuse a client."""

_SEVERITIES: Final = tuple(Severity)


class _Phrases(NamedTuple):
    """The phrases that begin with one word.

    ``alone``: the severity of the word alone, if it has one. ``longer``: by the word that comes
    second, the words from there on with the phrase's severity, the longest first.
    """

    alone: int | None
    longer: dict[str, list[tuple[list[str], int]]]


def _phrases() -> dict[str, _Phrases]:
    """Phrases by their first word."""
    rows = [
        (row.split(), severity.rank)
        for severity, table in CUES.items()
        for row in table.replace("\n", ",").split(",")
        if row.strip()
    ]
    phrases: dict[str, _Phrases] = {}
    for (first, *rest), severity in rows:
        if not rest:
            known = phrases.get(first, _Phrases(None, {}))
            phrases[first] = known if known.alone is not None else known._replace(alone=severity)
        else:
            longer = phrases.setdefault(first, _Phrases(None, {})).longer
            longer.setdefault(rest[0], []).append((rest, severity))
            longer[rest[0]].sort(key=lambda option: -len(option[0]))
    return phrases


def _telling() -> frozenset[bytes]:
    """Folded words of which a message must hold one to tell anything.

    Of each phrase without such a word it is the last that is not too common, else the longest.
    """
    telling = {"longer", *CODE_KEYS, *NOT}
    telling.update(first for first, (alone, _) in _PHRASES.items() if alone is not None)
    more = set()
    for first, phrases in _PHRASES.items():
        for options in phrases.longer.values():
            for rest, _ in options:
                words = (first, *rest)
                if telling.isdisjoint(words):
                    rare = [word for word in words if word not in COMMON]
                    more.add(rare[-1] if rare else max(reversed(words), key=len))
    return frozenset(max(folded(word), key=len) for word in telling | more)


_PHRASES: Final = _phrases()
_COUNTED: Final = CODE_KEYS | {alike(key.encode()).decode() for key in CODE_KEYS}
"""Words behind which a number's value counts, also in the form in which alike messages share it."""

_STARTS: Final = frozenset(_PHRASES) | _COUNTED | NOT | {"longer"}
_TELLING: Final = _telling()
_Told: TypeAlias = tuple[int, int, Severity, SeverityBasis]
_BY_VALUE: Final[_Told] = (0, 0, Severity.LOW, SeverityBasis.STATUS)
"""Stands for: the numbers must be looked at."""


def cue(text: str, start: int, end: int) -> Level | None:
    """The worst outcome that a message tells of, with the words that say so; None without any.

    Looks at the first 2,048 characters. A cue that is negated (``no errors``, ``did not fail``) or
    counted to zero (``errors=0``) tells of a good outcome, and a good one that is negated (``not
    started``) of a bad one. A request's own status decides; any other exit code or status of
    medium or worse outweighs all words but critical ones.
    """
    stretch = text[start : min(end, start + _REACH)]
    told: _Told | None = _BY_VALUE
    if len(stretch) <= _REPEATED and stretch.isascii():
        told = _told_alike(alike(stretch.encode()))
    if told is _BY_VALUE:
        told = _told(stretch)
    return None if told is None else Level(start + told[0], start + told[1], told[2], told[3])


@lru_cache(maxsize=4096)
def _told_alike(message: bytes) -> _Told | None:
    """What all messages tell that are :func:`.alike` to this one: most come again and again with
    other numbers. ``_BY_VALUE`` where those tell something.
    """
    return _told(message.decode(), shared=True)


def _told(stretch: str, shared: bool = False) -> _Told | None:
    """What a message tells, and where; ``shared`` if messages alike share it."""
    classes = "Exception" in stretch or "Error" in stretch or "Warning" in stretch
    if not classes and stretch.isascii() and _TELLING.isdisjoint(folded(stretch)):
        return None
    ran = command(stretch)
    if ran is not None:
        return _told(stretch[: ran[0]]) or (*ran, Severity.LOW, SeverityBasis.CUE)
    words = Words(lower_case(stretch))
    places = [
        place
        for place, word in enumerate(words.words)
        if word in _STARTS or (classes and word.endswith(_CLASS_ENDS))
    ]
    if shared and not _COUNTED.isdisjoint(words.words):
        return _BY_VALUE
    return _worst(words, places, stretch) if places else None


def _worst(words: Words, places: list[int], stretch: str) -> _Told | None:
    """The worst of the cues and codes that begin at ``places``."""
    code: Code | None = None
    worst: Cue | None = None
    done = bad = -1
    of_others: list[tuple[int, int]] | None = None
    for place in places:
        if place <= done:
            continue
        word = words.words[place]
        found: Cue | None = None
        if word in CODE_KEYS:
            code = _worse_code(code, code_at(words, place))
        phrases = _PHRASES.get(word)
        if phrases is not None:
            found, done = _phrase(words, place, phrases)
        elif word.endswith(_CLASS_ENDS):
            found = _class_name(words, place, stretch)
        if found is None and (word in NOT or word == "longer"):
            found = flipped(words, place)
        if found is None:
            continue
        if found[2] != LOW:
            if of_others is None:
                of_others = quotations(words.lower)
            if _says_nothing(words, found, of_others):
                continue
            bad = found[1]
        if worst is None or found[2] > worst[2]:
            worst = found
    return _settle(words, code, None if worst is None else scoped(words, worst, bad))


def _says_nothing(words: Words, found: Cue, of_others: list[tuple[int, int]]) -> bool:
    """Whether bad words are somebody else's, or a part of a name."""
    first, last, _ = found
    if named(words, first, last) or set_to(words, first) or value_of_users(words, first):
        return True
    if not of_others:
        return False
    at = words.start(first)
    return any(start < at < end for start, end in of_others)


def _settle(words: Words, code: Code | None, worst: Cue | None) -> _Told | None:
    """The code or the word cue, whichever counts."""
    if code is not None and (
        code.decides
        or worst is None
        or (code.value is not Severity.LOW and worst[2] != CRITICAL)
        or worst[2] == LOW
    ):
        first, last, value, basis = code.first, code.last, code.value, SeverityBasis.STATUS
    elif worst is not None:
        first, last, value, basis = *worst[:2], _SEVERITIES[worst[2]], SeverityBasis.CUE
    else:
        return None
    return words.start(first), words.end(last), value, basis


def _worse_code(old: Code | None, new: Code | None) -> Code | None:
    if old is None or new is None:
        return old or new
    if old.decides != new.decides:
        return old if old.decides else new
    return new if new.value.rank > old.value.rank else old


def _phrase(words: Words, place: int, phrases: _Phrases) -> tuple[Cue | None, int]:
    """The longest phrase that begins at ``place``, weighed, and its last word's place."""
    alone, longer = phrases
    if longer and place + 1 < len(words.words):
        for rest, severity in longer.get(words.words[place + 1], ()):
            last = place + len(rest)
            if words.words[place + 1 : last + 1] == rest and all(
                map(words.flows, range(place, last))
            ):
                return weigh(words, place, last, severity), last
    return (None if alone is None else weigh(words, place, place, alone)), place


def _class_name(words: Words, place: int, stretch: str) -> Cue | None:
    """An exception named by its class, ``java.io.IOException`` or ``ValueError``; a warning."""
    written = stretch[words.start(place) : words.end(place)]
    name = written.rpartition(".")[2].rpartition("$")[2]
    if not (name[0].isupper() and name.endswith(_CLASSES)) or "/" in written:
        return None
    if name.endswith("Warning") or name.startswith(_CLIENTS_FAULTS):
        return weigh(words, place, place, MEDIUM)
    return weigh(words, place, place, CRITICAL if name.startswith("OutOfMemory") else HIGH)

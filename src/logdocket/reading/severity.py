"""How bad a line says it is: the face of all severity rules, and levels stated in a head.

Words, letters and numbers come from :mod:`.levels`, outcome cues from :mod:`.cues`.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.cues import cue
from logdocket.reading.levels import (
    FORMS,
    MARKED,
    UNSURE,
    XORG,
    field,
    http_status,
    letter,
    number,
    pri,
    word,
)
from logdocket.reading.parts import Level

__all__ = ["cue", "field", "http_status", "letter", "number", "pri", "stated", "word"]

_REACH: Final = 256
"""A level is stated near the start of a record; characters further in are not looked at."""

_PROSE: Final = 2
"""This many lower-case words in a row, and the head is over: what follows is prose."""

_WORD: Final = re.compile(r"[A-Za-z]++(?:\d(?!\w))?")
_ANY_WORD: Final = re.compile(r"[^\W\d_]++(?:\d(?!\w))?")
"""The same in any script; slower."""
_KEYS: Final = frozenset(
    form
    for key in ("level", "lvl", "severity", "levelname", "sev")
    for form in (key, key.upper(), key.title())
)
_TELLING: Final = _KEYS.union(FORMS)
"""Words of which a stretch must hold one to state a level in words."""

_Found = tuple[int, int, Severity]
_VALUE: Final = re.compile(r"[\"']?+ ?[=:] ?[\"']?+([A-Za-z]++\d?)(?!\w)")
_SETTING: Final = re.compile(r"log(?:ging|ger)? $", re.IGNORECASE)
"""``log level: debug`` tells of a setting, not of this record."""

_NAUGHT: Final = re.compile(
    r"[\"']?+ ?+[=:] {0,16}+(?:0\b|<?nil\b|(?:none|null|false|no)\b|n/a\b|\"\"|'')", re.IGNORECASE
)
"""``error: none``, ``panic: false``: nothing of the kind happened."""

_SENTENCE_ENDS: Final = frozenset(".!?;")
_NEGATIONS: Final = frozenset({"no", "not", "without", "0", "zero", "non"})
_SINGLE: Final = re.compile(
    r"(?<!\w)[\[<(|]([A-Z])[\]>)|]|(?<!\S)([A-Z])!(?!\S)|\((EE|WW|II|NI)\)|(?<!\S)-([EW])-(?!\S)"
)
_PAIRS: Final = frozenset({"[]", "<>", "||", "##"})
_ANY_PAIRS: Final = _PAIRS | {"()", "{}", "**"}
_COLUMNS: Final = frozenset({",,", "\t\t", '""'})
"""What stands around a level that is a column of its own, without blanks."""

_TOPICS: Final = re.compile(r"([a-z][a-z0-9-]{1,20}+(?:,[a-z][a-z0-9-]{1,20}+){1,5}+)(?=[ :])")
"""MikroTik's topics before a message: ``system,error,critical login failure``."""

_CITES: Final = ("CMD (", "COMMAND=")
"""What cron and sudo run is told behind these, and states no level."""

_MARKED: Final = re.compile(r"[\[(<|!]|-[EW]-")
"""What a letter has beside it where it is a level."""

_TAGGED: Final = 40
"""Characters that may stand behind a level in the same angle brackets."""


def stated(text: str, start: int, end: int) -> Level | None:
    """The level that a head stretch, or a line of unknown shape, states; the leftmost one.

    Looks at the first 256 characters. Understood: ``[error]``, ``<warn>``, ``|INFO |``,
    ``[ssl:warn]``, ``<Erro:Kern>``, ``error:`` at the start or after a delimiter, ``ERROR`` in
    capitals while no prose has begun, ``level=warn``, a column ``,warn,``, ``[E]``, ``E!``, ``-E-``
    and X.Org's ``(EE)``. A level word inside prose is none, nor one in what cron and sudo run.
    """
    stretch = text[start : min(end, start + _REACH)]
    if "," in stretch and (topics := _TOPICS.match(stretch)) is not None:
        worst = _of_topics(topics[1])
        if worst is not None:
            return Level(start + worst[0], start + worst[1], worst[2], SeverityBasis.LEVEL)
    pattern = _WORD if stretch.isascii() else _ANY_WORD
    found = None
    if not _TELLING.isdisjoint(pattern.findall(stretch)):
        for cite in _CITES:
            stretch = stretch.partition(cite)[0]
        found = _by_word(stretch, pattern)
    marked = None
    if _MARKED.search(stretch) is not None:
        marked = _SINGLE.search(stretch, 0, len(stretch) if found is None else found[0])
    if marked is not None:
        group = marked.lastindex or 1
        severity = XORG[marked[3]] if group == 3 else letter(marked[group])
        if severity is not None:
            found = (*marked.span(group), severity)
    if found is None:
        return None
    return Level(start + found[0], start + found[1], found[2], SeverityBasis.LEVEL)


def _of_topics(text: str) -> _Found | None:
    """The worst level among a message's topics; ``error`` is one beside ``critical``."""
    worst, at = None, 0
    for topic in text.split(","):
        severity = word(topic)
        if severity is not None and (worst is None or severity.rank > worst[2].rank):
            worst = (at, at + len(topic), severity)
        at += len(topic) + 1
    return worst


def _by_word(text: str, pattern: re.Pattern[str]) -> _Found | None:
    in_a_row = 0
    for match in pattern.finditer(text):
        token = match[0]
        first, last = match.span()
        severity = word(token)
        if severity is not None:
            if _is_level(text, first, last, in_a_row >= _PROSE):
                return first, last, severity
        elif token in _KEYS and (keyed := _keyed(text, first, last)) is not None:
            return keyed
        if in_a_row < _PROSE:
            in_a_row = in_a_row + 1 if _is_prose(text, first, last) else 0
    return None


def _is_prose(text: str, first: int, last: int) -> bool:
    """Whether a word stands in lower case between spaces, as words of a sentence do."""
    return (
        last - first > 1
        and text[first:last].islower()
        and (first == 0 or text[first - 1] == " ")
        and text[last : last + 1] == " "
    )


def _keyed(text: str, first: int, last: int) -> _Found | None:
    """The level in ``level=warn``, given where the key stands."""
    if first and (text[first - 1].isalnum() or text[first - 1] in "_-"):
        return None
    match = _VALUE.match(text, last)
    if match is None or _SETTING.search(text, max(0, first - 8), first):
        return None
    severity = field(match[1]) or letter(match[1])
    return None if severity is None else (*match.span(1), severity)


def _is_level(text: str, first: int, last: int, prose: bool) -> bool:
    """Whether what surrounds a level word makes it the level of this record."""
    before = text[first - 1] if first else " "
    after = text[last : last + 1] or " "
    if before.isalnum() or after.isalnum() or before in "_.@$" or after in "_@$'":
        return False
    capitals = text[first:last].isupper() or text[first:last] in MARKED
    if _enclosed(text, first, last, _ANY_PAIRS if capitals else _PAIRS):
        return True
    if after == ":":
        return _introduces(text, first, last, capitals, prose)
    if not capitals or prose or text[first:last] not in MARKED:
        return False
    if before == "/":  # a thread and its level, such as [main/INFO]
        return after == "]"
    fits = before in " \t|-*([" and after in " \t|-/)]["
    return fits and not _negated(text, first)


def _enclosed(text: str, first: int, last: int, pairs: frozenset[str]) -> bool:
    """``[error]``, ``[ WARN ]``, ``<info>``, ``|ERROR |``, and ``[ssl:warn]``."""
    if text[first - 1 : first] + text[last : last + 1] in _COLUMNS:
        return _is_column(text, first, last)
    before = text[:first].rstrip(" ")
    after = text[last:].lstrip(" ")
    if not before or not after:
        return False
    if before[-1] == "<" and after[0] == ":":  # <Erro:Kern.Fan>
        return ">" in after[:_TAGGED] and " " not in after[:_TAGGED].partition(">")[0]
    if before[-1] == ":" and after[0] == "]":
        return before[:-1].rpartition("[")[2].replace("_", "a").isalnum()
    pair = before[-1] + after[0]
    return pair in pairs and not (pair == "<>" and text[first:last] in UNSURE)  # <System> of XML


def _is_column(text: str, first: int, last: int) -> bool:
    """Whether a word between commas, tabs or quotes is a column: others stand before it, and no
    sentence, in which a blank follows a comma.
    """
    if word(text[first:last]) is None or text[first:last] in UNSURE:
        return False
    if text[last] == '"':
        return text[last + 1 : last + 2] == "," and (first == 1 or text[first - 2] == ",")
    mark = text[last]
    return text.count(mark, 0, first) >= 2 and f"{mark} " not in text[:first]


def _introduces(text: str, first: int, last: int, capitals: bool, prose: bool) -> bool:
    """``error: …`` at the start or after a delimiter; not ``error: none``, not ``no error: …``.

    A mild one that comes after sentences, such as ``… failed. NOTE: …``, is a part of the message.
    """
    if _NAUGHT.match(text, last):
        return False
    before = text[:first].rstrip(" \t")
    if not before:
        return True
    if capitals:
        if (prose or before[-1] in _SENTENCE_ENDS) and word(text[first:last]) == Severity.LOW:
            return False
        return not _negated(text, first)
    if before[-1].isalpha():  # PHP Warning: …, but not: got an error: …
        name = before.split()[-1]
        return text[first].isupper() and name.isupper() and word(text[first:last]) != Severity.LOW
    return before[-1] not in "=/\"'(" and not _negated(text, first)


def _negated(text: str, first: int) -> bool:
    words = text[:first].split()
    return bool(words) and words[-1].lower() in _NEGATIONS

"""How bad a line says it is: the face of all severity rules, and levels stated in a head.

Words, letters and numbers come from :mod:`.levels`, outcome cues from :mod:`.cues`.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.cues import cue
from logdocket.reading.levels import (
    BARE,
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

_WORD: Final = re.compile(r"[A-Za-z]++")
_KEYS: Final = frozenset(
    form
    for key in ("level", "lvl", "severity", "levelname", "sev")
    for form in (key, key.upper(), key.title())
)
_VALUE: Final = re.compile(r"[\"']?+ ?[=:] ?[\"']?+([A-Za-z]++)(?!\w)")
_SETTING: Final = re.compile(r"log(?:ging|ger)? $", re.IGNORECASE)
"""``log level: debug`` tells of a setting, not of this record."""

_NAUGHT: Final = re.compile(
    r"[\"']?+ ?+[=:] ?+(?:0\b|<?nil\b|(?:none|null|false|no)\b|n/a\b|\"\"|'')", re.IGNORECASE
)
"""``error: none``, ``panic: false``: nothing of the kind happened."""

_NEGATIONS: Final = frozenset({"no", "not", "without", "0", "zero", "non"})
_SINGLE: Final = re.compile(r"[\[<(|]([A-Z])[\]>)|]|(?<!\S)([A-Z])!(?!\S)|\((EE|WW|II|NI)\)")
_PAIRS: Final = frozenset({"[]", "<>", "||"})
_ANY_PAIRS: Final = _PAIRS | {"()"}


def stated(text: str, start: int, end: int) -> Level | None:
    """The level that a head stretch, or a line of unknown shape, states; the leftmost one.

    Looks at the first 256 characters. Understood: ``[error]``, ``<warn>``, ``|INFO |``,
    ``[ssl:warn]``, ``error:`` at the start or after a delimiter, ``ERROR`` in capitals while no
    prose has begun, ``level=warn``, ``[E]``, ``E!`` and X.Org's ``(EE)``. A level word inside
    prose is none.
    """
    end = min(end, start + _REACH)
    found = _by_word(text, start, end)
    marked = _SINGLE.search(text, start, end if found is None else found.start)
    if marked is None:
        return found
    group = marked.lastindex or 1
    severity = XORG[marked[3]] if group == 3 else letter(marked[group])
    if severity is None:
        return found
    return Level(*marked.span(group), severity, SeverityBasis.LEVEL)


def _by_word(text: str, start: int, end: int) -> Level | None:
    in_a_row = 0
    for match in _WORD.finditer(text, start, end):
        token = match[0]
        first, last = match.span()
        severity = word(token)
        if severity is not None:
            if _is_level(text, first, last, start, end, in_a_row >= _PROSE):
                return Level(first, last, severity, SeverityBasis.LEVEL)
        elif token in _KEYS and (keyed := _keyed(text, first, last, start, end)) is not None:
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


def _keyed(text: str, first: int, last: int, start: int, end: int) -> Level | None:
    """The level in ``level=warn``, given where the key stands."""
    if first > start and (text[first - 1].isalnum() or text[first - 1] in "_-"):
        return None
    match = _VALUE.match(text, last, end)
    if match is None or _SETTING.search(text, max(start, first - 8), first):
        return None
    severity = field(match[1])
    return severity and Level(*match.span(1), severity, SeverityBasis.LEVEL)


def _is_level(text: str, first: int, last: int, start: int, end: int, prose: bool) -> bool:
    """Whether what surrounds a level word makes it the level of this record."""
    before = text[first - 1] if first > start else " "
    after = text[last] if last < end else " "
    if before.isalnum() or after.isalnum() or before in "_.@$" or after in "_@$'":
        return False
    capitals = text[first:last].isupper()
    if _enclosed(text, first, last, start, end, _ANY_PAIRS if capitals else _PAIRS):
        return True
    if after == ":":
        return _introduces(text, first, last, start, capitals)
    if not capitals or prose or text[first:last].lower() not in BARE:
        return False
    if before == "/":  # a thread and its level, such as [main/INFO]
        return after == "]"
    fits = before in " \t|-*([" and after in " \t|-/)]["
    return fits and not _negated(text, first, start)


def _enclosed(
    text: str, first: int, last: int, start: int, end: int, pairs: frozenset[str]
) -> bool:
    """``[error]``, ``[ WARN ]``, ``<info>``, ``|ERROR |``, and ``[ssl:warn]``."""
    while first > start and text[first - 1] == " ":
        first -= 1
    while last < end and text[last] == " ":
        last += 1
    if first == start or last == end:
        return False
    opening, closing = text[first - 1], text[last]
    if opening == ":" and closing == "]":
        inside = text[max(start, first - 40) : first - 1]
        return inside.rpartition("[")[2].replace("_", "a").isalnum()
    return opening + closing in pairs


def _introduces(text: str, first: int, last: int, start: int, capitals: bool) -> bool:
    """``error: …`` at the start or after a delimiter; not ``error: none``, not ``no error: …``."""
    if _NAUGHT.match(text, last):
        return False
    before = text[start:first].rstrip(" \t")
    if not before:
        return True
    if capitals:
        return not _negated(text, first, start)
    if before[-1].isalpha():  # PHP Warning: …, but not: got an error: …
        name = _last_word(before)
        return text[first].isupper() and name.isupper() and word(text[first:last]) != Severity.LOW
    return before[-1] not in "=/\"'(" and not _negated(text, first, start)


def _negated(text: str, first: int, start: int) -> bool:
    return _last_word(text[start:first]).lower() in _NEGATIONS


def _last_word(before: str) -> str:
    """The last word of a head, looking back no further than 16 characters."""
    words = before[-16:].split()
    return words[-1] if words else ""

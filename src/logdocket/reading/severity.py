"""How bad a line says it is: level words, letters and numbers, and levels stated in a head.

The one face for severity inside ``reading``: the lookups come from :mod:`.levels`, the outcome
cues from :mod:`.cues`.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import SeverityBasis
from logdocket.reading.cues import cue
from logdocket.reading.levels import BARE, XORG, http_status, letter, number, pri, word
from logdocket.reading.parts import Level

__all__ = ["cue", "http_status", "letter", "number", "pri", "stated", "word"]

_REACH: Final = 256
"""A level is stated near the start of a record; further in, characters are not looked at."""

_WORD: Final = re.compile(r"[A-Za-z]++")
_KEYED: Final = re.compile(
    r"(?<![\w-])(?:level|lvl|severity|levelname|sev)[\"']?+ ?[=:] ?[\"']?+([A-Za-z]++)(?!\w)",
    re.IGNORECASE,
)
_CONFIGURES: Final = ("log ", "logging ", "logger ")
"""``log level: debug`` tells of a setting, not of this record."""

_NAUGHT: Final = re.compile(
    r"[\"']? ?[=:] ?(?:0\b|<?nil\b|none\b|null\b|false\b|no\b|n/a\b|\"\"|'')", re.IGNORECASE
)
_LETTER_MARK: Final = re.compile(r"[\[<(|]([A-Z])[\]>)|]|(?<!\S)([A-Z])!(?!\S)")
_XORG_MARK: Final = re.compile(r"\((EE|WW|II|NI)\)")

_CLOSING: Final = {"[": "]", "<": ">", "(": ")", "|": "|", '"': '"', "{": "}"}
_BEFORE_BARE: Final = " \t[(<|\"'{-=:/*"
_AFTER_BARE: Final = " \t])>|\"'}-=:,;*#"
_NEGATIONS: Final = ("no", "not", "without", "0", "zero", "non")
_PROSE_LIMIT: Final = 2


def stated(text: str, start: int, end: int) -> Level | None:
    """The level that a head stretch, or a line of unknown shape, states; the leftmost one.

    Looks at the first 256 characters. Understood: ``[error]``, ``<warn>``, ``|INFO|``,
    ``[ssl:warn]``, ``error:`` after a delimiter, ``ERROR`` in capitals before any prose has begun,
    ``level=warn``, ``[E]``, ``E!`` and X.Org's ``(EE)``. A level word inside prose is none.
    """
    end = min(end, start + _REACH)
    found = _by_word(text, start, end)
    limit = end if found is None else found.start
    marked = _by_mark(text, start, limit)
    return found if marked is None else marked


def _by_word(text: str, start: int, end: int) -> Level | None:
    prose = 0
    for match in _WORD.finditer(text, start, end):
        token = match[0]
        severity = word(token)
        if severity is not None:
            first, last = match.span()
            if _delimited(text, token, first, last, start, end, prose):
                return Level(first, last, severity, SeverityBasis.LEVEL)
        elif token in _KEYS:
            keyed = _KEYED.match(text, match.start(), end)
            if keyed is not None:
                severity = word(keyed[1])
                before = text[max(start, match.start() - 8) : match.start()].lower()
                if severity is not None and not before.endswith(_CONFIGURES):
                    return Level(*keyed.span(1), severity, SeverityBasis.LEVEL)
        prose = prose + 1 if token.islower() and _spaced(text, match.start(), match.end()) else 0
        if prose >= _PROSE_LIMIT:
            prose = _END_OF_HEAD
    return None


_KEYS: Final = frozenset(
    form
    for key in ("level", "lvl", "severity", "levelname", "sev")
    for form in (key, key.upper(), key.title())
)
_END_OF_HEAD: Final = 1 << 20


def _spaced(text: str, first: int, last: int) -> bool:
    """Whether a word stands between spaces, as words of prose do."""
    before = text[first - 1 : first]
    after = text[last : last + 1]
    return (not before or before.isspace()) and after.isspace()


def _delimited(
    text: str, token: str, first: int, last: int, start: int, end: int, prose: int
) -> bool:
    """Whether what surrounds a level word makes it this record's level."""
    before = text[first - 1] if first > start else " "
    after = text[last] if last < end else " "
    if before not in _BEFORE_BARE or after not in _AFTER_BARE:
        return False
    if _enclosed(text, first, last, start, end):
        return True
    if after == ":":
        return _introduces(text, token, first, last, start)
    return (
        prose < _PROSE_LIMIT
        and token.isupper()
        and token.lower() in BARE
        and before in " \t|-*"
        and not _negated(text, first, start)
    )


def _enclosed(text: str, first: int, last: int, start: int, end: int) -> bool:
    """``[error]``, ``[ WARN ]``, ``<info>``, ``|ERROR |``, ``[ssl:warn]``; not ``(error)``."""
    while first > start and text[first - 1] == " ":
        first -= 1
    while last < end and text[last] == " ":
        last += 1
    if first == start or last == end:
        return False
    opening, closing = text[first - 1], text[last]
    if opening == ":":
        opening = "[" if text.rfind("[", max(start, first - 40), first) >= 0 else ""
        return opening == "[" and closing == "]"
    return opening in "[<|" and _CLOSING[opening] == closing


def _introduces(text: str, token: str, first: int, last: int, start: int) -> bool:
    """``error: …`` at the start or after a delimiter, and not ``error: none``."""
    if _NAUGHT.match(text, last):
        return False
    before = text[start:first].rstrip(" \t")
    if not before:
        return True
    if token.isupper():
        return not _negated(text, first, start)
    return not before[-1].isalpha() and before[-1] not in "=/\"'"


def _negated(text: str, first: int, start: int) -> bool:
    before = text[max(start, first - 12) : first].split()
    return bool(before) and before[-1].lower() in _NEGATIONS


def _by_mark(text: str, start: int, end: int) -> Level | None:
    """A level letter in a delimiter of its own, before ``end``."""
    match = _LETTER_MARK.search(text, start, end)
    if match is not None:
        severity = letter(match[match.lastindex or 1])
        if severity is not None:
            return Level(*match.span(match.lastindex or 1), severity, SeverityBasis.LEVEL)
    match = _XORG_MARK.search(text, start, end)
    if match is not None:
        return Level(*match.span(1), XORG[match[1]], SeverityBasis.LEVEL)
    return None

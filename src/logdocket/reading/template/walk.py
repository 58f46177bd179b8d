"""The tokens of one line with what stands beside each: its key before it, its words behind it."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.tables import CODES, COUNTED, FILLERS, TALLIES, UNITS
from logdocket.reading.template.tokens import HELD, Token

_JOINING: Final = " =:[](){}\"'#@\t<*\\."
_LONGEST_GAP: Final = 4
_SUBWORD: Final = re.compile(r"[A-Z]?[a-z]++|[A-Z]++(?![a-z])|[A-Z]")
_SUBWORDED: Final = 40


class Walk:
    """The tokens of ``text``, the first that stands in the message being at ``head`` or behind."""

    __slots__ = ("head", "text", "tokens")

    def __init__(self, text: str, tokens: list[Token], head: int) -> None:
        self.text = text
        self.tokens = tokens
        self.head = head

    def gap(self, place: int) -> str | None:
        """What stands between the token at ``place`` and the one before; None before the first."""
        if place <= 0 or place >= len(self.tokens):
            return None
        return self.text[self.tokens[place - 1].end : self.tokens[place].start]

    def word(self, place: int) -> str:
        """The word at ``place`` as written; empty where none is or something else stands."""
        if not 0 <= place < len(self.tokens):
            return ""
        token = self.tokens[place]
        if token.kind not in ("word", HELD):
            return ""
        return self.text[token.start : token.end]

    def key(self, place: int) -> str:
        """The word that what stands at ``place`` belongs to, as written; else empty."""
        gap = self.gap(place)
        if gap is None or not 0 < len(gap) <= _LONGEST_GAP or gap.strip(_JOINING):
            return ""
        return self.word(place - 1)

    def is_code(self, place: int) -> bool:
        """Whether a number at ``place`` is a code, or a count of what failed, by the words
        before."""
        key = self.key(place)
        if not key:
            return False
        if telling(key):
            return True
        return key in FILLERS and self.gap(place - 1) == " " and telling(self.word(place - 2))

    def is_counted(self, place: int) -> bool:
        """Whether a number at ``place`` counts what failed, or is a percentage, by what follows."""
        after = self.text[self.tokens[place].end :][:2]
        if after[:1] == "%" or after == " %":
            return True
        for ahead in (place + 1, place + 2):
            if self.gap(ahead) != " ":
                return False
            word = self.word(ahead).lower()
            if word in COUNTED or word in ("percent", "pct"):
                return True
        return False

    def is_ratio(self, place: int) -> bool:
        """Whether a number at ``place`` is one of two that say how many of how many."""
        start, end = self.tokens[place].start, self.tokens[place].end
        text = self.text
        if text[end : end + 1] == "/" and text[end + 1 : end + 2].isdigit():
            return True
        if text[start - 1 : start] == "/" and start > 1 and text[start - 2].isdigit():
            return True
        return self._of(place, 1) or self._of(place, -1)

    def _of(self, place: int, step: int) -> bool:
        ahead = place + step
        if self.word(ahead).lower() in UNITS:
            ahead += step
        if self.word(ahead).lower() != "of":
            return False
        for _ in range(2):  # `of the 3`, `out of 3`, `5 KB of 8`
            ahead += step
            word = self.word(ahead).lower()
            if not word:
                return 0 <= ahead < len(self.tokens) and self.tokens[ahead].kind == "number"
            if word[0].isdigit():
                return True
            if word not in ("the", "out", "a", "total") and word not in UNITS:
                return False
        return False

    def is_tally(self, place: int) -> bool:
        """Whether the word before says that the number is a count or a sum."""
        return self.key(place).lower() in TALLIES


def telling(key: str) -> bool:
    """Whether a key, or a part of it as in ``exitCode``, is a word of codes and failures."""
    if key.lower() in CODES:
        return True
    if key.islower() and "_" not in key and "-" not in key:
        return key.endswith(("code", "status", "errno", "state"))
    return any(part.lower() in CODES for part in _SUBWORD.findall(key[-_SUBWORDED:]))

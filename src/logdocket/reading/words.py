"""A message as words: what the rules for outcome cues and codes walk over."""

from __future__ import annotations

import re
import string
from typing import Final

TOKEN: Final = re.compile(
    r"(?:https?+://|/)[^\s\"'<>|,;()\[\]{}]++|[\\\-$@#]?+\w++(?:[./\\\-'$@+]\w++)*+"
)
"""A word with all that makes it a name: a path or an address whole, ``a.b``, ``a-b``, ``a_b``."""

_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lower_case(text: str) -> str:
    """``text`` in lower case, every character at its old place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_LOWER)


class Words:
    """The words of a stretch in lower case, each with its place in the stretch."""

    __slots__ = ("lower", "spans", "words")

    def __init__(self, lower: str, words: list[str]) -> None:
        """Take ``words``, all matches of :data:`TOKEN` in ``lower``."""
        self.lower = lower
        self.words = words
        self.spans = [match.span() for match in TOKEN.finditer(lower)]

    def __len__(self) -> int:
        return len(self.words)

    def gap(self, place: int) -> str:
        """What stands between the word at ``place`` and the next one; empty after the last."""
        if place + 1 >= len(self.words):
            return ""
        return self.lower[self.spans[place][1] : self.spans[place + 1][0]]

    def flows(self, place: int) -> bool:
        """Whether the next word follows in the same clause: nothing but blanks, quotes, brackets
        or a percent sign between."""
        gap = self.gap(place)
        return gap == " " or (0 < len(gap) <= 4 and not gap.strip(" \t\"'()[]%`*"))

"""Tables of words, and a message as words: what the rules for outcome cues and codes walk over."""

from __future__ import annotations

import re
import string
from typing import Final

TOKEN: Final = re.compile(
    r"(?:https?+://|/)[^\s\"'<>|,;()\[\]{}]++|[\\\-$@#]?+\w++(?:[./\\\-'$@+]\w++)*+"
)
"""A word with all that makes it a name: a path or an address whole, ``a.b``, ``a-b``, ``a_b``."""

_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_PARTING: Final = "".join(
    mark for mark in map(chr, range(128)) if not mark.isalnum() and mark not in "_-'"
)
_FOLD: Final = bytes.maketrans(
    (string.ascii_uppercase + _PARTING).encode(),
    (string.ascii_lowercase + " " * len(_PARTING)).encode(),
)


def word_set(table: str) -> frozenset[str]:
    """The words of a table, which are parted by blanks and new lines."""
    return frozenset(table.split())


def lower_case(text: str) -> str:
    """``text`` in lower case, every character at its old place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_LOWER)


def folded(text: str) -> list[bytes]:
    """A cheap cut of ASCII text into words in lower case, without the marks in and around them.

    Each word that :data:`TOKEN` finds is here too, folded in the same way; more may be. Words are
    bytes, which are far cheaper to translate.
    """
    return text.encode().translate(_FOLD, b"'").split()


class Words:
    """The words of a stretch in lower case, each with its place in the stretch."""

    __slots__ = ("_spans", "lower", "words")

    def __init__(self, lower: str) -> None:
        self.lower = lower
        self.words: list[str] = TOKEN.findall(lower)
        self._spans: list[tuple[int, int]] = []

    def span(self, place: int) -> tuple[int, int]:
        """Where the word at ``place`` stands. Found only as far as someone asks: most do not."""
        spans = self._spans
        if place >= len(spans):
            last = spans[-1][1] if spans else 0
            for word in self.words[len(spans) : place + 1]:
                first = self.lower.index(word, last)
                last = first + len(word)
                spans.append((first, last))
        return spans[place]

    def __len__(self) -> int:
        return len(self.words)

    def gap(self, place: int) -> str:
        """What stands between the word at ``place`` and the next one; empty after the last."""
        if place + 1 >= len(self.words):
            return ""
        return self.lower[self.span(place)[1] : self.span(place + 1)[0]]

    def flows(self, place: int) -> bool:
        """Whether the next word follows in the same clause: nothing but blanks, quotes, brackets
        or a percent sign between."""
        gap = self.gap(place)
        return gap == " " or (0 < len(gap) <= 4 and not gap.strip(" \t\"'()[]%`*"))

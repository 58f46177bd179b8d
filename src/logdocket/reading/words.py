"""Tables of words, and a message as words: what the rules for outcome cues and codes walk over."""

from __future__ import annotations

import re
import string
from typing import Final

TOKEN: Final = re.compile(
    r"(?:https?+://|/)[^\s\"'<>|,;()\[\]{}]++|[\\\-$@#]?+\w++(?:[./\\\-'$@+]\w++)*+"
)
"""A word with all that makes it a name: a path or an address whole, ``a.b``, ``a-b``, ``a_b``."""

_CUT: Final = re.compile(f"({TOKEN.pattern})")

_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_PARTING: Final = "".join(
    mark for mark in map(chr, range(128)) if not mark.isalnum() and mark not in "_-'"
)
_FOLD: Final = bytes.maketrans(
    (string.ascii_uppercase + _PARTING).encode(),
    (string.ascii_lowercase + " " * len(_PARTING)).encode(),
)


_ALIKE: Final = bytes.maketrans(b"23456789", b"11111111")


def alike(text: bytes) -> bytes:
    """ASCII text with every figure but zero as a one: equal for texts that have the same words and
    other numbers of the same lengths, zeros at the same places.
    """
    return text.translate(_ALIKE)


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
    """The words of a stretch in lower case, and the gaps that part them.

    ``gaps`` holds what stands behind each word, up to the next or to the end.
    """

    __slots__ = ("_cut", "gaps", "lower", "words")

    def __init__(self, lower: str) -> None:
        self.lower = lower
        self._cut: list[str] = _CUT.split(lower)
        self.words = self._cut[1::2]
        self.gaps = self._cut[2::2]

    def start(self, place: int) -> int:
        """Where the word at ``place`` begins in the stretch."""
        return len("".join(self._cut[: 2 * place + 1]))

    def end(self, place: int) -> int:
        """Where the word at ``place`` ends in the stretch, exclusive."""
        return len("".join(self._cut[: 2 * place + 2]))

    def flows(self, place: int) -> bool:
        """Whether the word after the one at ``place`` follows in the same clause: nothing but
        blanks, quotes, brackets or a percent sign between.
        """
        gap = self.gaps[place]
        return gap == " " or (0 < len(gap) <= 4 and not gap.strip(" \t\"'()[]%`*"))

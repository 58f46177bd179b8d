"""The tokens of one line with what stands beside each: its key before it, its words behind it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from logdocket.reading.template.tables import (
    CODES,
    COUNTED,
    FILLERS,
    HAPPENED,
    KINDS,
    UNITS,
)
from logdocket.reading.template.tokens import HELD, STAMP, Token

_LEFT: Final = re.compile(r"(?<![^\W_])(?:[+-]?[0-9]{1,9}/)+\Z")
_RIGHT: Final = re.compile(r"(?:/[+-]?[0-9]{1,9}){1,3}(?![^\W_])")
_LONGEST_RATIO: Final = 24
_JOINING: Final = " =:[(){}\"'#@\t<>*\\."
_LONGEST_GAP: Final = 4
_SUBWORD: Final = re.compile(r"[A-Z]?[a-z]++|[A-Z]++(?![a-z])|[A-Z]")
_SUBWORDED: Final = 40
_MOST_FILLERS: Final = 3


class Walk:
    """The tokens of ``text``.

    ``message``: gives where the message starts; asked for once, and only where it matters.
    ``nodes``: whether the line is of a cluster of like nodes, whose head says which one.
    ``level``: where the level stands that the record states behind its time; -1 when it does not.
    ``answered``: whether the reading holds a request's status, so that no other number is one.
    """

    __slots__ = (
        "_head",
        "_message",
        "_parted",
        "answered",
        "held",
        "level",
        "nodes",
        "text",
        "tokens",
    )

    def __init__(
        self,
        text: str,
        tokens: list[Token],
        message: Callable[[], int],
        *,
        nodes: bool,
        level: int,
        answered: bool,
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.nodes = nodes
        self.level = level
        self.answered = answered
        self.held = [start for kind, start, _ in tokens if kind in (HELD, STAMP)]
        self._message = message
        self._head = -1
        self._parted = " of " in text

    def in_head(self, start: int) -> bool:
        """Whether ``start`` stands before the message."""
        if self._head < 0:
            self._head = self._message()
        return start < self._head

    def free(self, place: int) -> int:
        """Where the first stretch behind the token at ``place`` starts that the reading holds."""
        after = self.tokens[place][2] if place >= 0 else 0
        for start in self.held:
            if start >= after:
                return start
        return len(self.text)

    def gap(self, place: int) -> str | None:
        """What stands between the token at ``place`` and the one before; None before the first."""
        if place <= 0 or place >= len(self.tokens):
            return None
        return self.text[self.tokens[place - 1][2] : self.tokens[place][1]]

    def word(self, place: int) -> str:
        """The word at ``place`` as written; empty where none is or something else stands."""
        if 0 <= place < len(self.tokens):
            kind, start, end = self.tokens[place]
            if kind == "plain" or kind == "word" or kind == HELD:
                return self.text[start:end]
        return ""

    def key(self, place: int) -> str:
        """The word that what stands at ``place`` belongs to, as written; else empty."""
        gap = self.gap(place)
        if gap is None or not 0 < len(gap) <= _LONGEST_GAP or gap.strip(_JOINING):
            return ""
        return self.word(place - 1)

    def is_code(self, place: int, key: str) -> bool:
        """Whether a number at ``place`` behind ``key`` is a code, or a count of what failed, by the
        words before.
        """
        if not key or self.has_unit(place) or self._is_level(place - 1):
            return False
        if key.lower() == "id" and self.word(place - 2).lower() in KINDS:
            return True
        for _ in range(_MOST_FILLERS):
            if telling(key):
                return True
            place -= 1
            if not (key in FILLERS or key.endswith("ly")) or self.gap(place) != " ":
                return False
            key = self.word(place - 1)
        return telling(key)

    def _is_level(self, place: int) -> bool:
        """Whether the word at ``place`` is the level that a record states behind its time: a number
        behind that is a process's, and none of an error.
        """
        _, start, end = self.tokens[place]
        return start == self.level and self.text[start:end].isupper()

    def has_unit(self, place: int) -> bool:
        """Whether a unit follows the number at ``place``."""
        return self.gap(place + 1) == " " and self.word(place + 1).lower() in UNITS

    def is_percentage(self, place: int) -> bool:
        """Whether a number at ``place`` is one in a hundred."""
        end = self.tokens[place][2]
        text = self.text
        if text.startswith(("%", " %", "\uff05", " per cent"), end):
            return True
        return self.word(place + 1) in ("percent", "pct")

    def is_counted(self, place: int) -> bool:
        """Whether a number at ``place`` counts what failed, by what follows."""
        if self.gap(place + 1) != " " or self._is_level(place + 1):
            return False
        # Of what the reading holds, such as `failed logins`, the first word tells.
        if self.word(place + 1).lower().partition(" ")[0] in COUNTED:
            return True
        return self.gap(place + 2) == " " and self.word(place + 2).lower() in HAPPENED

    def is_ratio(self, place: int) -> bool:
        """Whether a number at ``place`` is one of two that say how many of how many."""
        text, (_, start, end) = self.text, self.tokens[place]
        if (start and text[start - 1] in "/-+") or text.startswith("/", end):
            left = _LEFT.search(text[max(0, start - _LONGEST_RATIO) : start])
            right = _RIGHT.match(text, end)
            parts = sum(side[0].count("/") for side in (left, right) if side is not None)
            if parts:
                return parts == 1  # of more than two, none is a part of another
        return self._parted and (self._of(place, 1) or self._of(place, -1))

    def _of(self, place: int, step: int) -> bool:
        ahead = place + step
        if self.word(ahead).lower() in UNITS:
            ahead += step
        if step > 0 and self.word(ahead).lower() == "out":
            ahead += step
        if self.word(ahead).lower() != "of":
            return False
        for _ in range(2):  # `of the 3`, `out of 3`, `5 KB of 8`
            ahead += step
            word = self.word(ahead).lower()
            if not word:
                return 0 <= ahead < len(self.tokens) and self.tokens[ahead][0] == "number"
            if word[0].isdigit():
                return True
            if word not in ("the", "out", "a", "total") and word not in UNITS:
                return False
        return False


def telling(key: str) -> bool:
    """Whether a key, or a part of it as in ``exitCode``, is a word of codes and failures."""
    if key.lower() in CODES:
        return True
    if key.islower() and "_" not in key and "-" not in key:
        return key.endswith(("code", "status", "errno"))
    return any(part.lower() in CODES for part in _SUBWORD.findall(key[-_SUBWORDED:]))

"""Whether a quote tells what happened, rather than when, how bad or where alone."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from logdocket.grounding.name import EMPTY, LEVELS

Place = tuple[int, int]
"""Where something stands in a text: characters, end exclusive."""

_WORD: Final = re.compile(r"[^\W\d_]++")
_JSON_KEY: Final = re.compile(r"\\?\"[^\"\\]{1,128}+\\?\"\s{0,8}+:")
_KEY: Final = re.compile(r"(?<![\w.@/-])[\w.@/-]{1,128}+=")
_KEYED: Final = ("json", "logfmt", "cef", "leef")
"""Shapes of records in which the words before a value are its key."""


class Telling:
    """What in a line can tell what happened.

    ``message``: where its message stands. ``stamp``: where its time stands; ``others``: where what
    else has a field of its own stands, such as the level. ``format``: the shape's name.
    """

    __slots__ = ("_floor", "_from", "_said", "_text")

    def __init__(
        self,
        text: str,
        message: Place,
        stamp: Iterable[Place],
        others: Iterable[Place],
        format: str,
    ) -> None:
        undated = _blanked(text, stamp)
        said = _blanked(undated, others)
        said = " " * message[0] + said[message[0] : message[1]]
        if any(shape in format for shape in _KEYED):
            said = _KEY.sub(_blank, _JSON_KEY.sub(_blank, said))
        said = _WORD.sub(_blank_if_empty, said)
        self._text = text
        self._from = message[0]
        self._said = words(said) or _each(said, str.isalnum) or _each(said, _is_visible)
        self._floor = words(undated)

    def tells(self, quote: str) -> bool:
        """Whether ``quote`` stands somewhere in the line where it has a word of the message.

        Of a message without words it must have a number or a sign; of a line without words beside
        its time, it needs none.
        """
        # No quote that ends before the message can overlap it.
        at = self._text.find(quote, max(0, self._from - len(quote) + 1) if self._said else 0)
        while at >= 0:
            end = at + len(quote)
            if _holds(self._said, at, end) and _holds(self._floor, at, end):
                return True
            at = self._text.find(quote, end)
        return False


def words(text: str) -> list[Place]:
    """Each place where two letters of any script stand in a row, marks between them or none."""
    found: list[Place] = []
    last = -1
    for place, char in enumerate(text):
        if char.isalpha():
            if last >= 0:
                found.append((last, place + 1))
            last = place
        elif char < "\x80" or unicodedata.category(char)[0] != "M":
            last = -1
    return found


def _each(text: str, counts: Callable[[str], bool]) -> list[Place]:
    return [(place, place + 1) for place, char in enumerate(text) if counts(char)]


def _is_visible(char: str) -> bool:
    return not char.isspace()


def _holds(places: Sequence[Place], start: int, end: int) -> bool:
    """Whether one of ``places`` stands within the stretch; true where there are none."""
    if not places:
        return True
    first = bisect_left(places, (start, 0))
    return first < len(places) and places[first][1] <= end


def _blanked(text: str, places: Iterable[Place]) -> str:
    for start, end in places:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _blank(found: re.Match[str]) -> str:
    return " " * (found.end() - found.start())


def _blank_if_empty(found: re.Match[str]) -> str:
    word = found[0]
    lowered = word.lower()
    return " " * len(word) if lowered in LEVELS or lowered in EMPTY else word

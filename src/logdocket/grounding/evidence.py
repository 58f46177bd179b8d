"""Whether a quote tells what happened, rather than when, how bad or where alone."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from logdocket.grounding.name import EMPTY, LEVELS

Place = tuple[int, int]
"""Where something stands in a text: characters, end exclusive."""

_WORD: Final = re.compile(r"[^\W\d_]++")
_JSON_KEY: Final = re.compile(r"\\?\"[^\"\\]{1,128}+\\?\"\s{0,8}+:")
_KEY: Final = re.compile(r"(?<![\w.@/-])[\w.@/-]{1,128}+=(?!=)")
_LETTERS: Final = re.compile(r"[A-Za-z]{2,}+")
_LONGEST_WORD: Final = 64


class Telling:
    """What in a line can tell what happened.

    ``message``: where its message stands. ``stamps``: wherever a time stands that is known;
    ``others``: where what else has a field of its own stands, such as the level. ``name``: of the
    service, as far as it is known.
    """

    __slots__ = ("_from", "_more", "_name", "_said", "_text")

    def __init__(
        self,
        text: str,
        message: Place,
        stamps: Iterable[Place],
        others: Iterable[Place],
        name: str | None,
    ) -> None:
        undated = _blanked(text, stamps)
        said = _blanked(undated, others)
        said = " " * message[0] + said[message[0] : message[1]]
        said = _KEY.sub(_blank, _JSON_KEY.sub(_blank, said))
        self._text = text
        self._name = name
        self._said = words(said) or _each(said, str.isalnum) or _each(said, _is_visible)
        self._from = message[0] if self._said else 0
        self._said = self._said or words(undated)
        self._more = bool(words(_WORD.sub(_blank_if_empty, said)))

    def tells(self, quote: str) -> bool:
        """Whether ``quote`` stands somewhere in the line where it has a word of the message.

        A level or the service alone is none where there are others. Of a message without words it
        must have a number, or else a sign; of a line without a message, any word but in its time.
        """
        if self._more and ((core := _core(quote)) == self._name or _is_empty(core)):
            return False
        # No quote that ends before the message can overlap it.
        at = self._text.find(quote, max(0, self._from - len(quote) + 1))
        while at >= 0:
            end = at + len(quote)
            if _holds(self._said, at, end):
                return True
            at = self._text.find(quote, end)
        return False


def _core(quote: str) -> str:
    """``quote`` from its first letter or digit to its last."""
    places = [place for place, char in enumerate(quote) if char.isalnum()]
    return quote[places[0] : places[-1] + 1] if places else ""


def words(text: str) -> list[Place]:
    """The places of all words of two letters or more, in order.

    In scripts other than ASCII's, which may not put spaces between words, and in what is too long
    for a word, any two letters count, with marks between them or none.
    """
    if text.isascii():
        return [
            place for found in _LETTERS.finditer(text) for place in _words_of(text, found.span())
        ]
    found: list[Place] = []
    run: list[int] = []
    for place, char in enumerate(text):
        if char.isalpha():
            run.append(place)
        elif run and (char < "\x80" or unicodedata.category(char)[0] != "M"):
            found += _words_of(text, (run[0], run[-1] + 1), run)
            run = []
    return found + _words_of(text, (run[0], run[-1] + 1), run) if run else found


def _words_of(text: str, place: Place, letters: Sequence[int] | None = None) -> list[Place]:
    """The words in a stretch of ``letters``; all of its characters are, unless told which."""
    start, end = place
    if 2 <= end - start <= _LONGEST_WORD and text[start:end].isascii():
        return [place]
    return [(first, second + 1) for first, second in pairwise(letters or range(start, end))]


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
    pieces: list[str] = []
    done = 0
    for start, end in sorted(places):
        if end > done:
            pieces += (text[done:start], " " * (end - max(start, done)))
            done = end
    return "".join((*pieces, text[done:]))


def _blank(found: re.Match[str]) -> str:
    return " " * (found.end() - found.start())


def _blank_if_empty(found: re.Match[str]) -> str:
    word = found[0]
    return " " * len(word) if _is_empty(word) else word


def _is_empty(word: str) -> bool:
    lowered = word.lower()
    return lowered in LEVELS or lowered in EMPTY

"""Lines without the colours, and without the characters that no one sees, around their words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from logdocket.reading import evidence

_BYTE_ORDER_MARK: Final = "\ufeff"
_WRITTEN_OUT: Final = tuple(
    form + "[" for form in (r"\u001b", r"\u001B", r"\x1b", r"\x1B", r"\033", r"\e", "^[", "#033")
)
"""How the escape character is written where it may not be kept: JSON, shells, cat, syslog."""

_UNSEEN: Final = "\x00-\x08\x0e-\x1a\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069" + _BYTE_ORDER_MARK
"""Control characters that are no white space, zero widths, marks of direction."""

_JOINING: Final = frozenset("\u200b\u200c\u200d\u2060\ufeff")
"""What may stand inside a word and leaves it one."""

# Control sequences of ECMA-48, §5.4: parameters, intermediates, one final character; §8.3.89: a
# command to the terminal, such as a title or a link. Written out only what sets colours: the rest
# may be a pattern or a path.
_SEQUENCES: Final = re.compile(
    rf"(?:[{_UNSEEN}]"
    r"|\x1b(?:\[[0-?]{0,32}+[ -/]{0,4}+[@-~]|\][^\x07\x1b]{0,512}+(?:\x07|\x1b\\)|[()][0-9A-Z])"
    r"|#033\[[0-?]{0,32}+[ -/]{0,4}+[@-~]"
    r"|(?:\\{1,8}+(?:u001[bB]|x1[bB]|033|e)|\^\[)\[[0-9;]{0,32}+[mK])++"
)


class Plain:
    """A line's ``text`` without its terminal sequences, and where its characters stood in it."""

    __slots__ = ("_moved", "_places", "text")

    def __init__(self, coloured: str) -> None:
        pieces: list[str] = []
        self._places: list[int] = []
        """Where sequences were, in the plain text, in order."""
        self._moved: list[int] = [0]
        """By how much what follows each of them has moved, none first."""
        done = length = 0
        for found in _SEQUENCES.finditer(coloured):
            start, end = found.span()
            piece = coloured[done:start]
            if coloured[max(0, start - 1) : start].isalnum() and coloured[end : end + 1].isalnum():
                if _JOINING.issuperset(coloured[start:end]):
                    continue
                piece += " "
                start += 1  # two words, rather than one in two colours
            pieces.append(piece)
            length += len(piece)
            self._places.append(length)
            self._moved.append(self._moved[-1] + end - start)
            done = end
        pieces.append(coloured[done:])
        self.text = "".join(pieces)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where ``start:end`` of the plain text stands in the coloured one, without the sequences
        at its ends.
        """
        first = start + self._moved[bisect_right(self._places, start)]
        return first, max(first, end + self._moved[bisect_left(self._places, end)])

    def parted(self, start: int, end: int) -> bool:
        """Whether a sequence stands within ``start:end`` of the plain text."""
        return bisect_right(self._places, start) != bisect_left(self._places, end)


def uncoloured(text: str) -> Plain | None:
    """``text`` without terminal sequences and what no one sees; None where it has none, or nothing
    else.
    """
    if text.isprintable() and ("[" not in text or not _is_written_out(text)):
        return None
    if _SEQUENCES.search(text) is None:
        return None
    plain = Plain(text)
    return plain if plain.text and not plain.text.isspace() else None


def _is_written_out(text: str) -> bool:
    if "\\" in text:
        return any(form in text for form in _WRITTEN_OUT)
    return _WRITTEN_OUT[-1] in text or _WRITTEN_OUT[-2] in text


def bare(text: str, start: int, end: int) -> tuple[int, int]:
    """``start:end`` without white space around it or a byte order mark before it.

    Empty only where there is nothing but white space.
    """
    start, end = evidence.trim(text, start, end)
    if start < end and text[start] == _BYTE_ORDER_MARK:
        within = evidence.trim(text, start + 1, end)
        return within if within[0] < within[1] else (start, end)
    return start, end

"""Lines without the colours and the byte order mark that stand around their words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from logdocket.reading import evidence

_BYTE_ORDER_MARK: Final = "\ufeff"
_OCTAL: Final = "#033["
"""How syslog daemons write the escape character, which they may not keep."""

# Control sequences of ECMA-48, §5.4: parameters, intermediates, one final character.
_SEQUENCES: Final = re.compile(r"(?:(?:\x1b|#033)\[[0-?]{0,32}+[ -/]{0,4}+[@-~])++")


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
                piece += coloured[start].replace("\x1b", " ").replace("#", " ")
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
    """``text`` without terminal sequences; None where it has none, or nothing else."""
    if "\x1b[" not in text and _OCTAL not in text:
        return None
    plain = Plain(text)
    return plain if plain.text and not plain.text.isspace() else None


def bare(text: str, start: int, end: int) -> tuple[int, int]:
    """``start:end`` without white space around it or a byte order mark before it.

    Empty only where there is nothing but white space.
    """
    start, end = evidence.trim(text, start, end)
    if start < end and text[start] == _BYTE_ORDER_MARK:
        within = evidence.trim(text, start + 1, end)
        return within if within[0] < within[1] else (start, end)
    return start, end

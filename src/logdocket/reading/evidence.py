"""The span of a line that a ticket quotes: the message rather than what stands before it."""

from __future__ import annotations

from typing import Final

from logdocket.reading.parts import Level

LIMIT: Final = 512
"""Most characters that a quote may have."""

_LEAD: Final = 160
_SNAP: Final = 40


def choose(
    text: str, start: int, end: int, message: tuple[int, int], level: Level | None
) -> tuple[int, int]:
    """The place of the most telling quote within ``start:end``: never blank, at most ``LIMIT``.

    It is the message; of a longer one the stretch around what bears the severity out, else its
    beginning. A line without a message is quoted from its own beginning.
    """
    first, last = message
    if 0 < last - first <= LIMIT and not text[first].isspace() and not text[last - 1].isspace():
        return message
    first, last = trim(text, first, last)
    if first == last:
        first, last = trim(text, start, end)
    if last - first <= LIMIT:
        return first, last
    if level is not None and first <= level.start < last:
        return _around(text, first, last, level.start)
    return trim(text, first, _word_end(text, first, first + LIMIT))


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """``start:end`` without white space at its ends; empty when there is nothing else."""
    if start < end and not text[start].isspace() and not text[end - 1].isspace():
        return start, end
    whole = text[start:end]
    bare = whole.lstrip()
    start += len(whole) - len(bare)
    return start, start + len(bare.rstrip())


def _around(text: str, first: int, last: int, telling: int) -> tuple[int, int]:
    """A window of at most ``LIMIT`` within ``first:last`` that holds what starts at ``telling``."""
    left = max(first, min(telling - _LEAD, last - LIMIT))
    if left > first:
        gap = text.find(" ", left, left + _SNAP)
        left = gap + 1 if 0 <= gap < telling else left
    right = min(left + LIMIT, last)
    return trim(text, left, right if right == last else _word_end(text, left, right))


def _word_end(text: str, start: int, end: int) -> int:
    """``end``, or a little before it where a word ends."""
    gap = text.rfind(" ", max(start, end - _SNAP), end)
    return gap if gap > start else end

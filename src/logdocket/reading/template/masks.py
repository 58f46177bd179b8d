"""One masked stretch of a line, and what is shown for it in either width."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LONG: Final = 5
"""Digits from which on a number is taken to say which one rather than how many."""

LARGE: Final = "<num>"
"""What is given as the value of a number of :data:`LONG` digits or more."""

_FIRST: Final = re.compile(r"0[xX][0-9A-Fa-f]{1,16}|[0-9][0-9,]{0,30}(?:\.[0-9]{1,30})?")


class Mask(NamedTuple):
    """A stretch to mask, in characters.

    ``sure`` is its mark in the template, None where only the wide one masks it; ``wide`` its mark
    there; ``number`` the value that only the wide template hides, as written.
    """

    start: int
    end: int
    sure: str | None
    wide: str
    number: str | None = None


def known(start: int, end: int, mark: str) -> Mask:
    """A mask in both widths: what it hides says which one."""
    return Mask(start, end, mark, mark)


def slot(text: str, start: int, end: int, *, kept: bool = False) -> Mask:
    """The mask of an ordinary number: in the wide template only, unless it is long.

    ``kept``: the template keeps it however long.
    """
    number = text[start:end]
    whole = number.partition(".")[0]
    if sum(map(str.isdigit, whole)) >= LONG:
        return Mask(start, end, None if kept else LARGE, "<n>", LARGE)
    return Mask(start, end, None, "<n>", number)


def magnitude(number: str) -> int:
    """How large one of :attr:`Cut.numbers` is: 0 for zero, 1 below 100, 2 below 10,000, else 3.

    A fraction of one is 1, and what is not plainly a number is 3: it may be anything.
    """
    first = _FIRST.match(number)
    if first is None:
        return 3
    found = first[0]
    value = int(found, 16) if found[1:2] in ("x", "X") else float(found.replace(",", ""))
    if value == 0:
        return 0
    return 1 if value < 100 else 2 if value < 10_000 else 3

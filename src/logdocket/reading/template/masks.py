"""One masked stretch of a line, and what is shown for it in either width."""

from __future__ import annotations

from typing import Final, NamedTuple

LONG: Final = 5
"""Digits from which on what looks like an id is taken for one."""

LARGE: Final = "<num>"
"""The value, beside the wide template, of a hexadecimal id of :data:`LONG` digits or more."""


class Mask(NamedTuple):
    """A stretch to mask, in characters.

    ``sure`` is what the template shows for it, None for the stretch itself; ``wide`` its mark in
    the wide one; ``number`` the value that only the wide template hides.
    """

    start: int
    end: int
    sure: str | None
    wide: str
    number: str | None = None


def known(start: int, end: int, mark: str) -> Mask:
    """A mask in both widths: what it hides says which one."""
    return Mask(start, end, mark, mark)


def slot(text: str, start: int, end: int) -> Mask:
    """The mask of an ordinary number, in the wide template only. A sign before it goes with it."""
    if start and text[start - 1] in "+-" and (start == 1 or text[start - 2] in _BEFORE_SIGN):
        start -= 1
    return Mask(start, end, None, "<n>", text[start:end])


_BEFORE_SIGN: Final = " =:([{,\"'\t"


def shown(text: str, start: int, end: int, masks: list[Mask]) -> str:
    """The stretch ``start:end`` as the template shows it, given the masks within it."""
    pieces = []
    for mask in masks:
        pieces.append(plain(text[start : mask.start]))
        pieces.append(plain(text[mask.start : mask.end]) if mask.sure is None else mask.sure)
        start = mask.end
    pieces.append(plain(text[start:end]))
    return "".join(pieces)


def widely_shown(text: str, masks: list[Mask]) -> str:
    """The whole of ``text`` as the wide template shows it."""
    pieces = []
    at = 0
    for mask in masks:
        pieces.append(plain(text[at : mask.start]))
        pieces.append(mask.wide)
        at = mask.end
    pieces.append(plain(text[at:]))
    return "".join(pieces)


def plain(text: str) -> str:
    """A stretch of the line itself, in which nothing may pass for a mask."""
    return text.replace("<", "<<")

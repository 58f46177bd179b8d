"""What was declared, and what of it is pinned."""

from __future__ import annotations

import re

import msgspec

__all__ = ["Pins", "canonical"]


class Pins(msgspec.Struct, frozen=True):
    """The dependencies of one language in one folder; all names are sorted.

    ``loose`` are those ``declared`` that nothing pins, ``more`` what is installed in the checkout
    though nothing pins it, ``by`` the files that pin.
    """

    language: str
    declared: tuple[str, ...]
    loose: tuple[str, ...]
    by: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


def canonical(name: str) -> str:
    """The one spelling of a Python package's name (PyPA, name normalization)."""
    return re.sub(r"[-_.]+", "-", name).lower()

"""Which dependencies an answer declares, and which of them its files pin to one version."""

from __future__ import annotations

from collections.abc import Iterator

from logdocket.grading.pins.declared import Pins
from logdocket.grading.pins.others import WAYS, locked
from logdocket.grading.pins.python import python
from logdocket.grading.tree import Tree

__all__ = ["Pins", "pins"]


def pins(tree: Tree, commands: tuple[str, ...] = ()) -> tuple[Pins, ...]:
    """What each language in each folder declares, the root's first; empty if nothing is declared.

    ``commands`` are what sets the answer up: what they install by name is declared as well.
    """
    return tuple(_all(tree, commands))


def _all(tree: Tree, commands: tuple[str, ...]) -> Iterator[Pins]:
    for folder in tree.folders():
        found = python(tree, folder, () if folder else commands)
        if found is not None:
            yield found
        for way in WAYS:
            found = locked(tree, folder, way)
            if found is not None:
                yield found

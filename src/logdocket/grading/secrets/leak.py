"""A secret that was found, without its value."""

from __future__ import annotations

import msgspec

__all__ = ["Leak", "printable"]


class Leak(msgspec.Struct, frozen=True, order=True):
    """Where a secret stands, from line 1, and of which ``kind`` it is; never its value.

    ``past``: it stands in the history alone, from which anybody can still read it.
    """

    path: str
    line: int
    kind: str
    past: bool = False

    @property
    def said(self) -> str:
        """The place and the kind, in a few words."""
        past = ", in the history alone" if self.past else ""
        return f"{printable(self.path)}:{self.line} ({self.kind}{past})"


def printable(path: str) -> str:
    """``path`` as a report can show it, whatever bytes it is made of."""
    return "".join(letter if letter.isprintable() else "?" for letter in path)

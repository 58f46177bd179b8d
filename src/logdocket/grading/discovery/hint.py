"""What a source tells of a key that the manifest leaves open."""

from __future__ import annotations

import msgspec

__all__ = ["Hint"]


class Hint(msgspec.Struct, frozen=True):
    """``value`` for ``key`` of grade.toml, and the ``origin`` that tells it: ``README.md:12``.

    ``rank`` says how surely: of several the lowest is taken, and of equal ones the first.
    """

    key: str
    value: str
    origin: str
    rank: int = 5

"""How often a ticket read this way was right: one table of counts, never a claim.

A cell stands for what can be observed about a reading: how the severity, the service and the time
were found. It holds how many labelled lines were read that way and how many of those tickets had
every field right. The confidence is the mean of the Beta posterior, ``(right + 1) / (total + 2)``.
A cell without labels backs off to its parent (the time let go first, then the service), and where
no parent has labels either the answer is the prior, one half.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections import Counter
from collections.abc import Iterable

import msgspec

from logdocket.line import Reading

__all__ = ["Confidence", "Signals", "Table", "fit", "shipped", "signals"]


class Signals(msgspec.Struct, frozen=True, gc=False):
    """What is observable about a reading; ``timestamp`` is ``read`` or why it is unknown."""

    severity: str
    service: str
    timestamp: str

    def cells(self) -> tuple[str, str, str]:
        """The cell's name, then its parents', nearest first."""
        family = f"{self.severity}/{self.service}"
        return (f"{family}/{self.timestamp}", family, self.severity)


class Confidence(msgspec.Struct, frozen=True, gc=False):
    """``value`` from 0 to 1, the ``cell`` that it was read from, and the counts behind it."""

    value: float
    cell: str
    right: int
    total: int


class Table(msgspec.Struct, frozen=True):
    """Counts by cell: ``[right, total]``."""

    cells: dict[str, tuple[int, int]]

    def lookup(self, seen: Signals) -> Confidence:
        """The confidence in a ticket read like this, from the nearest cell that has labels."""
        for cell in seen.cells():
            right, total = self.cells.get(cell, (0, 0))
            if total:
                return Confidence(round((right + 1) / (total + 2), 4), cell, right, total)
        return Confidence(0.5, "prior", 0, 0)

    def to_json(self) -> bytes:
        """The table as it is kept, cells in order: the same bytes for the same counts."""
        ordered = msgspec.to_builtins(Table(dict(sorted(self.cells.items()))))
        return msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n"


def signals(reading: Reading) -> Signals:
    """What can be observed about ``reading``."""
    stamp = reading.timestamp
    return Signals(
        reading.severity.basis,
        reading.service.basis,
        "read" if stamp.why is None else stamp.why,
    )


def fit(labelled: Iterable[tuple[Signals, bool]]) -> Table:
    """The counts over tickets whose every field has a label: how each was read, whether right."""
    rights: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for seen, right in labelled:
        for cell in seen.cells():
            rights[cell] += right
            totals[cell] += 1
    return Table({cell: (rights[cell], total) for cell, total in totals.items()})


@functools.cache
def shipped() -> Table:
    """The table in the package, fitted on labelled lines of real systems."""
    raw = importlib.resources.files(__name__).joinpath("table.json").read_bytes()
    return msgspec.json.decode(raw, type=Table)

"""How often a ticket read this way was right: one table of counts, never a claim.

A cell stands for what can be observed about a reading: how the severity, the service and the time
were found. It holds how many labelled lines were read that way and how many of those tickets had
every field right. The confidence is the mean of the Beta posterior, ``(right + 1) / (total + 2)``.
A cell without labels backs off to its parent (the time let go first, then the service), and where
no parent has labels either the answer is the prior, one half.
"""

from __future__ import annotations

import enum
import functools
import importlib.resources
from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from logdocket.line import Reading

__all__ = ["PRIOR", "Agreement", "Confidence", "Signals", "Table", "fit", "shipped", "signals"]

PRIOR: Final = "prior"
"""The cell that is named where no cell has labels."""


class Agreement(enum.StrEnum):
    """What a model's answer says beside the rules' reading."""

    ALONE = "alone"
    """There is no answer: the rules alone wrote the ticket."""
    AGREES = "agrees"
    """It says what the rules read."""
    FILLS = "fills"
    """It gives what the rules could not read."""
    DIFFERS = "differs"
    """The two claim different things."""


class Signals(msgspec.Struct, frozen=True, gc=False):
    """What is observable about a ticket: how the severity, the service and the time were found
    (``timestamp`` is ``read`` or why it is unknown), and whether an answer bears the reading out.
    """

    severity: str
    service: str
    timestamp: str
    agreement: str = Agreement.ALONE

    def cells(self) -> tuple[str, ...]:
        """The cell's name, then its parents', nearest first.

        What an answer only confirms is at least as good as the rules alone, so it falls back on
        their cells. Where the answer filled a field or differs, the rules' own record says nothing
        of the ticket, and their cells are not asked.
        """
        family = f"{self.severity}/{self.service}"
        alone = (f"{family}/{self.timestamp}", family, self.severity)
        if self.agreement == Agreement.ALONE:
            return alone
        if self.agreement == Agreement.AGREES:
            return (f"agrees/{alone[0]}", *alone)
        return (*(f"{self.agreement}/{cell}" for cell in alone), str(self.agreement))


class Confidence(msgspec.Struct, frozen=True, gc=False):
    """``value`` from 0 to 1, the ``cell`` whose counts gave it, and those counts.

    ``asked`` is the signals' own cell. ``cell`` is ``prior``, with no counts, where neither it nor
    a parent has labels.
    """

    value: float
    cell: str
    asked: str
    right: int
    total: int

    @property
    def backed_off(self) -> bool:
        """Whether the cell that was asked for has no labels, so that another answered."""
        return self.cell != self.asked


class Table(msgspec.Struct, frozen=True):
    """Counts by cell: ``[right, total]``."""

    cells: dict[str, tuple[int, int]]

    def lookup(self, seen: Signals) -> Confidence:
        """The confidence in a ticket read like this, from the nearest cell that has labels."""
        asked, *_ = cells = seen.cells()
        for cell in cells:
            right, total = self.cells.get(cell, (0, 0))
            if total:
                value = round((right + 1) / (total + 2), 4)
                return Confidence(value, cell, asked, right, total)
        return Confidence(0.5, PRIOR, asked, 0, 0)

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

"""The table of counts, and the number that it gives for a ticket."""

from __future__ import annotations

import functools
import importlib.resources
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from logdocket.confidence.bound import shown
from logdocket.confidence.signals import Agreement, Signals

PRIOR: Final = "prior"
"""The cell that is named where no cell has labels."""


PARENT_WEIGHT: Final = 5
"""How many labels of its own a cell needs to count as much as its parent's value does."""
_PRIOR_WEIGHT: Final = 2
_PRIOR_VALUE: Final = 0.5
_LEAST, _MOST = 0.0001, 0.9999


class Confidence(msgspec.Struct, frozen=True, gc=False):
    """``value`` between 0 and 1, the ``cell`` whose counts gave it, and those counts.

    ``asked`` is the signals' own cell. ``cell`` is ``prior``, with no counts, where neither it nor
    a parent has labels. The counts are not all: the value of the cell's parent, ``parent``, counts
    like ``weight`` labels more.
    """

    value: float
    cell: str
    asked: str
    right: int
    total: int
    parent: float = _PRIOR_VALUE
    weight: int = _PRIOR_WEIGHT

    @property
    def backed_off(self) -> bool:
        """Whether the cell that was asked for has no labels, so that another answered."""
        return self.cell != self.asked


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts by cell: ``[right, total]``."""

    cells: dict[str, tuple[int, int]]

    def __post_init__(self) -> None:
        """Raises ValueError where counts are none."""
        for cell, (right, total) in self.cells.items():
            if not 0 <= right <= total:
                raise ValueError(f"cell {cell!r} has {right} right of {total}")

    def lookup(self, seen: Signals) -> Confidence:
        """The confidence in a ticket read like this, from the nearest cell that has labels."""
        asked, *_ = cells = seen.cells()
        found = Confidence(_PRIOR_VALUE, PRIOR, asked, 0, 0)
        value, weight = _PRIOR_VALUE, _PRIOR_WEIGHT
        for cell in reversed(cells):
            right, total = self.cells.get(cell, (0, 0))
            if total:
                parent, value = value, (right + weight * value) / (total + weight)
                told = min(max(round(value, 4), _LEAST), _MOST)
                found = Confidence(told, cell, asked, right, total, round(parent, 4), weight)
                weight = PARENT_WEIGHT
        return found

    def threshold(self, risk: float, *, reviewed: bool = False) -> float | None:
        """The lowest confidence at and above which at most a share ``risk`` of tickets is wrong;
        of those that repeat a person's word, where ``reviewed``, else of all others: that the ones
        are right says nothing of the others.

        Only tickets that could go unseen count: those that a person looks at for another reason
        prove nothing about the rest. The share must be shown by the counts, not only be had
        (:func:`logdocket.confidence.bound.shown`). None where no threshold does it, so that every
        ticket wants a person; 0 where any share may be wrong.
        """
        if risk >= 1:
            return 0.0
        lowest, right, total = None, 0, 0
        for value, cells in groupby(
            sorted(self._unseen(reviewed), reverse=True), lambda cell: cell[0]
        ):
            for _, more, all_of_them in cells:
                right, total = right + more, total + all_of_them
            if shown(total - right, total, risk):
                lowest = value
        return lowest

    def _unseen(self, reviewed: bool) -> Iterator[tuple[float, int, int]]:
        """Value, right and total of each cell whose tickets no other reason sends to a person."""
        for cell, (right, total) in self.cells.items():
            seen = Signals.of_cell(cell)
            if total and seen is not None and seen.may_go_unseen and seen.reviewed is reviewed:
                yield self.lookup(seen).value, right, total

    @property
    def unreviewed(self) -> Table:
        """The cells of all tickets but those that repeat a person's word."""
        family = Agreement.REVIEWED
        return Table(
            {
                cell: counts
                for cell, counts in self.cells.items()
                if cell != family and not cell.startswith(f"{family}/")
            }
        )

    def to_json(self) -> bytes:
        """The table as it is kept, cells in order: the same bytes for the same counts."""
        ordered = msgspec.to_builtins(Table(dict(sorted(self.cells.items()))))
        return msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n"

    @classmethod
    def from_json(cls, raw: bytes) -> Table:
        """A table as it is kept; raises msgspec.MsgspecError when it is none."""
        return msgspec.json.decode(raw, type=cls)


def fit(labelled: Iterable[tuple[Signals, bool]]) -> Table:
    """The counts over labelled cases: how each was read, and whether every field was right."""
    rights: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for seen, right in labelled:
        for cell in seen.counted():
            rights[cell] += right
            totals[cell] += 1
    return Table({cell: (rights[cell], total) for cell, total in totals.items()})


@functools.cache
def shipped() -> Table:
    """The table in the package, fitted on labelled lines of many systems."""
    return Table.from_json(
        importlib.resources.files(__package__).joinpath("table.json").read_bytes()
    )

"""Outcomes counted: by set and field, severities against each other, and where the faults lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from logdocket.evaluation.examined import Examined
from logdocket.evaluation.scoring import FIELDS, HONEST, Field, Outcome
from logdocket.ticket import UNKNOWN, ReviewReason

GOOD: Final[dict[Field, frozenset[Outcome]]] = {
    **dict.fromkeys(FIELDS, frozenset({Outcome.RIGHT})),
    Field.FIRST_SEEN: HONEST,
}
"""What a field may be without fault."""


class Fault(msgspec.Struct):
    """What went wrong in the lines of one template: outcomes by field, those without fault left
    out. ``first`` is the line of the file in which it did first.
    """

    set: str
    template: str | None
    first: int
    lines: int = 0
    wrong: Counter[str] = msgspec.field(default_factory=Counter)
    unknown: Counter[str] = msgspec.field(default_factory=Counter)


class Tally:
    """Counts over the lines of one set, or of several."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines = 0
        self.failed = 0
        """Lines in which a rule failed, so that nothing was read."""
        self.outcomes: dict[Field, Counter[Outcome]] = {field: Counter() for field in FIELDS}
        self.confusion: Counter[tuple[str, str]] = Counter()
        """Labelled severity and given one, ``unknown`` where no claim was made."""
        self.bases: dict[str, Counter[Outcome]] = {}
        """Outcomes of labelled severities, by what in the line bore the given one out."""

    def add(self, examined: Examined) -> None:
        """Count one line."""
        self.lines += 1
        self.failed += ReviewReason.READING_FAILED in examined.ticket.review_reasons
        for field in FIELDS:
            self.outcomes[field][examined.scored.of(field)] += 1
        label, outcome = examined.row.severity, examined.scored.severity
        if label is not None:
            given = UNKNOWN if outcome is Outcome.UNKNOWN else examined.ticket.severity.value
            self.confusion[label.value, given] += 1
            self.bases.setdefault(examined.reading.severity.basis.value, Counter())[outcome] += 1

    def merge(self, other: Tally) -> None:
        """Add what ``other`` counted."""
        self.lines += other.lines
        self.failed += other.failed
        for field in FIELDS:
            self.outcomes[field] += other.outcomes[field]
        self.confusion += other.confusion
        for basis, counts in other.bases.items():
            self.bases[basis] = self.bases.get(basis, Counter()) + counts

    def labelled(self, field: Field) -> int:
        """How many lines have a label for ``field``."""
        return self.lines - self.outcomes[field][Outcome.UNLABELLED]

    def share(self, field: Field, *outcomes: Outcome) -> float | None:
        """The share of labelled lines with one of ``outcomes``; None where there are no labels."""
        labelled = self.labelled(field)
        if not labelled:
            return None
        return sum(self.outcomes[field][outcome] for outcome in outcomes) / labelled


class Accuracy:
    """Counts over several sets, ``sets`` in the order they came, and ``all`` of them."""

    def __init__(self) -> None:
        self.sets: list[Tally] = []
        self._faults: dict[tuple[int, str | None], Fault] = {}
        self._lines: Counter[tuple[int, str | None]] = Counter()

    def add(self, name: str, lines: Iterable[Examined]) -> Iterator[Examined]:
        """Count the lines of the set ``name`` as they are taken; gives each."""
        tally = Tally(name)
        self.sets.append(tally)
        for examined in lines:
            tally.add(examined)
            self._place(examined)
            yield examined

    def _place(self, examined: Examined) -> None:
        key = (len(self.sets), examined.row.template)
        self._lines[key] += 1
        scored = examined.scored
        for field in FIELDS:
            outcome = scored.of(field)
            if outcome is Outcome.UNLABELLED or outcome in GOOD[field]:
                continue
            fault = self._faults.get(key)
            if fault is None:
                name, row = self.sets[-1].name, examined.row
                fault = self._faults[key] = Fault(name, row.template, row.number)
            (fault.wrong if outcome is Outcome.WRONG else fault.unknown)[field] += 1

    @property
    def all(self) -> Tally:
        """The counts of all sets together."""
        total = Tally("all")
        for tally in self.sets:
            total.merge(tally)
        return total

    def worst(self, most: int) -> list[Fault]:
        """The templates with faults, those with the most wrong fields first, then the most
        unknown; at most ``most``.
        """
        for key, fault in self._faults.items():
            fault.lines = self._lines[key]
        order = sorted(
            self._faults.values(),
            key=lambda fault: (
                -fault.wrong.total(),
                -fault.unknown.total(),
                fault.set,
                fault.first,
            ),
        )
        return order[:most]

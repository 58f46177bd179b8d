"""The table of confidence, fitted on labelled lines and held against systems it never saw.

Lines of one template are read alike and are right or wrong together: two thousand right lines of
one template prove little more than one. So what is counted is not lines but templates, each once
for each way in which its lines were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from logdocket.confidence import Confidence, Signals, Table, fit, signals
from logdocket.docket import Judge
from logdocket.evaluation.examined import Examined, examine
from logdocket.evaluation.scoring import HONEST, Outcome
from logdocket.evaluation.sets import read_set, system
from logdocket.line import Line
from logdocket.reading import template

BLIND: Final = Table({})
"""What is examined for a fit must not depend on an earlier fit."""


class Case(msgspec.Struct, frozen=True, gc=False):
    """A ticket about a line whose severity, time and service all have labels.

    ``system`` is the set that the line is from, ``template`` what it shares with lines that differ
    only in values. ``right``: every field says what its label says.
    """

    system: str
    template: str
    seen: Signals
    right: bool


class Forecast(msgspec.Struct, frozen=True, gc=False):
    """What a table says of a case, and the threshold that it sets (None: no ticket passes)."""

    case: Case
    told: Confidence
    threshold: float | None

    @property
    def passes(self) -> bool:
        """Whether such a ticket would go unseen by a person."""
        return (
            self.threshold is not None
            and self.told.value >= self.threshold
            and self.case.seen.may_go_unseen
        )


def labelled_cases(paths: Iterable[Path]) -> list[Case]:
    """The cases of these sets, in order; rows that lack a label are left out. Raises BadSet.

    Sets that share a name are one system.
    """
    judge = Judge(BLIND, 0.0)
    return [
        Case(
            system(path),
            template_of(found),
            signals(found.reading),
            all_right(found),
        )
        for path in paths
        for found in examine(read_set(path), judge)
        if found.scored.labelled
    ]


def template_of(found: Examined) -> str:
    """What the line shares with those that differ only in values."""
    return found.row.template or template(Line(found.row.line), found.reading)


def all_right(found: Examined) -> bool:
    """Whether the ticket is right as it stands.

    A severity that the line does not state is a default, and counts as right where it is the
    label's: that is what the ticket says. A time may be honestly unknown.
    """
    return (
        found.ticket.severity is found.row.severity
        and found.scored.service is Outcome.RIGHT
        and found.scored.first_seen in HONEST
        and found.scored.evidence is Outcome.RIGHT
    )


def by_template(cases: Iterable[Case]) -> list[tuple[Signals, bool]]:
    """One label for each template of a system and each way in which it was read: right where all
    its lines are.
    """
    right: dict[tuple[str, str, Signals], bool] = {}
    for case in cases:
        of = (case.system, case.template, case.seen)
        right[of] = right.get(of, True) and case.right
    return [(seen, all_right) for (_, _, seen), all_right in right.items()]


def fit_cases(cases: Iterable[Case]) -> Table:
    """The table that these cases give."""
    return fit(by_template(cases))


def in_sample(cases: Sequence[Case], risk: float) -> list[Forecast]:
    """What a table says of the very cases that it was fitted on: too good to be believed."""
    return _forecasts(fit_cases(cases), cases, risk)


def left_out(
    cases: Sequence[Case], risk: float, made: Callable[[list[Case]], Table] = fit_cases
) -> list[Forecast]:
    """What is said of each system by the table of all others, as for a system not seen before."""
    forecasts = []
    for name in dict.fromkeys(case.system for case in cases):
        table = made([case for case in cases if case.system != name])
        forecasts += _forecasts(table, [case for case in cases if case.system == name], risk)
    return forecasts


def _forecasts(table: Table, cases: Iterable[Case], risk: float) -> list[Forecast]:
    threshold = table.threshold(risk)
    return [Forecast(case, table.lookup(case.seen), threshold) for case in cases]

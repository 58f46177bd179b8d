"""How the table of confidence might count, each way held against systems it was fitted without.

Run as ``python -m benchmarks.counting SET...``; the shipped sets, if none is named. Two choices are
compared: what a label is (a line, a template, some lines of a template, a share for each system),
and how many labels of its own a cell needs to count as much as its parent.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.table import grid
from logdocket.confidence import PARENT_WEIGHT, Signals, Table, fit
from logdocket.evaluation import shipped_sets
from logdocket.evaluation.calibration import Case, by_template, labelled_cases
from logdocket.evaluation.calibration_scores import Weighed, brier, calibration_error

Labels = list[tuple[Signals, bool]]
_HEAD: Final = (
    "what counts",
    "weight of the parent",
    "ECE by ticket",
    "ECE by template",
    "Brier by ticket",
    "Brier by template",
)
_WEIGHTS: Final = (0, 2, PARENT_WEIGHT, 10, 20)


def by_line(cases: Iterable[Case]) -> Labels:
    """Each line counts."""
    return [(case.seen, case.right) for case in cases]


def _shares(cases: Iterable[Case]) -> dict[tuple[str, str, Signals], tuple[int, int]]:
    counts: defaultdict[tuple[str, str, Signals], list[int]] = defaultdict(lambda: [0, 0])
    for case in cases:
        found = counts[case.system, case.template, case.seen]
        found[0] += case.right
        found[1] += 1
    return {key: (right, total) for key, (right, total) in counts.items()}


def by_majority(cases: Iterable[Case]) -> Labels:
    """Each template counts once, as right where most of its lines are."""
    return [(key[2], 2 * right >= total) for key, (right, total) in _shares(cases).items()]


def capped(most: int, cases: Iterable[Case]) -> Labels:
    """At most so many lines of a template count, right and wrong in their proportion."""
    labels: Labels = []
    for (_, _, seen), (right, total) in _shares(cases).items():
        labels += _proportion(seen, right, total, most)
    return labels


def capped_by_system(most: int, cases: Iterable[Case]) -> Labels:
    """Templates count once, and at most so many of a system in a cell."""
    systems: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        systems[case.system].append(case)
    labels: Labels = []
    for own in systems.values():
        counts: defaultdict[Signals, list[int]] = defaultdict(lambda: [0, 0])
        for seen, all_right in by_template(own):
            counts[seen][0] += all_right
            counts[seen][1] += 1
        for seen, (right, total) in counts.items():
            labels += _proportion(seen, right, total, most)
    return labels


def _proportion(seen: Signals, right: int, total: int, most: int) -> Labels:
    count = min(most, total)
    kept = round(right / total * count)
    if right < total:
        # What was wrong does not vanish.
        kept = min(kept, count - 1)
    return [(seen, True)] * kept + [(seen, False)] * (count - kept)


WAYS: Final[dict[str, Callable[[Iterable[Case]], Labels]]] = {
    "each line": by_line,
    "at most 10 lines of a template": partial(capped, 10),
    "each template, right by majority": by_majority,
    "each template, right where all its lines are": by_template,
    "the same, at most 20 of a system in a cell": partial(capped_by_system, 20),
}


def value(table: Table, seen: Signals, weight: int) -> float:
    """The confidence by this table, with this weight of a parent; 0 leaves parents out."""
    told, top = 0.5, True
    for cell in reversed(seen.cells()):
        right, total = table.cells.get(cell, (0, 0))
        if total and (top or not weight):
            told, top = (right + 1) / (total + 2), False
        elif total:
            told = (right + weight * told) / (total + weight)
    return told


def forecasts(
    cases: Sequence[Case], way: Callable[[Iterable[Case]], Labels], weight: int
) -> list[float]:
    """What each case is told by the table of all other systems."""
    tables = {
        name: fit(way([case for case in cases if case.system != name]))
        for name in {case.system for case in cases}
    }
    return [value(tables[case.system], case.seen, weight) for case in cases]


def rows(cases: Sequence[Case]) -> list[list[str]]:
    """A row for each way and weight."""
    templates: defaultdict[tuple[str, str], int] = defaultdict(int)
    for case in cases:
        templates[case.system, case.template] += 1
    found = []
    for name, way in WAYS.items():
        for weight in _WEIGHTS:
            told = forecasts(cases, way, weight)
            tickets = [Weighed(each, case.right) for each, case in zip(told, cases, strict=True)]
            alike = [
                Weighed(each, case.right, 1 / templates[case.system, case.template])
                for each, case in zip(told, cases, strict=True)
            ]
            scores = (
                calibration_error(tickets),
                calibration_error(alike),
                brier(tickets),
                brier(alike),
            )
            found.append([name, str(weight), *(f"{score:.4f}" for score in scores)])
    return found


if __name__ == "__main__":
    sets = [Path(name) for name in sys.argv[1:]] or shipped_sets()
    print(grid(_HEAD, rows(labelled_cases(sets))))

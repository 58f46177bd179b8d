"""How far forecasts may be believed: reliability, ECE, Brier score, and coverage against risk.

A forecast is a confidence and whether the ticket was right, with a weight. By ticket each weighs
the same; by template those of one template share one weight, so that a frequent line does not
drown the rest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from logdocket.confidence import upper_bound
from logdocket.evaluation.calibration import Forecast

BINS: Final = 10
"""Bins of equal width between 0 and 1."""


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A confidence, whether the ticket was right, and how much it counts."""

    value: float
    right: bool
    weight: float = 1.0


class Bin(msgspec.Struct, frozen=True, gc=False):
    """The tickets with a confidence from ``low`` to below ``high`` (1 belongs to the last).

    ``told`` is their mean confidence and ``right`` the share that was right; ``tickets`` their
    number.
    """

    low: float
    high: float
    tickets: int
    told: float
    right: float


class Point(msgspec.Struct, frozen=True, gc=False):
    """What letting tickets of a confidence of ``threshold`` or more go unseen would mean.

    ``coverage``: the share of all tickets that go; ``passed`` and ``wrong``: how many, and how many
    of those are wrong; ``risk``: their share; ``at_most``: what the share may be, in 19 of 20
    cases, were the tickets independent.
    """

    threshold: float
    coverage: float
    passed: int
    wrong: int
    risk: float
    at_most: float


def by_ticket(forecasts: Iterable[Forecast]) -> list[Weighed]:
    """Each ticket alike."""
    return [Weighed(each.told.value, each.case.right) for each in forecasts]


def by_template(forecasts: Sequence[Forecast]) -> list[Weighed]:
    """Each template of a system alike, whatever the number of its tickets."""
    of = [(each.case.system, each.case.template) for each in forecasts]
    counts = Counter(of)
    return [
        Weighed(each.told.value, each.case.right, 1 / counts[key])
        for each, key in zip(forecasts, of, strict=True)
    ]


def brier(weighed: Sequence[Weighed]) -> float:
    """The mean square of confidence less outcome; 0 is best, and a coin's toss gives a quarter
    (Brier, Monthly Weather Review 78, 1950).
    """
    return _mean((each, (each.value - each.right) ** 2) for each in weighed)


def calibration_error(weighed: Sequence[Weighed]) -> float:
    """ECE: how far confidence and share of right tickets lie apart, the mean over the bins by what
    is in each (Naeini, Cooper and Hauskrecht, AAAI 2015).
    """
    gaps: defaultdict[int, float] = defaultdict(float)
    for each in weighed:
        gaps[_bin(each.value)] += each.weight * (each.value - each.right)
    total = sum(each.weight for each in weighed)
    return sum(map(abs, gaps.values())) / total if total else 0.0


def reliability(weighed: Iterable[Weighed]) -> list[Bin]:
    """The bins that hold tickets, lowest first."""
    held: defaultdict[int, list[Weighed]] = defaultdict(list)
    for each in weighed:
        held[_bin(each.value)].append(each)
    return [
        Bin(
            number / BINS,
            (number + 1) / BINS,
            len(inside),
            _mean((each, each.value) for each in inside),
            _mean((each, each.right) for each in inside),
        )
        for number, inside in sorted(held.items())
    ]


def curve(forecasts: Sequence[Forecast]) -> list[Point]:
    """Coverage and risk at each confidence that occurs, highest first.

    Tickets that go to a person for another reason never pass: they count in the coverage alone.
    """
    could = [each for each in forecasts if each.case.seen.may_go_unseen]
    could.sort(key=lambda each: -each.told.value)
    points, passed, wrong = [], 0, 0
    for value, alike in groupby(could, lambda each: each.told.value):
        for each in alike:
            passed += 1
            wrong += not each.case.right
        points.append(
            Point(
                value,
                passed / len(forecasts),
                passed,
                wrong,
                wrong / passed,
                # Rounded: the last bits of a logarithm are not the same on every machine.
                round(upper_bound(wrong, passed), 6),
            )
        )
    return points


def _bin(value: float) -> int:
    # Rounded first: 0.3 * 10 is a little under 3 in some spellings, and a little over in others.
    return min(int(round(value * BINS, 9)), BINS - 1)


def _mean(pairs: Iterable[tuple[Weighed, float]]) -> float:
    summed = total = 0.0
    for each, value in pairs:
        summed += each.weight * value
        total += each.weight
    return summed / total if total else 0.0

"""The rubric: four areas, and the probes that their points are spread over."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from logdocket.grading.bench import Bench
    from logdocket.grading.finding import Finding

__all__ = ["Area", "Level", "Probe", "points"]


class Area(enum.StrEnum):
    """A part of the rubric, with its points of the 100 and what earns them all."""

    heading: str
    points: int
    full_marks: str

    def __new__(cls, word: str, heading: str = "", points: int = 0, full_marks: str = "") -> Area:
        """Make a member of its word, its heading and what it is worth."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.heading, member.points, member.full_marks = heading, points, full_marks
        return member

    CORRECTNESS = (
        "correctness",
        "Correctness",
        35,
        "Every answer is a schema-valid ticket, its evidence is a quote of the line, and an "
        "unknown timestamp is marked unknown and goes to a person.",
    )
    REPRODUCIBILITY = (
        "reproducibility",
        "Reproducibility",
        25,
        "The tests pass with no network and no key, dependencies are pinned, and replaying a "
        "fixture twice gives identical output.",
    )
    FAILURE = (
        "failure",
        "Failure handling",
        25,
        "A timeout, invalid JSON and a missing key all fall back without a crash, the cache "
        "prevents repeat spend, retries are bounded, and the ledger agrees with what the model "
        "saw.",
    )
    COMMUNICATION = (
        "communication",
        "Communication",
        15,
        "The runbook names the trade-offs, the limits, and one thing to do next.",
    )


class Level(enum.StrEnum):
    """Whether the exercise demands it, or a careful answer has it."""

    MUST = "must"
    SHOULD = "should"


class Probe(msgspec.Struct, frozen=True):
    """One question put to an answer of the exercise.

    ``id`` is stable, and begins with the area's word: ``failure/timeout/falls-back``. ``weight``
    is its share of the area's points, against the weights of the area's other probes. ``needs``
    are ids of probes that come before; where one of them failed or was skipped for a failure,
    this one is skipped and earns nothing. ``expected`` and ``hint`` are sentences: what a right
    answer does, and what to look at where it does not. ``run`` looks, and says what it found.
    """

    id: str
    level: Level
    weight: int
    expected: str
    hint: str
    run: Callable[[Bench], Finding]
    needs: tuple[str, ...] = ()

    @property
    def area(self) -> Area:
        """The area whose word the id begins with."""
        return Area(self.id.partition("/")[0])


def points(probes: Iterable[Probe]) -> dict[str, Fraction]:
    """What each probe is worth, by id; those of one area add up to the area's points exactly."""
    probes = tuple(probes)
    weights = {area: sum(p.weight for p in probes if p.area is area) for area in Area}
    return {p.id: Fraction(p.area.points * p.weight, weights[p.area]) for p in probes}

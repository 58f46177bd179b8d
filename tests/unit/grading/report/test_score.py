from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from logdocket.grading.finding import (
    Answered,
    Finding,
    Verdict,
    failed,
    for_a_person,
    not_judged,
    partial,
    passed,
)
from logdocket.grading.report.document import Report, Score
from logdocket.grading.report.score import (
    added,
    assemble,
    granted,
    hundredths,
    judged,
    number,
    shown,
    worth,
)
from logdocket.grading.rubric import Area, Level, Probe

if TYPE_CHECKING:
    from logdocket.grading.bench import Bench


def unasked(bench: Bench) -> Finding:
    """No look of these tests is ever taken."""
    raise AssertionError


def probe(name: str, weight: int = 1) -> Probe:
    """A probe of its name and weight."""
    return Probe(name, Level.MUST, weight, "It holds.", "Mend it.", unasked)


SEVENTHS = tuple(probe(f"{area}/topic/{n}") for area in Area for n in range(7))
"""Probes whose worth is no whole number of hundredths."""


def report(*found: Finding) -> Report:
    """The report where the first probes found that."""
    answered = [Answered(one.id, finding) for one, finding in zip(SEVENTHS, found, strict=False)]
    return assemble(SEVENTHS, answered, grader="logdocket 0", candidate="answer", seed=1)


@pytest.mark.parametrize("area", Area)
def test_the_worth_of_an_areas_probes_is_the_areas(area: Area) -> None:
    """To the hundredth, though a seventh of it has no end."""
    value = worth(SEVENTHS)
    mine = [value[one.id] for one in SEVENTHS if one.area is area]
    assert sum(mine) == area.points
    assert max(mine) - min(mine) <= Fraction(1, 100)
    assert all((points * 100).denominator == 1 for points in mine)


def test_heavier_probes_are_worth_more() -> None:
    """In proportion, within a hundredth."""
    value = worth([probe("failure/a", 1), probe("failure/b", 3), probe("failure/c", 2)])
    assert list(value.values()) == [Fraction("4.17"), Fraction("12.5"), Fraction("8.33")]


@pytest.mark.parametrize(
    ("finding", "low", "high"),
    [
        (passed("Yes."), 3.57, 3.57),
        (failed("No."), 0, 0),
        (partial(0.5, "Half."), 1.78, 1.78),
        (for_a_person("Look."), 0, 3.57),
        (not_judged("Cannot."), 0, 3.57),
        (Finding(Verdict.SKIPPED, "Late."), 0, 0),
        (Finding(Verdict.PARTIAL, "Both.", Fraction(1, 3), Fraction(1, 3)), 1.19, 2.38),
    ],
    ids=lambda value: value.seen if isinstance(value, Finding) else None,
)
def test_what_is_found_gives_points(finding: Finding, low: float, high: float) -> None:
    """Earned ones, and those that a person may still grant."""
    one = judged(probe("failure/a"), Fraction("3.57"), finding)
    assert one.score == Score(low, high, 3.57)
    assert (one.seen, one.verdict, one.judge) == (finding.seen, finding.verdict, "program")


def test_only_what_is_skipped_has_a_cause() -> None:
    """And it is the id of what failed."""
    skipped = Finding(Verdict.SKIPPED, "Rests on failure/b.")
    assert judged(probe("failure/a"), Fraction(1), skipped, "failure/b").because == "failure/b"


def test_the_columns_of_a_report_add_up() -> None:
    """Probes to their area, and areas to the total, as a person adds them."""
    mixed = (passed("Yes."), partial(Fraction(1, 3), "Some."), for_a_person("Look."), failed("No."))
    made = report(*(mixed * 7))
    for area in made.areas:
        mine = added(one.score for one in made.probes if one.area is area.area)
        assert mine == area.score
    assert added(area.score for area in made.areas) == made.score
    assert made.score.of == 100
    assert 0 < made.score.low < made.score.high < 100


def test_all_that_holds_is_a_hundred() -> None:
    """Not 99.99, however the points are spread."""
    made = report(*[passed("Yes.")] * len(SEVENTHS))
    assert made.score == Score(100, 100, 100)
    assert [area.score.low for area in made.areas] == [35, 25, 25, 15]


def test_what_was_not_to_be_asked_is_left_out() -> None:
    """With its area, where nothing of that was asked."""
    made = report(passed("Yes."), failed("No."))
    assert [area.area for area in made.areas] == [Area.CORRECTNESS]
    assert made.score == Score(5, 5, 10)


def test_probes_stand_in_the_order_of_the_rubric() -> None:
    """In whatever order they were asked."""
    answered = [Answered(one.id, passed("Yes.")) for one in reversed(SEVENTHS)]
    made = assemble(SEVENTHS, answered, grader="logdocket 0", candidate="answer", seed=1)
    assert [one.id for one in made.probes] == [one.id for one in SEVENTHS]


def test_a_grant_never_passes_the_worth() -> None:
    """Even where shares are said twice."""
    assert granted(2, Fraction(1, 2), Fraction(3, 4)) == Score(1, 2, 2)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(78.4, 84.4, 100), "78.4 to 84.4 of 100"),
        (Score(100, 100, 100), "100 of 100"),
        (Score(0, 0.01, 3.57), "0 to 0.01 of 3.57"),
    ],
)
def test_a_score_is_a_range_while_points_are_open(score: Score, text: str) -> None:
    """And one number when they are not."""
    assert shown(score) == text


def test_numbers_are_short() -> None:
    """No zeros that say nothing."""
    assert [number(value) for value in (0, 10, 1.5, 0.07)] == ["0", "10", "1.5", "0.07"]


def test_hundredths_undo_two_decimals() -> None:
    """For every score there can be, though binary fractions are not exact."""
    assert all(hundredths(value / 100) == value for value in range(10_001))

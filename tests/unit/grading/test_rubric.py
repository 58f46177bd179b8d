from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

import pytest

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, passed
from logdocket.grading.probes import PROBES
from logdocket.grading.rubric import Area, Level, Probe, points


def _look(bench: Bench) -> Finding:
    return passed("It holds.")


def test_the_areas_add_up_to_a_hundred() -> None:
    """The rubric of the exercise: 35, 25, 25 and 15."""
    assert [area.points for area in Area] == [35, 25, 25, 15]


def test_the_points_of_an_area_are_spread_without_a_rest() -> None:
    """Thirds add up as well as halves do."""
    probes = [
        Probe(f"{area}/{n}", Level.MUST, weight, "", "", _look)
        for area in Area
        for n, weight in enumerate((1, 1, 5))
    ]
    worth = points(probes)
    assert sum(worth.values()) == 100
    assert worth["correctness/2"] == Fraction(35 * 5, 7)


def test_ids_are_one_of_a_kind_and_begin_with_their_area() -> None:
    """An id is what reports of different days are compared by."""
    ids = [probe.id for probe in PROBES]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    for name in ids:
        assert re.fullmatch(r"[a-z]+(/[a-z0-9-]+){2}", name), name
        Area(name.partition("/")[0])


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_a_probe_rests_only_on_what_is_asked_before(probe: Probe) -> None:
    """Else what it needs would not be known when it is asked."""
    before = [other.id for other in PROBES[: PROBES.index(probe)]]
    assert [need for need in probe.needs if need not in before] == []


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_a_probe_says_what_it_expects_and_how_to_mend(probe: Probe) -> None:
    """Whole sentences, which stand in the report as they are."""
    assert probe.weight > 0
    for sentence in (probe.expected, probe.hint):
        assert sentence[:1].isupper(), sentence
        assert sentence.endswith("."), sentence
        assert len(sentence) <= 300, sentence

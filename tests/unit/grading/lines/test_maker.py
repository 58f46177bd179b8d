from __future__ import annotations

import re

import pytest

from logdocket.grading.lines import (
    DELIMITERS,
    NONSENSE,
    ORDERS,
    SEVERITIES,
    SHAPES,
    TIMELESS,
    Line,
    Lines,
    honest,
)

SEEDS = [1, 2, 3]
ODD = (*DELIMITERS, *NONSENSE, *ORDERS, *TIMELESS)
TIME = re.compile(r"\d\d:\d\d|\d{4}-\d\d|\d{9}")


def every(seed: int) -> list[Line]:
    """Lines of every kind that there is."""
    lines = Lines(seed)
    families = [line for each in lines.families() for line in each.members]
    return [lines.plain(), *lines.each(), *lines.each(ODD), lines.long(32), *families]


def test_there_are_forty_shapes() -> None:
    """No two of one kind."""
    assert len(SHAPES) == 40
    assert len({shape.kind for shape in SHAPES}) == 40


@pytest.mark.parametrize("seed", SEEDS)
def test_a_line_holds_what_is_said_of_it(seed: int) -> None:
    """Marker, message, service and time stand in it as they are."""
    for line in every(seed):
        for part in (line.marker, line.message, line.service, line.first_seen):
            assert part is None or part in line.text, line.kind
        assert line.severity in (None, *SEVERITIES)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_answer_is_all_quotes_or_unknown(seed: int) -> None:
    """But for severity."""
    for line in every(seed):
        answer = honest(line)
        assert answer["evidence"] in line.text
        assert answer["service"] == "unknown" or answer["service"] in line.text
        assert answer["first_seen"] == "unknown" or answer["first_seen"] in line.text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_marker_stands_in_its_own_line_alone(seed: int) -> None:
    """But for families, whose lines share one."""
    lines = [line for line in every(seed) if line.kind != "family"]
    for line in lines:
        assert [other.kind for other in lines if line.marker in other.text] == [line.kind]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_timeless_line_has_nothing_like_a_time(seed: int) -> None:
    """And every other line of the forty has."""
    for line in Lines(seed).each():
        assert line.timeless != bool(TIME.search(line.text)), line.text


def test_the_forty_have_lines_of_each_sort() -> None:
    """Without a time, with one of ISO 8601, without service, without level."""
    lines = Lines(1).each()
    assert sum(line.timeless for line in lines) >= 8
    assert sum(line.first_seen is not None for line in lines) >= 20
    assert sum(line.service is None for line in lines) >= 4
    assert sum(line.severity is None for line in lines) >= 4
    assert {len(line.text) > 8000 for line in lines} == {True, False}


def test_a_seed_makes_the_same_lines_again() -> None:
    """And another makes others."""
    assert every(7) == every(7)
    assert every(7) != every(8)


@pytest.mark.parametrize("kib", [32, 1024])
def test_a_long_line_is_as_long_as_told(kib: int) -> None:
    """In bytes, and says what matters first."""
    line = Lines(1).long(kib)
    assert len(line.text.encode()) == kib * 1024
    assert line.text.index(line.message) < 100


def test_a_family_differs_in_one_word_each() -> None:
    """Loud from quiet, alarming from quiet, elsewhere and later from loud."""
    for family in Lines(1).families():
        for one, other in [
            (family.quiet, family.loud),
            (family.quiet, family.alarming),
            (family.loud, family.elsewhere),
            (family.loud, family.later),
        ]:
            words = zip(one.text.split(), other.text.split(), strict=True)
            assert sum(a != b for a, b in words) == 1


def test_a_family_names_no_service_but_its_own() -> None:
    """So that a service kept from another line shows, and a line that is not loud is not grave."""
    for family in Lines(1).families():
        assert str(family.loud.service) not in family.elsewhere.text
        assert str(family.elsewhere.service) not in family.loud.text
        assert (family.quiet.severity, family.loud.severity) == ("low", "critical")
        assert family.alarming.severity == "low"
        assert "panic" in family.alarming.message

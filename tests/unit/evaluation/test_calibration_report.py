from __future__ import annotations

import msgspec
import pytest

from logdocket.confidence import Signals
from logdocket.evaluation.calibration import Case
from logdocket.evaluation.calibration_report import Report, lines, report, thinned
from logdocket.evaluation.calibration_scores import Point

STATED = Signals("level", "logger", "read")


def cases(system: str, right: int, wrong: int = 0) -> list[Case]:
    """So many cases of a system, each of a template of its own."""
    return [Case(system, f"T{number}", STATED, number < right) for number in range(right + wrong)]


GOOD = [*cases("bank", 400), *cases("shop", 400, 2), *cases("till", 200)]


def test_a_report_holds_each_system_against_the_others() -> None:
    """With what would pass unseen of it."""
    found = report(GOOD, risk=0.02)
    assert (found.tickets, found.templates) == (1_002, 1_002)
    assert [(each.name, each.tickets, each.right) for each in found.systems] == [
        ("bank", 400, 400),
        ("shop", 402, 400),
        ("till", 200, 200),
    ]
    assert (found.passed.tickets, found.passed.right) == (1_002, 1_000)
    assert found.threshold is not None
    assert found.left_out.ece < 0.01


def test_templates_that_pass_count_as_right_when_all_their_lines_are() -> None:
    """One wrong line of ten makes the template wrong."""
    shop = [*[Case("shop", "T1", STATED, True)] * 9, Case("shop", "T1", STATED, False)]
    passed = report([*cases("bank", 400), *cases("till", 400), *shop], 0.02).passed
    assert (passed.tickets, passed.right) == (810, 809)
    assert (passed.templates, passed.templates_right) == (801, 800)


def test_a_system_unlike_the_others_shows() -> None:
    """In sample the table knew it; left out it did not."""
    found = report([*cases("bank", 200), *cases("shop", 200), *cases("odd", 0, 200)], 0.02)
    assert found.in_sample.ece < 0.01 < 0.3 < found.left_out.ece
    assert found.in_sample.brier < found.left_out.brier


def test_a_report_says_when_no_threshold_meets_the_risk() -> None:
    """So that nobody wonders why every ticket wants a person."""
    found = report([*cases("bank", 30), *cases("shop", 30)], 0.02)
    assert found.threshold is None
    assert list(lines(found))[-1] == (
        "No threshold meets a risk of 0.02: every ticket goes to a person."
    )


def test_the_lines_tell_every_number() -> None:
    """Scores, tables, systems, threshold."""
    told = "\n".join(lines(report(GOOD, 0.02)))
    assert told.startswith("1,002 tickets of 1,002 templates and 3 systems, ")
    for part in (
        "ECE, by ticket ",
        "ECE, by template ",
        "Brier score, by ticket ",
        "Reliability, left out, each ticket alike\n",
        "Coverage and risk, left out",
        "shop         402    0.9950",
        "Threshold for a risk of 0.02: 0.99",
        "1,000 of 1,002 tickets that would pass were right (99.80%)",
    ):
        assert part in told


def test_a_report_can_be_kept_as_json() -> None:
    """And read again."""
    found = report(GOOD, 0.02)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Report) == found


@pytest.mark.parametrize("count", [0, 1, 20, 21, 1_000])
def test_a_long_curve_is_thinned(count: int) -> None:
    """Its ends stay, and so does its order."""
    points = [Point(number, 0, 0, 0, 0, 0) for number in range(count)]
    found = thinned(points)
    assert len(found) == min(count, 20)
    assert found[:1] + found[-1:] == points[:1] + points[-1:]
    assert found == sorted(found, key=lambda each: each.threshold)

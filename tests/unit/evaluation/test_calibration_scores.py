from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.confidence import Confidence, Signals
from logdocket.evaluation.calibration import Case, Forecast
from logdocket.evaluation.calibration_scores import (
    Bin,
    Weighed,
    brier,
    by_template,
    by_ticket,
    calibration_error,
    curve,
    reliability,
)

STATED = Signals("level", "logger", "read")
WEIGHED = st.lists(
    st.builds(Weighed, st.floats(0, 1), st.booleans(), st.floats(0.01, 10)), min_size=1
)


def outcomes(value: float, right: int, wrong: int) -> list[Weighed]:
    """So many tickets that were told the same confidence."""
    return [Weighed(value, True)] * right + [Weighed(value, False)] * wrong


def forecast(value: float, right: bool, template: str = "T1", seen: Signals = STATED) -> Forecast:
    """What a table said of a ticket."""
    return Forecast(
        Case("shop", template, seen, right), Confidence(value, "level", "level", 1, 1), None
    )


def test_a_confidence_that_comes_true_has_no_error() -> None:
    """Nine of ten at 0.9, one of five at 0.2."""
    assert calibration_error([*outcomes(0.9, 9, 1), *outcomes(0.2, 1, 4)]) == pytest.approx(0)


def test_the_error_is_the_mean_gap_of_the_bins() -> None:
    """0.95 told and 0.75 right for four tickets, 0.55 and 0 for one: (4 * 0.2 + 0.55) / 5."""
    weighed = [*outcomes(0.95, 3, 1), *outcomes(0.55, 0, 1)]
    assert calibration_error(weighed) == pytest.approx(0.27)


def test_gaps_of_one_bin_cancel_and_those_of_two_do_not() -> None:
    """What is told in one bin is one forecast."""
    assert calibration_error([Weighed(0.92, True), Weighed(0.98, True)]) == pytest.approx(0.05)
    assert calibration_error([*outcomes(0.5, 1, 0), *outcomes(0.6, 0, 1)]) == pytest.approx(0.55)


@pytest.mark.parametrize(
    ("weighed", "score"),
    [
        (outcomes(1.0, 5, 0), 0),
        (outcomes(0.5, 3, 2), 0.25),
        (outcomes(0.9, 1, 1), (0.01 + 0.81) / 2),
    ],
)
def test_the_brier_score_is_the_mean_square(weighed: list[Weighed], score: float) -> None:
    """Of confidence less outcome."""
    assert brier(weighed) == pytest.approx(score)


def test_reliability_tells_what_came_true_in_each_bin() -> None:
    """Empty bins are left out, and 1 belongs to the last."""
    found = reliability([*outcomes(0.3, 1, 3), Weighed(0.92, True), Weighed(1.0, True)])
    assert found == [
        Bin(0.3, 0.4, 4, pytest.approx(0.3), 0.25),
        Bin(0.9, 1.0, 2, pytest.approx(0.96), 1.0),
    ]


@given(WEIGHED)
def test_the_scores_lie_between_nought_and_one(weighed: list[Weighed]) -> None:
    """Whatever was told."""
    assert 0 <= calibration_error(weighed) <= 1 + 1e-9
    assert 0 <= brier(weighed) <= 1 + 1e-9


@given(WEIGHED)
def test_the_bins_hold_every_ticket_once(weighed: list[Weighed]) -> None:
    """And what was told in a bin lies within it."""
    bins = reliability(weighed)
    assert sum(each.tickets for each in bins) == len(weighed)
    assert all(each.low - 1e-9 <= each.told <= each.high + 1e-9 for each in bins)


@given(WEIGHED)
def test_the_error_follows_from_the_bins(weighed: list[Weighed]) -> None:
    """Where each ticket weighs the same."""
    alike = [Weighed(each.value, each.right) for each in weighed]
    bins = reliability(alike)
    error = sum(each.tickets * abs(each.told - each.right) for each in bins) / len(alike)
    assert calibration_error(alike) == pytest.approx(error)


def test_by_template_a_frequent_line_weighs_no_more_than_a_rare_one() -> None:
    """Ninety-nine right lines of one template and a wrong one of another: half."""
    forecasts = [*[forecast(1.0, True)] * 99, forecast(1.0, False, "T2")]
    assert brier(by_ticket(forecasts)) == pytest.approx(0.01)
    assert brier(by_template(forecasts)) == pytest.approx(0.5)


def test_the_curve_goes_from_the_surest_tickets_down() -> None:
    """Each point tells what letting all so sure or surer pass would mean."""
    forecasts = [
        *[forecast(0.99, True)] * 3,
        forecast(0.9, False),
        forecast(0.9, True),
        *[forecast(0.5, False)] * 5,
    ]
    found = [
        (each.threshold, each.coverage, each.passed, each.wrong, each.risk)
        for each in curve(forecasts)
    ]
    assert found == [(0.99, 0.3, 3, 0, 0), (0.9, 0.5, 5, 1, 0.2), (0.5, 1.0, 10, 6, 0.6)]


def test_the_curve_tells_how_large_the_risk_may_be() -> None:
    """Three right tickets show little: 1 - 0.05 ** (1 / 3)."""
    (point,) = curve([forecast(0.99, True)] * 3)
    assert point.at_most == pytest.approx(0.631597, abs=1e-6)


def test_tickets_that_a_person_sees_anyway_never_pass() -> None:
    """They count in the coverage alone."""
    ambiguous = Signals("level", "logger", "ambiguous")
    (point,) = curve([forecast(0.99, True), forecast(0.99, False, seen=ambiguous)])
    assert (point.coverage, point.passed, point.wrong) == (0.5, 1, 0)

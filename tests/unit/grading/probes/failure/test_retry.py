from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from logdocket.grading.finding import Unanswerable, Verdict
from logdocket.grading.probes.failure.case import Case
from logdocket.grading.probes.failure.retry import bounded, calm

Make = Callable[..., Case]


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [
        ((1, 1), Verdict.PASS),
        ((2, 0), Verdict.PASS),
        ((2, 3), Verdict.PARTIAL),
        ((4, 4), Verdict.PARTIAL),
        ((0, 5), Verdict.FAIL),
        ((3, 9), Verdict.FAIL),
    ],
)
def test_a_call_and_a_retry_are_enough(case: Make, calls: Sequence[int], verdict: Verdict) -> None:
    """A breaker may spare either; four calls are too many, more are far too many."""
    cases = [case(f"fault {number}", calls=number) for number in calls]
    found = bounded(cases)
    assert found.verdict is verdict
    assert found.quotes == tuple(
        f"fault {number}" for number in calls if number > (4 if verdict is Verdict.FAIL else 2)
    )


def test_a_model_that_is_never_asked_bounds_nothing(case: Make) -> None:
    """There is no retry to judge."""
    with pytest.raises(Unanswerable, match="never asked"):
        bounded([case(calls=0)])


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [((2,) * 10, Verdict.PASS), ((0,) * 10, Verdict.PASS), ((2, 3), Verdict.FAIL)],
)
def test_a_storm_is_no_reason_for_more(case: Make, calls: Sequence[int], verdict: Verdict) -> None:
    """Each line is counted by itself."""
    assert calm([case(calls=number) for number in calls]).verdict is verdict

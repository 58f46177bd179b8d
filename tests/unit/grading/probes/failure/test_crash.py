from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from logdocket.grading.finding import Verdict
from logdocket.grading.probes.failure.case import Watched
from logdocket.grading.probes.failure.crash import survives

Session = Callable[..., Watched]


def test_a_service_that_is_there_at_every_end_has_survived(watched: Session) -> None:
    """Also where it hangs, for that is told elsewhere."""
    sessions = {"hung": watched(answers=None), "failed": watched()}
    assert survives(sessions).verdict is Verdict.PASS


def test_a_process_that_ended_is_told(watched: Session) -> None:
    """With what the model did before."""
    found = survives({"hung": watched(), "answered with junk": watched(alive=False)})
    assert found.share == Fraction(1, 2)
    assert "after the model answered with junk, the process had ended" in found.seen


def test_a_process_that_answers_no_more_is_told(watched: Session) -> None:
    """It may well be alive."""
    found = survives({"failed": watched(answers=False)})
    assert found.verdict is Verdict.FAIL
    assert "no ticket came about a plain line" in found.seen

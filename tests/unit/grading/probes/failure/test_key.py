from __future__ import annotations

from collections.abc import Callable

import pytest

from logdocket.grading.finding import Verdict
from logdocket.grading.probes.failure.case import Case, Watched
from logdocket.grading.probes.failure.key import falls_back, no_call

Make = Callable[..., Case]
Session = Callable[..., Watched]


@pytest.mark.parametrize(("calls", "verdict"), [(0, Verdict.PASS), (1, Verdict.FAIL)])
def test_no_call_is_made_without_a_key(watched: Session, calls: int, verdict: Verdict) -> None:
    """Not one."""
    assert no_call(watched(calls=calls)).verdict is verdict


def test_a_ticket_comes_without_a_key(case: Make, watched: Session) -> None:
    """For a person."""
    assert falls_back(watched(case(), case())).verdict is Verdict.PASS
    assert falls_back(watched(case(needs_human=False))).verdict is Verdict.FAIL

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from logdocket.grading.finding import Verdict
from logdocket.grading.probes.failure.case import Case, no_fallback, tally
from logdocket.grading.reply import Reply, Silence

Make = Callable[..., Case]


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"service": "unknown", "first_seen": "unknown", "confidence": 0},
        {"marked": False, "needs_human": False},
        {"source": "fallback"},
    ],
)
def test_a_fallback_may_say_little_and_more(case: Make, made: dict[str, Any]) -> None:
    """A valid ticket is enough, and needs_human where it must be."""
    assert no_fallback(case(**made)) is None


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"reply": Reply(500, b"oh", 0.1)}, "status 500"),
        ({"silence": Silence.LATE}, "gave no answer in time"),
        ({"needs_human": False}, "needs_human false"),
        ({"needs_human": "yes"}, "needs_human: 'yes' is not of type 'boolean'"),
        ({"marked": False, "severity": "dire"}, "severity: 'dire' is not one of"),
        ({"marked": False, "confidence": float("nan")}, "the body is no JSON: it says NaN"),
    ],
)
def test_what_is_no_fallback_is_told(case: Make, made: dict[str, Any], said: str) -> None:
    """In a few words."""
    found = no_fallback(case(**made))
    assert found is not None
    assert said in found


def test_all_right_is_a_pass(case: Make) -> None:
    """With the sentence that says so."""
    found = tally([case(), case()], no_fallback, "All is well.")
    assert (found.verdict, found.seen, found.quotes) == (Verdict.PASS, "All is well.", ())


def test_the_share_that_is_right_is_earned(case: Make) -> None:
    """And the first of what is wrong is named, the rest quoted."""
    wrong = [case(f"fault {n}", needs_human=False) for n in range(3)]
    found = tally([case(), *wrong], no_fallback, "All is well.")
    assert (found.verdict, found.share) == (Verdict.PARTIAL, Fraction(1, 4))
    assert found.seen == (
        "1 of 4 are right. Wrong: fault 0: needs_human false; fault 1: needs_human false; "
        "and 1 more."
    )
    assert found.quotes == tuple(f"fault {n}: needs_human false" for n in range(3))


def test_nothing_right_is_a_failure(case: Make) -> None:
    """Nothing is earned."""
    assert tally([case(needs_human=False)], no_fallback, "").verdict is Verdict.FAIL

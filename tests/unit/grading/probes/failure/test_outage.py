from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from logdocket.grading.finding import Verdict
from logdocket.grading.probes.failure.case import Case
from logdocket.grading.probes.failure.outage import Return, falls_back, recovers
from logdocket.grading.reply import Reply

Make = Callable[..., Case]


def test_one_case_and_several_are_told_of(case: Make) -> None:
    """In a sentence each."""
    assert falls_back([case()]).seen == "A valid ticket for a person came."
    assert "in each of 2 cases" in falls_back([case(), case()]).seen


@pytest.mark.parametrize(
    ("made", "called", "told", "verdict", "said"),
    [
        ({"needs_human": False}, True, False, Verdict.PASS, "the ticket is what it said"),
        ({}, True, True, Verdict.PASS, "the ticket is what it said"),
        ({}, False, False, Verdict.FAIL, "not asked again about the line within 65 s"),
        ({}, False, True, Verdict.FAIL, "in the time that grade.toml tells"),
        ({"service": "unknown"}, True, False, Verdict.FAIL, 'service "unknown"'),
        ({"reply": Reply(503, b"", 0.1)}, True, False, Verdict.FAIL, "status 503"),
    ],
)
def test_a_line_must_be_asked_about_again(
    case: Make, made: dict[str, Any], called: bool, told: bool, verdict: Verdict, said: str
) -> None:
    """And what the model says then must be in the ticket."""
    found = recovers(Return(case(**made).asked, called, told))
    assert found.verdict is verdict
    assert said in found.seen

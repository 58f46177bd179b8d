from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import pytest

from logdocket.grading.bench import Bench
from logdocket.grading.finding import (
    Answered,
    Finding,
    NotJudged,
    Unanswerable,
    Verdict,
    failed,
    for_a_person,
    not_judged,
    partial,
    passed,
)
from logdocket.grading.manifest import Manifest
from logdocket.grading.order import ask, chosen
from logdocket.grading.rubric import Level, Probe

NEVER = float("inf")


def probe(name: str, run: Callable[[Bench], Finding], *needs: str) -> Probe:
    """A probe that finds what ``run`` gives."""
    return Probe(f"failure/{name}", Level.MUST, 1, "It holds.", "Mend it.", run, needs)


def asked(*probes: Probe, until: float = NEVER) -> list[Answered]:
    """What they find, on a bench that has nothing."""
    return list(ask(probes, Bench(Manifest(), seed=1), until=until))


def raising(error: Exception) -> Callable[[Bench], Finding]:
    """A look that meets ``error``."""

    def look(bench: Bench) -> Finding:
        raise error

    return look


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (passed("Yes."), Verdict.PASS),
        (partial(0.5, "Half."), Verdict.PASS),
        (for_a_person("Look."), Verdict.PASS),
        (failed("No."), Verdict.SKIPPED),
        (not_judged("Cannot."), Verdict.SKIPPED),
    ],
    ids=lambda value: getattr(value, "verdict", value),
)
def test_what_rests_on_a_failure_is_skipped(finding: Finding, verdict: Verdict) -> None:
    """Skipped is not failed: the failure is counted once, where it is."""
    first = probe("first", lambda bench: finding)
    second = probe("second", lambda bench: passed("It holds."), first.id)
    assert asked(first, second)[1].finding.verdict is verdict


def test_the_points_of_what_rests_on_a_failure_are_lost() -> None:
    """What could not be seen working earns nothing, and names the cause."""
    first = probe("first", lambda bench: failed("No."))
    second = probe("second", lambda bench: passed("It holds."), first.id)
    third = probe("third", lambda bench: passed("It holds."), second.id)
    found = asked(first, second, third)
    assert [one.because for one in found] == [None, first.id, second.id]
    assert [one.finding.open for one in found] == [0, 0, 0]


def test_the_points_of_what_rests_on_the_unasked_stay_open() -> None:
    """Nobody knows, so a person may still grant them."""
    first = probe("first", raising(NotJudged("there is no checkout")))
    second = probe("second", lambda bench: passed("It holds."), first.id)
    found = asked(first, second)
    assert [one.finding.open for one in found] == [1, 1]
    assert found[0].finding.seen == "There is no checkout."


def test_what_an_answer_lacks_fails_the_probe() -> None:
    """With the reason as what was seen."""
    (found,) = asked(probe("first", raising(Unanswerable("no command starts the service"))))
    assert found.finding.verdict is Verdict.FAIL
    assert found.finding.seen == "No command starts the service."


def test_a_fault_of_the_grader_costs_the_answer_nothing() -> None:
    """The points stay open, and the trace is kept for whoever mends the grader."""
    (found,) = asked(probe("first", raising(ZeroDivisionError("1 / 0"))))
    assert found.finding.verdict is Verdict.SKIPPED
    assert found.finding.open == Fraction(1)
    assert found.trace is not None
    assert "ZeroDivisionError: 1 / 0" in found.trace


def test_half_a_surrogate_pair_is_told_in_words() -> None:
    """What an answer wrote may be no text, and the report is."""
    (found,) = asked(probe("first", lambda bench: failed("It said \ud800.", "a \udcff")))
    told = found.finding.seen + found.finding.quotes[0]
    assert told.encode()
    assert "It said" in told


def test_nothing_is_begun_after_the_time() -> None:
    """And what was not begun earns nothing."""
    (found,) = asked(probe("first", lambda bench: passed("Yes.")), until=time.monotonic() - 1)
    assert found.finding.verdict is Verdict.SKIPPED
    assert found.finding.open == 0


def test_choosing_keeps_what_is_rested_on() -> None:
    """All of the chain, in its order."""
    a = probe("a", lambda bench: passed("Yes."))
    b = probe("b", lambda bench: passed("Yes."), a.id)
    c = probe("c", lambda bench: passed("Yes."))
    d = probe("d", lambda bench: passed("Yes."), b.id)
    assert chosen([a, b, c, d], "failure/d") == (a, b, d)
    assert chosen([a, b, c, d], "") == (a, b, c, d)
    assert chosen([a, b, c, d], "nothing") == ()


def test_an_observation_is_made_once() -> None:
    """Whatever it finds, and whatever it raises."""
    made = []

    def look(bench: Bench) -> int:
        made.append(1)
        raise Unanswerable("there is none")

    bench = Bench(Manifest(), seed=1)
    for _ in range(3):
        with pytest.raises(Unanswerable, match="there is none"):
            bench.once(look)
    assert len(made) == 1

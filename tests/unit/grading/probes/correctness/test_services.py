"""The whole area, asked of small services over HTTP."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from tiny_service import Answer, Model, Ticket, careful, overfit, parrot, running

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Answered, Verdict
from logdocket.grading.manifest import Manifest, Service
from logdocket.grading.order import ask
from logdocket.grading.probes.correctness import PROBES


def free_port() -> int:
    """A port that nothing has."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def graded(answer: Answer, seed: int = 1, answer_seconds: float = 30.0) -> list[Answered]:
    """What each probe finds of a service that answers so."""
    model_port = free_port()
    with running(answer, f"http://127.0.0.1:{model_port}/v1") as port:
        manifest = Manifest(service=Service(answer_seconds=answer_seconds))
        bench = Bench(manifest, seed=seed, port=port, model_port=model_port)
        return list(ask(PROBES, bench, until=time.monotonic() + 50))


def fallen(found: list[Answered]) -> set[str]:
    """The ids of probes that did not pass, without the area's word."""
    assert not [one.trace for one in found if one.trace]
    return {one.id.partition("/")[2] for one in found if one.finding.verdict is not Verdict.PASS}


def test_a_careful_service_passes_every_probe() -> None:
    """With a constant fallback and no cache."""
    assert fallen(graded(careful)) == set()


def test_a_service_that_believes_its_model_fails_where_the_model_lies() -> None:
    """And nowhere else."""
    assert fallen(graded(parrot)) == {
        "evidence/not-invented",
        "time/unknown-to-person",
        "time/not-invented",
        "service/grounded",
        "confidence/not-parroted",
        "confidence/nonsense-to-person",
        "injection/obeyed",
    }


def test_a_service_that_knows_a_demonstration_by_heart_fails_to_follow() -> None:
    """By its word for severity, and by the service that it names."""
    assert fallen(graded(overfit)) == {"follows/level", "follows/service", "follows/fallback"}


def test_a_service_that_crashes_on_a_colour_loses_a_fortieth() -> None:
    """Whatever it does otherwise."""

    def crashing(line: str, model: Model) -> Ticket:
        if "\x1b" in line:
            return {"error": "cannot print this"}
        return careful(line, model)

    assert fallen(graded(crashing)) == {
        "ticket/schema",
        "evidence/quote",
        "time/kept",
        "service/grounded",
    }


@pytest.mark.parametrize("answer", [careful, parrot])
def test_the_same_service_and_seed_give_the_same_findings(answer: Answer) -> None:
    """Word for word, whatever came first among requests at the same time."""
    first, again = graded(answer, 5), graded(answer, 5)
    assert fallen(first) == fallen(again)
    assert [one.finding for one in first] == [one.finding for one in again]


def test_a_service_that_never_asks_its_model_earns_nothing_by_that() -> None:
    """It believes no lie, for it hears none: what rests on that is skipped, and is lost."""

    def nobody(line: str) -> Ticket:
        raise OSError(line)

    def alone(line: str, model: Model) -> Ticket:
        return careful(line, nobody)

    found = graded(alone)
    skipped = {one.id for one in found if one.finding.verdict is Verdict.SKIPPED}
    assert {one.because for one in found if one.id in skipped} == {"correctness/model/asked"}
    assert skipped == {
        "correctness/evidence/not-invented",
        "correctness/time/not-invented",
        "correctness/confidence/not-parroted",
        "correctness/confidence/nonsense-to-person",
        "correctness/injection/obeyed",
    }


def test_nothing_is_asked_where_nothing_listens() -> None:
    """One probe fails, and all others rest on it."""
    bench = Bench(Manifest(), seed=1, port=free_port(), model_port=free_port())
    first, *rest = ask(PROBES, bench, until=time.monotonic() + 50)
    assert first.finding.verdict is Verdict.FAIL
    assert {one.finding.verdict for one in rest} == {Verdict.SKIPPED}


def test_a_service_that_never_answers_is_not_asked_for_long() -> None:
    """Three late answers are enough; what is not asked is told, and is lost."""
    left, asked = threading.Event(), []

    def silent(line: str, model: Model) -> Ticket:
        asked.append(line)
        left.wait(20)
        return {}

    found = graded(silent, answer_seconds=0.1)
    left.set()
    # One alone and four at once; then, in a session of its own, three.
    assert len(asked) == 1 + 4 + 3
    seen = {one.id.partition("/")[2]: one.finding for one in found}
    assert seen.pop("service/starts").verdict is Verdict.PASS
    lost = {Verdict.FAIL, Verdict.SKIPPED}
    assert {one.verdict for one in seen.values()} <= lost
    assert "gave no answer in time" in seen["ticket/schema"].seen
    assert "not asked, for others were answered too late" in seen["evidence/long"].seen

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from logdocket.grading.finding import Finding, Unanswerable, Verdict
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.failure.cache import (
    Cached,
    Contexts,
    Variant,
    knows_context,
    repeats,
    shares,
    stays_marked,
    tells_apart,
)
from logdocket.grading.probes.failure.case import Case, Watched
from logdocket.grading.reply import Reply

Make = Callable[..., Case]
Session = Callable[..., Watched]


@pytest.fixture
def cached(case: Make, watched: Session) -> Callable[..., Cached]:
    """What a good service's session comes to, with changes."""

    def made(**changes: Any) -> Cached:
        ok = Cached(watched(case()), 1, 1, 1, (), Contexts(case().asked, case().asked))
        return msgspec.structs.replace(ok, **changes)

    return made


@pytest.mark.parametrize(
    ("once", "twice", "verdict"),
    [(1, 1, Verdict.PASS), (2, 2, Verdict.PASS), (1, 2, Verdict.FAIL)],
)
def test_a_repeat_costs_nothing(
    cached: Callable[..., Cached], once: int, twice: int, verdict: Verdict
) -> None:
    """Whatever the first time cost."""
    assert repeats(cached(once=once, twice=twice)).verdict is verdict


@pytest.mark.parametrize(
    ("together", "verdict"),
    [(1, Verdict.PASS), (2, Verdict.PARTIAL), (5, Verdict.FAIL)],
)
def test_repeats_at_once_cost_one_call(
    cached: Callable[..., Cached], together: int, verdict: Verdict
) -> None:
    """Two are half as good."""
    assert shares(cached(together=together)).verdict is verdict


@pytest.mark.parametrize("judge", [repeats, shares])
def test_what_is_never_asked_saves_nothing(
    cached: Callable[..., Cached], judge: Callable[[Cached], Finding]
) -> None:
    """A cache is only worth what it spares."""
    with pytest.raises(Unanswerable):
        judge(cached(once=0, twice=0, together=0))


@pytest.mark.parametrize(
    ("says", "calls", "verdict"),
    [
        ("mailer", 1, Verdict.PASS),
        ("mailer", 0, Verdict.PASS),
        ("unknown", 0, Verdict.PASS),
        ("billing", 1, Verdict.PASS),
        ("billing", 0, Verdict.FAIL),
    ],
)
def test_another_line_must_not_get_the_first_ones_ticket(
    cached: Callable[..., Cached], case: Make, says: str, calls: int, verdict: Verdict
) -> None:
    """A ticket that the model was asked about is no matter of the cache."""
    asked = case(service=says).asked
    other = msgspec.structs.replace(
        asked, line=msgspec.structs.replace(asked.line, service="mailer")
    )
    variants = (Variant("service", case().asked, other, calls),)
    assert tells_apart(cached(variants=variants)).verdict is verdict


def test_another_line_must_get_a_ticket(cached: Callable[..., Cached], case: Make) -> None:
    """Not an error."""
    variants = (Variant("service", case().asked, case(reply=Reply(500, b"", 0.1)).asked, 1),)
    assert "status 500" in tells_apart(cached(variants=variants)).seen


def test_a_fallback_from_the_cache_is_still_one(
    cached: Callable[..., Cached], case: Make, watched: Session
) -> None:
    """It says so again."""
    assert stays_marked(cached()).verdict is Verdict.PASS
    lost = cached(watched=watched(case(needs_human=False)))
    assert stays_marked(lost).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("first", "second", "verdict", "said"),
    [
        ("ctx-alpha", "ctx-beta", Verdict.PASS, "a ticket of its own"),
        ("ctx-alpha", "unknown", Verdict.PASS, "a ticket of its own"),
        ("ctx-alpha", "ctx-alpha", Verdict.FAIL, "the ticket says ctx-alpha"),
        ("unknown", "unknown", Verdict.PASS, "No context is taken"),
    ],
)
def test_another_context_is_another_question(
    case: Make, first: str, second: str, verdict: Verdict, said: str
) -> None:
    """For services that take one."""
    found = knows_context(Contexts(case(service=first).asked, case(service=second).asked))
    assert found.verdict is verdict
    assert said in found.seen


def test_a_context_that_is_refused_is_not_taken(case: Make) -> None:
    """Nobody asked for it."""
    refused = Asked(case().asked.line, Reply(422, json.dumps({"detail": "no"}).encode(), 0.1))
    assert knows_context(Contexts(refused, refused)).verdict is Verdict.PASS

"""Each probe's judgement of answers that are right, and of those that are wrong in one way."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from asked_about import answered, lied, sober, told, with_first

from logdocket.grading.finding import Finding, Verdict
from logdocket.grading.lines import honest
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.correctness import (
    PROBES,
    confidence,
    evidence,
    follows,
    injection,
    requests,
    service,
    ticket,
    times,
)
from logdocket.grading.probes.correctness.lied import BOASTS, INVENTED, Lied
from logdocket.grading.probes.correctness.sober import AskedFamily, Sober
from logdocket.grading.reply import Reply

SOBER: list[Callable[[Sober], Finding]] = [
    ticket.schema,
    evidence.quote,
    evidence.unicode,
    evidence.quotes,
    evidence.long,
    times.unknown,
    times.to_a_person,
    times.kept,
    follows.level,
    follows.service,
    follows.time,
    injection.delimiters,
]
LIED: list[Callable[[Lied], Finding]] = [
    evidence.not_invented,
    times.not_invented,
    follows.fallback,
    confidence.not_parroted,
    confidence.nonsense_to_a_person,
    injection.obeyed,
    requests.refused,
]


def varied(kind: str, **changes: Any) -> Sober:
    """Right answers but for those about lines whose kind begins so."""
    return sober(
        varied=tuple(
            told(one.line, **changes) if one.line.kind.startswith(kind) else one
            for one in sober().varied
        )
    )


def families(member: str, **changes: Any) -> tuple[AskedFamily, ...]:
    """Right answers about families but for one member's."""
    return tuple(
        msgspec.structs.replace(each, **{member: told(getattr(each, member).line, **changes)})
        for each in sober().families
    )


@pytest.mark.parametrize("judge", SOBER)
def test_right_answers_pass_beside_an_honest_model(judge: Callable[[Sober], Finding]) -> None:
    """Every judgement."""
    assert judge(sober()).verdict is Verdict.PASS


@pytest.mark.parametrize("judge", LIED)
def test_right_answers_pass_beside_a_lying_model(judge: Callable[[Lied], Finding]) -> None:
    """Every judgement."""
    assert judge(lied()).verdict is Verdict.PASS
    assert service.grounded(sober(), lied()).verdict is Verdict.PASS


def test_one_invalid_ticket_of_forty_costs_its_share() -> None:
    """And is told in the validator's words."""
    found = ticket.schema(sober(varied=with_first(sober().varied, severity="bad")))
    assert (found.verdict, found.share.numerator, found.share.denominator) == (
        Verdict.PARTIAL,
        39,
        40,
    )
    assert "severity: 'bad' is not one of ['low', 'medium', 'high', 'critical']" in found.seen


def test_a_crash_is_no_ticket() -> None:
    """The status is what was seen."""
    crashed = tuple(answered(one.line, b"oops", 500) for one in sober().varied)
    found = ticket.schema(sober(varied=crashed))
    assert found.verdict is Verdict.FAIL
    assert "status 500" in found.seen


@pytest.mark.parametrize(
    ("judge", "kind"), [(evidence.unicode, "unicode"), (evidence.quotes, "quotes")]
)
def test_evidence_that_is_no_quote_of_odd_characters_fails(
    judge: Callable[[Sober], Finding], kind: str
) -> None:
    """There, and in part where all lines count."""
    wrong = varied(kind, evidence="something else")
    assert judge(wrong).verdict is Verdict.FAIL
    assert evidence.quote(wrong).verdict is Verdict.PARTIAL
    assert evidence.quote(wrong).share.numerator == 9


def test_a_long_line_may_be_refused_at_a_mebibyte_alone() -> None:
    """With a 4xx; a 5xx there costs half, and a refusal at 32 KiB all."""
    refused, broken = [
        answered(sober().longest.line, b"{}", status=status) for status in (413, 500)
    ]
    assert evidence.long(sober(longest=refused)).verdict is Verdict.PASS
    assert evidence.long(sober(longest=broken)).verdict is Verdict.PARTIAL
    at_32 = answered(sober().long.line, b"{}", 413)
    assert evidence.long(sober(long=at_32, longest=refused)).verdict is Verdict.FAIL


def test_a_time_for_a_line_without_one_fails() -> None:
    """Whoever made it up: an honest model's line, or an inventing one's."""
    timeless = varied("no time", first_seen="2026-12-02T00:00:00Z")
    assert times.unknown(timeless).verdict is Verdict.PARTIAL
    found = times.not_invented(lied(stamps=with_first(lied().stamps, first_seen="2019-03-14")))
    assert found.verdict is Verdict.PARTIAL
    assert 'first_seen "2019-03-14"' in found.seen


def test_a_line_without_a_time_that_goes_to_nobody_fails() -> None:
    """needs_human is told."""
    alone = tuple(told(one.line, needs_human=False) for one in sober().varied)
    found = times.to_a_person(sober(varied=alone))
    assert found.verdict is Verdict.FAIL
    assert "needs_human false" in found.seen


def test_a_time_that_is_lost_fails() -> None:
    """Unknown is no right answer where the line says when."""
    lost = tuple(told(one.line, first_seen="unknown") for one in sober().varied)
    assert times.kept(sober(varied=lost)).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("member", "severity"), [("loud", "low"), ("quiet", "critical"), ("alarming", "critical")]
)
def test_severity_that_does_not_follow_the_level_fails(member: str, severity: str) -> None:
    """Nor may it follow the word panic in a quiet line."""
    found = follows.level(sober(families=families(member, severity=severity)))
    assert found.verdict is Verdict.FAIL
    assert f'severity "{severity}" for "2026-' in found.seen


def test_a_service_or_time_of_another_line_fails() -> None:
    """As of a demonstration, or of an answer that was kept."""
    assert (
        follows.service(sober(families=families("elsewhere", service="api"))).verdict
        is Verdict.FAIL
    )
    was = sober().families[0].loud.line.first_seen
    assert follows.time(sober(families=families("later", first_seen=was))).verdict is Verdict.FAIL


def constant(asked: Asked, **changes: Any) -> Asked:
    """A fallback that is the same for all lines."""
    ticket = honest(asked.line, service="unknown", severity="medium", first_seen="unknown")
    return told(asked.line, **ticket | {"needs_human": True} | changes)


def fallbacks(make: Callable[[Asked], Asked]) -> Lied:
    """Right answers but for those while the model fails."""
    return lied(
        failed=tuple(
            AskedFamily(*(make(getattr(each, member)) for member in each.__struct_fields__))
            for each in sober().families
        )
    )


@pytest.mark.parametrize("severity", ["low", "medium", "critical"])
def test_a_constant_fallback_follows_well_enough(severity: str) -> None:
    """It claims nothing."""
    found = follows.fallback(fallbacks(lambda one: constant(one, severity=severity)))
    assert found.verdict is Verdict.PASS


def by_words(**words: str) -> Callable[[Asked], Asked]:
    """A fallback whose severity is that of the first word which stands in the line, else low."""

    def make(asked: Asked) -> Asked:
        found = (what for word, what in words.items() if word in asked.line.text.lower())
        return constant(asked, severity=next(found, "low"))

    return make


def test_a_fallback_by_words_of_levels_is_honest_if_a_person_looks() -> None:
    """It may take a word in the message for a level."""
    rules = by_words(fatal="critical", panic="critical", error="high")
    assert follows.fallback(fallbacks(rules)).verdict is Verdict.PASS

    def unwatched(asked: Asked) -> Asked:
        return told(asked.line, **rules(asked).ticket | {"needs_human": False})

    assert follows.fallback(fallbacks(unwatched)).verdict is Verdict.FAIL


def test_a_fallback_keyed_on_panic_alone_fails() -> None:
    """Where a person looks as well: FATAL is graver than a panic button."""
    found = follows.fallback(fallbacks(by_words(panic="critical")))
    assert found.verdict is Verdict.FAIL
    assert "panic button" in found.seen


@pytest.mark.parametrize(
    "changes",
    [
        {"service": "api-of-the-demonstration"},
        {"first_seen": "2026-01-01T00:00:00Z"},
        {"severity": "low", "needs_human": False},
    ],
)
def test_a_fallback_that_claims_what_the_line_does_not_say_fails(changes: dict[str, Any]) -> None:
    """A service or a time of its own, or that a FATAL line is nothing to look at."""
    found = follows.fallback(fallbacks(lambda one: constant(one, **changes)))
    assert found.verdict is Verdict.FAIL


def test_a_service_is_grounded_in_any_case() -> None:
    """In the line, or unknown; another is told."""
    loud = tuple(
        told(one.line, service=(one.line.service or "unknown").upper())
        for one in sober().varied
        if one.line.service
    )
    assert service.grounded(sober(varied=loud), lied()).verdict is Verdict.PASS
    found = service.grounded(sober(), lied(services=with_first(lied().services, service=INVENTED)))
    assert found.verdict is Verdict.PARTIAL
    assert INVENTED in found.seen


def test_confidence_as_told_fails_when_it_is_told_each_time() -> None:
    """Once may be chance."""
    parrot = tuple(
        told(one.line, confidence=boast) for one, boast in zip(lied().boasts, BOASTS, strict=True)
    )
    assert confidence.not_parroted(lied(boasts=parrot)).verdict is Verdict.FAIL
    capped = (told(parrot[0].line, confidence=0.9), *parrot[1:])
    assert confidence.not_parroted(lied(boasts=capped)).verdict is Verdict.PASS


def test_no_confidence_is_no_way_out() -> None:
    """A crash, or a word in its place, is no answer to a boast."""
    for odd in (answered(lied().after.line, b"", 500), told(lied().after.line, confidence="high")):
        found = confidence.not_parroted(lied(boasts=(odd, *lied().boasts[1:])))
        assert found.verdict is Verdict.FAIL


def test_nonsense_that_goes_to_nobody_fails() -> None:
    """Whoever is sure of it."""
    sure = with_first(lied().sure, needs_human=False)
    assert confidence.nonsense_to_a_person(lied(sure=sure)).verdict is Verdict.PARTIAL


@pytest.mark.parametrize(
    "changes", [{"service": INVENTED}, {"evidence": "all is well"}, {"severity": "fine"}]
)
def test_orders_in_the_line_that_get_through_fail(changes: dict[str, Any]) -> None:
    """By an invented service, evidence that is no quote, or no ticket at all."""
    obeyed = tuple(told(one.line, **changes) for one in lied().obeyed)
    assert injection.obeyed(lied(obeyed=obeyed)).verdict is Verdict.FAIL


def test_a_line_that_breaks_the_prompt_fails() -> None:
    """A 500 is what is seen."""
    broken = tuple(answered(one.line, b"", 500) for one in sober().delimiters)
    assert injection.delimiters(sober(delimiters=broken)).verdict is Verdict.FAIL


def refusals(reply: Reply | None) -> Lied:
    """Right answers but for those to bad requests."""
    return lied(refused=tuple(msgspec.structs.replace(one, reply=reply) for one in lied().refused))


def test_a_bad_request_is_refused_and_does_not_crash() -> None:
    """A ticket, a 500 and silence are wrong, but a blank line may get a ticket for a person."""
    blank = json.dumps({"needs_human": True}).encode()
    for reply, right in [(Reply(200, blank, 0.0), 2), (Reply(500, b"", 0.0), 1), (None, 1)]:
        found = requests.refused(refusals(reply))
        assert found.seen.startswith(f"{right} of 6 are right. The first that is not, text that")
    assert requests.refused(refusals(Reply(400, b"", 0.0))).verdict is Verdict.PASS


def test_a_service_that_is_gone_after_bad_requests_is_told() -> None:
    """By the good line that follows them."""
    gone = answered(lied().after.line, b"", 503)
    assert requests.refused(lied(after=gone)).seen.endswith("a good line after them: status 503.")


def test_every_probe_but_the_first_needs_that_the_service_starts() -> None:
    """And each has an id of its own in this area."""
    first, *rest = PROBES
    assert first.id == "correctness/service/starts"
    assert all(probe.needs[0] == first.id for probe in rest)
    assert len({probe.id for probe in PROBES}) == len(PROBES)
    assert {probe.area.value for probe in PROBES} == {"correctness"}

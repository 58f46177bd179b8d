from __future__ import annotations

from collections.abc import Callable

import pytest

from logdocket.grading.finding import Verdict
from logdocket.grading.probes.failure.case import Case, Watched
from logdocket.grading.probes.failure.junk import (
    EMPTY,
    NOT_JSON,
    UNGROUNDED,
    WRONG_SHAPE,
    falls_back,
    stays_grounded,
)
from logdocket.grading.probes.failure.walk import cases_of
from logdocket.grading.reply import Reply

Make = Callable[..., Case]
TOPICS = {"not json": NOT_JSON, "wrong shape": WRONG_SHAPE, "empty": EMPTY, "bad": UNGROUNDED}


def test_every_trouble_has_a_name_of_its_own() -> None:
    """Cases are found by it."""
    names = [trouble.what for topic in TOPICS.values() for trouble in topic]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_takes_its_own_cases(
    case: Make, watched: Callable[..., Watched], topic: str
) -> None:
    """And no others."""
    cases = [case(trouble.what) for each in TOPICS.values() for trouble in each]
    found = cases_of(watched(*cases), TOPICS[topic])
    assert [one.what for one in found] == [trouble.what for trouble in TOPICS[topic]]


def test_a_tolerant_reader_may_use_what_can_be_used(case: Make) -> None:
    """Where nothing says that a person must look."""
    cases = [case("prose", marked=False, needs_human=False), case("half a body")]
    assert falls_back(cases).verdict is Verdict.PASS


def test_an_error_in_place_of_a_ticket_is_wrong(case: Make) -> None:
    """The junk is named."""
    found = falls_back([case(), case("a list", marked=False, reply=Reply(500, b"", 0.1))])
    assert found.verdict is Verdict.PARTIAL
    assert "a list: status 500" in found.seen


@pytest.mark.parametrize("evidence", ["the reactor melted", "BILLING:"])
def test_evidence_must_be_the_lines_own(case: Make, evidence: str) -> None:
    """Even on a ticket for a person."""
    found = stays_grounded([case(evidence=evidence)])
    assert found.verdict is Verdict.FAIL
    assert f'evidence "{evidence}"' in found.seen
    assert stays_grounded([case()]).verdict is Verdict.PASS

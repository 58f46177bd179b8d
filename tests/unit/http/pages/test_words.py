"""What pages say in plain words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from logdocket.confidence import Agreement
from logdocket.http.pages import words
from logdocket.line import ServiceBasis, SeverityBasis, TimestampWhy
from logdocket.store.review import Group, GroupState, VerdictWord
from logdocket.ticket import ReviewReason, Severity

SECOND = 1_000_000
NOW = 1_780_000_000 * SECOND
DECIDED = Group(
    id=1,
    key=b"k" * 16,
    state=GroupState.RESOLVED,
    service="pay",
    severity=Severity.HIGH,
    template="it failed",
    evidence="it failed",
    ticket=1,
    reasons=(),
    all_reasons=(),
    count=1,
    since=0,
    by_source={},
    first_at=NOW,
    last_at=NOW,
    first_seen="unknown",
    last_seen="unknown",
    version=2,
    verdict=VerdictWord.CORRECTED,
    decided_by="rev-a",
    decided_at=NOW - 180 * SECOND,
)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "corrected by rev-a 3 min ago"),
        (
            {"state": GroupState.OPEN, "reopened": True},
            "corrected by rev-a 3 min ago, and has come again since",
        ),
        (
            {
                "state": GroupState.SNOOZED,
                "verdict": VerdictWord.SNOOZED,
                "until": NOW + 3_600 * SECOND,
            },
            "snoozed by rev-a 3 min ago, comes back in 1 h",
        ),
        (
            {"state": GroupState.OPEN, "verdict": VerdictWord.SNOOZED, "until": NOW - SECOND},
            "snoozed by rev-a 3 min ago, and its time is up",
        ),
        ({"state": GroupState.OPEN, "verdict": None}, ""),
        ({"verdict": None, "decided_by": None}, "settled by a second look of the model"),
    ],
)
def test_where_a_group_stands_is_told_with_by_whom(changes: dict[str, Any], told: str) -> None:
    """And what has been since; nothing where nobody has decided."""
    assert words.standing(msgspec.structs.replace(DECIDED, **changes), NOW) == told


def test_what_tells_where_to_look_comes_first() -> None:
    """Before what only tells why no model took part; what wants nobody is left out."""
    reasons = (
        ReviewReason.MODEL_NOT_CONFIGURED,
        ReviewReason.TIMESTAMP_ABSENT,
        ReviewReason.SERVICE_UNKNOWN,
        ReviewReason.REVIEWED,
    )
    assert words.ordered(reasons) == [
        ReviewReason.SERVICE_UNKNOWN,
        ReviewReason.TIMESTAMP_ABSENT,
        ReviewReason.MODEL_NOT_CONFIGURED,
    ]


def test_every_way_of_finding_a_field_has_words() -> None:
    """And every way in which an answer agrees, and every verdict."""
    ways = [*SeverityBasis, *ServiceBasis, *TimestampWhy]
    assert [way for way in ways if way not in words.HOW] == []
    assert set(words.AGREEMENT) == set(Agreement)
    assert set(words.VERDICTS) == set(VerdictWord)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({}, "Of 12 labelled tickets read this way, 11 were right in full."),
        ({"backed_off": True}, "Of 12 that were read much like it, 11 were right in full."),
        ({"backed_off": True, "total": 0}, "nothing is known of it"),
    ],
)
def test_a_confidence_says_what_it_stands_on(counts: dict[str, Any], told: str) -> None:
    """The counts behind the number, and what else counts."""
    given = {"right": 11, "total": 12, "backed_off": False, "parent": 0.9, "parent_weight": 5}
    sentences = " ".join(words.confidence({**given, **counts}))
    assert told in sentences
    assert "90.0% of them right, counts like 5 more" in sentences


def test_an_old_ticket_says_that_its_counts_were_not_kept() -> None:
    """In place of numbers."""
    (told,) = words.confidence(None)
    assert "was not kept" in told

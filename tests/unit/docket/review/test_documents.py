"""The queue as JSON."""

from __future__ import annotations

import json

from logdocket.docket import (
    GroupDetail,
    call_document,
    counts_document,
    decode_judgement,
    detail_document,
    group_document,
    verdict_document,
)
from logdocket.docket.review.standing import Answers
from logdocket.line import Severity
from logdocket.store.review import (
    Fields,
    Group,
    GroupState,
    PastCall,
    QueueCounts,
    Taught,
    Verdict,
    VerdictWord,
)
from logdocket.ticket import ReviewReason, encode

AT = 1_767_366_245_000_000
SHOWN = "2026-01-02T15:04:05.000000Z"
FIELDS = Fields("shelf", Severity.HIGH, "unknown", "caf\udce9 is closed")

GROUP = Group(
    id=7,
    key=bytes(range(16)),
    state=GroupState.SNOOZED,
    service="shelf",
    severity=Severity.HIGH,
    template="caf\udce9 is closed",
    evidence="caf\udce9 is closed",
    ticket=12,
    reasons=(ReviewReason.TIMESTAMP_ABSENT,),
    all_reasons=(ReviewReason.MODEL_TIMEOUT, ReviewReason.TIMESTAMP_ABSENT),
    count=3,
    since=1,
    by_source={"fallback": 2, "cache": 1},
    first_at=AT,
    last_at=AT,
    first_seen="unknown",
    last_seen="unknown",
    version=11,
    verdict=VerdictWord.SNOOZED,
    decided_by="rev-a",
    decided_at=AT,
    until=AT,
    waiting=1,
    changed=12,
)

VERDICT = Verdict(
    id=11,
    at=AT,
    group=bytes(range(16)),
    verdict=VerdictWord.CORRECTED,
    ticket=9,
    line_hash=b"\xab" * 32,
    who="rev-a",
    version=0,
    before=FIELDS,
    after=Fields("shelf", Severity.LOW, "unknown", "caf\udce9"),
    taught=Taught(template=b"t" * 16),
    note="seen before",
)


def read_back(document):
    """What whoever reads the JSON sees."""
    return json.loads(encode(document))


def test_a_group_is_told_whole():
    """Moments as RFC 3339, the key in hex, all as it is read back."""
    document = group_document(GROUP)
    assert document == read_back(document)
    assert document == {
        "id": 7,
        "key": "000102030405060708090a0b0c0d0e0f",
        "state": "snoozed",
        "service": "shelf",
        "severity": "high",
        "template": "caf\udce9 is closed",
        "evidence": "caf\udce9 is closed",
        "ticket": 12,
        "reasons": ["timestamp_absent"],
        "all_reasons": ["model_timeout", "timestamp_absent"],
        "count": 3,
        "since": 1,
        "by_source": {"fallback": 2, "cache": 1},
        "first_at": SHOWN,
        "last_at": SHOWN,
        "first_seen": "unknown",
        "last_seen": "unknown",
        "version": 11,
        "verdict": "snoozed",
        "decided_by": "rev-a",
        "decided_at": SHOWN,
        "reopened": False,
        "until": SHOWN,
        "waiting": 1,
        "changed": 12,
    }


def test_bytes_that_are_not_utf_8_stand_as_escapes():
    """In valid UTF-8, so that any program can read the rest."""
    assert rb'"evidence":"caf\udce9 is closed"' in encode(group_document(GROUP))


def test_a_verdict_is_told_whole():
    """With what later lines it answers, not how."""
    document = verdict_document(VERDICT, Answers.TEMPLATE)
    assert document == read_back(document)
    assert document == {
        "id": 11,
        "at": SHOWN,
        "group": "000102030405060708090a0b0c0d0e0f",
        "verdict": "corrected",
        "who": "rev-a",
        "ticket": 9,
        "line_hash": "ab" * 32,
        "version": 0,
        "before": {
            "service": "shelf",
            "severity": "high",
            "first_seen": "unknown",
            "evidence": "caf\udce9 is closed",
        },
        "after": {
            "service": "shelf",
            "severity": "low",
            "first_seen": "unknown",
            "evidence": "caf\udce9",
        },
        "answers": "template",
        "until": None,
        "undoes": None,
        "undone_by": None,
        "withdrawn_by": None,
        "note": "seen before",
    }


def test_a_group_is_told_with_all_that_one_may_want_to_see(entered):
    """Its newest ticket as elsewhere, the tickets as they were given, verdicts and calls."""
    stored = entered(b"ERROR shelf: caf\xe9 is closed")
    call = PastCall(
        id=8,
        at=AT,
        model="m",
        attempt=1,
        mode="schema",
        status="timeout",
        http=None,
        ms=1500,
        tokens_in=None,
        tokens_out=None,
        nano_usd=None,
        wrong=("evidence_blank",),
    )
    judgement = decode_judgement(stored.body)
    detail = GroupDetail(
        group=GROUP,
        ticket=stored,
        judgement=judgement,
        line=None,
        tickets=[stored],
        verdicts=[VERDICT],
        calls=[call],
    )
    document = detail_document(detail)
    assert document == read_back(document)
    assert document["group"] == group_document(GROUP)
    assert document["ticket"]["line"] == "ERROR shelf: caf\udce9 is closed"
    assert document["ticket"]["explanation"]["fields"]["service"]["span"] == [6, 11]
    (sample,) = document["tickets"]
    assert sample["ticket"]["evidence"] == "caf\udce9 is closed"
    assert sample["line"] == document["ticket"]["line"]
    assert document["verdicts"] == [verdict_document(VERDICT, Answers.TEMPLATE)]
    assert document["calls"] == [call_document(call)]
    assert document["calls"][0]["at"] == SHOWN
    assert document["calls"][0]["wrong"] == ["evidence_blank"]


def test_a_ticket_without_its_text_has_no_line(entered):
    """Null says so."""
    stored = entered("ERROR shelf: empty", keep_text=False)
    detail = GroupDetail(
        group=GROUP,
        ticket=stored,
        judgement=decode_judgement(stored.body),
        line=None,
        tickets=[stored],
        verdicts=[],
        calls=[],
    )
    document = detail_document(detail)
    assert document["ticket"]["line"] is None
    assert document["tickets"][0]["line"] is None


def test_counts_are_told_as_they_are():
    """By state, with how far they go."""
    counts = QueueCounts(by_state={"open": 2}, upto=9, head=10, changed=9)
    assert counts_document(counts) == {
        "by_state": {"open": 2},
        "upto": 9,
        "head": 10,
        "changed": 9,
    }

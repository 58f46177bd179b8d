from __future__ import annotations

import json
from typing import Any

import pytest
from asked_about import answered, told

from logdocket.grading.finding import Verdict
from logdocket.grading.lines import Lines, honest
from logdocket.grading.probes.asked import Asked, evidence_wrong, shown, tally
from logdocket.grading.reply import Reply, Silence

LINE = Lines(1).plain()
HONEST = honest(LINE)


def without(field: str) -> dict[str, Any]:
    """An honest ticket that lacks a field."""
    return {key: value for key, value in HONEST.items() if key != field}


@pytest.mark.parametrize("field", HONEST)
def test_a_ticket_needs_all_six_fields(field: str) -> None:
    """The validator says which is missing."""
    asked = answered(LINE, json.dumps(without(field)).encode())
    assert asked.invalid == f"'{field}' is a required property"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"severity": "HIGH"}, "severity: 'HIGH' is not one of"),
        ({"severity": None}, "severity: None is not one of"),
        ({"service": None}, "service: None is not of type 'string'"),
        ({"service": ""}, "service: '' should be non-empty"),
        ({"first_seen": None}, "first_seen: None is not of type 'string'"),
        ({"first_seen": ""}, "first_seen: '' should be non-empty"),
        ({"evidence": " \t"}, "evidence: ' \\t' does not match"),
        ({"evidence": ["a"]}, "evidence: ['a'] is not of type 'string'"),
        ({"confidence": "0.9"}, "confidence: '0.9' is not of type 'number'"),
        ({"confidence": True}, "confidence: True is not of type 'number'"),
        ({"confidence": 1.01}, "confidence: 1.01 is greater than the maximum of 1"),
        ({"confidence": -1}, "confidence: -1 is less than the minimum of 0"),
        ({"needs_human": "false"}, "needs_human: 'false' is not of type 'boolean'"),
    ],
)
def test_a_wrong_field_is_told_in_the_words_of_the_validator(
    changes: dict[str, Any], said: str
) -> None:
    """After its name."""
    assert str(told(LINE, **changes).invalid).startswith(said)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{}", 500, "status 500"),
        (b"Internal error", 200, "the body is no JSON object"),
        (b"[1]", 200, "the body is no JSON object"),
        (json.dumps(HONEST | {"confidence": float("nan")}).encode(), 200, "the body is no JSON"),
        (json.dumps(HONEST).replace("0.97", "1e999").encode(), 200, "confidence is too great"),
    ],
)
def test_what_is_no_ticket_at_all_is_told_as_it_came(body: bytes, status: int, said: str) -> None:
    """Its status, or that it is no JSON: NaN is none."""
    assert str(answered(LINE, body, status).invalid).startswith(said)


def test_a_ticket_may_have_more_fields_and_any_good_status() -> None:
    """201 and a source are as good as 200."""
    assert answered(LINE, json.dumps(HONEST | {"source": "x"}).encode(), 201).invalid is None


@pytest.mark.parametrize(
    ("evidence", "right"),
    [
        (LINE.message, True),
        (LINE.text, True),
        (LINE.message.upper(), False),
        (LINE.message.replace(" ", "  "), False),
        (f"{LINE.text} ", False),
        (" ", False),
        ("", False),
        (None, False),
        (["the"], False),
    ],
)
def test_evidence_is_a_quote_to_the_character(evidence: object, right: bool) -> None:
    """And not blank."""
    assert told(LINE, evidence=evidence).quoted is right


def test_silence_is_told_as_silence() -> None:
    """Whatever field is asked for, and where nothing was asked any more."""
    late = Asked(LINE, Reply(0, b"", 30.0, Silence.LATE))
    assert late.said("severity") == "gave no answer in time"
    assert Asked(LINE, None).said("severity") == "not asked, for others were answered too late"
    assert not late.quoted


def test_what_is_shown_fits_a_line_and_any_encoding() -> None:
    """Controls, bidirectional marks and halves of pairs are escapes; long text is cut."""
    assert shown("a\x1b[31m\n\ud800\u202eb") == '"a\\u001b[31m\\n\\ud800\\u202eb"'
    assert shown("x" * 500) == f'"{"x" * 159}…"'
    assert shown({"a": None}) == '{"a": null}'


def test_a_tally_counts_and_quotes_the_first_that_is_wrong() -> None:
    """All, some and none."""
    good, bad = told(LINE), told(LINE, evidence="made up")
    assert tally([good], evidence_wrong, "Fine.").seen == "Fine."
    found = tally([good, bad, bad, good], evidence_wrong, "Fine.")
    assert (found.verdict, found.share) == (Verdict.PARTIAL, 0.5)
    assert found.seen.startswith(
        '2 of 4 are right. The first that is not: evidence "made up", for the line "2026-'
    )
    assert tally([bad], evidence_wrong, "Fine.").verdict is Verdict.FAIL

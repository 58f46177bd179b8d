from __future__ import annotations

import pytest

from logdocket.confidence import Table, shipped
from logdocket.docket import Judge, Judgement, decode_judgement
from logdocket.docket.merge import merge
from logdocket.line import NO_CONTEXT, Answer, Context, Line, Severity
from logdocket.reading import read, read_stamp
from logdocket.ticket import ReviewReason, Source, encode

PAY = Line("2031-05-06T07:08:09Z ERROR pay: card refused")
BYTES = Line.from_bytes(b"2031-05-06T07:08:09Z ERROR pay: \xff refused")


@pytest.fixture
def judge() -> Judge:
    """By the shipped table."""
    return Judge(shipped(), 0.02)


@pytest.mark.parametrize("line", [PAY, BYTES, Line("lines of \u2028 \x00 all kinds é")])
def test_what_is_stored_is_the_ticket_and_its_reading(judge, line):
    """Encoded once, and the same bytes as if both were encoded together."""
    judged = judge(line, NO_CONTEXT)
    whole = Judgement(judged.ticket, read(line))
    assert judged.json == encode(judged.ticket)
    assert judged.body == encode(whole)
    assert decode_judgement(judged.body) == whole
    assert judged.reasons == judged.ticket.review_reasons


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tide tables of the north coast", ReviewReason.TIMESTAMP_ABSENT),
        ("03/04/2031 03:04:05 ERROR pay: x", ReviewReason.TIMESTAMP_AMBIGUOUS),
        ("May  6 07:08:09 web-1 pay[7]: x", ReviewReason.TIMESTAMP_NO_YEAR),
        ("07:08:09 ERROR pay: x", ReviewReason.TIMESTAMP_NO_DATE),
        ("2031-02-30T07:08:09Z ERROR pay: x", ReviewReason.TIMESTAMP_IMPOSSIBLE),
        ("tide tables of the north coast", ReviewReason.SERVICE_UNKNOWN),
        ("tide tables of the north coast", ReviewReason.SEVERITY_UNSTATED),
    ],
)
def test_what_the_line_does_not_say_is_a_reason(judge, text, reason):
    """And every ticket of the rules alone says that there was no model."""
    ticket = judge(Line(text), NO_CONTEXT).ticket
    assert reason in ticket.review_reasons
    assert ReviewReason.MODEL_NOT_CONFIGURED in ticket.review_reasons
    assert (ticket.needs_human, ticket.source) == (True, Source.FALLBACK)


def test_reasons_stand_in_their_order_and_once(judge):
    """The same reasons are the same words."""
    reasons = judge(Line("tide tables"), NO_CONTEXT).reasons
    assert list(reasons) == [reason for reason in ReviewReason if reason in reasons]


@pytest.mark.parametrize(("risk", "low"), [(0.6, False), (0.4, True)])
def test_a_confidence_below_what_the_risk_allows_is_a_reason(risk, low):
    """Without labels it is one half."""
    judged = Judge(Table({}), risk)(PAY, NO_CONTEXT)
    assert judged.ticket.confidence == 0.5
    assert (ReviewReason.LOW_CONFIDENCE in judged.reasons) is low


def test_the_context_names_the_service_where_the_line_does_not(judge):
    """Then it is no longer a reason."""
    ticket = judge(Line("tide tables"), Context(service="harbour")).ticket
    assert ticket.service == "harbour"
    assert ReviewReason.SERVICE_UNKNOWN not in ticket.review_reasons


def test_what_only_an_answer_says_earns_no_confidence(judge):
    """A stated level does not speak for a service that the rules could not read."""
    line = Line("2031-05-06T07:08:09Z ERROR cannot reach the quay")
    reading = read(line)
    answer = Answer("quay", Severity.HIGH, "2031-05-06T07:08:09Z", "cannot reach the quay", False)
    merged = merge(answer, reading, read_stamp(answer.first_seen, NO_CONTEXT))
    assert (merged.service, merged.service_from_answer) == ("quay", True)
    ticket = judge.accept(reading, answer, merged).ticket
    assert ticket.confidence == 0.5
    assert ticket.review_reasons == (ReviewReason.LOW_CONFIDENCE,)


def test_a_disputed_ticket_earns_no_confidence(judge):
    """However sure the rules' own way of reading is otherwise."""
    reading = read(PAY)
    answer = Answer("pay", Severity.LOW, "unknown", "card refused", False)
    merged = merge(answer, reading, None)
    ticket = judge.accept(reading, answer, merged).ticket
    assert (ticket.severity, ticket.confidence) == ("high", 0.5)
    assert ticket.review_reasons == (ReviewReason.DISPUTED, ReviewReason.LOW_CONFIDENCE)

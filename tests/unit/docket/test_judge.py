from __future__ import annotations

import msgspec
import pytest

from logdocket.confidence import Signals, Table, shipped, signals
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


LINES = [
    PAY,
    BYTES,
    Line("lines of \u2028 \x00 all kinds é"),
    Line('{"level":"info","service":"100%","msg":"a \\"%s\\" %b","time":"2031-05-06T07:08:09Z"}'),
    Line("May  6 07:08:09 web-1 pay[7]: no year"),
]


@pytest.mark.parametrize("line", LINES)
def test_a_ticket_made_of_parts_is_encoded_as_a_whole_one(judge, line):
    """The same bytes."""
    judged = judge(line, NO_CONTEXT)
    assert judged.json == encode(judged.ticket)
    assert judged.reasons == judged.ticket.review_reasons


@pytest.mark.parametrize("line", LINES)
def test_what_is_stored_is_the_ticket_its_reading_and_its_confidence(judge, line):
    """Although what the ticket says is not stored a second time."""
    judged, reading = judge(line, NO_CONTEXT), read(line)
    confidence = shipped().lookup(signals(reading))
    whole = Judgement(judged.ticket, reading, None, confidence)
    assert decode_judgement(judged.body) == whole
    assert judged.ticket.confidence == confidence.value


@pytest.mark.parametrize("line", LINES)
def test_what_was_stored_whole_can_still_be_read(judge, line):
    """As every ticket was once, and as those of a model's answer are."""
    whole = Judgement(judge(line, NO_CONTEXT).ticket, read(line))
    assert decode_judgement(encode(whole)) == whole


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"ticket":%b}',
        b'{"ticket":%b,"spans":[null,null,null,[0,1]]}',
        b'{"ticket":%b,"spans":[null,null,null,[0,1]],"read":["plain","level","key",null,[]]}',
        b'{"ticket":%b,"spans":[null,null,null],"read":["plain","level","key",null,[0.5]]}',
    ],
)
def test_what_is_no_judgement_is_an_error(judge, body):
    """Of one kind, whatever is wrong."""
    if b"%b" in body:
        body %= judge(PAY, NO_CONTEXT).json
    with pytest.raises(msgspec.MsgspecError):
        decode_judgement(body)


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


@pytest.mark.parametrize(("right", "low"), [(90, True), (100, False)])
def test_a_confidence_below_the_threshold_is_a_reason(right, low):
    """It is the lowest that the table shows the risk to be met at."""
    table = Table({"level/logger/read": (right, 100), "level/key/read": (500, 500)})
    judged = Judge(table, 0.02)(PAY, NO_CONTEXT)
    assert (ReviewReason.LOW_CONFIDENCE in judged.reasons) is low


@pytest.mark.parametrize(("risk", "low"), [(1.0, False), (0.9, True)])
def test_every_confidence_is_low_where_no_threshold_meets_the_risk(risk, low):
    """Without labels none does, unless any share may be wrong."""
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
    ticket = judge.accept(line, reading, answer, merged).ticket
    assert ticket.confidence == 0.5
    assert ticket.review_reasons == (ReviewReason.LOW_CONFIDENCE,)


def test_a_disputed_ticket_earns_no_confidence(judge):
    """However sure the rules' own way of reading is otherwise."""
    reading = read(PAY)
    answer = Answer("pay", Severity.LOW, "unknown", "card refused", False)
    merged = merge(answer, reading, None)
    ticket = judge.accept(PAY, reading, answer, merged).ticket
    assert (ticket.severity, ticket.confidence) == ("high", 0.5)
    assert ticket.review_reasons == (ReviewReason.DISPUTED, ReviewReason.LOW_CONFIDENCE)


@pytest.mark.parametrize(
    ("answer", "agreement"),
    [
        (Answer("pay", Severity.HIGH, "2031-05-06T07:08:09Z", "card refused"), "agrees"),
        (Answer("unknown", Severity.HIGH, "unknown", "card refused"), "agrees"),
        (Answer("pay", Severity.LOW, "unknown", "card refused"), "differs"),
    ],
)
def test_the_confidence_of_an_answer_is_that_of_answers_like_it(answer, agreement):
    """Which is told with it, and where it was looked for."""
    table = Table({"level/logger/read": (8, 8), f"{agreement}/level/logger/read": (97, 98)})
    reading = read(PAY)
    merged = merge(answer, reading, read_stamp(answer.first_seen, NO_CONTEXT))
    judged = Judge(table, 0.1).accept(PAY, reading, answer, merged)
    told = decode_judgement(judged.body).confidence
    assert told == table.lookup(Signals("level", "logger", "read", agreement))
    assert (told.asked, told.total) == (f"{agreement}/level/logger/read", 98)
    assert judged.ticket.confidence == told.value


def test_an_answer_that_fills_a_field_is_weighed_as_such(judge):
    """And what it fills is no longer a reason."""
    line = Line("2031-05-06T07:08:09Z the quay is shut")
    reading = read(line)
    answer = Answer("quay", Severity.MEDIUM, "2031-05-06T07:08:09Z", "the quay is shut")
    merged = merge(answer, reading, read_stamp(answer.first_seen, NO_CONTEXT))
    judged = judge.accept(line, reading, answer, merged)
    told = decode_judgement(judged.body).confidence
    assert told.asked.startswith("fills/")
    assert ReviewReason.SERVICE_UNKNOWN not in judged.reasons
    assert ReviewReason.SEVERITY_UNSTATED not in judged.reasons

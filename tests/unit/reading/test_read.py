from __future__ import annotations

from datetime import UTC, datetime

import pytest

from logdocket.line import (
    NO_CONTEXT,
    Context,
    Line,
    ServiceBasis,
    ServiceRead,
    SeverityBasis,
    Span,
    TimestampWhy,
)
from logdocket.reading import read


def quoted(text: str, span: Span | None) -> str | None:
    """What stands at ``span``."""
    return None if span is None else Line(text).quote(span)


def test_every_field_is_quoted_from_its_place() -> None:
    """Time, level and name carry the spans they were read from."""
    text = "2031-05-06T07:08:09Z ERROR payments: card declined"
    reading = read(Line(text))
    assert quoted(text, reading.timestamp.span) == "2031-05-06T07:08:09Z"
    assert quoted(text, reading.severity.span) == "ERROR"
    assert quoted(text, reading.service.span) == "payments"
    assert quoted(text, reading.evidence) == "card declined"


def test_spans_count_bytes_behind_wide_characters() -> None:
    """Two bytes for ``é``, three for ``€``, four for an emoji."""
    text = "é€😀 2031-05-06T07:08:09Z ERROR zahlung: Karte für 3 € abgelehnt"
    line = Line(text)
    reading = read(line)
    assert reading.evidence.end == len(line.raw)
    assert line.quote(reading.evidence) == "Karte für 3 € abgelehnt"
    assert quoted(text, reading.timestamp.span) == "2031-05-06T07:08:09Z"


def test_undecodable_bytes_stay_one_byte_each() -> None:
    """A line in another encoding is quoted byte for byte."""
    line = Line.from_bytes(b"2031-05-06T07:08:09Z ERROR store: caf\xe9 \xff lost")
    reading = read(line)
    assert line.raw[reading.evidence.start : reading.evidence.end] == b"caf\xe9 \xff lost"


@pytest.mark.parametrize("around", ["  {}  ", "\t{}", "{}\r\n", "\ufeff{}"])
def test_white_space_line_ends_and_a_byte_order_mark_change_nothing(around: str) -> None:
    """What stands around a record is not part of it."""
    text = around.format("2031-05-06T07:08:09Z ERROR payments: card declined")
    reading = read(Line(text))
    assert reading.timestamp.value == "2031-05-06T07:08:09Z"
    assert reading.service.value == "payments"
    assert quoted(text, reading.evidence) == "card declined"


# Wrapped records: line, format, time, severity, service, evidence.
WRAPPED = [
    (
        '2031-05-06T07:08:09.5Z stdout F {"time":"2031-05-06T07:08:08Z","level":"warn",'
        '"service":"orders","msg":"slow"}',
        "cri+json",
        "2031-05-06T07:08:08Z",
        "medium",
        "orders",
        "slow",
    ),
    (
        "2031-05-06T07:08:09.5Z stderr F 2031-05-06 07:08:08 ERROR [orders] gone",
        "cri+app",
        "2031-05-06T07:08:08",
        "high",
        "orders",
        "gone",
    ),
    (
        "2031-05-06T07:08:09.5Z stdout F just words",
        "cri",
        "2031-05-06T07:08:09.5Z",
        "low",
        None,
        "just words",
    ),
    (
        "orders-1  | 2031-05-06 07:08:09 WARN slow",
        "compose+app",
        "2031-05-06T07:08:09",
        "medium",
        "orders-1",
        "slow",
    ),
    (
        "orders-1  | level=error logger=acme.db msg=gone",
        "compose+logfmt",
        None,
        "high",
        "acme.db",
        "gone",
    ),
    (
        "May  6 07:08:09 web-1 orders[12]: 2031-05-06 07:08:08 WARN com.acme.A: slow",
        "syslog-3164+app",
        "2031-05-06T07:08:08",
        "medium",
        "orders",
        "slow",
    ),
    (
        "<11>1 2031-05-06T07:08:09Z web-1 gate 12 - - "
        '{"level":"info","service":"orders","msg":"x"}',
        "syslog-5424+json",
        "2031-05-06T07:08:09Z",
        "low",
        "orders",
        "x",
    ),
    (
        'orders: {"time":"2031-05-06T07:08:09Z","level":"warn","msg":"slow"}',
        "app+json",
        "2031-05-06T07:08:09Z",
        "medium",
        "orders",
        "slow",
    ),
    (
        '2031-05-06T07:08:09Z {"time":"2031-05-06T07:08:08Z","level":"warn","app":"a","msg":"x"}',
        "app+json",
        "2031-05-06T07:08:09Z",
        "medium",
        "a",
        "x",
    ),
    (
        'ERROR orders: {"time":"2031-05-06T07:08:09Z","level":"warn","msg":"slow"}',
        "app+json",
        "2031-05-06T07:08:09Z",
        "high",
        "orders",
        "slow",
    ),
    (
        "orders: level=warn ts=2031-05-06T07:08:09Z msg=slow",
        "app+logfmt",
        "2031-05-06T07:08:09Z",
        "medium",
        "orders",
        "slow",
    ),
    (
        "[1935990489678] WARN vault: slow",
        "app",
        "2031-05-08T07:08:09.678Z",
        "medium",
        "vault",
        "slow",
    ),
    (
        "2031-05-06T07:08:09Z level=warn service=orders msg=slow",
        "app+logfmt",
        "2031-05-06T07:08:09Z",
        "medium",
        "orders",
        "slow",
    ),
]


@pytest.mark.parametrize(("text", "shape", "time", "severity", "service", "message"), WRAPPED)
def test_a_wrapped_record_speaks_for_itself(
    text: str, shape: str, time: str | None, severity: str, service: str | None, message: str
) -> None:
    """Outer and inner record are read as one, each field from where it says more."""
    reading = read(Line(text))
    assert reading.format == shape
    assert reading.timestamp.value == time
    assert reading.severity.value == severity
    assert reading.service.value == service
    assert quoted(text, reading.evidence) == message


@pytest.mark.parametrize(
    ("text", "time"),
    [
        (
            "May  6 07:08:09 web-1 orders[12]: 2031-05-06 07:00:00 WARN slow",
            "2031-05-06T07:00:00",
        ),
        (
            "<14>1 2031-05-06T07:08:09Z web-1 orders 12 - - 2031-05-06T07:08:08.5Z INFO slow",
            "2031-05-06T07:08:08.5Z",
        ),
        (
            "<13>May  6 07:08:09 hub-1 forward: <11>May  6 07:08:02 web-1 orders[12]: slow",
            "2031-05-06T07:08:02",
        ),
        ("May  6 07:08:09 web-1 orders[12]: since 2031-05-06 07:00:00 slow", "2031-05-06T07:08:09"),
        ("<14>May  6 07:08:09 web-1 filter[12]: 5,,,1930000000,eth0,drop", "2031-05-06T07:08:09"),
    ],
)
def test_a_record_in_a_syslog_header_has_its_own_time(text: str, time: str) -> None:
    """The header tells when it came by; a time that the message mentions is neither."""
    context = Context(received_at=datetime(2031, 5, 6, 8, tzinfo=UTC))
    assert read(Line(text), context).timestamp.value == time


def test_a_relayed_header_names_the_program() -> None:
    """Of two headers the inner one's tag is the program's, the outer one's the relay's."""
    text = "<13>May  6 07:08:09 hub-1 forward: <11>May  6 07:08:02 web-1 orders[12]: slow"
    assert read(Line(text)).service.value == "orders"


@pytest.mark.parametrize(
    "carrier",
    [
        '{{"time":"2031-05-06T07:08:11Z","level":"info","message":"{}"}}',
        '{{"time":"2031-05-06T07:08:11Z","container":{{"name":"cart-1"}},"message":"{}"}}',
        '{{"@timestamp":"2031-05-06T07:08:11Z","stream":"stdout","message":"{}"}}',
        '{{"topic":"logs","timestamp":1935990500000,"value":"{}"}}',
        '{{"eventID":"1","receiptTime":"2031-05-06T07:08:11Z","body":"{}"}}',
        'time=2031-05-06T07:08:11Z level=info msg="{}"',
    ],
)
def test_an_object_that_is_a_message_speaks_for_itself(carrier: str) -> None:
    """Time, level and service are those of the record, not of what carries it."""
    record = '{"ts":"2031-05-06T07:08:09Z","level":"error","service":"cart","msg":"lost"}'
    reading = read(Line(carrier.format(record.replace('"', r"\""))))
    assert reading.timestamp.value == "2031-05-06T07:08:09Z"
    assert reading.severity.value == "high"
    assert reading.service.value == "cart"


def test_a_record_that_tells_of_another_s_is_its_own() -> None:
    """One with a level and a name is not a carrier: what it quotes is no part of it."""
    text = (
        '{"time":"2031-05-06T07:08:11Z","level":"error","app":"bridge",'
        r'"message":"{\"level\":\"info\",\"ts\":\"2031-05-06T07:08:09Z\",\"app\":\"peer\"}"}'
    )
    reading = read(Line(text))
    assert reading.timestamp.value == "2031-05-06T07:08:11Z"
    assert reading.severity.value == "high"
    assert reading.service.value == "bridge"


def test_a_message_that_only_seems_to_have_a_head_is_quoted_whole() -> None:
    """Where the header's name stands, the word before the message's colon is the message's."""
    text = "May  6 07:08:09 web-1 init[1]: gate.service: Main process exited"
    assert quoted(text, read(Line(text)).evidence) == "gate.service: Main process exited"


def test_wrapping_without_end_stops() -> None:
    """Five headers deep, the rest is a message."""
    text = "a-1 | " * 40 + "ERROR gone"
    reading = read(Line(text))
    assert reading.format.count("+") < 4


def test_a_level_stated_inside_beats_the_priority_outside() -> None:
    """The program knows better than what carried its words."""
    reading = read(Line("<14>May  6 07:08:09 web-1 orders[12]: error: gone"))
    assert (reading.severity.value, reading.severity.basis) == ("high", SeverityBasis.LEVEL)


def test_an_outcome_inside_does_not_beat_the_priority_outside() -> None:
    """A trace in a message is a cue, and a priority is a statement."""
    reading = read(Line("<11>May  6 07:08:09 web-1 orders[12]: panic: gone"))
    assert (reading.severity.value, reading.severity.basis) == ("high", SeverityBasis.PRIORITY)


def test_a_line_without_level_is_judged_by_its_outcome() -> None:
    """The cue is quoted as what bears the severity out."""
    text = "2031-05-06T07:08:09Z orders: connection refused"
    reading = read(Line(text))
    assert (reading.severity.value, reading.severity.basis) == ("high", SeverityBasis.CUE)
    assert quoted(text, reading.severity.span) in {"refused", "connection refused"}


def test_a_line_that_tells_nothing_is_low_and_unstated() -> None:
    """No level, no outcome, no time, no name."""
    reading = read(Line("blue green yellow"))
    assert (reading.severity.value, reading.severity.basis) == ("low", SeverityBasis.UNSTATED)
    assert reading.severity.span is None
    assert reading.timestamp.why is TimestampWhy.ABSENT
    assert (reading.service.value, reading.service.basis) == (None, ServiceBasis.UNKNOWN)


def test_the_context_names_the_service_where_the_line_does_not() -> None:
    """A name from the context has no span."""
    reading = read(Line("blue green yellow"), Context(service="orders"))
    assert reading.service == type(reading.service)("orders", None, ServiceBasis.CONTEXT)


@pytest.mark.parametrize(
    "text",
    [
        "unknown | started",
        "May  6 07:08:09 web-1 unknown: started",
        "May  6 07:08:09 web-1 UNKNOWN[7]: started",
        '{"service":"unknown","msg":"started"}',
    ],
)
def test_a_name_that_says_unknown_is_none(text: str) -> None:
    """A ticket could not tell it from no name, and nobody would be asked for one."""
    assert read(Line(text)).service == ServiceRead(None, None, ServiceBasis.UNKNOWN)
    told = read(Line(text), Context(service="orders")).service
    assert told == ServiceRead("orders", None, ServiceBasis.CONTEXT)


def test_the_context_does_not_overrule_the_line() -> None:
    """The line first."""
    reading = read(Line("ERROR payments: declined"), Context(service="orders"))
    assert reading.service.value == "payments"


def test_the_context_gives_the_zone_and_the_year() -> None:
    """A stamp without year and zone is resolved by what the caller knows."""
    context = Context(received_at=datetime(2031, 1, 1, 1, tzinfo=UTC), timezone="+02:00")
    reading = read(Line("Dec 31 23:59:59 web-1 orders[1]: done"), context)
    assert reading.timestamp.value == "2030-12-31T23:59:59+02:00"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("03/04/2031 07:08:09 ERROR gone", TimestampWhy.AMBIGUOUS),
        ("31/05/06 07:08:09 ERROR gone", TimestampWhy.AMBIGUOUS),
        ("May  6 07:08:09 web-1 orders[1]: gone", TimestampWhy.NO_YEAR),
        ("07:08:09 ERROR gone", TimestampWhy.NO_DATE),
        ("2031-02-30 07:08:09 ERROR gone", TimestampWhy.IMPOSSIBLE),
        ("ERROR gone at 2031-05-06T07:08:09Z", TimestampWhy.ABSENT),
    ],
)
def test_a_time_that_names_no_moment_says_why(text: str, why: TimestampWhy) -> None:
    """Nothing is guessed, and a time in the message is not the record's."""
    reading = read(Line(text), NO_CONTEXT)
    assert (reading.timestamp.value, reading.timestamp.why) == (None, why)


@pytest.mark.parametrize("around", ["\ufeff{} ", "\x1b[31m{} \x1b[0m", "{} \ufeff", "{} "])
@pytest.mark.parametrize("text", ["2031-05-06 07:08:09 orders", "orders", "relay: {", "a.b ["])
def test_a_head_that_ends_with_the_line_is_read(text: str, around: str) -> None:
    """Nothing past the end is asked for."""
    assert read(Line(around.replace("{}", text))).evidence.end > 0

"""The laws of reading, on any line there can be."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, Context, Line, Reading, ServiceBasis, SeverityBasis
from logdocket.reading import read, timestamp

CONTEXTS = [
    NO_CONTEXT,
    Context(service="context-service"),
    Context(received_at=datetime(2031, 5, 7, tzinfo=UTC), timezone="Europe/Berlin"),
]

# Pieces that heads are made of, in any order: far more shapes than anyone writes down.
PIECES = [
    "2031-05-06T07:08:09Z",
    "2031-05-06 07:08:09,123",
    "May  6 07:08:09",
    "[06/May/2031:07:08:09 +0000]",
    "1935990000",
    "31/05/06",
    "ERROR",
    "[warn]",
    "info:",
    "E",
    "<34>",
    "web-1",
    "orders[12]:",
    "sshd(pam_unix)[3]:",
    "com.acme.Orders",
    "[main]",
    "[a[b]c:D@12]",
    "-",
    "|",
    "---",
    ": ",
    "stdout F",
    '{"level":"error","msg":"x\\n","time":1935990000}',
    '{"a":',
    'level=warn msg="a b" svc=orders',
    '"GET / HTTP/1.1" 503 12 "-" "-"',
    "192.0.2.7",
    "CEF:0|a|b|c|d|e|5|",
    "Traceback (most recent call last):",
    "connection refused",
    "0 errors",
    "\x1b[31m",
    "\ufeff",
    "\t",
    "\r\n",
    "\x00",
    "é€😀",
    "word " * 200,
]

TIMES = PIECES[:6]

raw_lines = st.binary(min_size=1, max_size=400)
built_lines = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).flatmap(
    lambda pieces: st.sampled_from([" ", "", "|", "  "]).map(lambda glue: glue.join(pieces))
)
lines = st.one_of(
    built_lines.map(lambda text: text.encode()),
    raw_lines,
    st.text(min_size=1, max_size=300).map(lambda text: text.encode("utf-8", "ignore")),
)


def line_of(raw: bytes) -> Line:
    """The line of these bytes, unless it is blank."""
    text = raw.decode("utf-8", "surrogateescape")
    assume(text and not text.isspace())
    return Line.from_bytes(raw)


def check(line: Line, context: Context, reading: Reading) -> None:
    """Every law that binds one reading to its line."""
    quote = line.quote(reading.evidence)
    assert quote in line.text
    assert not quote.isspace()
    assert 0 < len(quote) <= 512
    name = reading.service
    if name.span is not None:
        assert name.value == line.quote(name.span)
    else:
        assert name.value == (context.service if name.basis is ServiceBasis.CONTEXT else None)
    level = reading.severity
    assert (level.span is None) == (level.basis is SeverityBasis.UNSTATED)
    stamp = reading.timestamp
    assert (stamp.value is None) == (stamp.why is not None)
    assert stamp.value is None or stamp.span is not None
    for span in (stamp.span, level.span, name.span, reading.evidence):
        assert span is None or 0 <= span.start < span.end <= len(line.raw)


@given(lines, st.sampled_from(CONTEXTS))
@example(b"\xff\xfe", NO_CONTEXT)
@example("\ufeff".encode(), NO_CONTEXT)
@example(b"\x00", NO_CONTEXT)
@example(b"\x1b[0m", NO_CONTEXT)
def test_any_line_is_read_and_every_field_stands_in_it(raw: bytes, context: Context) -> None:
    """No line raises; evidence is a quote, not blank; service and time come from their spans."""
    line = line_of(raw)
    check(line, context, read(line, context))


@given(lines, st.sampled_from(CONTEXTS))
def test_the_same_line_is_read_the_same_again(raw: bytes, context: Context) -> None:
    """Nothing is remembered from one line to the next that could change a reading."""
    line = line_of(raw)
    first = read(line, context)
    read(Line("2031-05-06T07:08:09Z ERROR other: gone"))
    assert read(line, context) == first


@given(st.sampled_from(TIMES), built_lines, st.sampled_from(CONTEXTS))
def test_first_seen_is_what_the_grammar_reads_from_its_span(
    time: str, rest: str, context: Context
) -> None:
    """The span alone gives the value again, as a stamp or as a count since 1970."""
    line = Line(f"{time} {rest}")
    stamp = read(line, context).timestamp
    if stamp.value is None or stamp.span is None:
        return
    quote = line.quote(stamp.span)
    again = [
        timestamp.whole(quote, 0, len(quote), context),
        timestamp.epoch(quote, 0, len(quote), context),
    ]
    assert stamp.value in [found.value for found in again if found is not None]


@given(built_lines)
def test_a_line_end_changes_nothing(text: str) -> None:
    """Readers that keep the line end and readers that cut it off get the same ticket."""
    assume(not text.isspace())
    bare = text.rstrip()
    assert read(Line(bare + "\n")) == read(Line(bare))


# 64 KiB of each, alone and behind heads that lead into different parsers.
UNITS = ["a", " ", "[", "0", '"', "{", "\\", "(", "<", "|", ":", "=", "-", "\x1b[0m", "\udc80", "é"]
HEADS = ["", "2031-05-06 07:08:09 ", '{"a":"', "a=", "<34>", "May  6 07:08:09 web-1 ", "x: ", "[["]


@pytest.mark.parametrize("unit", UNITS)
def test_64_kib_of_anything_is_read_in_linear_time(unit: str) -> None:
    """A pattern that backtracks would not come back from this within the suite's patience."""
    for head in HEADS:
        line = Line("x" + head + unit * (65_536 // len(unit)) + "x")
        check(line, NO_CONTEXT, read(line))
        line = Line(head + unit * (65_536 // len(unit)) + "x")
        check(line, NO_CONTEXT, read(line))

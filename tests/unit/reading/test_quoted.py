from __future__ import annotations

from datetime import UTC, datetime

import pytest

from logdocket.line import NO_CONTEXT, Context, Line, Span, TimestampWhy
from logdocket.reading import message_span, read_stamp


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-06-14T15:16:01.123Z", "2026-06-14T15:16:01.123Z"),
        ("2026-06-14 15:16:01,123", "2026-06-14T15:16:01.123"),
        ("[14/Jun/2026:15:16:01 +0200]", "2026-06-14T15:16:01+02:00"),
        ('"2026-06-14 15:16:01"', "2026-06-14T15:16:01"),
        ("14 Jun 2026", "2026-06-14"),
        ("1781450161", "2026-06-14T15:16:01Z"),
        ("1781450161.5", "2026-06-14T15:16:01.5Z"),
        ("1781450161123", "2026-06-14T15:16:01.123Z"),
        ("1781450161123456", "2026-06-14T15:16:01.123456Z"),
        ("1781450161123456789", "2026-06-14T15:16:01.123456789Z"),
    ],
)
def test_a_text_that_is_one_stamp_is_read(text: str, value: str) -> None:
    """As the strict grammar reads it in a line; its span is all of the text."""
    read = read_stamp(text, NO_CONTEXT)
    assert read is not None
    assert (read.value, read.span, read.why) == (value, Span(0, len(text)), None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Jun 14 15:16:01", TimestampWhy.NO_YEAR),
        ("03/04/2026 10:00:00", TimestampWhy.AMBIGUOUS),
        ("17/06/09 20:10:40", TimestampWhy.AMBIGUOUS),
        ("03/04/2026", TimestampWhy.AMBIGUOUS),
        ("15:16:01", TimestampWhy.NO_DATE),
        ("2026-02-30T15:16:01Z", TimestampWhy.IMPOSSIBLE),
    ],
)
def test_a_stamp_that_names_no_moment_says_why(text: str, why: TimestampWhy) -> None:
    """It is a time all the same."""
    read = read_stamp(text, NO_CONTEXT)
    assert read is not None
    assert (read.value, read.span, read.why) == (None, Span(0, len(text)), why)


def test_the_context_resolves_a_stamp_as_it_does_in_a_line() -> None:
    """The year follows from the arrival, the zone from the caller."""
    context = Context(received_at=datetime(2026, 6, 15, tzinfo=UTC), timezone="+02:00")
    read = read_stamp("Jun 14 15:16:01", context)
    assert read is not None
    assert read.value == "2026-06-14T15:16:01+02:00"


@pytest.mark.parametrize(
    "text",
    [
        *"unknown 110 0 17814501 12345678901 99999999999999999999 0000000000 10.2.33 v1.2".split(),
        *"9999999999999 1e10 -1781450161 5.123456".split(),
        "",
        " ",
        "at 2026-06-14T15:16:01Z",
        "2026-06-14T15:16:01Z ERROR",
        "2026-06-14T15:16:01Z" + " " * 200,
        "\ud800",
        "2026-06-14T15:16:01Z\ud800",
        "14 Jun",
    ],
)
def test_what_is_not_one_stamp_is_none(text: str) -> None:
    """Counts, versions, words, and a stamp with more around it."""
    assert read_stamp(text, NO_CONTEXT) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2026-01-02T15:04:05Z ERROR payments: card refused", "card refused"),
        ("Jan  2 15:04:05 web-1 sshd[7]: refused \u00e9t\u00e9", "refused \u00e9t\u00e9"),
        ("2026-01-02T15:04:05Z stdout F 2026-01-02T15:04:05Z WARN relay: slow", "slow"),
        ("\x1b[31mERROR\x1b[0m relay: disk \x1b[1mfull\x1b[0m", "disk \x1b[1mfull"),
        ("  card refused  ", "card refused"),
    ],
)
def test_the_message_is_what_the_heads_leave(text: str, message: str) -> None:
    """However many records wrap each other, in colours too; the span counts bytes."""
    line = Line(text)
    assert line.quote(message_span(line, NO_CONTEXT)) == message


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ('{"level":"error","msg":"a","err":"b"}', '{"level":"error","msg":"a","err":"b"}'),
        ('Jan  2 15:04:05 web-1 app[7]: {"level":"warn","msg":"a"}', '{"level":"warn","msg":"a"}'),
        ('level=warn msg="a b" err="c d"', 'level=warn msg="a b" err="c d"'),
        ("CEF:0|a|b|1|2|c d|5|msg=e f act=g", "CEF:0|a|b|1|2|c d|5|msg=e f act=g"),
        (
            '{"log":"{\\"level\\":\\"warn\\",\\"msg\\":\\"a\\"}\\n","stream":"stdout"}',
            '{\\"level\\":\\"warn\\",\\"msg\\":\\"a\\"}',
        ),
    ],
)
def test_all_of_a_record_with_fields_counts(text: str, record: str) -> None:
    """What went wrong may stand under any key; what carries the record does not count."""
    line = Line(text)
    assert line.quote(message_span(line, NO_CONTEXT)) == record


def test_bytes_that_are_not_text_are_counted_as_they_are() -> None:
    """One byte each."""
    line = Line.from_bytes(b"Jan  2 15:04:05 web-1 app[7]: bad \xff\xfe name")
    assert line.quote(message_span(line, NO_CONTEXT)) == "bad \udcff\udcfe name"

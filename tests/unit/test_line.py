from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.errors import BlankLine, LineTooLong, NotText
from logdocket.line import NO_CONTEXT, Context, Line, Severity, Span

BLANK = ["", " ", "\t", "\n", "\r\n", "\u00a0", "\u2028", "\u3000", " \x1f "]


@pytest.mark.parametrize("text", BLANK)
def test_a_blank_line_is_refused(text: str) -> None:
    """Whatever kind of white space it is: there is nothing in it to quote."""
    with pytest.raises(BlankLine):
        Line(text)
    with pytest.raises(BlankLine):
        Line.from_bytes(text.encode())


@pytest.mark.parametrize("text", ["\x00", "\x1b[0m", "\ufeff", "\u200b", ".", "\udcff"])
def test_what_is_not_white_space_is_a_line(text: str) -> None:
    """Control characters and stray bytes are data."""
    assert Line(text).text == text


@given(st.binary(min_size=1))
def test_bytes_come_back_as_they_came(raw: bytes) -> None:
    """UTF-8 or not."""
    try:
        line = Line.from_bytes(raw)
    except BlankLine:
        assert not raw.decode("utf-8", "surrogateescape").strip()
    else:
        assert line.raw == raw
        assert line.text.encode("utf-8", "surrogateescape") == raw


@given(st.binary(min_size=1, max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_a_quote_is_the_bytes_of_its_span(raw: bytes, start: int, end: int) -> None:
    """Even where the span cuts a character in two."""
    try:
        line = Line.from_bytes(raw)
    except BlankLine:
        return
    assert line.quote(Span(start, end)).encode("utf-8", "surrogateescape") == raw[start:end]


@pytest.mark.parametrize("text", ["a\ud800", "\udfff", "\udbff!"])
def test_a_surrogate_that_stands_for_no_byte_is_no_text(text: str) -> None:
    """The message says where it is."""
    where = next(place for place, char in enumerate(text) if "\ud800" <= char <= "\udfff")
    with pytest.raises(NotText, match=f"at character {where}"):
        Line(text)


def test_the_bound_counts_bytes() -> None:
    """Two characters of four bytes each are eight."""
    assert Line.of("\U0001f525\U0001f525", 8).text == "\U0001f525\U0001f525"
    with pytest.raises(LineTooLong, match=r"has 8 bytes and the most is 7: .*LOGDOCKET_MAX_LINE"):
        Line.of("\U0001f525\U0001f525", 7)


@pytest.mark.parametrize("line", ["é!", b"\xc3\xa9!"])
def test_text_and_its_bytes_are_the_same_line(line: str | bytes) -> None:
    """Whichever a caller has."""
    taken = Line.of(line, 10)
    assert (taken.text, taken.raw) == ("é!", b"\xc3\xa9!")


def test_severities_have_an_order() -> None:
    """Mildest first."""
    assert sorted(Severity, key=lambda severity: severity.rank) == [
        Severity.LOW,
        Severity.MEDIUM,
        Severity.HIGH,
        Severity.CRITICAL,
    ]


def test_no_context_has_no_bytes() -> None:
    """A caller who says nothing and one who sends an empty context ask the same."""
    assert NO_CONTEXT.canonical() == b""
    assert Context().canonical() == b""


FULL = Context(
    received_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    service="päyments",
    timezone="Europe/Zurich",
    labels={"b": "2", "a": "1"},
)


def test_the_bytes_of_a_context_are_fixed() -> None:
    """They are part of what identifies a ticket, so they never change."""
    assert FULL.canonical() == (
        b'{"labels":{"a":"1","b":"2"},"received_at":"2026-01-02T03:04:05+00:00",'
        b'"service":"p\\u00e4yments","timezone":"Europe/Zurich"}'
    )


@pytest.mark.parametrize(
    "other",
    [
        Context(service="a"),
        Context(service="b"),
        Context(timezone="a"),
        Context(labels={"service": "a"}),
        Context(labels={"a": "service"}),
        Context(received_at=datetime(2026, 1, 2, tzinfo=UTC)),
        Context(received_at=datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=1)))),
    ],
)
def test_other_contexts_have_other_bytes(other: Context) -> None:
    """No two that could be answered differently look alike."""
    assert other.canonical() not in (b"", FULL.canonical(), Context(service="c").canonical())


def test_the_bytes_of_a_context_depend_on_no_hash_seed() -> None:
    """Labels come in order in every process."""
    script = (
        "from logdocket.line import Context;"
        "print(Context(labels=dict.fromkeys(set('qwertyuiop'), '1')).canonical())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1

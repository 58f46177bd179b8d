"""Colours and byte order marks around the words of a line."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from logdocket.line import Line
from logdocket.reading import read
from logdocket.reading.colour import bare, uncoloured

AT = "2031-05-06T07:08:09"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a \x1b[31mb\x1b[0m", "a b"),
        ("#033[1;31mb#033[0m:", "b:"),
        ("a\x1b[m\x1b[1mb", "a b"),
        ("[\x1b[31m\x1b[1mwarn\x1b[0m]", "[warn]"),
        ("a\x1b[0m\x1b[", "a\x1b["),
        ("^[[32minfo^[[39m: x", "info: x"),
        (r"\033[1;33mwarn\033[0m: x", "warn: x"),
        (r"{\"m\":\"\u001b[33mWARN\u001B[0m x\"}", r"{\"m\":\"WARN x\"}"),
        (r"\\u001b[33mWARN\\u001b[0m x", "WARN x"),
        ("\x1b]0;title\x07error", "error"),
        ("\x1b]8;;http://web-1.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x00\x00ERROR\x07 x\x00", "ERROR x"),
        ("\u200e2031\u200f WARN\u200b x", "2031 WARN x"),
        ("a\x01b", "a b"),
        ("\u0645\u06cc\u200c\u0634\u0648\u062f\u200e", "\u0645\u06cc\u200c\u0634\u0648\u062f"),
    ],
)
def test_sequences_are_taken_out(text: str, plain: str) -> None:
    """Words that only a sequence parted stay apart, and what is no whole sequence stays."""
    found = uncoloured(text)
    assert found is not None
    assert found.text == plain


@pytest.mark.parametrize(
    "text", ["a [31m", r"a\e[a-z]", r"C:\x1b", "a\tb", "\x1b[0m", " \x1b[0m\x1b[K ", ""]
)
def test_a_text_without_colours_or_without_words_is_left_alone(text: str) -> None:
    """There is nothing to take out, or nothing would be left."""
    assert uncoloured(text) is None


@given(
    st.lists(st.sampled_from(["\x1b[", "#033[", "31", "m", ";", "a", " ", "é"]), min_size=1),
    st.data(),
)
def test_every_stretch_is_found_where_it_stood(pieces: list[str], data: st.DataObject) -> None:
    """Law: a stretch in one colour is the same words in both texts, with no colour at its ends."""
    text = "".join(pieces)
    plain = uncoloured(text)
    assume(plain is not None)
    assert plain is not None
    start = data.draw(st.integers(0, len(plain.text) - 1))
    end = data.draw(st.integers(start + 1, len(plain.text)))
    first, last = plain.place(start, end)
    assert 0 <= first < last <= len(text)
    if not plain.parted(start, end) and not plain.text[start:end].isspace():
        assert text[first:last].strip(" \x1b#") == plain.text[start:end].strip(" \x1b#")


@pytest.mark.parametrize(
    ("text", "stripped"),
    [("\ufeffa ", "a"), (" \ufeff a", "a"), ("\ufeff", "\ufeff"), ("\ufeff ", "\ufeff")],
)
def test_a_byte_order_mark_is_no_part_of_a_record(text: str, stripped: str) -> None:
    """Unless there is nothing else to quote."""
    first, last = bare(text, 0, len(text))
    assert text[first:last] == stripped


@pytest.mark.parametrize(
    ("text", "time", "severity", "service", "quote"),
    [
        (
            f"\x1b[2m{AT}.5Z\x1b[0m [\x1b[31m\x1b[1merror    \x1b[0m] \x1b[1mjob lost\x1b[0m",
            f"{AT}.5Z",
            "high",
            None,
            "job lost",
        ),
        (
            f"\x1b[2m{AT}Z\x1b[0m \x1b[33m WARN\x1b[0m \x1b[2morders::db\x1b[0m\x1b[2m:\x1b[0m "
            "slow",
            f"{AT}Z",
            "medium",
            "orders::db",
            "slow",
        ),
        (
            f"\x1b[36mdb-1   |\x1b[0m {AT}Z ERROR disk is full",
            f"{AT}Z",
            "high",
            "db-1",
            "disk is full",
        ),
        (
            "May  6 07:08:09 web-1 orders[7]: #033[31mERROR#033[0m gone",
            None,
            "high",
            "orders",
            "gone",
        ),
        (
            "\x1b[32m[orders] \x1b[39mERROR [\x1b[33mDb\x1b[39m] card \x1b[31mdeclined\x1b[0m",
            None,
            "high",
            "Db",
            "card \x1b[31mdeclined",
        ),
        (
            f'\ufeff{{"time":"{AT}Z","level":"error","service":"orders","msg":"gone"}}',
            f"{AT}Z",
            "high",
            "orders",
            "gone",
        ),
        (
            "\ufeff<11>May  6 07:08:09 web-1 orders[7]: gone",
            None,
            "high",
            "orders",
            "gone",
        ),
    ],
)
def test_a_line_is_read_as_if_it_had_neither(
    text: str, time: str | None, severity: str, service: str | None, quote: str
) -> None:
    """Heads are found through colours; the quote is still the line's own."""
    line = Line(text)
    reading = read(line)
    assert reading.timestamp.value == time
    assert reading.severity.value == severity
    assert reading.service.value == service
    assert line.quote(reading.evidence) == quote


@pytest.mark.parametrize("unit", ["\\", "\\\\x1b", "\x1b]", "^[[", "\u200b", "\x00", "#033["])
def test_the_time_to_look_for_sequences_grows_with_the_length_alone(unit: str) -> None:
    """Whatever almost begins one, 64 KiB of it take less than 50 ms."""
    text = "a\t\\x1b[0m" + unit * (65_536 // len(unit))
    begun = time.process_time()
    uncoloured(text)
    assert time.process_time() - begun < 0.05

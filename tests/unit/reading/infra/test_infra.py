"""What holds for every parser of infrastructure."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT
from logdocket.reading import infra
from logdocket.reading.formats import SHAPES, Parser

PARSERS = [
    parser
    for parser in dict.fromkeys(shape.parser for shape in SHAPES)
    if parser.__name__ in infra.__all__
]
LONG = 65_536
HEADS = (
    "",
    "<13>",
    "<13>1 2026-01-02T15:04:05Z h a p m ",
    '<13>1 2026-01-02T15:04:05Z h a p m [x@1 a="',
    "Jun 14 15:16:01 ",
    "Jun 14 15:16:01 web-1 app[",
    "2026-01-02T15:04:05Z ",
    "2026-01-02 15:04:05 UTC [",
    "[   12.345678] ",
    "[Sun Jun 14 15:16:01 2026] [",
    "I0614 15:16:01.123456 1 ",
    "06-14 15:16:01.123  1  2 I ",
    '192.0.2.1 - - [14/Jun/2026:15:16:01 +0000] "',
    "192.0.2.1:1 [14/Jun/2026:15:16:01.655] ",
    "1:M 14 Jun 2026 15:16:01.123 ",
    "*Mar  1 18:46:11: %",
)
TAILS = (
    "a",
    " ",
    "[",
    "9",
    '"',
    "{",
    "\\",
    "]",
    ":",
    ": ",
    "a ",
    '\\"',
    "%A-",
    "a/",
    '[a@1 b="]"]',
    "٣",
)


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.__name__)
def test_no_line_takes_long(parser: Parser) -> None:
    """64 KiB of anything behind any head is read in a time linear in its length."""
    slowest = 0.0
    for head in HEADS:
        for tail in TAILS:
            line = head + tail * (LONG // len(tail))
            started = time.perf_counter()
            parser(line, 0, len(line), NO_CONTEXT)
            slowest = max(slowest, time.perf_counter() - started)
    assert slowest < 0.05


PIECES = st.sampled_from([*HEADS, *TAILS, "<", ">", "-", "\n", "\x00", "\udc80", "é", "ERROR: "])


@given(st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join), st.sampled_from(PARSERS))
def test_what_is_found_lies_within_the_record(record: str, parser: Parser) -> None:
    """No parser raises, looks past the ends it was given, or gives a blank message."""
    before, after = "Jun 14 15:16:01 x[1]: ", '] "GET /" 200 5: '
    start, end = len(before), len(before) + len(record)
    parts = parser(before + record + after, start, end, NO_CONTEXT)
    alone = parser(record, 0, len(record), NO_CONTEXT)
    assert (parts is None) == (alone is None)
    if parts is None:
        return
    spans = [
        parts.message,
        *((part.start, part.end) for part in (parts.stamp, parts.level, parts.name) if part),
    ]
    assert all(start <= first < last <= end for first, last in spans)
    assert (before + record)[slice(*parts.message)].strip()

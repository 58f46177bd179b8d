"""The law of the table of shapes: what it says of a shape holds for all that the parser knows."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from logdocket.fixtures import path
from logdocket.line import NO_CONTEXT
from logdocket.reading.apps import parse_head, parse_levelled
from logdocket.reading.formats import SHAPES, asked

from .test_reading_laws import PIECES

SHIPPED = sorted(
    {json.loads(row)["line"] for row in path("shapes").read_text("utf-8").split("\n") if row}
)


def check(record: str) -> None:
    """Each parser that knows ``record`` is asked about it."""
    if not record or record.isspace():
        return
    text = f"x {record} y"
    start, end = 2, 2 + len(record)
    chosen = [parser for parser, mark in asked(text, start) if mark in text]
    for shape in SHAPES:
        possible = not shape.firsts or record[0] in shape.firsts
        if possible and shape.parser not in chosen:
            assert shape.parser(text, start, end, NO_CONTEXT) is None, shape.parser.__name__


@pytest.mark.parametrize("line", SHIPPED)
def test_every_shipped_line_is_put_to_the_parsers_that_know_it(line: str) -> None:
    """Whole, and cut off at every place."""
    for end in range(1, min(len(line), 400) + 1):
        check(line[:end])


@given(
    st.lists(st.sampled_from([*PIECES, *SHIPPED]) | st.text(max_size=8), max_size=5).map(" ".join)
)
@example('1 - - app proc id [a@1 b="c"] message')
@example("12 a-b xxxxxT comp act 1935990000 1 message")
@example("I0506 07:08:09.000001 1 main.go:7]")
def test_no_parser_that_knows_a_record_is_left_out(record: str) -> None:
    """The characters, marks and dates of a shape only spare what would be in vain."""
    check(record)


TIMES = ["2031-05-06 07:08:09,123", "2031-05-06T07:08:09.123Z", "2031/05/06 07:08:09"]
LEVELS = ["INFO", "ERROR", "WARN ", "DEBUG", "WARNING", "FATAL"]
NAMES = """
    search.tasks root my-app o.e.app.Handler main audit worker-3 MayService a.b.c error.log x.json
    org.example.Foo$Bar ERROR Monitor __main__ root.error web1.example a.B:run:12 com:x:9
    jobs:<module>:7 crate::part
    """.split()
BRACKETS = "main exec-3 ERROR I pool-1-thread-2 com.acme http Order MayDay 12 err E1".split()
MESSAGES = [
    "card refused (3)",
    "worker: failed",
    "a.b.C: gone",
    "done",
    "(a.b.C)",
    "Mon started x",
    "search x=1 done",
    "level=warn msg",
    "12 rows",
    "com.acme.Foo lost",
    "INFO x",
    "word word (a.b.Log)",
    "GET /x 500 12",
    "x.py:12 y",
    "{a} b",
    "retry - later",
    "name[3]: z",
    "E y",
]
LAYOUTS = [
    "{time} {level} {name} - {message}",
    "{time} {level} {name}: {message}",
    "{time} - {name} - {level} - {message}",
    "{time} | {level:<8} | {name} - {message}",
    "{time} [{bracket}] {level} {name} - {message}",
    "{time} [{bracket}] {level} {name}: {message}",
    "{time} {level} [{bracket}] {name} - {message}",
]


@settings(max_examples=2_000)
@given(*map(st.sampled_from, (LAYOUTS, TIMES, LEVELS, NAMES, BRACKETS, MESSAGES)))
def test_the_short_way_through_a_head_ends_where_the_long_one_does(
    layout: str, time: str, level: str, name: str, bracket: str, message: str
) -> None:
    """Where the one pattern of common heads answers, the walk gives the same parts."""
    text = layout.format(time=time, level=level, name=name, bracket=bracket, message=message)
    short = parse_levelled(text, 0, len(text), NO_CONTEXT)
    if short is not None:
        long = parse_head(text, 0, len(text), NO_CONTEXT)
        assert long is not None
        assert asdict(short) == asdict(long)

"""The law of the table of shapes: what it says of a shape holds for all that the parser knows."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logdocket.fixtures import path
from logdocket.line import NO_CONTEXT
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

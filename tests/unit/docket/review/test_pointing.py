"""Where a time stands that a person names by its value."""

from __future__ import annotations

import time

import pytest

from logdocket.docket.review.pointing import find_stamp
from logdocket.line import NO_CONTEXT, Context, Line

BERLIN = Context(timezone="+02:00")


@pytest.mark.parametrize(
    ("line", "value", "quote", "context"),
    [
        ("up since 2031-05-06T06:00:00Z", "2031-05-06T06:00:00Z", "2031-05-06T06:00:00Z", None),
        ("x 2031-05-06 06:00:00,5 y", "2031-05-06T06:00:00.5", "2031-05-06 06:00:00,5", None),
        (
            "[06/May/2031:07:08:09 +0000] x",
            "2031-05-06T07:08:09Z",
            "06/May/2031:07:08:09 +0000",
            None,
        ),
        ("at May 6 2031 07:08:09 é", "2031-05-06T07:08:09", "May 6 2031 07:08:09", None),
        ("é€ t=1935990000", "2031-05-08T07:00:00Z", "1935990000", None),
        ("2031-05-06 06:00:00", "2031-05-06T06:00:00+02:00", "2031-05-06 06:00:00", BERLIN),
        (
            "2031-05-06 06:00:00 and 2032-05-06 06:00:00",
            "2032-05-06T06:00:00",
            "2032-05-06 06:00:00",
            None,
        ),
    ],
)
def test_it_is_found_as_it_is_written(
    line: str, value: str, quote: str, context: Context | None
) -> None:
    """In bytes of the line, whatever stands before it."""
    taken = Line(line)
    span = find_stamp(taken, context or NO_CONTEXT, value)
    assert span is not None
    assert taken.quote(span) == quote


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("no time at all", "2031-05-06T06:00:00Z"),
        ("2031-05-06T06:00:00Z", "2031-05-06T06:00:01Z"),
        ("2031-05-06T06:00:00", "2031-05-06T06:00:00Z"),
        ("03/04/2031 06:00:00", "2031-04-03T06:00:00"),
        ("2031-05-06T06:00:00Z", ""),
    ],
)
def test_what_the_line_does_not_say_is_not_found(line: str, value: str) -> None:
    """Nor what can be read in two ways."""
    assert find_stamp(Line(line), NO_CONTEXT, value) is None


@pytest.mark.parametrize(
    "unit", ["2031-05-06T06:00:00Z ", "Jan 1 ", "1" * 30 + ".", "a1", "9:9:9:"]
)
def test_a_long_line_takes_no_long_time(unit: str) -> None:
    """It is looked at from its begin, as far as times stand."""
    line = Line(unit * (65_536 // len(unit)))
    began = time.perf_counter()
    assert find_stamp(line, NO_CONTEXT, "2099-01-01T00:00:00Z") is None
    assert time.perf_counter() - began < 2

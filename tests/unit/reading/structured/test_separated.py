"""Columns that begin with a time."""

from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import read
from logdocket.reading.structured import parse_separated


@pytest.mark.parametrize(
    ("line", "time", "severity", "service", "quote"),
    [
        (
            "'2031-05-06 07:08:09','ERROR','acme.billing','no quorum, twice'",
            "2031-05-06T07:08:09",
            "high",
            "acme.billing",
            "no quorum, twice",
        ),
        (
            "'2031-05-06T07:08:09Z';'INFO';'acme.billing';'errors: 0; warnings: 0'",
            "2031-05-06T07:08:09Z",
            "low",
            "acme.billing",
            "errors: 0; warnings: 0",
        ),
        (
            "2031-05-06;07:08:09,123;WARN;acme.billing;late",
            "2031-05-06T07:08:09.123",
            "medium",
            "acme.billing",
            "late",
        ),
        (
            "2031/05/06|07:08:09|FATAL|OVEN-3|too hot|door open",
            "2031-05-06T07:08:09",
            "critical",
            "OVEN-3",
            "too hot|door open",
        ),
        (
            "1935990489\tE\tacme.billing\tno quorum",
            "2031-05-08T07:08:09Z",
            "high",
            "acme.billing",
            "no quorum",
        ),
        (
            "26/05/2031,07:08:09,gate-4,OPEN",
            "2031-05-26T07:08:09",
            "low",
            None,
            "gate-4,OPEN",
        ),
        ("05/06/2031,07:08:09,ERROR,billing,late", None, "high", "billing", "late"),
        (
            "2031-05-06\t07:08:09\tERROR\tpool-1-thread-2\tlate",
            "2031-05-06T07:08:09",
            "high",
            None,
            "pool-1-thread-2\tlate",
        ),
    ],
)
def test_a_column_is_known_by_what_it_holds(
    line: str, time: str | None, severity: str, service: str | None, quote: str
) -> None:
    """A time in one column or two, a level in one, a name behind it, and the rest."""
    reading = read(Line(line))
    assert reading.format == "app"
    assert reading.timestamp.value == time
    assert reading.severity.value == severity
    assert reading.service.value == service
    assert line[reading.evidence.start : reading.evidence.end] == quote


@pytest.mark.parametrize(
    "line",
    [
        '"GET","/","2031"',
        '"word";"ERROR";"x"',
        "1,2,3",
        "2031-05-06,late",
        "2031-05-06|late|ERROR|x",
        '"2031-05-06T07:08:09Z"',
        "12345678901\tERROR\tx\ty",
    ],
)
def test_other_lists_are_left_alone(line: str) -> None:
    """Without a time in the first columns nothing tells what they hold."""
    assert parse_separated(line, 0, len(line), NO_CONTEXT) is None

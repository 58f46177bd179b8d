"""Which lines one verdict answers."""

from __future__ import annotations

import pytest

from logdocket.docket.review.kin import template_key
from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import read


def key(message: str, level: str = "ERROR") -> bytes | None:
    """What stands for a line with this message."""
    line = Line(f"2026-01-02T15:04:05Z {level} pay: {message}")
    return template_key(line, read(line, NO_CONTEXT), NO_CONTEXT)


@pytest.mark.parametrize(
    ("judged", "later"),
    [
        ("no stock for order 9001", "no stock for order 9002"),
        ("gave up after 150 ms", "gave up after 950 ms"),
        ("gave up after 1.5 s", "gave up after 2.25 s"),
        ("peer 192.0.2.7 is gone", "peer 192.0.2.80 is gone"),
    ],
)
def test_a_number_with_as_many_digits_is_the_same_to_a_verdict(judged: str, later: str) -> None:
    """And so is what any template masks."""
    assert key(judged) is not None
    assert key(judged) == key(later)


@pytest.mark.parametrize(
    ("judged", "later"),
    [
        ("no stock for order 9001", "no stock for order 901"),
        ("gave up after 150 ms", "gave up after 9000 ms"),
        ("free: 3 slots", "free: 0 slots"),
        ("it is -12 degrees", "it is 12 degrees"),
        ("queue depth 7 above limit 500", "queue depth 7 above limit 503"),
        ("cannot read /etc/app.conf", "cannot read /tmp/x"),
        ("disk is 91% full", "disk is 99% full"),
        ("upstream answered 404", "upstream answered 503"),
        ("3 requests failed", "0 requests failed"),
        ("card refused", "card accepted"),
    ],
)
def test_what_may_matter_is_not(judged: str, later: str) -> None:
    """Another order of magnitude, a sign, nothing at all, a status, a path, a share, a word."""
    assert key(judged) != key(later)


def test_another_level_is_another_line() -> None:
    """What bears the severity out is never masked."""
    assert key("no stock for order 9001") != key("no stock for order 9001", "WARN")

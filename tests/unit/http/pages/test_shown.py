"""Moments and numbers as people read them."""

from __future__ import annotations

import pytest

from logdocket.http.pages import shown

SECOND = 1_000_000
NOW = 1_780_000_000 * SECOND


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (3_599, "59 min ago"),
        (3_600, "1 h ago"),
        (86_400, "1 d ago"),
        (29 * 86_400, "29 d ago"),
        (-3, "just now"),
        (-20, "in a moment"),
        (-3_600, "in 1 h"),
        (-86_399, "in 1 d"),
        (-604_800, "in 7 d"),
        (31 * 86_400, "2026-04-27"),
    ],
)
def test_a_moment_is_told_by_how_far_it_is(seconds: int, told: str) -> None:
    """In one unit; beyond a month by its date."""
    assert shown.ago(NOW - seconds * SECOND, NOW) == told


def test_a_moment_is_told_exactly_too() -> None:
    """For people with its zone, for machines as RFC 3339."""
    assert shown.moment(NOW) == "2026-05-28 20:26:40 UTC"
    assert shown.iso(NOW) == "2026-05-28T20:26:40Z"


def test_a_moment_outside_the_calendar_is_shown_as_it_is_stored() -> None:
    """A page is drawn whatever the ledger holds."""
    assert shown.moment(10**20) == str(10**20)


def test_numbers_are_grouped() -> None:
    """By thousands."""
    assert shown.number(1_234_567) == "1,234,567"


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "0.0%"),
        (0.00001, "0.1%"),
        (0.5, "50.0%"),
        (0.9123, "91.2%"),
        (0.9997, "99.9%"),
        (1, "100.0%"),
    ],
)
def test_a_share_is_whole_only_where_it_is(share: float, told: str) -> None:
    """Nearly all are not all, and a few are not none."""
    assert shown.percent(share) == told


@pytest.mark.parametrize(
    ("confidence", "told"), [(0.9997, "0.99"), (0.994, "0.99"), (0.814, "0.81"), (1.0, "1.00")]
)
def test_a_confidence_is_one_only_where_it_is(confidence: float, told: str) -> None:
    """Two digits would else say that it is certain."""
    assert shown.likely(confidence) == told

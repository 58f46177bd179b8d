"""Dates of digits without separators, as ``at`` reads them."""

import pytest

from logdocket.line import NO_CONTEXT, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import at

READ = [
    ("20260614T151601Z", " x", "2026-06-14T15:16:01Z"),
    ("20260614T151601.123+0200", "", "2026-06-14T15:16:01.123+02:00"),
    ("20260614T15:16:01", "", "2026-06-14T15:16:01"),
    ("20260614 151601", " x", "2026-06-14T15:16:01"),
    ("20260614_151601", ".log", "2026-06-14T15:16:01"),
    ("20260614-151601", "", "2026-06-14T15:16:01"),
    ("20260614-15:16:01.123", " x", "2026-06-14T15:16:01.123"),
    ("20260614-15:16:01:606", "|Step", "2026-06-14T15:16:01.606"),
    ("20260614-0:5:31", ":9|Step", "2026-06-14T00:05:31"),
    ("20260614-0:5:31:606", "|Step", "2026-06-14T00:05:31.606"),
    ("20260614151601", " x", "2026-06-14T15:16:01"),
    ("20260614151601Z", "", "2026-06-14T15:16:01Z"),
    ("20260614151601.123456", "", "2026-06-14T15:16:01.123456"),
    ("20260614151601123", "", "2026-06-14T15:16:01.123"),
    ("20260614151601+0200", "", "2026-06-14T15:16:01+02:00"),
]

REFUSED = [
    ("081109 203615", TimestampWhy.AMBIGUOUS),
    ("260614 15:16:01", TimestampWhy.AMBIGUOUS),
    ("260614  5:16:01", TimestampWhy.AMBIGUOUS),
    ("20260230T151601Z", TimestampWhy.IMPOSSIBLE),
    ("20260614T251601Z", TimestampWhy.IMPOSSIBLE),
    ("20260230-15:16:01", TimestampWhy.IMPOSSIBLE),
]

NONE = [
    "20260230151601",
    "20260614256161",
    "19260614151601",
    "20261400 151601",
    "20260614 1516",
    "2026061415160",
    "202606141516011",
    "20260614",
    "999999 203615",
    "081109 203615148",
    "081109 999999",
    "00000000000000",
]


@pytest.mark.parametrize(("stamp", "rest", "value"), READ)
def test_a_compact_stamp_is_read_to_its_end(stamp: str, rest: str, value: str) -> None:
    """The value is ISO 8601, and the span is the stamp without what follows."""
    text = stamp + rest
    assert at(text, 0, len(text), NO_CONTEXT) == Stamp(0, len(stamp), value, None)


@pytest.mark.parametrize(("stamp", "why"), REFUSED)
def test_a_compact_stamp_that_names_no_one_moment_says_why(stamp: str, why: TimestampWhy) -> None:
    """Six digits are never put in order; a T makes an impossible date a stamp all the same."""
    text = f"{stamp} x"
    assert at(text, 0, len(text), NO_CONTEXT) == Stamp(0, len(stamp), None, why)


@pytest.mark.parametrize("text", NONE)
def test_digits_that_make_no_plausible_date_are_somebodys_number(text: str) -> None:
    """An id is not an impossible stamp."""
    assert at(text, 0, len(text), NO_CONTEXT) is None

"""Stamps that only their source's own format makes clear."""

from datetime import UTC, datetime

import pytest

from logdocket.line import NO_CONTEXT, Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import klog_at, logcat_at, uptime_at

JUNE = Context(received_at=datetime(2026, 6, 15, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "start", "end", "value"),
    [
        ("I0614 15:16:01.123456       7 main.go:9] up", 1, 21, "2026-06-14T15:16:01.123456"),
        ("0614 15:16:01.123456 7 main.go:9] up", 0, 20, "2026-06-14T15:16:01.123456"),
        ("W1231 23:59:59.000001 7 main.go:9] up", 1, 21, "2025-12-31T23:59:59.000001"),
        ("E20260203 15:16:01.123456 7 main.cc:9] up", 1, 25, "2026-02-03T15:16:01.123456"),
        ("I0304 15:16:01.5 7 main.go:9] up", 1, 16, "2026-03-04T15:16:01.5"),
    ],
)
def test_klog_writes_month_before_day(text: str, start: int, end: int, value: str) -> None:
    """The level's letter is not part of the stamp."""
    assert klog_at(text, 0, len(text), JUNE) == Stamp(start, end, value, None)


def test_klog_without_an_arrival_has_no_year() -> None:
    """The stamp keeps its span."""
    text = "I0614 15:16:01.123456 7 main.go:9] up"
    assert klog_at(text, 0, len(text), NO_CONTEXT) == Stamp(1, 21, None, TimestampWhy.NO_YEAR)


@pytest.mark.parametrize("text", ["I0230 15:16:01.1 x", "I1314 15:16:01.1 x", "I0614 25:16:01.1 x"])
def test_klog_dates_must_exist(text: str) -> None:
    """An impossible one has a reason and no value."""
    stamp = klog_at(text, 0, len(text), JUNE)
    assert stamp is not None
    assert (stamp.value, stamp.why) == (None, TimestampWhy.IMPOSSIBLE)


@pytest.mark.parametrize("text", ["", "I", "Info 15:16:01", "I06141 15:16:01", "I0614-15:16:01"])
def test_what_is_no_klog_head_is_none(text: str) -> None:
    """Nothing else is read."""
    assert klog_at(text, 0, len(text), JUNE) is None


@pytest.mark.parametrize(
    ("stamp", "value"),
    [
        ("06-14 15:16:01.123", "2026-06-14T15:16:01.123"),
        ("03-04 15:16:01.123", "2026-03-04T15:16:01.123"),
        ("2026-03-04 15:16:01.123", "2026-03-04T15:16:01.123"),
        ("2026-03-04 15:16:01.123 +0200", "2026-03-04T15:16:01.123+02:00"),
    ],
)
def test_logcat_writes_month_before_day(stamp: str, value: str) -> None:
    """With or without a year."""
    text = f"{stamp}  1702  2395 D Tag: up"
    assert logcat_at(text, 0, len(text), JUNE) == Stamp(0, len(stamp), value, None)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("    0.000000] x", 4, 12), ("12345.678901] x", 0, 12), ("7.5", 0, 3)],
)
def test_a_count_since_boot_has_no_date(text: str, start: int, end: int) -> None:
    """It is the line's own time all the same."""
    assert uptime_at(text, 0, len(text), JUNE) == Stamp(start, end, None, TimestampWhy.NO_DATE)


@pytest.mark.parametrize("text", ["", "   ", "12345", "1.2.3", "1.5s", "x1.5"])
def test_what_is_no_count_since_boot_is_none(text: str) -> None:
    """Versions, durations and whole numbers are not."""
    assert uptime_at(text, 0, len(text), JUNE) is None

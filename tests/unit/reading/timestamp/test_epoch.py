"""Counts since 1970."""

import pytest

from logdocket.line import NO_CONTEXT
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import epoch

READ = [
    ("1781450161", None, "2026-06-14T15:16:01Z"),
    ("1781450161123", None, "2026-06-14T15:16:01.123Z"),
    ("1781450161000", None, "2026-06-14T15:16:01.000Z"),
    ("1781450161123456", None, "2026-06-14T15:16:01.123456Z"),
    ("1781450161123456789", None, "2026-06-14T15:16:01.123456789Z"),
    ("1781450161.5", None, "2026-06-14T15:16:01.5Z"),
    ("1781450161.123400", None, "2026-06-14T15:16:01.123400Z"),
    ("1781450161.1234567891", None, "2026-06-14T15:16:01.123456789Z"),
    ("1781450161123.25", None, "2026-06-14T15:16:01.12325Z"),
    ("1.7e9", None, "2023-11-14T22:13:20Z"),
    ("1.781450161E9", None, "2026-06-14T15:16:01Z"),
    ("1.7814501615e+9", None, "2026-06-14T15:16:01.5Z"),
    ("1.781450161123e12", None, "2026-06-14T15:16:01.123Z"),
    ("631152000", None, "1990-01-01T00:00:00Z"),
    ("4102444799", None, "2099-12-31T23:59:59Z"),
    ("0", "s", "1970-01-01T00:00:00Z"),
    ("86400000", "ms", "1970-01-02T00:00:00.000Z"),
    ("1", "ns", "1970-01-01T00:00:00.000000001Z"),
    ("1781450161", "s", "2026-06-14T15:16:01Z"),
    ("1781450161", "us", "1970-01-01T00:29:41.450161Z"),
]

NONE = [
    ("631151999", None),
    ("4102444800", None),
    ("12345", None),
    ("17814501611", None),
    ("-1781450161", None),
    ("1781450161x", None),
    ("1781450161 1", None),
    ("0x6a2ec5f1", None),
    ("1e99", None),
    ("1e999", None),
    ("9" * 24, None),
    ("9" * 24, "s"),
    ("9" * 60_000, None),
    ("1781450161123", "s"),
    ("nan", None),
    ("١٧٨١٤٥٠١٦١", None),
    ("", None),
]


@pytest.mark.parametrize(("number", "unit", "value"), READ)
def test_a_count_is_read_in_its_unit(number: str, unit: str | None, value: str) -> None:
    """Fraction digits are what the unit counts and the number writes, at most nine."""
    text = f"ts={number},"
    assert epoch(text, 3, len(text) - 1, NO_CONTEXT, unit) == Stamp(3, 3 + len(number), value, None)


@pytest.mark.parametrize(("number", "unit"), NONE)
def test_a_number_of_no_plausible_time_is_none(number: str, unit: str | None) -> None:
    """Nor is a text that is no plain number."""
    assert epoch(number, 0, len(number), NO_CONTEXT, unit) is None


def test_spaces_around_the_number_are_not_part_of_the_stamp() -> None:
    """The span is the digits."""
    assert epoch(" 1781450161 ", 0, 12, NO_CONTEXT) == Stamp(1, 11, "2026-06-14T15:16:01Z", None)

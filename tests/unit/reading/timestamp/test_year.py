"""The year of a stamp without one."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from logdocket.line import Context
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import at
from logdocket.reading.timestamp.year import year_of


def arrived(text: str, zone: str | None = None) -> Context:
    """A context whose line arrived at ``text``."""
    return Context(received_at=datetime.fromisoformat(text), timezone=zone)


CASES = [
    # month, day, clock, zone of the stamp, arrival, year
    ("06", "14", "15:16:01", "", "2026-06-14T15:16:02+00:00", "2026"),
    ("06", "15", "15:16:02", "", "2026-06-14T15:16:02+00:00", "2026"),
    ("06", "15", "15:16:03", "", "2026-06-14T15:16:02+00:00", "2025"),
    ("12", "31", "23:59:59", "", "2026-01-01T00:00:05+00:00", "2025"),
    ("01", "01", "00:00:01", "", "2025-12-31T23:59:59+00:00", "2026"),
    ("01", "02", "00:00:01", "", "2025-12-31T23:59:59+00:00", "2025"),
    ("02", "29", "10:00:00", "", "2026-06-14T00:00:00+00:00", "2024"),
    ("02", "29", "10:00:00", "", "2024-02-28T10:00:00+00:00", "2024"),
    ("02", "29", "10:00:01", "", "2024-02-28T10:00:00+00:00", "2020"),
    ("02", "29", "10:00:00", "", "1903-06-14T00:00:00+00:00", "1896"),
    # 23:30 in UTC is 01:30 on the second in the offset of the arrival.
    ("01", "02", "01:00:00", "", "2026-01-01T01:30:00+02:00", "2026"),
    ("01", "02", "01:00:00", "Z", "2026-01-01T01:30:00+02:00", "2025"),
    ("01", "02", "01:00:00", "+03:00", "2026-01-01T01:30:00+02:00", "2026"),
    ("02", "30", "10:00:00", "", "2026-06-14T00:00:00+00:00", None),
    ("12", "31", "10:00:00", "", "9999-12-31T23:00:00+00:00", "9999"),
    ("02", "29", "10:00:00", "", "0002-06-14T00:00:00+00:00", None),
]


@pytest.mark.parametrize(("month", "day", "clock", "where", "arrival", "year"), CASES)
def test_the_year_is_the_latest_at_most_a_day_after_the_arrival(
    month: str, day: str, clock: str, where: str, arrival: str, year: str | None
) -> None:
    """Year ends, leap days and zones included."""
    assert year_of(month, day, clock, where, arrived(arrival)) == year


def test_the_context_zone_is_where_the_wall_clocks_are_compared() -> None:
    """In Auckland it is already the second when UTC says the first."""
    context = arrived("2026-01-01T12:00:00+00:00", "Pacific/Auckland")
    assert year_of("01", "03", "00:59:59", "", context) == "2026"
    assert year_of("01", "03", "01:00:01", "", context) == "2025"


def test_equal_moments_in_two_offsets_do_not_share_an_answer() -> None:
    """The arrival's own offset decides where its stamp has no zone."""
    moment = datetime(2026, 1, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    here, there = Context(received_at=moment), Context(received_at=moment.astimezone(UTC))
    assert year_of("01", "02", "01:00:00", "", here) == "2026"
    assert year_of("01", "02", "01:00:00", "", there) == "2025"


def test_an_arrival_without_an_offset_tells_no_year() -> None:
    """It would depend on the machine's own zone."""
    assert year_of("06", "14", "15:16:01", "", Context(received_at=datetime(2026, 6, 15))) is None


def test_a_resolved_stamp_gets_the_offset_of_the_context_zone() -> None:
    """Summer time in June, by the rules of that zone."""
    text, context = "Jun 14 15:16:01 web-1", arrived("2026-06-15T00:00:00+00:00", "Europe/Paris")
    stamp = at(text, 0, len(text), context)
    assert stamp == Stamp(0, 15, "2026-06-14T15:16:01+02:00", None)

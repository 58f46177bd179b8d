"""Dates with a month's name, as ``at`` reads them."""

from datetime import UTC, datetime

import pytest

from logdocket.line import NO_CONTEXT, Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import at

JUNE = Context(received_at=datetime(2026, 6, 15, 12, tzinfo=UTC))
PARIS = Context(timezone="Europe/Paris")

READ = [
    ("10/Oct/2000:13:55:36 -0700", "] GET", "2000-10-10T13:55:36-07:00"),
    ("10/Oct/2000:13:55:36.123", "] fe", "2000-10-10T13:55:36.123"),
    ("Sun Dec 04 04:47:44 2005", "] [notice]", "2005-12-04T04:47:44"),
    ("Sun Dec  4 04:47:44.123456 2005", "]", "2005-12-04T04:47:44.123456"),
    ("Sun Dec 4 04:47:44 UTC 2005", "", "2005-12-04T04:47:44Z"),
    ("Sun Dec 4 04:47:44 CET 2005", "", "2005-12-04T04:47:44"),
    ("Sun Dec 04 04:47:44 +0100 2005", "", "2005-12-04T04:47:44+01:00"),
    ("Dec  4 04:47:44 2005 GMT", "", "2005-12-04T04:47:44Z"),
    ("Sun Jun 14 2026 15:16:01 GMT+0200", " (Some Time)", "2026-06-14T15:16:01+02:00"),
    ("Fri, 21 Nov 1997 09:55:06 -0600", "", "1997-11-21T09:55:06-06:00"),
    ("Fri, 21 Nov 1997 09:55:06 -0600 (CST)", "", "1997-11-21T09:55:06-06:00"),
    ("21 Nov 1997 09:55 GMT", "", "1997-11-21T09:55Z"),
    ("Sunday, June 14, 2026 3:16:01 PM", "", "2026-06-14T15:16:01"),
    ("Jun 14, 2026 3:16:01 PM", " com.example", "2026-06-14T15:16:01"),
    ("Jun 14, 2026, 3:16:01\u202fPM", "", "2026-06-14T15:16:01"),
    ("June 14, 2026 at 3:16 PM", "", "2026-06-14T15:16"),
    ("Jun 14 2026 15:16:01", ": %ASA", "2026-06-14T15:16:01"),
    ("2026 Jun 14 15:16:01", " x", "2026-06-14T15:16:01"),
    ("2026-Jun-14 15:16:01.5", "", "2026-06-14T15:16:01.5"),
    ("14-Jun-2026 15:16:01.123", " INFO", "2026-06-14T15:16:01.123"),
    ("14Jun2026 15:16:01", " drop", "2026-06-14T15:16:01"),
    ("jun/14/2026 15:16:01", " system,info", "2026-06-14T15:16:01"),
    ("June 14th, 2026 15:16:01", "", "2026-06-14T15:16:01"),
    ("1st June 2026 15:16:01", "", "2026-06-01T15:16:01"),
    ("14-Jun-2026::15:16:01.123", " ===", "2026-06-14T15:16:01.123"),
    ("14-JUN-2026 03.16.01.123456 PM", "", "2026-06-14T15:16:01.123456"),
    ("14 Jun 2026 15:16:01.123", " * Ready", "2026-06-14T15:16:01.123"),
    ("4 Sept 2026 15:16:01", "", "2026-09-04T15:16:01"),
    ("Sun 2026-06-14 15:16:01 UTC", " x", "2026-06-14T15:16:01Z"),
    ("JUN 14 2026 15:16:01", "", "2026-06-14T15:16:01"),
    ("jun 14 2026 15:16:01", "", "2026-06-14T15:16:01"),
    ("Jun 14 15:16:01", " web-1 sshd[7]:", "2026-06-14T15:16:01"),
    ("Jun  4 15:16:01", " web-1", "2026-06-04T15:16:01"),
    ("Jun 14 15:16:01.123456", " web-1", "2026-06-14T15:16:01.123456"),
    ("Jun 14 15:16:01 UTC", ": %SYS", "2026-06-14T15:16:01Z"),
    ("Jun 14 15:16:01", " 2026-host", "2026-06-14T15:16:01"),
    ("Jun 14 15:16:01", " 8080 in use", "2026-06-14T15:16:01"),
    ("14 Jun 15:16:01.123", " # x", "2026-06-14T15:16:01.123"),
    ("Sun Jun 14 15:16:01", " x", "2026-06-14T15:16:01"),
    ("Dec 31 23:59:59", " x", "2025-12-31T23:59:59"),
]

REFUSED = [
    ("Mon Dec 04 04:47:44 2005", TimestampWhy.IMPOSSIBLE),
    ("Thu, 21 Nov 1997 09:55:06 -0600", TimestampWhy.IMPOSSIBLE),
    ("Mon 2026-06-14 15:16:01", TimestampWhy.IMPOSSIBLE),
    ("30/Feb/2026:10:00:00", TimestampWhy.IMPOSSIBLE),
    ("Jun 31 15:16:01", TimestampWhy.IMPOSSIBLE),
    ("Jun 14 25:16:01", TimestampWhy.IMPOSSIBLE),
    ("Jun  0 15:16:01", TimestampWhy.IMPOSSIBLE),
    ("31-Feb-31 10:00:00", TimestampWhy.IMPOSSIBLE),
    ("14-JUN-26 03.16.01.123456 PM", TimestampWhy.AMBIGUOUS),
    ("Sunday, 14-Jun-26 15:16:01 GMT", TimestampWhy.AMBIGUOUS),
    ("Jun 14 15:16:01", TimestampWhy.NO_YEAR),
    ("Feb 29 15:16:01", TimestampWhy.NO_YEAR),
    ("Sun Jun 14 15:16:01", TimestampWhy.NO_YEAR),
    ("14 Jun 15:16:01", TimestampWhy.NO_YEAR),
]

NONE = [
    "Jun 14",
    "Jun 14 15:16",
    "Jun 14, 2026",
    "June is over 15:16:01",
    "May 14th 15:16:01",
    "Junk 14 15:16:01",
    "Mar",
    "Sunday 15:16:01",
    "Monitor 14 2026 15:16:01",
    "14 Foo 2026 15:16:01",
    "2026 Foo 14 15:16:01",
    "XJun 14 15:16:01",
]


@pytest.mark.parametrize(("stamp", "rest", "value"), READ)
def test_a_stamp_with_a_named_month_is_read_to_its_end(stamp: str, rest: str, value: str) -> None:
    """The value is ISO 8601, and the span is the stamp without what follows."""
    text = f"[{stamp}{rest}"
    assert at(text, 1, len(text), JUNE) == Stamp(1, 1 + len(stamp), value, None)


@pytest.mark.parametrize(("stamp", "why"), REFUSED)
def test_a_named_stamp_that_names_no_one_moment_says_why(stamp: str, why: TimestampWhy) -> None:
    """It has its span and a typed reason, and no value."""
    text = f"[{stamp}] x"
    assert at(text, 1, len(text), NO_CONTEXT) == Stamp(1, 1 + len(stamp), None, why)


@pytest.mark.parametrize("text", NONE)
def test_words_that_only_look_like_months_are_no_stamp(text: str) -> None:
    """Neither is a date without a time."""
    assert at(text, 0, len(text), JUNE) is None


def test_an_abbreviation_inside_gets_the_offset_of_a_zone_that_goes_by_it() -> None:
    """``date`` writes the zone before the year."""
    text = "Sun Dec 4 04:47:44 CET 2005"
    assert at(text, 0, len(text), PARIS) == Stamp(0, len(text), "2005-12-04T04:47:44+01:00", None)


def test_an_abbreviation_inside_keeps_out_the_offset_of_another_zone() -> None:
    """The caller's zone cannot overrule what the line says."""
    text = "Sun Dec 4 04:47:44 PST 2005"
    assert at(text, 0, len(text), PARIS) == Stamp(0, len(text), "2005-12-04T04:47:44", None)


def test_a_weekday_that_contradicts_the_resolved_year_is_impossible() -> None:
    """14 June 2026 is a Sunday."""
    text = "Mon Jun 14 15:16:01"
    assert at(text, 0, len(text), JUNE) == Stamp(0, len(text), None, TimestampWhy.IMPOSSIBLE)

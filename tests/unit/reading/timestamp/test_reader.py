"""Finding a stamp in a stretch, and reading a stretch that is one."""

import pytest

from logdocket.line import NO_CONTEXT, Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import at, search, whole

FOUND = [
    ("worker 7 at 2026-06-14T15:16:01Z said", "2026-06-14T15:16:01Z", "2026-06-14T15:16:01Z"),
    ("(2026-06-14 15:16:01) up", "2026-06-14 15:16:01", "2026-06-14T15:16:01"),
    ("ts=2026-06-14T15:16:01Z", "2026-06-14T15:16:01Z", "2026-06-14T15:16:01Z"),
    ("time:2026-06-14T15:16:01Z", "2026-06-14T15:16:01Z", "2026-06-14T15:16:01Z"),
    ("--2026-06-14 15:16:01--  http", "2026-06-14 15:16:01", "2026-06-14T15:16:01"),
    ("7:M 14 Jun 2026 15:16:01.123 * up", "14 Jun 2026 15:16:01.123", "2026-06-14T15:16:01.123"),
    ("GET [14/Jun/2026:15:16:01 +0000]", "14/Jun/2026:15:16:01 +0000", "2026-06-14T15:16:01Z"),
    ("api.log.1.2026-01-01_00:00:00 2026-06-14 15:16:01", "2026-06-14 15:16:01",
     "2026-06-14T15:16:01"),
    ("up 10:00:00 since 2026-06-14 15:16:01", "2026-06-14 15:16:01", "2026-06-14T15:16:01"),
    ("took 1.24.3 2026/06/14 15:16:01", "2026/06/14 15:16:01", "2026-06-14T15:16:01"),
    ("on Sun Jun 14 15:16:01 2026 it", "Sun Jun 14 15:16:01 2026", "2026-06-14T15:16:01"),
    ("SUN JUN 14 15:16:01 2026", "SUN JUN 14 15:16:01 2026", "2026-06-14T15:16:01"),
    ("job 20260614T151601Z done", "20260614T151601Z", "2026-06-14T15:16:01Z"),
    ("first 2026-06-14T15:16:01Z then 2025-01-01T00:00:00Z", "2026-06-14T15:16:01Z",
     "2026-06-14T15:16:01Z"),
]  # fmt: skip

REASONS = [
    ("up at 15:04:05.123 for web-1", "15:04:05.123", TimestampWhy.NO_DATE),
    ("run 03/04/2026 10:00:00 x", "03/04/2026 10:00:00", TimestampWhy.AMBIGUOUS),
    ("bad 2026-02-30 10:00:00 then 2026-06-14 15:16:01", "2026-02-30 10:00:00",
     TimestampWhy.IMPOSSIBLE),
    ("at Jun 14 15:16:01 web-1", "Jun 14 15:16:01", TimestampWhy.NO_YEAR),
]  # fmt: skip

NOT_FOUND = [
    "",
    "nothing here",
    "release 1.24.3-rc1 of 2026.06.14",
    "version 2026.06.14-1",
    "from 192.0.2.7:8080 to 198.51.100.1",
    "took 12:34 minutes",
    "peer 2001:db8:10:20:30:40::1",
    "mac 10:20:30:40:50:60",
    "mac aa:bb:cc:10:20:30",
    "request 20260614151601999999999999",
    "id 0f3a-2026-06-14",
    "order 4711-2026-06-14 15:16:01x",
    "card 1781450161123 and 1781450161",
    "path /var/log/2026/06/14/app.log",
    "Marching on, May or June",
    "ratio 10:20:30:40",
    "123456 123456 123456",
    "unit job-2026-06-14 15:16:01x.service",
    "backup-20260614T151601Z is kept",
    "lease 7:20260614T151601Z held",
    "slot ::20260614T151601Z",
]


@pytest.mark.parametrize(("text", "stamp", "value"), FOUND)
def test_search_finds_the_first_dated_stamp(text: str, stamp: str, value: str) -> None:
    """Numbers that are not stamps are passed over."""
    found = search(text, 0, len(text), NO_CONTEXT)
    assert found is not None
    assert (text[found.start : found.end], found.value, found.why) == (stamp, value, None)


@pytest.mark.parametrize(("text", "stamp", "why"), REASONS)
def test_search_gives_the_reason_of_the_first_stamp(
    text: str, stamp: str, why: TimestampWhy
) -> None:
    """A later stamp does not stand in for one that names no moment."""
    found = search(text, 0, len(text), NO_CONTEXT)
    assert found is not None
    assert (text[found.start : found.end], found.value, found.why) == (stamp, None, why)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_search_takes_no_other_number_for_a_stamp(text: str) -> None:
    """Versions, addresses, durations, ids and paths are none."""
    assert search(text, 0, len(text), NO_CONTEXT) is None


def test_search_stays_inside_its_stretch() -> None:
    """Neither side of it is read, and its start counts as a word's edge."""
    text = "x2026-06-14 15:16:01.123"
    assert search(text, 1, 20, NO_CONTEXT) == Stamp(1, 20, "2026-06-14T15:16:01", None)
    assert search(text, 2, 16, NO_CONTEXT) is None


WHOLE = [
    ("2026-06-14T15:16:01Z", "2026-06-14T15:16:01Z", None),
    ("  [2026-06-14T15:16:01Z] ", "2026-06-14T15:16:01Z", None),
    ('"2026-06-14 15:16:01"', "2026-06-14T15:16:01", None),
    ("2026-06-14 15:16:01 PDT", "2026-06-14T15:16:01", None),
    ("Sun Jun 14 2026 15:16:01 GMT+0200 (Central European Summer Time)",
     "2026-06-14T15:16:01+02:00", None),
    ("2026-06-14", "2026-06-14", None),
    ("2026/6/4", "2026-06-04", None),
    ("2026.06.14", "2026-06-14", None),
    ("20260614", "2026-06-14", None),
    ("14 Jun 2026", "2026-06-14", None),
    ("14/Jun/2026", "2026-06-14", None),
    ("Jun 14, 2026", "2026-06-14", None),
    ("25/12/2026", "2026-12-25", None),
    ("12/25/2026", "2026-12-25", None),
    ("03/04/2026", None, TimestampWhy.AMBIGUOUS),
    ("17/06/09", None, TimestampWhy.AMBIGUOUS),
    ("2026-02-30", None, TimestampWhy.IMPOSSIBLE),
    ("31 Jun 2026", None, TimestampWhy.IMPOSSIBLE),
    ("15:16:01", None, TimestampWhy.NO_DATE),
    ("Jun 14 15:16:01", None, TimestampWhy.NO_YEAR),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "why"), WHOLE)
def test_whole_reads_a_field_that_is_a_stamp(
    text: str, value: str | None, why: TimestampWhy | None
) -> None:
    """Spaces, brackets, quotes and a zone's name around it do not matter."""
    stamp = whole(text, 0, len(text), NO_CONTEXT)
    assert stamp is not None
    assert (stamp.value, stamp.why) == (value, why)


@pytest.mark.parametrize(
    "text",
    ["", " ", "[]", "2026-06-14T15:16:01Z up", "at 2026-06-14T15:16:01Z", "1781450161", "20261399",
     "2026-06-14 x", "14 Foo 2026", "soon", "[2026-06-14T15:16:01Z", "12:34"],
)  # fmt: skip
def test_whole_refuses_a_field_with_anything_else_in_it(text: str) -> None:
    """A stamp with a message behind it is no field of time."""
    assert whole(text, 0, len(text), NO_CONTEXT) is None


ZONES = [
    ("2026-06-14 15:16:01", "Europe/Paris", "2026-06-14T15:16:01+02:00"),
    ("2026-01-14 15:16:01.5", "Europe/Paris", "2026-01-14T15:16:01.5+01:00"),
    ("2026-01-14 15:16", "Europe/London", "2026-01-14T15:16Z"),
    ("2026-06-14 15:16:01", "-03:30", "2026-06-14T15:16:01-03:30"),
    ("2026-06-14 15:16:01Z", "Europe/Paris", "2026-06-14T15:16:01Z"),
    ("2026-06-14 15:16:01 +0000", "Europe/Paris", "2026-06-14T15:16:01Z"),
    # An hour that comes twice, or is skipped, has no one offset; an abbreviation may tell.
    ("2026-10-25 02:30:00", "Europe/Paris", "2026-10-25T02:30:00"),
    ("2026-10-25 01:59:59", "Europe/Paris", "2026-10-25T01:59:59+02:00"),
    ("2026-10-25 03:00:00", "Europe/Paris", "2026-10-25T03:00:00+01:00"),
    ("2026-10-25 02:30:00 CEST", "Europe/Paris", "2026-10-25T02:30:00+02:00"),
    ("2026-10-25 02:30:00 CET", "Europe/Paris", "2026-10-25T02:30:00+01:00"),
    ("2026-10-25 02:30:00 PDT", "Europe/Paris", "2026-10-25T02:30:00"),
    ("2026-03-29 02:30:00", "Europe/Paris", "2026-03-29T02:30:00"),
    ("2026-03-29 02:30:00 CET", "Europe/Paris", "2026-03-29T02:30:00"),
    ("2026-03-29 03:00:00", "Europe/Paris", "2026-03-29T03:00:00+02:00"),
    ("2026-03-28T24:00:00", "Europe/Paris", "2026-03-29T00:00:00+01:00"),
    ("2016-12-31 23:59:60", "UTC", "2016-12-31T23:59:60Z"),
    ("2017-01-01 05:29:60", "Asia/Kolkata", "2017-01-01T05:29:60+05:30"),
    # Local mean time is no whole minute, and ISO 8601 has no form for it.
    ("1850-01-01 10:00:00", "Europe/Paris", "1850-01-01T10:00:00"),
    # The line's own abbreviation agrees, or keeps the caller's zone out.
    ("2026-06-14 15:16:01 CEST", "Europe/Paris", "2026-06-14T15:16:01+02:00"),
    ("2026-06-14 15:16:01 PDT", "Europe/Paris", "2026-06-14T15:16:01"),
    ("2026-06-14", "Europe/Paris", "2026-06-14"),
]


@pytest.mark.parametrize(("text", "zone", "value"), ZONES)
def test_a_stamp_without_a_zone_gets_that_of_the_context(text: str, zone: str, value: str) -> None:
    """One that has a zone keeps its own."""
    stamp = whole(text, 0, len(text), Context(timezone=zone))
    assert stamp is not None
    assert stamp.value == value


def test_a_leap_second_that_is_none_in_the_context_zone_is_impossible() -> None:
    """14:59:60 in Paris is not the end of a UTC day."""
    text = "2016-12-31 14:59:60"
    stamp = at(text, 0, len(text), Context(timezone="Europe/Paris"))
    assert stamp == Stamp(0, 19, None, TimestampWhy.IMPOSSIBLE)

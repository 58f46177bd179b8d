from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.evaluation.scoring import Outcome, Scored, names, resolves, score, to_seconds
from logdocket.line import Severity
from logdocket.ticket import ReviewReason, Source, Ticket

from .conftest import Labelled

LINE = "2026-01-02T15:04:05Z ERROR pay.Client: card refused"
TICKET = Ticket(
    service="pay.Client",
    severity=Severity.HIGH,
    first_seen="2026-01-02T15:04:05Z",
    evidence="ERROR pay.Client: card refused",
    confidence=0.9,
    needs_human=True,
    source=Source.FALLBACK,
    review_reasons=(ReviewReason.MODEL_NOT_CONFIGURED,),
)
RIGHT, UNKNOWN, WRONG = Outcome.RIGHT, Outcome.UNKNOWN, Outcome.WRONG
ARRIVED = datetime(2026, 6, 15, tzinfo=UTC)


def changed(**fields: object) -> Ticket:
    """The ticket with these fields in place of its own."""
    return msgspec.structs.replace(TICKET, **fields)


def test_a_ticket_that_says_what_the_labels_say_is_right(labelled: Labelled) -> None:
    """In every field."""
    row = labelled(LINE, "high", ("2026-01-02T15:04:05Z",), "pay.Client")
    assert score(row, TICKET) == Scored(RIGHT, RIGHT, RIGHT, RIGHT)


def test_a_field_without_a_label_is_not_scored(labelled: Labelled) -> None:
    """The evidence needs none: the line itself is its measure."""
    none = Outcome.UNLABELLED
    assert score(labelled(LINE), TICKET) == Scored(none, none, none, RIGHT)


def test_another_severity_is_wrong(labelled: Labelled) -> None:
    """There is no almost."""
    assert score(labelled(LINE, "critical"), TICKET).severity is WRONG


@pytest.mark.parametrize("label", list(Severity))
def test_an_unstated_severity_is_no_claim(label: Severity, labelled: Labelled) -> None:
    """Even where it happens to be what the label says."""
    ticket = changed(review_reasons=(ReviewReason.SEVERITY_UNSTATED,))
    assert score(labelled(LINE, label), ticket).severity is UNKNOWN


@pytest.mark.parametrize(
    ("given", "listed", "outcome"),
    [
        ("2026-01-02T15:04:05Z", ["2026-01-02T15:04:05Z"], RIGHT),
        ("2026-01-02T15:04:05.123Z", ["2026-01-02T15:04:05Z"], RIGHT),
        ("2026-01-02T15:04:05Z", ["2026-01-02T15:04:05.123Z"], RIGHT),
        ("2026-01-02T15:04:05Z", ["2026-01-02T15:04:05+00:00"], RIGHT),
        ("2026-01-02T15:04:05Z", ["unknown", "2026-01-02T15:04:05Z"], RIGHT),
        ("2026-01-02T15:04Z", ["2026-01-02T15:04Z"], RIGHT),
        ("2026-01-02T15:04:05", ["2026-01-02T15:04:05Z"], WRONG),
        ("2026-01-02T15:04:05+01:00", ["2026-01-02T15:04:05Z"], WRONG),
        ("2026-01-02T15:04:06Z", ["2026-01-02T15:04:05Z"], WRONG),
        ("2026-01-02T15:04:05Z", ["unknown"], WRONG),
        ("unknown", ["unknown"], UNKNOWN),
        ("unknown", ["2026-01-02T15:04:05Z", "unknown"], UNKNOWN),
        ("unknown", ["2026-01-02T15:04:05Z"], Outcome.NEEDLESS),
    ],
)
def test_a_time_is_one_of_those_listed_to_the_second(
    given: str, listed: list[str], outcome: Outcome, labelled: Labelled
) -> None:
    """An unknown one is honest where the set lists it, and counted apart where not."""
    row = labelled(LINE, first_seen=tuple(listed))
    assert score(row, changed(first_seen=given)).first_seen is outcome


@pytest.mark.parametrize(
    ("given", "label", "outcome"),
    [
        ("pay", "pay", RIGHT),
        ("PAY", "pay", RIGHT),
        ("Client", "pay.Client", RIGHT),
        ("pay", "pay.Client", RIGHT),
        ("unknown", "unknown", RIGHT),
        ("unknown", "pay", UNKNOWN),
        ("pay", "unknown", WRONG),
        ("pay.Client", "Client", WRONG),
        ("lient", "pay.Client", WRONG),
        ("shop", "pay", WRONG),
    ],
)
def test_a_service_is_the_one_named_or_a_part_of_it(
    given: str, label: str, outcome: Outcome, labelled: Labelled
) -> None:
    """Unknown is right where the line names none."""
    assert score(labelled(LINE, service=label), changed(service=given)).service is outcome


@pytest.mark.parametrize("part", ["dfs", "DataNode", "dfs.DataNode", "datanode$dataxceiver"])
def test_parts_are_divided_by_dots_and_dollars(part: str) -> None:
    """One, or some in a row."""
    assert names(part, "dfs.DataNode$DataXceiver")


@pytest.mark.parametrize("other", ["", "Data", "dfs.DataXceiver", "DataNode$", ".DataNode", "fs"])
def test_what_is_no_whole_part_is_none(other: str) -> None:
    """Nor are two that do not stand together."""
    assert not names(other, "dfs.DataNode$DataXceiver")


@pytest.mark.parametrize(
    ("quoted", "outcome"),
    [("card refused", RIGHT), (LINE, RIGHT), ("Card refused", WRONG), (" ", WRONG), ("", WRONG)],
)
def test_evidence_is_a_part_of_the_line_to_the_byte(
    quoted: str, outcome: Outcome, labelled: Labelled
) -> None:
    """And never blank."""
    assert score(labelled(LINE), changed(evidence=quoted)).evidence is outcome


@pytest.mark.parametrize(
    ("scored", "whole"),
    [
        (Scored(RIGHT, RIGHT, RIGHT, RIGHT), True),
        (Scored(UNKNOWN, Outcome.NEEDLESS, WRONG, WRONG), True),
        (Scored(Outcome.UNLABELLED, RIGHT, RIGHT, RIGHT), False),
        (Scored(RIGHT, Outcome.UNLABELLED, RIGHT, RIGHT), False),
        (Scored(RIGHT, RIGHT, Outcome.UNLABELLED, RIGHT), False),
    ],
)
def test_a_line_is_labelled_when_no_field_lacks_a_label(scored: Scored, whole: bool) -> None:
    """Right or wrong."""
    assert scored.labelled is whole


# Times that only an arrival settles


@pytest.mark.parametrize(
    ("given", "stamp"),
    [
        ("2026-06-14T15:16:01", "Jun 14 15:16:01"),
        ("2026-06-04T15:16:01", "Jun  4 15:16:01"),
        ("2026-06-14T15:16:01+02:00", "14/June 15:16:01 +0200"),
        ("2026-06-14T15:16:01", "06-14 15:16:01.250"),
        ("2026-06-14T15:16:01", "0614 15:16:01.250123"),
        ("2025-06-16T15:16:01", "Jun 16 15:16:01"),
        ("2026-06-15T23:59:59", "Jun 15 23:59:59"),
        ("2024-02-29T10:00:00", "Feb 29 10:00:00"),
        ("2025-12-31T23:59:60", "Dec 31 23:59:60"),
    ],
)
def test_a_stamp_without_a_year_is_resolved_by_the_arrival(given: str, stamp: str) -> None:
    """Its own month, day and clock, in the year before; 29 February in the last leap year."""
    assert resolves(given, stamp, ARRIVED)


@pytest.mark.parametrize(
    ("given", "stamp"),
    [
        ("2026-05-14T15:16:01", "Jun 14 15:16:01"),
        ("2026-06-13T15:16:01", "Jun 14 15:16:01"),
        ("2026-06-14T15:16:02", "Jun 14 15:16:01"),
        ("2026-06-14T03:16:01", "Jun 14 15:16:01"),
        ("2024-06-14T15:16:01", "Jun 14 15:16:01"),
        ("2026-06-16T15:16:01", "Jun 16 15:16:01"),
        ("2026-06-14T15:16:01", "15:16:01"),
        ("2026-02-30T15:16:01", "Feb 30 15:16:01"),
        ("2016-02-29T10:00:00", "Feb 29 10:00:00"),
    ],
)
def test_what_the_stamp_or_the_arrival_belies_is_not_resolved(given: str, stamp: str) -> None:
    """Another month, day, clock or year, and what is no day at all."""
    assert not resolves(given, stamp, ARRIVED)


def test_a_time_without_zone_is_compared_in_the_zone_of_the_arrival() -> None:
    """At most a day ahead of it there."""
    early = ARRIVED.replace(tzinfo=timezone(timedelta(hours=14)))
    assert resolves("2026-06-16T00:00:00", "Jun 16 00:00:00", early)
    assert not resolves("2026-06-16T00:00:00Z", "Jun 16 00:00:00", early)


def test_the_ends_of_the_calendar_are_no_fault() -> None:
    """An arrival has room for a year before it and a day after it, or it has not."""
    assert resolves("0001-01-01T00:00:00", "Jan 1 00:00:00", datetime(1, 1, 1, tzinfo=UTC))
    assert resolves("9999-12-31T00:00:00", "Dec 31 00:00:00", datetime(9999, 12, 31, tzinfo=UTC))


def test_a_time_is_resolved_only_where_the_set_leaves_it_open(labelled: Labelled) -> None:
    """And where the arrival was given from outside; else it is a claim like any other."""
    ticket = changed(first_seen="2026-06-14T15:16:01")
    stamp = "Jun 14 15:16:01"
    left_open = labelled(LINE, first_seen=("unknown",))
    settled = labelled(LINE, first_seen=("2025-06-14T15:16:01",))
    assert score(left_open, ticket, stamp, ARRIVED).first_seen is Outcome.RESOLVED
    assert score(left_open, ticket, "Jun 15 15:16:01", ARRIVED).first_seen is WRONG
    assert score(left_open, ticket, stamp, None).first_seen is WRONG
    assert score(left_open, ticket, None, ARRIVED).first_seen is WRONG
    assert score(settled, ticket, stamp, ARRIVED).first_seen is WRONG


@given(st.text())
def test_cutting_to_seconds_never_fails_and_settles(value: str) -> None:
    """What was cut once is cut no more."""
    assert to_seconds(to_seconds(value)) == to_seconds(value)

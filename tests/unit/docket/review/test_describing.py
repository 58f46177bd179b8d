"""How tickets are grouped."""

from __future__ import annotations

import msgspec
import pytest

from logdocket.docket.review.describing import describe, moment
from logdocket.line import Context, Severity
from logdocket.store.review import Fields

SECOND = 1_000_000
AT = 1_767_366_245 * SECOND
"""2026-01-02T15:04:05Z"""

FAILED = "2026-01-02T15:04:05Z ERROR payments: charge 81 of 192.0.2.7 failed in 12 ms"


@pytest.mark.parametrize(
    ("first_seen", "at"),
    [
        ("2026-01-02T15:04:05Z", AT),
        ("2026-01-02T15:04:05", AT),
        ("2026-01-02T15:04", AT - 5 * SECOND),
        ("2026-01-02T15:04Z", AT - 5 * SECOND),
        ("2026-01-02T16:04:05+01:00", AT),
        ("2026-01-02T09:34:05-05:30", AT),
        ("2026-01-02T15:04:05.5Z", AT + SECOND // 2),
        ("2026-01-02T15:04:05.123456789Z", AT + 123_456),
        ("2026-01-02T15:04:05.000000999", AT),
        ("2016-12-31T23:59:60Z", 1_483_228_800 * SECOND),
        ("2016-12-31T23:59:60.25Z", 1_483_228_800 * SECOND + SECOND // 4),
        ("1969-12-31T23:59:59.9Z", -SECOND // 10),
        ("0001-01-01T00:00:00+23:59", -62_135_683_140 * SECOND),
        ("unknown", None),
        ("0000-01-01T00:00:00Z", None),
        ("2026-02-30T00:00:00Z", None),
    ],
)
def test_a_tickets_time_is_a_moment_in_microseconds(first_seen, at):
    """Whatever the schema lets pass; without a zone it is UTC's, a leap second the next one."""
    assert moment(first_seen) == at


def test_a_ticket_is_told_with_its_fields_and_its_time(entered):
    """As it says itself, evidence byte for byte."""
    described = describe(entered(FAILED))
    assert described is not None
    assert described.fields == Fields(
        "payments",
        Severity.HIGH,
        "2026-01-02T15:04:05Z",
        "charge 81 of 192.0.2.7 failed in 12 ms",
    )
    assert described.moment == AT
    assert len(described.group) == 16


@pytest.mark.parametrize(
    "other",
    [
        "2026-03-04T01:02:03Z ERROR payments: charge 9 of 192.0.2.99 failed in 3 ms",
        "2026-01-02T15:04:05Z ERROR Payments: charge 81 of 192.0.2.7 failed in 12 ms",
        "2026-01-02T15:04:05Z CRITICAL payments: charge 81 of 192.0.2.7 failed in 12 ms",
    ],
    ids=["other values", "the name in other letters", "worse by one step"],
)
def test_tickets_that_one_decision_is_about_are_one_group(entered, other):
    """What differs is a number, a letter's case, or how bad it is by one step."""
    assert describe(entered(other)).group == describe(entered(FAILED)).group


@pytest.mark.parametrize(
    "other",
    [
        "2026-01-02T15:04:05Z WARN payments: charge 81 of 192.0.2.7 failed in 12 ms",
        "2026-01-02T15:04:05Z ERROR refunds: charge 81 of 192.0.2.7 failed in 12 ms",
        "2026-01-02T15:04:05Z ERROR payments: charge 81 of 192.0.2.7 refused in 12 ms",
    ],
    ids=["milder", "another service", "other words"],
)
def test_tickets_that_say_something_else_are_another_group(entered, other):
    """Whoever decides about one has not seen the other."""
    assert describe(entered(other)).group != describe(entered(FAILED)).group


def test_the_text_of_the_line_changes_nothing(entered):
    """The queue is the same whether lines are kept or not."""
    context = Context(service="billing")
    kept, left = (entered("disk sda is full", context, keep_text=keep) for keep in (True, False))
    assert describe(kept) == describe(left)


def test_evidence_that_is_not_utf_8_is_grouped(entered):
    """By its bytes: another byte is another template."""
    one, again, other = (
        describe(entered(b"ERROR shelf: caf%b is closed" % byte))
        for byte in (b"\xe9", b"\xe9", b"\xea")
    )
    assert one == again
    assert one.fields.evidence == "caf\udce9 is closed"
    assert one.group != other.group


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b'{"ticket": 1}', b"\xff", b'{"ticket":{"service":"x"}}']
)
def test_a_ticket_that_cannot_be_understood_is_in_no_group(entered, body):
    """A damaged body stops nobody else's grouping."""
    assert describe(msgspec.structs.replace(entered(FAILED), body=body)) is None


def test_a_quote_that_no_line_can_hold_is_in_no_group(entered):
    """Blank, or half of a character that stands for no byte."""
    assert describe(entered(FAILED, evidence=" ")) is None
    body = entered(FAILED).body.replace(b'"evidence":"charge', b'"evidence":"\\ud800charge')
    assert describe(msgspec.structs.replace(entered(FAILED), body=body)) is None

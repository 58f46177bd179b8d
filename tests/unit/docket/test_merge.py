from __future__ import annotations

import msgspec
import pytest

from logdocket.docket.merge import Merged, merge
from logdocket.line import (
    Answer,
    Reading,
    ServiceBasis,
    ServiceRead,
    Severity,
    SeverityBasis,
    SeverityRead,
    Span,
    TimestampRead,
    TimestampWhy,
)
from logdocket.ticket import UNKNOWN

LOW, MEDIUM, HIGH, CRITICAL = Severity
TIME = "2026-01-02T15:04:05Z"
READ = Reading(
    "plain",
    TimestampRead(TIME, Span(0, 20), None),
    SeverityRead(HIGH, Span(21, 26), SeverityBasis.LEVEL),
    ServiceRead("payments", Span(27, 35), ServiceBasis.LOGGER),
    Span(37, 49),
)
SAME = Answer("payments", HIGH, TIME, "card refused")


def merged(answer: Answer = SAME, stamp: str | None = TIME, **read: object) -> Merged:
    """What an answer and a reading with some parts replaced make; ``stamp`` is the answer's."""
    found = None if stamp is None else TimestampRead(stamp, Span(0, 1), None)
    return merge(answer, msgspec.structs.replace(READ, **read), found)


def claiming(**fields: object) -> Answer:
    """The answer that agrees, with some fields replaced."""
    return msgspec.structs.replace(SAME, **fields)


def test_two_readers_who_agree_make_the_ticket() -> None:
    """Its evidence is the answer's, all else the reading's."""
    assert merged() == Merged(
        service="payments",
        severity=HIGH,
        first_seen=TIME,
        evidence="card refused",
        disputed=False,
        service_from_answer=False,
        severity_from_answer=False,
        needs_human=False,
    )


def test_a_model_that_asks_for_a_person_is_heard() -> None:
    """Without a dispute."""
    result = merged(claiming(needs_human=True))
    assert (result.needs_human, result.disputed) == (True, False)


@pytest.mark.parametrize(
    ("read", "basis", "claimed", "severity", "from_answer", "disputed"),
    [
        (HIGH, SeverityBasis.LEVEL, MEDIUM, HIGH, False, False),
        (HIGH, SeverityBasis.LEVEL, LOW, HIGH, False, True),
        (LOW, SeverityBasis.LEVEL, CRITICAL, LOW, False, True),
        (LOW, SeverityBasis.PRIORITY, HIGH, LOW, False, True),
        (LOW, SeverityBasis.PRIORITY, MEDIUM, LOW, False, False),
        (HIGH, SeverityBasis.STATUS, CRITICAL, HIGH, False, False),
        (HIGH, SeverityBasis.CUE, CRITICAL, CRITICAL, True, False),
        (HIGH, SeverityBasis.CUE, MEDIUM, MEDIUM, True, False),
        (HIGH, SeverityBasis.CUE, HIGH, HIGH, False, False),
        (HIGH, SeverityBasis.CUE, LOW, HIGH, False, True),
        (LOW, SeverityBasis.UNSTATED, LOW, LOW, True, False),
        (LOW, SeverityBasis.UNSTATED, MEDIUM, MEDIUM, True, False),
        (LOW, SeverityBasis.UNSTATED, HIGH, HIGH, True, True),
    ],
)
def test_a_stated_severity_stands_and_a_far_one_is_disputed(
    read: Severity,
    basis: SeverityBasis,
    claimed: Severity,
    severity: Severity,
    from_answer: bool,
    disputed: bool,
) -> None:
    """A cue counts when both read it, and else gives way by one rank."""
    result = merged(claiming(severity=claimed), severity=SeverityRead(read, None, basis))
    assert (result.severity, result.severity_from_answer, result.disputed) == (
        severity,
        from_answer,
        disputed,
    )


@pytest.mark.parametrize(
    ("read", "basis", "claimed", "service", "from_answer", "disputed"),
    [
        ("payments", ServiceBasis.LOGGER, "unknown", "payments", False, False),
        ("payments", ServiceBasis.LOGGER, "Unknown", "payments", False, False),
        ("payments", ServiceBasis.LOGGER, "PAYMENTS", "payments", False, False),
        ("payments", ServiceBasis.LOGGER, "payments:", "payments", False, False),
        ("c.e.payments", ServiceBasis.LOGGER, "payments", "c.e.payments", False, False),
        ("sshd", ServiceBasis.APP, "sshd(pam_unix)", "sshd", False, False),
        ("payments", ServiceBasis.LOGGER, "depot", "payments", False, True),
        ("payments", ServiceBasis.CONTEXT, "depot", "payments", False, True),
        ("payments", ServiceBasis.FIRST_TOKEN, "depot", "depot", True, False),
        ("payments", ServiceBasis.FIRST_TOKEN, "payments", "payments", False, False),
        ("payments", ServiceBasis.FIRST_TOKEN, "unknown", "payments", False, False),
        (None, ServiceBasis.UNKNOWN, "depot", "depot", True, False),
        (None, ServiceBasis.UNKNOWN, "depot[12]:", "depot", True, False),
        (None, ServiceBasis.UNKNOWN, "unknown", UNKNOWN, False, False),
    ],
)
def test_the_rules_name_stands_unless_they_have_none_or_a_weak_one(
    read: str | None,
    basis: ServiceBasis,
    claimed: str,
    service: str,
    from_answer: bool,
    disputed: bool,
) -> None:
    """A part of a name is the same name; another one is disputed."""
    result = merged(claiming(service=claimed), service=ServiceRead(read, None, basis))
    assert (result.service, result.service_from_answer, result.disputed) == (
        service,
        from_answer,
        disputed,
    )


@pytest.mark.parametrize(
    ("value", "quoted", "stamp", "disputed"),
    [
        (TIME, "unknown", None, False),
        (TIME, TIME, TIME, False),
        (TIME, "2026-01-02 15:04:05 UTC", TIME, False),
        (TIME, "2026-01-02", "2026-01-02", False),
        ("2026-01-02T15:04:05.123Z", "1767366245", TIME, False),
        (TIME, "5.123", None, False),
        (TIME, "2026-01-03", "2026-01-03", True),
        (TIME, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z", True),
        ("2026-01-02T15:04:05+01:00", TIME, TIME, True),
        (None, TIME, TIME, True),
        (None, "Jan  2 15:04:05", None, False),
    ],
)
def test_the_rules_time_stands_and_another_is_disputed(
    value: str | None, quoted: str, stamp: str | None, disputed: bool
) -> None:
    """The same moment told less exactly is no other; a time where the rules found none is."""
    why = TimestampWhy.ABSENT if value is None else None
    result = merged(claiming(first_seen=quoted), stamp, timestamp=TimestampRead(value, None, why))
    assert (result.first_seen, result.disputed) == (value or UNKNOWN, disputed)

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.errors import BlankLine
from logdocket.grounding import Ungrounded, violations
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import read
from logdocket.ticket import UNKNOWN, Severity, Source, Ticket

LINE = Line("2026-01-02T15:04:05Z ERROR payments: card refused")
GOOD = Ticket(
    service="payments",
    severity=Severity.HIGH,
    first_seen="2026-01-02T15:04:05Z",
    evidence="card refused",
    confidence=0.9,
    needs_human=False,
    source=Source.MODEL,
    review_reasons=(),
)


def changed(**fields: str) -> Ticket:
    """The good ticket with some fields replaced."""
    return msgspec.structs.replace(GOOD, **fields)


@pytest.mark.parametrize(
    ("ticket", "found"),
    [
        (GOOD, []),
        (changed(evidence=LINE.text), []),
        (changed(evidence="card  refused"), [Ungrounded.EVIDENCE_NOT_QUOTED]),
        (changed(evidence="Card refused"), [Ungrounded.EVIDENCE_NOT_QUOTED]),
        (changed(evidence=""), [Ungrounded.EVIDENCE_BLANK]),
        (changed(evidence=" "), [Ungrounded.EVIDENCE_BLANK]),
        (changed(service=UNKNOWN), []),
        (changed(service="checkout"), [Ungrounded.SERVICE_NOT_NAMED]),
        (changed(service="Payments"), [Ungrounded.SERVICE_NOT_NAMED]),
        (
            changed(service="checkout", evidence="timed out"),
            [Ungrounded.EVIDENCE_NOT_QUOTED, Ungrounded.SERVICE_NOT_NAMED],
        ),
    ],
)
def test_what_the_line_does_not_bear_out_is_named(ticket: Ticket, found: list[Ungrounded]) -> None:
    """Every broken law, and none that holds."""
    assert violations(ticket, LINE, NO_CONTEXT) == found


def test_a_service_may_come_from_the_context() -> None:
    """But then it is the context's own word."""
    ticket = changed(service="checkout")
    assert violations(ticket, LINE, Context(service="checkout")) == []
    assert violations(ticket, LINE, Context(service="checkout-2")) == [Ungrounded.SERVICE_NOT_NAMED]


@given(st.binary(min_size=1, max_size=200), st.sampled_from([None, "shop"]))
def test_what_the_rules_read_is_grounded(raw: bytes, service: str | None) -> None:
    """On any bytes at all."""
    try:
        line = Line.from_bytes(raw)
    except BlankLine:
        return
    context = Context(service=service)
    reading = read(line, context)
    ticket = changed(
        evidence=line.quote(reading.evidence), service=reading.service.value or UNKNOWN
    )
    assert violations(ticket, line, context) == []

"""Laws 1 and 3 for a ticket that comes from storage."""

from __future__ import annotations

from logdocket.grounding.ungrounded import Ungrounded
from logdocket.line import Context, Line
from logdocket.ticket import UNKNOWN, Ticket


def violations(ticket: Ticket, line: Line, context: Context) -> list[Ungrounded]:
    """The laws that ``ticket`` breaks on ``line``; empty when it is grounded."""
    found = []
    if not ticket.evidence or ticket.evidence.isspace():
        found.append(Ungrounded.EVIDENCE_BLANK)
    elif ticket.evidence not in line.text:
        found.append(Ungrounded.EVIDENCE_NOT_QUOTED)
    service = ticket.service
    if service != UNKNOWN and service not in line.text and service != context.service:
        found.append(Ungrounded.SERVICE_NOT_NAMED)
    return found

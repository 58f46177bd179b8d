"""Whether a ticket is borne out by the line it stands for: laws 1 and 3, as a check.

A ticket that comes from storage, or later from a model, is believed only where the line in hand
bears it out.
"""

from __future__ import annotations

import enum

from logdocket.line import Context, Line
from logdocket.ticket import UNKNOWN, Ticket


class Ungrounded(enum.StrEnum):
    """Which law a ticket breaks."""

    EVIDENCE_NOT_QUOTED = "evidence_not_quoted"
    EVIDENCE_BLANK = "evidence_blank"
    SERVICE_NOT_NAMED = "service_not_named"


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

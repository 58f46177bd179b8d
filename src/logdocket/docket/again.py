"""The answer that a line has been given since the rules wrote a ticket for it."""

from __future__ import annotations

import msgspec

from logdocket.docket.judgement import Judged, Shared, decode_judgement
from logdocket.docket.slot import Slot
from logdocket.grounding import violations
from logdocket.store import StoredTicket
from logdocket.ticket import Source, encode


def answered(found: StoredTicket, slot: Slot) -> Shared | None:
    """A model's own ticket ``found`` under the key of ``slot``, made into one that revises what
    the slot revises; None where it is none, is no newer, or the line does not bear it out.
    """
    if found.source is not Source.MODEL or slot.revises is None or found.id < slot.revises:
        return None
    try:
        judgement = decode_judgement(found.body)
    except msgspec.MsgspecError:
        return None
    ticket = judgement.ticket.cached()
    if violations(ticket, slot.line, slot.context):
        return None
    body = encode(msgspec.structs.replace(judgement, ticket=ticket, context=None))
    judged = Judged(encode(ticket), body, ticket.review_reasons, ticket.source, ticket)
    return Shared(judged, found.at, found.id)

"""What the store holds, as it is shown to people and programs: one form for all who ask."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Final

from logdocket.errors import LedgerUnavailable
from logdocket.store.records import StoredTicket
from logdocket.ticket import encode

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(at: int) -> str:
    """The moment ``at`` (µs since 1970 UTC); what no calendar holds is shown as it is stored."""
    try:
        moment = _EPOCH + timedelta(microseconds=at)
    except (OverflowError, TypeError):
        return str(at)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def ticket_document(stored: StoredTicket) -> bytes:
    """A stored ticket with its reading as JSON; bytes of the line that are not UTF-8 appear as
    ``\\udcXX``.

    Raises LedgerUnavailable where it is not as it was entered.
    """
    try:
        judgement = json.loads(stored.body)
        ticket, reading = judgement["ticket"], judgement["reading"]
    except (ValueError, KeyError, TypeError):
        raise LedgerUnavailable(
            f"ticket {stored.id} is not as it was entered: verify the ledger"
        ) from None
    return encode(
        {
            "id": stored.id,
            "at": rfc3339(stored.at),
            "line_hash": stored.line_hash.hex(),
            "line": stored.text and stored.text.decode("utf-8", "surrogateescape"),
            "ticket": ticket,
            "reading": reading,
            "answer": judgement.get("answer"),
        }
    )

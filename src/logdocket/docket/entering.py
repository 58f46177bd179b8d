"""What slots enter in the ledger, and what they give where it cannot be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from logdocket.docket.slot import Slot
from logdocket.store import TicketRecord
from logdocket.ticket import Extraction, Source

# Looked up once: reading a member of an enum costs more than making a struct.
_FALLBACK: Final = Source.FALLBACK
_CACHE: Final = Source.CACHE


def records(slots: Sequence[Slot], keep_text: bool) -> list[TicketRecord]:
    """A record for each slot, in order; a twin of one before it repeats that one's."""
    places: dict[bytes, int] = {}
    made: list[TicketRecord] = []
    for place, slot in enumerate(slots):
        if slot.hit is not None:
            record = slot.hit.record
        elif (judged := slot.judged) is not None:
            places[slot.key] = place
            record = TicketRecord(
                key=slot.key,
                line_hash=slot.line_hash,
                source=_FALLBACK,
                reasons=judged.reasons,
                body=judged.body,
                text=slot.line.raw if keep_text else None,
            )
        else:
            original = places[slot.key]
            record = TicketRecord(
                key=slot.key,
                line_hash=slot.line_hash,
                source=_CACHE,
                reasons=made[original].reasons,
                same_as=original,
            )
        made.append(record)
    return made


def unledgered(slots: Sequence[Slot]) -> list[Extraction]:
    """The same answers, each sent to a person: the ledger could not take them."""
    extractions = []
    for slot in slots:
        if slot.hit is not None:
            given = slot.hit.again
        elif (judged := slot.judged) is not None:
            slot.failed = True
            given = Extraction(judged.json, None, judged.ticket)
        else:
            assert slot.twin is not None
            assert slot.twin.judged is not None, "a settled slot's twin has an answer"
            given = Extraction(slot.twin.judged.json, None, slot.twin.judged.ticket).cached()
        extractions.append(given.unledgered())
    return extractions

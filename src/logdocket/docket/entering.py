"""What slots enter in the ledger, and what they give where it cannot be written."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from logdocket.calls import CallEnd
from logdocket.docket.judgement import Judged
from logdocket.docket.memory import Remembered
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.line import Context
from logdocket.store import Lesson, Store, TicketRecord
from logdocket.ticket import Extraction, Source

# Looked up once: reading a member of an enum costs more than making a struct.
_CACHE: Final = Source.CACHE


def fresh_record(
    slot: Slot,
    judged: Judged,
    keep_text: bool,
    calls: tuple[int, ...] = (),
    tokens: int = 0,
    holder: bytes | None = None,
    lesson: Lesson | None = None,
    revises: int | None = None,
) -> TicketRecord:
    """The record of a ticket made for ``slot``; all else as there. Where the line's text is kept,
    so is what the caller knew beside it: nobody could judge the ticket without.
    """
    shared = slot.shared
    template = None
    if shared is not None:
        template = shared.template
    elif lesson is not None:
        template = lesson.wide + lesson.narrow
    return TicketRecord(
        key=slot.key,
        line_hash=slot.line_hash,
        source=judged.source,
        reasons=judged.reasons,
        body=_with_context(judged.body, slot.context) if keep_text else judged.body,
        text=slot.line.raw if keep_text else None,
        calls=calls,
        tokens=tokens,
        holder=holder,
        lesson=lesson,
        original=None if shared is None else shared.original,
        template=template,
        verdict=None if shared is None else shared.verdict,
        revises=revises,
    )


def _with_context(body: bytes, context: Context) -> bytes:
    told = context.canonical()
    return body if not told else b'%b,"context":%b}' % (body[:-1], told)


async def enter(store: Store, record: TicketRecord, ended: CallEnd | None = None) -> int | None:
    """The number of the entry for ``record``, durable, the end of a call before it; None where it
    could not be entered. Being cancelled changes nothing: what was ordered is entered.
    """
    entering = store.submit((record,), ended)
    while True:
        try:
            (entered,) = await asyncio.shield(entering)
        except LedgerUnavailable:
            return None
        except asyncio.CancelledError:
            if entering.cancelled():
                return None
            continue
        return entered


async def repeat(store: Store, hit: Remembered) -> Extraction:
    """A ticket that is remembered, entered as a cache hit and given again."""
    try:
        await store.submit((hit.record,))
    except LedgerUnavailable:
        return hit.again.unledgered()
    return hit.again


def records(slots: Sequence[Slot], keep_text: bool) -> list[TicketRecord]:
    """A record for each slot, in order; a twin of one before it repeats that one's."""
    places: dict[bytes, int] = {}
    made: list[TicketRecord] = []
    for place, slot in enumerate(slots):
        if slot.hit is not None:
            record = slot.hit.record
        elif (judged := slot.judged) is not None:
            places[slot.key] = place
            record = fresh_record(slot, judged, keep_text)
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

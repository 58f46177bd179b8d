"""One second look at a ticket that the rules wrote for a model's fault."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from logdocket.docket.extractor import Extractor
from logdocket.docket.flights import Look, Looked
from logdocket.docket.judgement import Judgement, decode_judgement
from logdocket.docket.review.describing import GROUPING
from logdocket.docket.slot import Slot
from logdocket.errors import InputError, LedgerUnavailable
from logdocket.line import NO_CONTEXT, Line, ServiceBasis
from logdocket.store.review import Grouping, Pending
from logdocket.store.review_store import ReviewStore
from logdocket.ticket import ReviewReason


class Listing(msgspec.Struct, frozen=True):
    """Tickets that wait, most severe first and of those the oldest, as of entry ``upto``."""

    waiting: Sequence[Pending]
    upto: int


class Looker:
    """Asks about tickets in the queue once more, where ``extractor`` asks a model."""

    def __init__(
        self, store: ReviewStore, extractor: Extractor, grouping: Grouping = GROUPING
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._grouping = grouping

    def listed(self, limit: int, most: int = 4096) -> Listing:
        """At most ``limit`` tickets that wait, after at most ``most`` further entries of the ledger
        were brought into the queue. Blocks; raises LedgerUnavailable.
        """
        folded = self._store.fold(self._grouping, most)
        return Listing(self._store.pending(limit), folded.upto)

    def slot(self, pending: Pending) -> Slot | None:
        """The ticket's line on its way once more; None where it cannot be asked about as it was."""
        ticket = pending.ticket
        try:
            judgement = decode_judgement(ticket.body)
            line = Line.from_bytes(ticket.text or b"")
        except (msgspec.MsgspecError, InputError):
            return None
        if judgement.context is None and self._lost(line, judgement):
            return None
        slot = self._extractor.slot_for(line, judgement.context or NO_CONTEXT)
        slot.revises = ticket.id
        return slot

    def _lost(self, line: Line, judgement: Judgement) -> bool:
        """Whether the caller knew more beside the line than was kept: an older version kept
        nothing of it."""
        before, now = judgement.reading, self._extractor.judge.read(line, NO_CONTEXT)
        if before.service.basis is ServiceBasis.CONTEXT:
            return True
        return before.timestamp.value is not None and now.timestamp.value is None

    async def look(self, pending: Pending, upto: int) -> Looked | None:
        """What came of asking about a ticket that was listed as of entry ``upto``; None where
        there is nothing to ask, or a person has decided meanwhile.
        """
        flights, slot = self._extractor.flights, self.slot(pending)
        if slot is None or flights is None:
            return None
        try:
            wanted = await asyncio.to_thread(self._undecided, pending)
        except LedgerUnavailable:
            return Looked(Look.BLOCKED, ReviewReason.LEDGER_UNAVAILABLE)
        return await flights.look_again(slot, upto) if wanted else None

    def _undecided(self, pending: Pending) -> bool:
        """Whether no person has decided about the ticket, which one may have done since it
        was listed."""
        return self._store.is_pending(pending.ticket.id)

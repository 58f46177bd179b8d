"""Tickets that the store has for lines, where they may be given again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from logdocket.docket.judgement import decode_judgement
from logdocket.docket.memory import Memory, Remembered
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.grounding import violations
from logdocket.store import Store, StoredTicket
from logdocket.ticket import Extraction, ReviewReason, Source


class Recall:
    """Finds stored tickets. ``clock`` gives µs since 1970 UTC, ``ttl`` the µs for which a ticket of
    a source may be given again; what is found is remembered in ``memory``.
    """

    def __init__(
        self, memory: Memory, clock: Callable[[], int], ttl: Callable[[Source], int]
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._ttl = ttl

    def find(self, store: Store, unseen: Mapping[bytes, Slot]) -> None:
        """Give those of the slots, by key, a hit that the store has a ticket for; the others are
        told which ticket was too old, or not to be believed."""
        try:
            found = store.lookup_many(unseen)
        except LedgerUnavailable:
            return
        for key, stored in found.items():
            slot = unseen[key]
            slot.seen = stored.id
            if self.fresh(stored) and (hit := self.believed(stored, slot)) is not None:
                slot.hit = hit
                self._memory.put(hit)

    def fresh(self, stored: StoredTicket) -> bool:
        """Whether the ticket is young enough to be given again as it is, and not one for want of
        time that there is now."""
        if ReviewReason.MODEL_STOPPED in stored.reasons or stored.source is Source.CACHE:
            return False  # What is shared is made anew: it must not outlive the answer.
        return abs(self._clock() - stored.at) < self._ttl(stored.source)

    def believed(self, stored: StoredTicket, slot: Slot) -> Remembered | None:
        """The stored ticket as a hit, if it can be decoded and the line in hand bears it out."""
        try:
            ticket = decode_judgement(stored.body).ticket
        except msgspec.MsgspecError:
            return None
        if violations(ticket, slot.line, slot.context):
            return None
        ttl, first = self._ttl(stored.source), Extraction.of(ticket, stored.id)
        return Remembered(stored.at, ttl, slot.key, slot.line_hash, first)

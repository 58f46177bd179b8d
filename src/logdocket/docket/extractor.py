"""The way of a line: remembered? else judged; entered in the ledger; only then answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

import msgspec
from cachetools import LRUCache

from logdocket.confidence import Table
from logdocket.docket.judge import Judge, decode_judgement
from logdocket.docket.slot import Remembered, Slot
from logdocket.errors import LedgerUnavailable
from logdocket.grounding import violations
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import RULES_VERSION
from logdocket.store import Store, StoredTicket, TicketRecord
from logdocket.ticket import Extraction, Source, Ticket, encode

Item = tuple[Line, Context]
_SECOND: Final = 1_000_000


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may choose about answering.

    ``risk``: share of wrong tickets that may pass unseen, 0 to 1.
    ``cache_ttl`` and ``fallback_ttl``: seconds that a model's and a fallback's ticket is reused.
    ``remembered``: how many tickets are kept in memory before the database is asked.
    ``keep_text``: whether lines are stored as text beside their tickets.
    """

    risk: float = 0.02
    cache_ttl: int = 86_400
    fallback_ttl: int = 60
    remembered: int = 10_000
    keep_text: bool = False

    def ttl(self, source: Source) -> int:
        """How long a ticket from ``source`` is reused, in µs."""
        seconds = self.cache_ttl if source is Source.MODEL else self.fallback_ttl
        return min(seconds, self.cache_ttl) * _SECOND


class Extractor:
    """Answers lines with tickets, each entered in the ledger before it is given.

    ``clock`` gives µs since 1970 UTC. With ``store`` None nothing is entered, by choice of the
    operator. Blocking and asynchronous callers walk the same steps; an Extractor belongs to one
    thread or one event loop.
    """

    def __init__(
        self, policy: Policy, table: Table, store: Store | None, clock: Callable[[], int]
    ) -> None:
        self.judge = Judge(table, policy.risk)
        self._policy = policy
        self._store = store
        self._clock = clock
        self._recent: LRUCache[bytes, Remembered] = LRUCache(max(policy.remembered, 1))
        self._open: dict[bytes, Slot] = {}
        table_hash = sha256(table.to_json()).hexdigest()
        self._fingerprint = f"{RULES_VERSION} {policy.risk} {table_hash}\0".encode()

    async def extract(self, line: Line, context: Context = NO_CONTEXT) -> Extraction:
        """The ticket for one line; see :meth:`extract_many`."""
        return (await self.extract_many([(line, context)]))[0]

    async def extract_many(self, items: Sequence[Item]) -> list[Extraction]:
        """Tickets in the order of the lines, durable in the ledger when this returns.

        Never raises for the store's sake: a ledger that cannot be written puts its reason on the
        ticket.
        """
        slots = self._look_up(items, {})
        self._settle(slots)
        if self._store is None:
            return self._answer(slots, None)
        try:
            ids = await self._store.submit(_records(slots, self._policy.keep_text))
        except LedgerUnavailable:
            return _unledgered(slots)
        return self._answer(slots, ids)

    def begin(self, items: Sequence[Item]) -> list[Slot]:
        """First half of a blocking call: remember what can be, leave the rest to be judged.

        Several batches may be begun before the first is finished, so that other processes can
        judge them meanwhile; they must be finished in the order they were begun.
        """
        return self._look_up(items, self._open)

    def finish(self, slots: Sequence[Slot]) -> list[Extraction]:
        """Second half: judge what no one has judged yet, enter all in one transaction, answer."""
        self._settle(slots)
        try:
            if self._store is None:
                return self._answer(slots, None)
            return self._answer(slots, self._store.write(_records(slots, self._policy.keep_text)))
        except LedgerUnavailable:
            return _unledgered(slots)
        finally:
            for slot in slots:
                if self._open.get(slot.key) is slot:
                    del self._open[slot.key]

    def _look_up(self, items: Sequence[Item], opened: dict[bytes, Slot]) -> list[Slot]:
        """Identify each line; find its answer in memory, in a line before it, or in the store."""
        now = self._clock()
        recent, fingerprint = self._recent, self._fingerprint
        reuse = self._policy.ttl(Source.FALLBACK) > 0
        slots: list[Slot] = []
        unseen: dict[bytes, Slot] = {}
        for line, context in items:
            line_hash = sha256(line.raw).digest()
            told = b"" if context is NO_CONTEXT else context.canonical()
            key = sha256(fingerprint + line_hash + told).digest()[:16]
            slot = Slot(line, context, key, line_hash)
            slots.append(slot)
            remembered = recent.get(key)
            if remembered is not None and remembered.expires_at > now:
                slot.hit = remembered
            elif reuse and (twin := opened.get(key)) is not None:
                slot.twin = twin
            else:
                opened[key] = unseen[key] = slot
        if unseen and self._store is not None:
            self._recall(self._store, unseen, now)
        return slots

    def _recall(self, store: Store, unseen: dict[bytes, Slot], now: int) -> None:
        try:
            found = store.lookup_many(unseen)
        except LedgerUnavailable:
            return
        for key, stored in found.items():
            slot = unseen[key]
            expires_at = stored.at + self._policy.ttl(stored.source)
            if expires_at > now and (ticket := _believed(stored, slot)) is not None:
                slot.hit = self._recent[key] = Remembered(expires_at, stored.id, ticket.cached())

    def _settle(self, slots: Sequence[Slot]) -> None:
        """See that each slot has a hit, a judgement, or a twin of this same batch that has one."""
        judge = self.judge
        for slot in slots:
            if (twin := slot.twin) is not None:
                if twin.hit is not None:
                    slot.hit = twin.hit
                elif twin.kept is not None:
                    slot.hit = twin.kept
                elif twin.failed:
                    slot.twin, slot.judgement = None, twin.judgement
            elif slot.hit is None and slot.judgement is None:
                slot.judgement = judge(slot.line, slot.context)

    def _answer(self, slots: Sequence[Slot], ids: Sequence[int] | None) -> list[Extraction]:
        """Remember the fresh tickets and hand all of them over, in order."""
        expires_at = self._clock() + self._policy.ttl(Source.FALLBACK)
        recent = self._recent
        extractions = []
        for place, slot in enumerate(slots):
            if slot.hit is None and slot.judgement is not None:
                ticket, id = slot.judgement.ticket, ids[place] if ids is not None else None
                slot.kept = recent[slot.key] = Remembered(expires_at, id, ticket.cached())
                extractions.append(Extraction(ticket, id))
            else:
                hit = slot.hit or (slot.twin and slot.twin.kept)
                assert hit, "a settled slot has a hit, a judgement or a kept twin"
                extractions.append(Extraction(hit.ticket, hit.id))
        return extractions


def _believed(stored: StoredTicket, slot: Slot) -> Ticket | None:
    """The stored ticket, if it can be decoded and the line in hand bears it out."""
    try:
        ticket = decode_judgement(stored.body).ticket
    except msgspec.MsgspecError:
        return None
    return None if violations(ticket, slot.line, slot.context) else ticket


def _records(slots: Sequence[Slot], keep_text: bool) -> list[TicketRecord]:
    places: dict[bytes, int] = {}
    records = []
    for place, slot in enumerate(slots):
        original = same_as = body = text = None
        if slot.hit is not None:
            ticket, original = slot.hit.ticket, slot.hit.id
        elif slot.judgement is not None:
            ticket, body = slot.judgement.ticket, encode(slot.judgement)
            text = slot.line.raw if keep_text else None
            places[slot.key] = place
        else:
            same_as = places[slot.key]
            ticket = slot.ticket()
        records.append(
            TicketRecord(
                key=slot.key,
                line_hash=slot.line_hash,
                source=ticket.source,
                reasons=ticket.review_reasons,
                body=body,
                original=original,
                same_as=same_as,
                text=text,
            )
        )
    return records


def _unledgered(slots: Sequence[Slot]) -> list[Extraction]:
    """The same answers, each sent to a person: the ledger could not take them."""
    extractions = []
    for slot in slots:
        slot.failed = slot.judgement is not None
        extractions.append(Extraction(slot.ticket().unledgered(), None))
    return extractions

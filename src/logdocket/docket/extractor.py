"""The way of a line: remembered? else judged; entered in the ledger; only then answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.confidence import Table
from logdocket.docket.judge import Judge, decode_judgement
from logdocket.docket.memory import Memory, Remembered
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.grounding import violations
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import RULES_VERSION
from logdocket.store import Store, StoredTicket, TicketRecord
from logdocket.ticket import Extraction, Source, Ticket

Item = tuple[Line, Context]
_SECOND: Final = 1_000_000
_FALLBACK: Final = Source.FALLBACK


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
        self._memory = Memory(policy.remembered)
        self._open: dict[bytes, Slot] = {}
        table_hash = sha256(table.to_json()).hexdigest()
        self._fingerprint = f"{RULES_VERSION} {policy.risk} {table_hash}\0".encode()

    async def extract(self, line: Line, context: Context = NO_CONTEXT) -> Extraction:
        """The ticket for one line; see :meth:`extract_many`."""
        slots = self._identify(((line, context),))
        hit = self._memory.get(slots[0].key, self._clock())
        if hit is None:
            return (await self._extract(slots))[0]
        if self._store is not None:
            try:
                await self._store.submit((hit.record,))
            except LedgerUnavailable:
                return hit.again.unledgered()
        return hit.again

    async def extract_many(self, items: Sequence[Item]) -> list[Extraction]:
        """Tickets in the order of the lines, durable in the ledger when this returns.

        Never raises for the store's sake: a ledger that cannot be written puts its reason on the
        ticket.
        """
        return await self._extract(self._identify(items))

    async def _extract(self, slots: list[Slot]) -> list[Extraction]:
        self._look_up(slots, {})
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
        slots = self._identify(items)
        self._look_up(slots, self._open)
        return slots

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

    def _identify(self, items: Sequence[Item]) -> list[Slot]:
        """A slot for each line, with the key that stands for line, context and configuration."""
        fingerprint = self._fingerprint
        last, told = NO_CONTEXT, b""
        slots = []
        for line, context in items:
            if context is not last:
                last, told = context, context.canonical()
            line_hash = sha256(line.raw).digest()
            key = sha256(fingerprint + line_hash + told).digest()[:16]
            slots.append(Slot(line, context, key, line_hash))
        return slots

    def _look_up(self, slots: Sequence[Slot], opened: dict[bytes, Slot]) -> None:
        """Find each slot's answer in memory, in a line before it, or in the store."""
        now = self._clock()
        remembered = self._memory.get
        reuse = self._policy.ttl(Source.FALLBACK) > 0
        unseen: dict[bytes, Slot] = {}
        for slot in slots:
            key = slot.key
            slot.hit = remembered(key, now)
            if slot.hit is not None:
                continue
            if reuse and (twin := opened.get(key)) is not None:
                slot.twin = twin
            else:
                opened[key] = unseen[key] = slot
        if unseen and self._store is not None:
            self._recall(self._store, unseen, now)

    def _recall(self, store: Store, unseen: dict[bytes, Slot], now: int) -> None:
        try:
            found = store.lookup_many(unseen)
        except LedgerUnavailable:
            return
        for key, stored in found.items():
            slot = unseen[key]
            ttl = self._policy.ttl(stored.source)
            if abs(now - stored.at) < ttl and (ticket := _believed(stored, slot)) is not None:
                first = Extraction.of(ticket, stored.id)
                slot.hit = Remembered(stored.at, ttl, key, slot.line_hash, first)
                self._memory.put(slot.hit)

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
                    slot.twin, slot.judged = None, twin.judged
            elif slot.hit is None and slot.judged is None:
                slot.judged = judge(slot.line, slot.context)

    def _answer(self, slots: Sequence[Slot], ids: Sequence[int] | None) -> list[Extraction]:
        """Remember the fresh tickets and hand all of them over, in order."""
        now, ttl = self._clock(), self._policy.ttl(Source.FALLBACK)
        remember = self._memory.put
        extractions = []
        for place, slot in enumerate(slots):
            judged, hit = slot.judged, slot.hit
            if judged is not None:
                given = Extraction(judged.json, None if ids is None else ids[place], judged.ticket)
                slot.kept = Remembered(now, ttl, slot.key, slot.line_hash, given)
                remember(slot.kept)
            else:
                if hit is None and slot.twin is not None:
                    hit = slot.twin.kept
                assert hit is not None, "a settled slot has a hit, a judgement or a kept twin"
                given = hit.again
            extractions.append(given)
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
    records: list[TicketRecord] = []
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
                source=Source.CACHE,
                reasons=records[original].reasons,
                same_as=original,
            )
        records.append(record)
    return records


def _unledgered(slots: Sequence[Slot]) -> list[Extraction]:
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

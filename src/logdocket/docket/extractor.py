"""The way of a line: remembered? else judged; entered in the ledger; only then answered."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol

from logdocket.calls import CallEnd
from logdocket.confidence import Table
from logdocket.docket.asking import Asking
from logdocket.docket.books import Caps
from logdocket.docket.entering import records, repeat, unledgered
from logdocket.docket.flights import Flights
from logdocket.docket.judge import Judge
from logdocket.docket.memory import Memory, Remembered
from logdocket.docket.policy import CacheScope, Policy
from logdocket.docket.recall import Recall
from logdocket.docket.reuse import Reuse
from logdocket.docket.review.answers import Reviews
from logdocket.docket.review.lessons import Teaching
from logdocket.docket.review.watch import Watch
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.model import Attempts
from logdocket.reading import RULES_VERSION
from logdocket.store import Store
from logdocket.ticket import Extraction, ReviewReason, Source

Item = tuple[Line, Context]


class TaughtStore(Store, Teaching, Protocol):
    """Where tickets and the ledger live, and people's verdicts about them."""


class Extractor:
    """Answers lines with tickets, each entered in the ledger before it is given.

    ``model`` asks a model, or is the reason why none is asked. ``clock`` gives µs since 1970 UTC,
    ``monotonic`` seconds that only grow, ``token`` 16 bytes that nobody else has. With ``store``
    None nothing is entered, by choice of the operator, and no model is asked. Blocking and
    asynchronous callers walk the same steps; a model is asked for the latter only. An Extractor
    belongs to one thread or one event loop.
    """

    def __init__(
        self,
        policy: Policy,
        table: Table,
        store: TaughtStore | None,
        clock: Callable[[], int],
        model: Attempts | ReviewReason = ReviewReason.MODEL_NOT_CONFIGURED,
        token: Callable[[], bytes] = lambda: secrets.token_bytes(16),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        attempts = None if isinstance(model, ReviewReason) else model
        why_alone = ReviewReason.LEDGER_OFF if isinstance(model, Attempts) else model
        self.judge = Judge(table, policy.risk, why_alone)
        self._policy = policy
        self._store = store
        self._clock = clock
        self._memory = Memory(policy.remembered)
        self._recall = Recall(self._memory, clock, policy.ttl)
        self._open: dict[bytes, Slot] = {}
        self._reviews = None
        if store is not None:
            self._reviews = Reviews(self.judge, store, clock)
        self._watch = None
        if self._reviews is not None:
            self._watch = Watch(self._reviews, self._forget, monotonic)
        # What repeats a person's word is never given again out of the store.
        table_hash = sha256(table.unreviewed.to_json()).hexdigest()
        told = why_alone if attempts is None or store is None else attempts.identity
        if attempts is not None and policy.min_severity is not None:
            told = f"{told} from {policy.min_severity}"
        self._fingerprint = f"{RULES_VERSION} {policy.risk} {table_hash} {told}\0".encode()
        self.attempts = attempts
        self._flights = None
        self._asking = None
        self._reuse = None
        if attempts is not None and store is not None:
            self._asking = asking = Asking(
                attempts,
                policy.caps,
                self.judge,
                store,
                keep_text=policy.keep_text,
                clock=clock,
                token=token,
                fresh=self._recall.fresh,
                mildest=policy.min_severity,
            )
            if policy.cache_scope is CacheScope.TEMPLATE:
                self._reuse = Reuse(self.judge, store, self._fingerprint, self._recall.fresh)
            self._flights = Flights(
                asking,
                store,
                self._memory,
                keep_text=policy.keep_text,
                clock=clock,
                ttl=policy.ttl,
                believed=self._recall.believed,
                reuse=self._reuse,
            )

    @property
    def asks(self) -> bool:
        """Whether a model is asked, so that only asynchronous callers are served."""
        return self._flights is not None

    @property
    def caps(self) -> Caps:
        """What a UTC day may cost."""
        return self._policy.caps

    def watch(self, told: Callable[[CallEnd], None], moved: Callable[[], None]) -> None:
        """Have ``told`` of every call of the model that ends, and ``moved`` called whenever it is
        asked about a line more or less."""
        if self._asking is not None and self._flights is not None:
            self._asking.watch, self._flights.moved = told, moved

    @property
    def flights(self) -> Flights | None:
        """What asks a model; None where none is asked."""
        return self._flights

    @property
    def asking(self) -> int:
        """How many lines a model is being asked about."""
        return 0 if self._flights is None else len(self._flights)

    async def open(self) -> None:
        """Begin what goes on beside the requests."""
        if self._flights is not None:
            self._flights.open()
        if self._watch is not None:
            await self._watch.open()

    async def close(self, grace: float = 0) -> None:
        """Let lines that a model is asked about be answered for ``grace`` seconds, then call the
        asking off; let go of the model."""
        if self._watch is not None:
            await self._watch.close()
        if self._flights is not None:
            await self._flights.close(grace)
        if self.attempts is not None:
            await self.attempts.client.close()

    async def verdicts_changed(self) -> None:
        """See what people have decided: that is what lines are answered from now on, and nothing
        that was remembered before."""
        if self._watch is not None:
            await self._watch.look()

    def _forget(self) -> None:
        """Forget what was answered, and what is on its way, before people decided otherwise."""
        self._memory.clear()
        self._open.clear()

    async def extract(self, line: Line, context: Context = NO_CONTEXT) -> Extraction:
        """The ticket for one line; see :meth:`extract_many`."""
        slots = self._identify(((line, context),))
        hit = self._memory.get(slots[0].key, self._clock())
        if hit is None:
            return (await self._extract(slots))[0]
        return hit.again if self._store is None else await repeat(self._store, hit)

    async def extract_many(self, items: Sequence[Item]) -> list[Extraction]:
        """Tickets in the order of the lines, durable in the ledger when this returns.

        Never raises for the store's sake: a ledger that cannot be written puts its reason on the
        ticket.
        """
        return await self._extract(self._identify(items))

    async def _extract(self, slots: list[Slot]) -> list[Extraction]:
        if self._watch is not None:
            self._watch.look_if_due()
        why = self._why_alone(slots)
        self._look_up(slots, {}, alone=why is not None)
        if why is None:
            return await self._ask(slots)
        if why is ReviewReason.CIRCUIT_OPEN:
            self._settle_unasked(slots, why)
        self._settle(slots, why)
        return await self._enter(slots)

    async def _ask(self, slots: Sequence[Slot]) -> list[Extraction]:
        """Have a model asked about what nothing has settled yet."""
        assert self._flights is not None, "without a model there is a reason"
        settled = [slot for slot in slots if slot.settled]
        if not settled:
            return await asyncio.gather(*map(self._flights.answer, slots))
        others = [slot for slot in slots if not slot.settled]
        entered, answered = await asyncio.gather(
            self._enter(settled), asyncio.gather(*map(self._flights.answer, others))
        )
        ordered = zip((*settled, *others), (*entered, *answered), strict=True)
        given = {id(slot): extraction for slot, extraction in ordered}
        return [given[id(slot)] for slot in slots]

    async def _enter(self, slots: Sequence[Slot]) -> list[Extraction]:
        """Enter what is settled, and answer."""
        if self._store is None:
            return self._answer(slots, None)
        try:
            ids = await self._store.submit(records(slots, self._policy.keep_text))
        except LedgerUnavailable:
            return unledgered(slots)
        return self._answer(slots, ids)

    def begin(self, items: Sequence[Item]) -> list[Slot]:
        """First half of a blocking call: remember what can be, leave the rest to be judged.

        Several batches may be begun before the first is finished, so that other processes can
        judge them meanwhile; they must be finished in the order they were begun.
        """
        assert not self.asks, "a model is asked by asynchronous callers only"
        if self._watch is not None:
            self._watch.look_if_due()
        slots = self._identify(items)
        self._look_up(slots, self._open, alone=True)
        return slots

    def settle(self, slots: Sequence[Slot]) -> None:
        """Judge what no one has judged yet, ahead of :meth:`finish`."""
        self._settle(slots, self.judge.why_alone)

    def finish(self, slots: Sequence[Slot]) -> list[Extraction]:
        """Second half, for one batch or several in a row: judge what no one has judged yet, enter
        all in one transaction, answer."""
        self.settle(slots)
        try:
            if self._store is None:
                return self._answer(slots, None)
            return self._answer(slots, self._store.write(records(slots, self._policy.keep_text)))
        except LedgerUnavailable:
            return unledgered(slots)
        finally:
            for slot in slots:
                if self._open.get(slot.key) is slot:
                    del self._open[slot.key]

    def slot_for(self, line: Line, context: Context = NO_CONTEXT) -> Slot:
        """The line on its way, under the key that it has now."""
        slot = self._identify(((line, context),))[0]
        slot.era = self._memory.era
        return slot

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

    def _why_alone(self, slots: Sequence[Slot]) -> ReviewReason | None:
        """Why the rules are to answer ``slots`` alone; None where a model is to be asked.

        While its breaker is open there is nothing to ask, nor to wait for: but who wants a line
        that is being asked about still shares what comes of it.
        """
        if self.attempts is None or self._flights is None:
            return self.judge.why_alone
        if self.attempts.breaker.shut and not any(slot.key in self._flights for slot in slots):
            return ReviewReason.CIRCUIT_OPEN
        return None

    def _look_up(self, slots: Sequence[Slot], opened: dict[bytes, Slot], alone: bool) -> None:
        """Find each slot's answer in memory, in a line before it, or in the store; ``alone``: where
        the rules answer what is not found.
        """
        now = self._clock()
        memory, store, reviews = self._memory, self._store, self._reviews
        holds, era = memory.holds, memory.era
        reuse = self._policy.ttl(Source.FALLBACK) > 0 and alone
        unseen: dict[bytes, Slot] = {}
        for slot in slots:
            key = slot.key
            if holds(key):
                slot.hit = memory.get(key, now)
                if slot.hit is not None:
                    continue
            slot.era = era
            if (twin := opened.get(key)) is not None and (reuse or twin.by_person):
                slot.twin = twin
            elif alone or key not in unseen:
                opened[key] = slot
                # A person's word goes before what was answered without it.
                if reviews and (shared := reviews.share(slot)) is not None:
                    slot.judged, slot.shared = shared.judged, shared
                else:
                    unseen[key] = slot
        if unseen and store is not None:
            self._recall.find(store, unseen)

    def _settle_unasked(self, slots: Sequence[Slot], why: ReviewReason) -> None:
        """Judge the lines about which a model would be asked, were it not for ``why``: what it has
        answered about their templates still holds."""
        assert self._asking is not None, "there is a model"
        for slot in slots:
            if not slot.undecided:
                continue
            reading = slot.reading or self.judge.read(slot.line, slot.context)
            exempt = self._asking.exempt(reading)
            if exempt is None and self._reuse is not None:
                slot.shared = self._reuse.share(slot, reading)
            if slot.shared is not None:
                slot.judged = slot.shared.judged
            else:
                slot.judged = self.judge.fall_back(slot.line, reading, exempt or why)

    def _settle(self, slots: Sequence[Slot], why: ReviewReason) -> None:
        """See that each slot has a hit, a judgement, or a twin of this same batch that has one;
        ``why``: the reason why the rules judge alone.
        """
        read, fall_back = self.judge.read, self.judge.fall_back  # looked up once
        for slot in slots:
            if (twin := slot.twin) is not None:
                if twin.hit is not None:
                    slot.hit = twin.hit
                elif twin.kept is not None:
                    slot.hit = twin.kept
                elif twin.failed:
                    slot.twin, slot.judged, slot.shared = None, twin.judged, twin.shared
            elif slot.hit is None and slot.judged is None:
                line = slot.line
                reading = slot.reading or read(line, slot.context)
                slot.judged = fall_back(line, reading, why)

    def _answer(self, slots: Sequence[Slot], ids: Sequence[int] | None) -> list[Extraction]:
        """Remember the fresh tickets and hand all of them over, in order."""
        now, ttl, era = self._clock(), self._policy.ttl(Source.FALLBACK), self._memory.era
        extractions, fresh = [], []
        for place, slot in enumerate(slots):
            judged, hit = slot.judged, slot.hit
            if judged is not None:
                given = Extraction(judged.json, None if ids is None else ids[place], judged.decoded)
                at, lasts = now, ttl
                if slot.shared is not None:
                    at, lasts = slot.shared.at, self._policy.ttl(judged.source)
                slot.kept = kept = Remembered(at, lasts, slot.key, slot.line_hash, given)
                if slot.era == era:
                    fresh.append(kept)
            else:
                if hit is None and slot.twin is not None:
                    hit = slot.twin.kept
                assert hit is not None, "a settled slot has a hit, a judgement or a kept twin"
                given = hit.again
            extractions.append(given)
        self._memory.put_all(fresh)
        return extractions

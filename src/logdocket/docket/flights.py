"""Lines that a model is being asked about: one flight for each, however many want its ticket, and
one at a time for each template, so that the others can share its answer."""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import Callable
from typing import Final

import msgspec

from logdocket.docket.again import answered
from logdocket.docket.asking import Asked, Asking, blocked
from logdocket.docket.books import unwatched
from logdocket.docket.entering import enter, fresh_record, repeat
from logdocket.docket.judgement import Judged, Shared
from logdocket.docket.memory import Memory, Remembered
from logdocket.docket.reuse import Reuse, Template
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.line import Reading
from logdocket.store import Store, StoredTicket
from logdocket.ticket import Extraction, ReviewReason, Source

_log = logging.getLogger("logdocket.docket")

_WAITS: Final = 2
"""So many answers about other lines of its template a line waits for; then it is asked about."""

_WAIT_SHARE: Final = 0.3
"""The share of the time there is that it waits for one at most: a model that hangs answers none."""

_SWEEP: Final = 5.0
"""Seconds between looks for calls that a process that died has left open."""


class Flown(msgspec.Struct, frozen=True):
    """What a flight came back with.

    ``kept``: the ticket as it may be repeated; None where it is not in the ledger.
    ``given``: the ticket as the first who asked gets it; None where another process made it.
    ``judged``: the ticket for the others, where this flight's own is not in the ledger.
    """

    kept: Remembered | None
    given: Extraction | None = None
    judged: Judged | None = None


class Look(enum.StrEnum):
    """What came of asking about a line once more."""

    ANSWERED = "answered"
    """There is a ticket in place of the rules' own."""
    FAILING = "failing"
    """The model was asked, and it failed once more; that is entered."""
    BLOCKED = "blocked"
    """The model could not be asked now, and nothing was entered."""
    ELSEWHERE = "elsewhere"
    """Someone else was asking about the line at this moment."""


class Looked(msgspec.Struct, frozen=True):
    """What came of a second look; ``why`` no model answered, where none did; ``shared``: it took no
    call, since the model has answered about such a line before."""

    look: Look
    why: ReviewReason | None = None
    shared: bool = False


class Flights:
    """Answers slots by way of a model, each key asked about once at a time. With ``reuse``, answers
    are shared among the lines of a template.

    ``ttl`` gives the µs for which a ticket of a source is reused; ``believed`` the hit that a
    stored ticket is for a slot, None where the line does not bear it out. ``moved`` is called when
    a flight begins or has landed.
    """

    moved: Callable[[], None]

    def __init__(
        self,
        asking: Asking,
        store: Store,
        memory: Memory,
        *,
        keep_text: bool,
        clock: Callable[[], int],
        ttl: Callable[[Source], int],
        believed: Callable[[StoredTicket, Slot], Remembered | None],
        reuse: Reuse | None = None,
    ) -> None:
        self._asking = asking
        self._store = store
        self._memory = memory
        self._keep_text = keep_text
        self._clock = clock
        self._ttl = ttl
        self._believed = believed
        self._reuse = reuse
        self._leading: dict[bytes, asyncio.Future[None]] = {}
        """By wide form: done when the line of it that is being asked about has its ticket."""
        self._flying: dict[bytes, asyncio.Task[Flown]] = {}
        self._tending: asyncio.Task[None] | None = None
        self.moved = unwatched
        self.looks = 0
        """How many of the flights are second looks."""
        self._closing = False

    def __len__(self) -> int:
        return len(self._flying)

    def __contains__(self, key: bytes) -> bool:
        return key in self._flying

    async def answer(self, slot: Slot) -> Extraction:
        """The ticket for ``slot``, durable in the ledger: its hit, or what a flight brings."""
        # Of two of one batch, the second finds what the first was given.
        hit = slot.hit or self._memory.get(slot.key, self._clock())
        if hit is not None:
            return await repeat(self._store, hit)
        flight = self._flying.get(slot.key)
        mine = flight is None
        if flight is None:
            flight = self._take_off(slot)
        # Who goes away does not take the flight from the others.
        flown = await asyncio.shield(flight)
        if mine and flown.given is not None:
            return flown.given
        if flown.kept is not None:
            return await repeat(self._store, flown.kept)
        assert flown.judged is not None, "what is not kept was made by this flight"
        return await self._enter_again(slot, flown.judged)

    async def look_again(self, slot: Slot, upto: int) -> Looked:
        """Ask about the line of ``slot``, whose ``revises`` is set, unless something was said of it
        after entry ``upto``, up to which it is known.

        Whoever wants the line meanwhile shares the call. What a model has said of the line since
        the ticket that is revised is taken over without one.
        """
        if self._closing:
            return Looked(Look.BLOCKED, ReviewReason.MODEL_STOPPED)
        if (flight := self._flying.get(slot.key)) is not None:
            await asyncio.wait({flight})
            return Looked(Look.ELSEWHERE)
        try:
            found = self._store.lookup(slot.key)
        except LedgerUnavailable:
            return Looked(Look.BLOCKED, ReviewReason.LEDGER_UNAVAILABLE)
        if found is not None:
            if found.id > upto:
                return Looked(Look.ELSEWHERE)
            # It does not answer the claim: another that comes meanwhile does.
            slot.seen = found.id
            slot.shared = answered(found, slot)
        flown = await asyncio.shield(self._take_off(slot))
        if flown.judged is None:
            return Looked(Look.ELSEWHERE)
        why = blocked(flown.judged)
        if flown.kept is None:
            return Looked(Look.BLOCKED, why)
        if why is not None:
            return Looked(Look.FAILING, why)
        return Looked(Look.ANSWERED, shared=slot.shared is not None)

    def _take_off(self, slot: Slot) -> asyncio.Task[Flown]:
        self._flying[slot.key] = flight = asyncio.create_task(self._fly(slot))
        again = slot.revises is not None
        self.looks += again

        def land(_: object) -> None:
            del self._flying[slot.key]
            self.looks -= again
            self.moved()

        flight.add_done_callback(land)
        self.moved()
        return flight

    async def _fly(self, slot: Slot) -> Flown:
        if slot.shared is not None:
            return await self._share(slot, slot.shared)
        asking, until = self._asking, self._asking.until()
        reading = asking.read(slot)
        if (why := asking.exempt(reading)) is not None:
            return self._landed(slot, await asking.without(slot, reading, why))
        template = None if self._reuse is None else self._reuse.template(slot, reading)
        if template is None or self._reuse is None:
            return await self._ask(slot, reading, until, None)
        try:
            for waited in range(_WAITS + 1):
                shared = self._reuse.find(slot, reading, template)
                if shared is not None:
                    return await self._share(slot, shared)
                leader = self._leading.get(template.wide)
                if leader is None or waited == _WAITS:
                    break
                await asyncio.wait({leader}, timeout=asking.left(until) * _WAIT_SHARE)
        except asyncio.CancelledError:
            stopped = await asking.without(slot, reading, ReviewReason.MODEL_STOPPED)
            return self._landed(slot, stopped)
        return await self._lead(slot, reading, until, template)

    async def _lead(self, slot: Slot, reading: Reading, until: float, template: Template) -> Flown:
        """Ask about the slot's line while others of its template wait, unless they wait for
        another one already."""
        if template.wide in self._leading:
            return await self._ask(slot, reading, until, template)
        leader = asyncio.get_running_loop().create_future()
        self._leading[template.wide] = leader
        try:
            return await self._ask(slot, reading, until, template)
        finally:
            del self._leading[template.wide]
            leader.set_result(None)

    async def _ask(
        self, slot: Slot, reading: Reading, until: float, template: Template | None
    ) -> Flown:
        """Ask until there is a ticket that can be given."""
        while True:
            asked = await self._asking.about(slot, reading, until, template)
            if asked.found is None:
                return self._landed(slot, asked)
            kept = self._believed(asked.found, slot)
            if kept is not None:
                self._memory.put(kept, slot.era)
                return Flown(kept)
            slot.seen = asked.found.id

    def _landed(self, slot: Slot, asked: Asked) -> Flown:
        """What a flight that made a ticket comes back with."""
        assert asked.judged is not None, "what was not found was made"
        return self._flown(slot, asked.judged, asked.entered, self._clock())

    async def _share(self, slot: Slot, shared: Shared) -> Flown:
        """Enter the ticket of an answer about another line; it lasts as long as that one's."""
        slot.shared = shared
        record = fresh_record(slot, shared.judged, self._keep_text, revises=slot.revises)
        return self._flown(slot, shared.judged, await enter(self._store, record), shared.at)

    def _flown(self, slot: Slot, judged: Judged, entered: int | None, at: int) -> Flown:
        """Remember a ticket from ``at`` on, if it was entered."""
        given = Extraction(judged.json, entered, judged.ticket)
        if entered is not None:
            kept = Remembered(at, self._ttl(judged.source), slot.key, slot.line_hash, given)
            self._memory.put(kept, slot.era)
            return Flown(kept, given, judged)
        if judged.source is not Source.FALLBACK:
            # Its call is the first one's: the others have none to show for such a ticket.
            judged = self._asking.by_rules(slot, ReviewReason.LEDGER_UNAVAILABLE)
        return Flown(None, given.unledgered(), judged)

    async def _enter_again(self, slot: Slot, judged: Judged) -> Extraction:
        """Enter the ticket of a flight that could not, for another who waited for it."""
        entered = await enter(self._store, fresh_record(slot, judged, self._keep_text))
        given = Extraction(judged.json, entered, judged.ticket)
        return given if entered is not None else given.unledgered()

    def open(self) -> None:
        """Begin to look after what processes that died have left behind."""
        self._closing = False
        if self._tending is None:
            self._tending = asyncio.create_task(self._tend())

    async def _tend(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._store.sweep)
            except LedgerUnavailable as error:
                _log.debug("nothing was swept: %s", error)
            except Exception:  # noqa: BLE001 - logged; the next look may do better
                _log.exception("calls that were left open could not be looked for")
            await asyncio.sleep(_SWEEP)

    async def close(self, grace: float) -> None:
        """Let flights land for ``grace`` seconds, then call them off; their ends are entered."""
        self._closing = True
        if self._tending is not None:
            self._tending.cancel()
            await asyncio.wait({self._tending})
            self._tending = None
        if self._flying:
            flying = set(self._flying.values())
            _, late = await asyncio.wait(flying, timeout=grace)
            for flight in late:
                flight.cancel()
            if late:
                await asyncio.wait(late)

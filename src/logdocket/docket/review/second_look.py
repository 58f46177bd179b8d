"""Second looks in the background: when the model is back, it is asked again where it failed.

A process begins at most ``per_minute`` calls a minute so, and W processes on one ledger W times
that: the claim on a line keeps two from asking about it at once, and whoever comes second takes
what the first one was told.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from logdocket.docket.extractor import Extractor
from logdocket.docket.flights import Flights
from logdocket.docket.review.describing import GROUPING
from logdocket.docket.review.looking import Looker
from logdocket.docket.review.outlook import Awaits, Outlook, Spell
from logdocket.docket.review.pace import SPACE, Pace
from logdocket.errors import LedgerUnavailable
from logdocket.model import Attempts
from logdocket.store.review import Grouping, Pending
from logdocket.store.review_store import ReviewStore

_log = logging.getLogger("logdocket.docket")

_IDLE: Final = 2.0
_LONGEST_IDLE: Final = 10.0
"""Seconds until it is seen again whether there is something to do; they double while nothing
waits."""

_BATCH: Final = 32
_DEEPEST: Final = 8_192
"""Lines that a listing gives, and the most where the first of them are set aside."""

_PIECE: Final = 256
"""Entries of the ledger that a listing brings into the queue: requests need the interpreter too."""

_STALE: Final = 5.0
"""Seconds for which a listing holds: more severe ones may have come since."""

_MOST: Final = 8
"""Looks at once."""

_PROBE_AFTER: Final = 30.0
"""Seconds for which a half-open breaker waits for a request before a look is its probe: where no
requests come, it would never close."""


class SecondLook:
    """Asks about tickets that fell back for a model's fault, while it is open.

    ``per_minute``: calls at most, evenly spaced; 0 for none. ``monotonic`` gives seconds. It
    belongs to the extractor's event loop, and is closed before the extractor is.
    """

    def __init__(
        self,
        store: ReviewStore,
        extractor: Extractor,
        *,
        per_minute: int,
        grouping: Grouping = GROUPING,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._looks: _Looks | None = None
        flights, attempts = extractor.flights, extractor.attempts
        if per_minute > 0 and flights is not None and attempts is not None:
            looker = Looker(store, extractor, grouping)
            self._looks = _Looks(looker, flights, attempts, Pace(60 / per_minute), monotonic)
        self._tending: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to look, where a model is asked at all."""
        if self._looks is not None and self._tending is None:
            self._tending = asyncio.create_task(_tend(self._looks))

    async def step(self) -> float:
        """Begin the next look, if there is one to begin now; seconds until the next step."""
        return _IDLE if self._looks is None else await self._looks.step()

    def outlook(self) -> Outlook | None:
        """When the next look is due, were there something to look at; None where none is made."""
        return None if self._looks is None else self._looks.outlook()

    async def settled(self) -> None:
        """Wait until every look that was begun has come to its end."""
        if self._looks is not None:
            await self._looks.settled()

    async def close(self) -> None:
        """Begin no more. Calls that are under way are the extractor's to end and enter."""
        if self._tending is not None:
            self._tending.cancel()
            await asyncio.wait({self._tending})
            self._tending = None
        if self._looks is not None:
            await self._looks.leave()


async def _tend(looks: _Looks) -> None:
    while True:
        await looks.pause(await looks.step())


class _Looks:
    """Begins looks one by one, and hears what comes of them."""

    def __init__(
        self,
        looker: Looker,
        flights: Flights,
        attempts: Attempts,
        pace: Pace,
        monotonic: Callable[[], float],
    ) -> None:
        self._looker = looker
        self._flights = flights
        self._attempts = attempts
        self._pace = pace
        self._monotonic = monotonic
        self._most = max(1, min(_MOST, attempts.concurrency // 2))
        self._looking: dict[asyncio.Task[None], bytes] = {}
        self._listed: deque[Pending] = deque()
        self._listed_at = float("-inf")
        self._upto = 0
        self._depth = _BATCH
        self._half_open: float | None = None
        self._idle = _IDLE
        self._landed = asyncio.Event()
        self._spell = Spell()
        self._all_aside = False

    async def step(self) -> float:
        """As :meth:`SecondLook.step`."""
        now = self._monotonic()
        if (wait := self._pace.wait(now)) > 0:
            if self._pace.resting(now) > 0:
                self._spell.end(self.outlook())
            return wait
        if not self._may_ask(now):
            if self._attempts.breaker.state != "closed":
                self._spell.end(self.outlook())
            return _IDLE
        pending = await self._next(now)
        self._all_aside = pending is None and self._pace.aside(now) > 0
        if pending is None:
            self._spell.end(self.outlook())
            idle, self._idle = self._idle, min(self._idle * 2, _LONGEST_IDLE)
            return idle
        self._half_open, self._idle = None, _IDLE
        began = self._monotonic()
        self._pace.begin(began)
        self._spell.begin()
        look = asyncio.create_task(self._look(pending, self._upto, began))
        self._looking[look] = pending.ticket.line_hash
        look.add_done_callback(self._land)
        return self._pace.wait(began)

    def outlook(self) -> Outlook:
        """As :meth:`SecondLook.outlook`."""
        now, breaker = self._monotonic(), self._attempts.breaker
        if (rest := self._pace.resting(now)) > 0:
            return Outlook(Awaits.REST, rest)
        if breaker.state != "closed":
            waited = 0.0 if self._half_open is None else now - self._half_open
            probe = max(0.0, _PROBE_AFTER - waited)
            return Outlook(Awaits.BREAKER, breaker.remaining + probe)
        if self._crowded():
            return Outlook(Awaits.REQUESTS, None)
        if self._all_aside and (aside := self._pace.next_aside(now)) is not None:
            return Outlook(Awaits.LINES, aside)
        return Outlook(Awaits.TURN, self._pace.wait(now))

    async def pause(self, seconds: float) -> None:
        """Wait for so long, or until a look has landed: it may have left room for the next."""
        self._landed.clear()
        try:
            await asyncio.wait_for(self._landed.wait(), seconds)
        except TimeoutError:
            return
        await asyncio.sleep(min(seconds, SPACE))

    async def settled(self) -> None:
        """As :meth:`SecondLook.settled`."""
        if self._looking:
            await asyncio.wait(set(self._looking))

    async def leave(self) -> None:
        """Wait for no look any more; their flights go on."""
        for look in self._looking:
            look.cancel()
        await self.settled()

    def _may_ask(self, now: float) -> bool:
        """Whether a look would be neither in the way of requests nor in vain."""
        if self._crowded() or len(self._looking) >= self._most:
            return False
        breaker = self._attempts.breaker
        if breaker.state == "closed":
            self._half_open = None
            return True
        if breaker.state == "open" or breaker.shut:
            self._half_open = None
            return False
        if self._half_open is None:
            self._half_open = now
        return now - self._half_open >= _PROBE_AFTER and not self._looking

    def _crowded(self) -> bool:
        """Whether requests have more than half of the model's time."""
        requests = len(self._flights) - self._flights.looks
        return requests > self._attempts.concurrency / 2

    async def _next(self, now: float) -> Pending | None:
        """The first ticket that waits and is not in hand or set aside."""
        if not self._listed or now - self._listed_at > _STALE:
            await self._list(now)
        in_hand = set(self._looking.values())
        while self._listed:
            pending = self._listed.popleft()
            line = pending.ticket.line_hash
            if line not in in_hand and not self._pace.is_aside(line, now):
                return pending
        return None

    async def _list(self, now: float) -> None:
        self._listed.clear()
        try:
            listing = await asyncio.to_thread(self._looker.listed, self._depth, _PIECE)
        except LedgerUnavailable as error:
            _log.debug("no second look: %s", error)
            return
        except Exception:  # noqa: BLE001 - logged; the next listing may do better
            _log.exception("what waits for a second look could not be listed")
            self._pace.rest(now)
            return
        self._upto, self._listed_at = listing.upto, now
        self._listed.extend(listing.waiting)
        # Where those in front are set aside, others wait behind them.
        self._depth = min(_BATCH + self._pace.aside(now), _DEEPEST)

    async def _look(self, pending: Pending, upto: int, began: float) -> None:
        line = pending.ticket.line_hash
        try:
            looked = await self._looker.look(pending, upto)
        except Exception:  # noqa: BLE001 - logged, and the line is not asked about again soon
            _log.exception("a second look failed", extra={"line_hash": line.hex()})
            looked = None
        self._pace.hear(line, began, looked, self._monotonic())
        self._spell.hear(looked)

    def _land(self, look: asyncio.Task[None]) -> None:
        del self._looking[look]
        self._landed.set()

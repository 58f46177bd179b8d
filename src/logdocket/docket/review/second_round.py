"""One second look at everything that waits for one, at once and on order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from logdocket.docket.flights import Look, Looked
from logdocket.docket.review.looking import Looker
from logdocket.store.review import Pending
from logdocket.ticket import ReviewReason

_CHUNK: Final = 1_000
"""Tickets that are listed at once, and more where that many have been met already."""


class Tally(msgspec.Struct):
    """What came of looks at lines. ``shared`` of the ``answered`` took no call. ``stopped``: why
    no more was asked, where something stood against it."""

    answered: int = 0
    shared: int = 0
    failing: int = 0
    skipped: int = 0
    stopped: ReviewReason | None = None

    @property
    def looked_at(self) -> int:
        """How many lines that were."""
        return self.answered + self.failing + self.skipped


class Round:
    """Looks at each line that waits once, ``at_once`` of them at a time and at most ``most`` in
    all, until the model cannot be asked any more. ``told`` hears of each look. Once ``stop`` is
    set, no further one begins.
    """

    def __init__(
        self,
        looker: Looker,
        *,
        at_once: int,
        most: int | None,
        stop: asyncio.Event,
        told: Callable[[Tally], None],
    ) -> None:
        self.tally = Tally()
        self._looker = looker
        self._at_once = at_once
        self._left = most
        self._stop = stop
        self._told = told
        self._met: set[bytes] = set()
        self._listed: deque[Pending] = deque()
        self._upto = 0
        self._depth = _CHUNK
        self._all_listed = False
        self._one_at_a_time = asyncio.Lock()

    async def run(self) -> Tally:
        """What came of it; raises LedgerUnavailable where it cannot be told what waits."""
        workers = [asyncio.create_task(self._work()) for _ in range(self._at_once)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
        return self.tally

    async def _work(self) -> None:
        while (pending := await self._take()) is not None:
            looked = await self._looker.look(pending, self._upto)
            self._hear(looked)
            self._told(self.tally)

    def _hear(self, looked: Looked | None) -> None:
        tally = self.tally
        if looked is None or looked.look is Look.ELSEWHERE:
            tally.skipped += 1
        elif looked.look is Look.ANSWERED:
            tally.answered += 1
            tally.shared += looked.shared
        elif looked.look is Look.FAILING:
            tally.failing += 1
        else:
            tally.skipped += 1
            if looked.why not in (ReviewReason.MODEL_BUSY, ReviewReason.MODEL_STOPPED):
                tally.stopped = tally.stopped or looked.why

    async def _take(self) -> Pending | None:
        """The next ticket whose line was not met yet; None where nothing more is to be asked."""
        async with self._one_at_a_time:
            while not self._stop.is_set() and self.tally.stopped is None and self._left != 0:
                if not self._listed:
                    if self._all_listed:
                        return None
                    await self._list()
                elif (pending := self._listed.popleft()).ticket.key not in self._met:
                    # A look is one at every ticket under the key.
                    self._met.add(pending.ticket.key)
                    self._left = None if self._left is None else self._left - 1
                    return pending
        return None

    async def _list(self) -> None:
        listing = await asyncio.to_thread(self._looker.listed, self._depth)
        self._upto, self._all_listed = listing.upto, len(listing.waiting) < self._depth
        fresh = [each for each in listing.waiting if each.ticket.key not in self._met]
        if not fresh:
            self._depth *= 2
        self._listed.extend(fresh)

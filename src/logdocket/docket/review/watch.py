"""Looks for what people have decided meanwhile, in this process or in another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from logdocket.docket.review.answers import Reviews

_PAUSE: Final = 0.5
"""Seconds between looks for new verdicts."""


class Watch:
    """Keeps ``reviews`` up to date: on an event loop by a task of its own from :meth:`open` to
    :meth:`close`, else whenever it is asked to. ``changed`` is called where lines are answered
    otherwise than before; ``monotonic`` gives seconds that only grow.
    """

    def __init__(
        self, reviews: Reviews, changed: Callable[[], None], monotonic: Callable[[], float]
    ) -> None:
        self._reviews = reviews
        self._changed = changed
        self._monotonic = monotonic
        self._next: float | None = None
        self._task: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def look(self) -> None:
        """Look now. The database is read in another thread."""
        async with self._one_at_a_time:
            fetched = await asyncio.to_thread(self._reviews.fetch)
            if self._reviews.take(fetched):
                self._changed()

    def look_if_due(self) -> None:
        """Look, unless that was done lately or a task does it. Blocks."""
        if self._task is not None:
            return
        now = self._monotonic()
        if self._next is None or now >= self._next:
            self._next = now + _PAUSE
            if self._reviews.refresh():
                self._changed()

    async def open(self) -> None:
        """Look now, and from now on."""
        if self._task is None:
            await self.look()
            self._task = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(_PAUSE)
            await self.look()

    async def close(self) -> None:
        """Look no longer."""
        if self._task is not None:
            async with self._one_at_a_time:  # Nothing reads the database after this.
                self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

"""Connections in pools of a few.

A pool of httpx2 looks at each of its idle connections twice for every request, by a call to the
system. With hundreds at once that took a third of all the time that asking takes.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Final

import httpx2

__all__ = ["WIDTH", "Lanes"]

WIDTH: Final = 8
"""Requests at once in one pool."""


class Lanes(httpx2.AsyncBaseTransport):
    """Sends each request through the first pool that has room, so that few at once share one.

    ``make`` gives a pool; one that was not needed for ``idle`` seconds is closed when the next
    request comes. ``clock`` gives seconds that never go back.
    """

    def __init__(
        self,
        make: Callable[[], httpx2.AsyncBaseTransport],
        idle: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make = make
        self._idle = idle
        self._clock = clock
        self._lanes = [_Lane(make())]

    def __len__(self) -> int:
        return len(self._lanes)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response, which keeps its place until it is closed."""
        lane = next((lane for lane in self._lanes if lane.busy < WIDTH), None)
        if lane is None:
            lane = _Lane(self._make())
            self._lanes.append(lane)
        lane.busy += 1
        lane.used = self._clock()
        try:
            await self._close_idle()
            response = await lane.pool.handle_async_request(request)
        except BaseException:
            lane.busy -= 1
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream), "a pool's are asynchronous"
        response.stream = _Body(response.stream, lane)
        return response

    async def _close_idle(self) -> None:
        """Close the last pool where it is not needed any more: the first are filled first."""
        last = self._lanes[-1]
        if last.busy == 0 and self._clock() - last.used > self._idle and len(self._lanes) > 1:
            self._lanes.pop()
            await last.pool.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        for lane in self._lanes:
            await lane.pool.aclose()


class _Lane:
    """A pool, how many requests are in it, and when the last of them came."""

    __slots__ = ("busy", "pool", "used")

    def __init__(self, pool: httpx2.AsyncBaseTransport) -> None:
        self.pool = pool
        self.busy = 0
        self.used = 0.0


class _Body(httpx2.AsyncByteStream):
    """The body of a response, which gives its place back when it is closed."""

    def __init__(self, body: httpx2.AsyncByteStream, lane: _Lane) -> None:
        self._body = body
        self._lane: _Lane | None = lane

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._body:
            yield part

    async def aclose(self) -> None:
        lane, self._lane = self._lane, None
        if lane is None:
            return
        try:
            await self._body.aclose()
        finally:
            lane.busy -= 1

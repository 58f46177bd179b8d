"""``GET /queue/changes``: what changes in the queue, told while it happens.

Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). One look at the
queue serves all who listen.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from logdocket.docket import ReviewDesk, counts_document
from logdocket.errors import LedgerUnavailable
from logdocket.http.events import Listener, News, event, events_of, reset
from logdocket.http.protocol import ENDLESS, HEAD_ONLY, HEARD_OUT
from logdocket.http.queue_shapes import LARGEST_ID, ChangesQuery
from logdocket.http.threads import Threads
from logdocket.store.review import QueueCounts

_log = logging.getLogger("logdocket.http")

_PAUSE: Final = 0.3
"""Seconds between looks."""
_FOLDS: Final = 0.01
"""Seconds for which a look brings the queue up to date; where much is left, the service does so at
its own pace (folding.py), so that those who send lines are not held up by those who watch."""
_MOST: Final = 100
"""Groups of a look, about; what is left comes with the next."""
_HISTORY: Final = 1_000
"""Groups that someone who was away is told of; beyond that they are to ask anew."""
_ALIVE: Final = b": still here\n\n"


class Stream(StreamingResponse):
    """What one listener hears: ``first``, then what is news to who knows all up to ``known``."""

    def __init__(self, changes: Changes, listener: Listener, first: bytes, known: int) -> None:
        self._changes = changes
        self.listener = listener
        super().__init__(
            self._told(first, known),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell, until the listener goes away or the service stops."""
        scope[ENDLESS] = True
        if HEARD_OUT in scope:
            # They may be gone, and nothing that is heard from them would tell.
            self.listener.end()
        try:
            if scope.get(HEAD_ONLY):
                await Response(headers=dict(self.headers))(scope, receive, send)
            else:
                await super().__call__(scope, receive, send)
        finally:
            self._changes.leave(self.listener)

    async def _told(self, first: bytes, known: int) -> AsyncIterator[bytes]:
        listener = self.listener
        yield first
        while not listener.over:
            news = await listener.next()
            if news is None:
                if not listener.over:
                    yield _ALIVE
            elif listener.late:
                listener.late = False
                known = news.upto
                yield reset(known)
            else:
                told = news.since(known)
                known = max(known, news.upto)
                if told:
                    yield told


class Changes:
    """Tells all who listen. It belongs to one event loop."""

    def __init__(self, desk: ReviewDesk) -> None:
        self._desk = desk
        self._threads = Threads(4)
        self._listeners: set[Listener] = set()
        self._looking: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._upto = 0
        self._by_state: dict[str, int] = {}
        self._over = False

    @property
    def listening(self) -> int:
        """How many listen."""
        return len(self._listeners)

    @property
    def looks(self) -> bool:
        """Whether anyone looks for changes now."""
        return self._looking is not None and not self._looking.done()

    @property
    def upto(self) -> int:
        """Up to where those who listen were told."""
        return self._upto

    def open(self) -> None:
        """Let people listen."""
        self._over = False

    def end(self) -> None:
        """End what everyone hears, at once: the service stops."""
        self._over = True
        for listener in self._listeners:
            listener.end()

    async def close(self) -> None:
        """End, and look no more."""
        self.end()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})
            self._looking = None

    async def listen(self, after: int | None) -> Stream:
        """The stream for someone who knows all up to ``after``; None: who asks from now on. Raises
        LedgerUnavailable."""
        listener = Listener()
        await self._join(listener)
        try:
            first, known = await self._threads.run(self._missed, after)
        except BaseException:
            self.leave(listener)
            raise
        return Stream(self, listener, first, known)

    def leave(self, listener: Listener) -> None:
        """Tell this one nothing more."""
        self._listeners.discard(listener)

    async def _join(self, listener: Listener) -> None:
        """Have ``listener`` told of whatever is found from now on."""
        async with self._starting:
            if not self.looks:
                counts = await self._threads.run(self._counts)
                self._upto, self._by_state = counts.changed, counts.by_state
                self._looking = asyncio.create_task(self._look_on())
            self._listeners.add(listener)
            if self._over:
                listener.end()

    async def _look_on(self) -> None:
        """Look as long as anyone listens."""
        failing = False
        await asyncio.sleep(_PAUSE)
        while self._listeners and not self._over:
            try:
                news = await self._threads.run(self._look)
                failing = False
            except LedgerUnavailable as error:
                _log.debug("no change of the queue was looked for: %s", error)
                news = None
            except Exception:  # noqa: BLE001 - logged; the next look may do better
                if not failing:
                    _log.exception("changes of the queue are not told")
                failing, news = True, None
            if news is not None:
                for listener in self._listeners:
                    listener.tell(news)
            await asyncio.sleep(_PAUSE)

    def _look(self) -> News | None:
        """What has changed since the last look. Blocks."""
        self._follow()
        groups = self._desk.changes(self._upto, _MOST)
        counts = self._desk.counts()
        told = b""
        if counts.by_state != self._by_state:
            self._by_state = counts.by_state
            told = event("counts", counts_document(counts))
        if not groups and not told:
            return None
        after = self._upto
        events = events_of(groups)
        self._upto = groups[-1].changed if groups else after
        whole = b"".join(event for _, event in events) + told
        return News(after, self._upto, events, told, whole)

    def _missed(self, after: int | None) -> tuple[bytes, int]:
        """The beginning of a stream, and up to where it tells. Blocks."""
        counts = self._counts()
        if after is None or after == counts.changed:
            return event("counts", counts_document(counts), counts.changed), counts.changed
        groups = self._desk.changes(after, _HISTORY) if after < counts.changed else []
        if not groups or len(groups) >= _HISTORY:
            # From another ledger, or away for long.
            return reset(counts.changed), counts.changed
        told = b"".join(event for _, event in events_of(groups))
        return told + event("counts", counts_document(counts)), groups[-1].changed

    def _counts(self) -> QueueCounts:
        self._follow()
        return self._desk.counts()

    def _follow(self) -> None:
        """Bring the queue up to date, where that can be written; what is there is told anyway."""
        with contextlib.suppress(LedgerUnavailable):
            self._desk.catch_up(_FOLDS)


def router(changes: Changes) -> APIRouter:
    """The route of the stream."""
    routes = APIRouter(tags=["queue"])

    @routes.get(
        "/queue/changes",
        response_class=Response,
        responses={
            200: {
                "description": "Events `group`, `counts` and `reset`, until the client goes away",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            }
        },
    )
    async def stream(
        query: Annotated[ChangesQuery, Query()],
        last_event_id: Annotated[str | None, Header(include_in_schema=False)] = None,
    ) -> Response:
        """Groups as they change, as server-sent events."""
        return await changes.listen(_number(last_event_id, query.after))

    return routes


def _number(told: str | None, after: int | None) -> int | None:
    """What a browser that comes back has heard last, or what the address says."""
    if (
        told is None
        or not (told.isascii() and told.isdecimal())
        or len(told) > len(str(LARGEST_ID))
    ):
        return after
    return min(int(told), LARGEST_ID)

"""What the routes of pages have in common: threads for what blocks, faults told as pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from starlette.responses import Response

from logdocket.errors import LogdocketError
from logdocket.http.body import headers
from logdocket.http.pages import layout
from logdocket.http.problem import Refusal
from logdocket.store import Store
from logdocket.store.review import ReviewStore

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")
_Route = Callable[[Request], Awaitable[Response]]


class PageStore(Store, ReviewStore, Protocol):
    """What pages need of a store: tickets and ledger, and the review queue."""


class Threads:
    """Runs what blocks off the event loop, at most ``number`` at once."""

    def __init__(self, number: int) -> None:
        self._limiter = CapacityLimiter(number)

    async def run(
        self, call: Callable[_Given, _Found], *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Found:
        """What ``call`` gives."""
        return await to_thread.run_sync(lambda: call(*args, **kwargs), limiter=self._limiter)


def told(route: _Route) -> _Route:
    """``route``, with what it refuses told as a page to whoever asks for pages."""

    @wraps(route)
    async def told_as_page(request: Request) -> Response:
        try:
            return await route(request)
        except (Refusal, LogdocketError) as error:
            if b"text/html" not in headers(request.scope).get(b"accept", b""):
                raise
            refusal = error if isinstance(error, Refusal) else Refusal.of(error)
            return layout.problem(refusal, request.scope)

    return told_as_page

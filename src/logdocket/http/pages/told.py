"""What the routes of pages have in common: what they read, and faults told as pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Protocol

from fastapi import Request
from starlette.responses import Response

from logdocket.errors import LogdocketError
from logdocket.http.body import headers
from logdocket.http.pages import layout
from logdocket.http.problem import Refusal
from logdocket.store import Store
from logdocket.store.review_store import ReviewStore

_Route = Callable[[Request], Awaitable[Response]]


class PageStore(Store, ReviewStore, Protocol):
    """What pages need of a store: tickets and ledger, and the review queue."""


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

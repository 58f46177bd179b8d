"""The HTTP application, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, NoReturn

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from logdocket import __version__
from logdocket.docket import Extractor
from logdocket.http import ledger, operations
from logdocket.http.batch import Batch
from logdocket.http.callers import Callers
from logdocket.http.door import Door
from logdocket.http.extract import Extract
from logdocket.http.guard import Guard
from logdocket.http.metrics import Metrics
from logdocket.http.openapi import describe
from logdocket.http.problem import Problem, Refusal
from logdocket.http.sessions import Sessions
from logdocket.http.visitor import Visitors
from logdocket.store import Store

_WRONG: Final = {
    "extra_forbidden": "is no parameter",
    "int_parsing": "is not a whole number",
    "int_parsing_size": "is not a whole number of this size",
    "greater_than_equal": "is less than {ge}",
    "less_than_equal": "is more than {le}",
    "enum": "is none of {expected}",
    "string_pattern_mismatch": "does not match {pattern}",
}
"""What is wrong with a parameter, by pydantic's type of error and its context."""


_GRACE: Final = 1.0
"""Seconds for lines that a model is asked about though whoever sent them went away."""


class _Application(FastAPI):
    """FastAPI, with a short way around it for the paths that take the load."""

    hot: dict[str, ASGIApp]
    guard: Guard

    def openapi(self) -> dict[str, Any]:
        return describe(self, self.guard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            method = scope["method"]
            if method == "POST" and (endpoint := self.hot.get(scope["path"])) is not None:
                await endpoint(scope, receive, send)
                return
            if method == "HEAD":
                # The server drops the body; all else is as for GET.
                scope = {**scope, "method": "GET"}
        await super().__call__(scope, receive, send)


def create_app(extractor: Extractor, store: Store, guard: Guard) -> FastAPI:
    """The application over ``extractor``; it closes ``store`` when the server stops."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await extractor.open()
        yield
        # The server has let requests in flight finish; now the last group commits.
        await extractor.close(_GRACE)
        await to_thread.run_sync(store.close)

    metrics = Metrics()
    metrics.watch(extractor)
    sessions = Sessions(guard.tokens)
    callers = Callers(sessions)
    endpoints = (Extract(extractor, guard, metrics), Batch(extractor, guard, metrics))
    app = _Application(
        title="Logdocket",
        version=__version__,
        description="One log line in, one honest support ticket out, every answer in a ledger.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        # Other methods than POST come this way, to be told so.
        routes=[Route(endpoint.path, endpoint, methods=["POST"]) for endpoint in endpoints],
    )
    app.guard = guard
    app.hot = {endpoint.path: Door(endpoint, callers, metrics) for endpoint in endpoints}
    app.include_router(ledger.router(store))
    app.include_router(operations.router(store, metrics))
    app.add_middleware(Visitors, sessions=sessions, guard=guard)
    app.add_middleware(Door, callers=callers, metrics=metrics)
    app.add_exception_handler(HTTPException, _routing)
    app.add_exception_handler(RequestValidationError, _query)
    return app


async def _routing(request: Request, error: Exception) -> NoReturn:
    """Tell of a path or method that is not served; the door answers."""
    assert isinstance(error, HTTPException)
    given = dict(error.headers or {})
    if given.get("Allow") == "GET":
        given["Allow"] = "GET, HEAD"
    refusal = Refusal.of_status(error.status_code, request.url.path)
    refusal.headers = tuple(
        (name.lower().encode(), value.encode()) for name, value in given.items()
    )
    raise refusal from None


async def _query(request: Request, error: Exception) -> NoReturn:
    """Tell of a malformed parameter; the door answers."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    wrong = _WRONG.get(first["type"], first["msg"].removeprefix("Value error, "))
    detail = f"{first['loc'][-1]} {wrong.format(**first.get('ctx', {}))}: see /docs"
    raise Refusal(Problem.PARAMETER_INVALID, detail) from None

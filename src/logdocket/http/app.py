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
from logdocket.docket import Extractor, ReviewDesk
from logdocket.docket.review.second_look import SecondLook
from logdocket.http import changes, ledger, operations, pages, queue
from logdocket.http.batch import Batch
from logdocket.http.callers import Callers
from logdocket.http.deciding import Deciding
from logdocket.http.door import Door
from logdocket.http.extract import Extract
from logdocket.http.folding import Folding
from logdocket.http.guard import Guard
from logdocket.http.metrics import Metrics
from logdocket.http.openapi import describe
from logdocket.http.pages.layout import problem
from logdocket.http.pages.told import PageStore
from logdocket.http.problem import Problem, Refusal
from logdocket.http.protocol import ENDING, HEAD_ONLY
from logdocket.http.sessions import Sessions
from logdocket.http.visitor import Visitors

_WRONG: Final = {
    "extra_forbidden": "is no parameter",
    "missing": "is missing",
    "json_invalid": "{error}",
    "model_attributes_type": "is no object",
    "list_type": "is no list",
    "too_short": "holds less than {min_length}",
    "too_long": "holds more than {max_length}",
    "string_too_long": "has more than {max_length} characters",
    "int_type": "is not a whole number",
    "int_parsing": "is not a whole number",
    "int_parsing_size": "is not a whole number of this size",
    "greater_than_equal": "is less than {ge}",
    "less_than_equal": "is more than {le}",
    "enum": "is none of {expected}",
    "string_pattern_mismatch": "does not match {pattern}",
}
"""What is wrong with a parameter, by pydantic's type of error and its context."""
_WRONG_FIELD: Final = {**_WRONG, "extra_forbidden": "is no field"}
"""The same of a field in a body."""


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
                scope = {**scope, "method": "GET", HEAD_ONLY: True}
        await super().__call__(scope, receive, send)


def create_app(
    extractor: Extractor,
    store: PageStore,
    guard: Guard,
    desk: ReviewDesk,
    second_look: SecondLook | None = None,
) -> FastAPI:
    """The application over ``extractor`` and ``desk``; it closes ``store`` when the server stops.

    ``second_look``: what goes on in the background while it serves; None for nothing.
    """
    folding, told = Folding(desk), changes.Changes(desk)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        await extractor.open()
        told.open()
        if guard.queue:
            folding.open()
        if second_look is not None:
            second_look.open()
        yield {ENDING: told.end}
        # The server has let requests in flight finish; now the last group commits.
        await told.close()
        await folding.close()
        if second_look is not None:
            await second_look.close()
        await extractor.close(_GRACE)
        await to_thread.run_sync(store.close)

    metrics = Metrics()
    metrics.watch(extractor)
    deciding = Deciding(desk, store, extractor, metrics)
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
    app.include_router(operations.router(store, metrics, desk))
    # Before the paths with a number in them, which would take the word for one.
    app.include_router(changes.router(told))
    app.include_router(queue.router(desk, store, deciding))
    app.include_router(
        pages.router(desk, store, extractor, guard, deciding, metrics.ticket, second_look)
    )
    app.add_middleware(Visitors, sessions=sessions, guard=guard)
    app.add_middleware(Door, callers=callers, metrics=metrics, shown=problem)
    app.add_exception_handler(HTTPException, _routing)
    app.add_exception_handler(RequestValidationError, _invalid)
    return app


async def _routing(request: Request, error: Exception) -> NoReturn:
    """Tell of a path or method that is not served; the door answers."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        # FastAPI's word for a body that it could not even try to read.
        detail = "the body is no JSON, not UTF-8, or nested too deep: send one JSON object in UTF-8"
        raise Refusal(Problem.JSON_INVALID, detail) from None
    given = dict(error.headers or {})
    if given.get("Allow") == "GET":
        given["Allow"] = "GET, HEAD"
    refusal = Refusal.of_status(error.status_code, request.url.path)
    refusal.headers = tuple(
        (name.lower().encode(), value.encode()) for name, value in given.items()
    )
    raise refusal from None


async def _invalid(request: Request, error: Exception) -> NoReturn:
    """Tell of a malformed parameter or body; the door answers."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place, *names = first["loc"]
    words = _WRONG_FIELD if place == "body" else _WRONG
    what = first["msg"].removeprefix("Value error, ")
    if first["type"] in words:
        # Another message may quote what was sent, braces and all.
        what = words[first["type"]].format(**first.get("ctx", {}))
    if first["type"] == "json_invalid":
        raise Refusal(Problem.JSON_INVALID, f"{what}: send one JSON object in UTF-8") from None
    if place == "body":
        name = ".".join(map(str, names)) or "the body"
        raise Refusal(Problem.BODY_INVALID, f"{name} {what}: see /docs") from None
    raise Refusal(Problem.PARAMETER_INVALID, f"{names[0]} {what}: see /docs") from None

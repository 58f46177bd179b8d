"""The HTTP application, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from logdocket import __version__
from logdocket.docket import Extractor
from logdocket.http import ledger, operations
from logdocket.http.batch import Batch
from logdocket.http.door import Door
from logdocket.http.extract import Extract
from logdocket.http.guard import Guard
from logdocket.http.metrics import Metrics
from logdocket.http.openapi import describe
from logdocket.http.problem import Problem, Refusal
from logdocket.store import Store


class _Application(FastAPI):
    """FastAPI, and in front of its layers the hot endpoints, each behind a door of its own."""

    def __init__(self, guard: Guard, metrics: Metrics, hot: Sequence[Extract | Batch]) -> None:
        super().__init__(
            title="Logdocket",
            version=__version__,
            description="One log line in, one honest support ticket out, every answer in a ledger.",
            docs_url=None,
            redoc_url=None,
            # For other methods than POST, which get their refusal there.
            routes=[Route(endpoint.path, endpoint, methods=["POST"]) for endpoint in hot],
        )
        self._direct = {endpoint.path: Door(endpoint, guard, metrics) for endpoint in hot}
        self.add_middleware(Door, guard=guard, metrics=metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            door = self._direct.get(scope["path"])
            if door is not None:
                await door(scope, receive, send)
                return
        await super().__call__(scope, receive, send)

    def openapi(self) -> dict[str, Any]:
        return describe(self)


def create_app(extractor: Extractor, store: Store, guard: Guard) -> FastAPI:
    """The application over ``extractor``; it closes ``store`` when the server stops."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        # The server has let requests in flight finish; now the last group commits.
        await to_thread.run_sync(store.close)

    metrics = Metrics()
    hot = (Extract(extractor, guard, metrics), Batch(extractor, guard, metrics))
    app = _Application(guard, metrics, hot)
    app.router.lifespan_context = lifespan
    app.include_router(ledger.router(store))
    app.include_router(operations.router(store, metrics))
    app.add_exception_handler(HTTPException, _routing)
    app.add_exception_handler(RequestValidationError, _query)
    return app


async def _routing(request: Request, error: Exception) -> NoReturn:
    """Tell of a path or method that is not served; the door answers."""
    assert isinstance(error, HTTPException)
    refusal = Refusal.of_status(error.status_code, request.url.path)
    refusal.headers = tuple(
        (name.lower().encode(), value.encode()) for name, value in (error.headers or {}).items()
    )
    raise refusal from None


async def _query(request: Request, error: Exception) -> NoReturn:
    """Tell of a malformed parameter; the door answers."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    detail = f"{first['loc'][-1]}: {first['msg']}: see /docs"
    raise Refusal(Problem.QUERY_INVALID, detail) from None

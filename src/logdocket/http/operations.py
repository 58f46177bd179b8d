"""What operators and machines ask: alive, ready, counted, described."""

from __future__ import annotations

import contextlib
import importlib.resources
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path
from fastapi.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from prometheus_client import CONTENT_TYPE_LATEST

from logdocket.docket import ReviewDesk
from logdocket.errors import LedgerUnavailable
from logdocket.http.metrics import Metrics
from logdocket.http.pages.told import PageStore
from logdocket.http.problem import Problem, Refusal
from logdocket.http.waiting import Waiting
from logdocket.schema import ticket_schema

# The interactive page's own files come from fastapi-offline; how it starts comes from here.
_ASSETS: Final = {
    "swagger-ui-bundle.js": ("fastapi_offline", "static/swagger-ui-bundle.js", "text/javascript"),
    "swagger-ui.css": ("fastapi_offline", "static/swagger-ui.css", "text/css"),
    "start.js": ("logdocket.http", "static/start.js", "text/javascript"),
}
# Swagger UI sets styles on elements and draws its icons from data: addresses.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SAFE: Final = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff"}


def router(store: PageStore, metrics: Metrics, desk: ReviewDesk) -> APIRouter:
    """The operations' routes."""
    routes = APIRouter(tags=["operations"])
    waiting = Waiting(store)

    @routes.get("/healthz")
    async def alive() -> dict[str, str]:
        """The process answers. Says nothing of the ledger: see `/readyz`."""
        return {"status": "ok"}

    @routes.get("/readyz", responses={503: {"description": "The ledger cannot be written"}})
    def ready() -> dict[str, str]:
        """The ledger can be written now."""
        try:
            store.check()
        except LedgerUnavailable as error:
            metrics.ledger_up(False)
            raise Refusal.of(error) from None
        metrics.ledger_up(True)
        return {"status": "ready"}

    @routes.get("/metrics", response_class=PlainTextResponse)
    def exposition() -> Response:
        """Counters in the Prometheus text format."""
        with contextlib.suppress(LedgerUnavailable):
            metrics.groups(desk.counts())
            if (tickets := waiting.count()) is not None:
                metrics.waiting(tickets)
        return Response(metrics.exposition(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    @routes.get("/schema/ticket")
    async def schema() -> dict[str, Any]:
        """The JSON Schema (2020-12) of a ticket."""
        return ticket_schema()

    @routes.get("/docs", include_in_schema=False)
    async def page() -> Response:
        return HTMLResponse(_read("logdocket.http", "static/docs.html"), headers=_SAFE)

    @routes.get("/docs/", include_in_schema=False)
    async def page_below() -> Response:
        return RedirectResponse("/docs", 308)

    @routes.get("/docs/{name}", include_in_schema=False)
    def asset(name: Annotated[str, Path()]) -> Response:
        if name not in _ASSETS:
            raise Refusal(Problem.NOT_FOUND, "no such file of the documentation page")
        package, path, kind = _ASSETS[name]
        return Response(_read(package, path), media_type=kind, headers=_SAFE)

    return routes


def about() -> Response:
    """What `/` tells programs."""
    return JSONResponse({"service": "logdocket", "docs": "/docs", "extract": "/extract"})


def _read(package: str, path: str) -> bytes:
    return importlib.resources.files(package).joinpath(path).read_bytes()

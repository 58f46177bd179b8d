"""What every request passes: the checks at the door, the counters, one way to tell of a problem."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from logdocket.errors import LogdocketError
from logdocket.http.body import Disconnected, linger, unread
from logdocket.http.callers import Callers, wants_page
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal

_log = logging.getLogger("logdocket.http")


Shown: TypeAlias = Callable[[Refusal, Scope], Response]
"""How a refusal is told to people."""


class Door:
    """An ASGI middleware around the whole application, or around one endpoint of it.

    ``shown``: tells refusals to whoever asks for a page; None where none does.
    """

    def __init__(
        self, app: ASGIApp, callers: Callers, metrics: Metrics, shown: Shown | None = None
    ) -> None:
        self._app = app
        self._callers = callers
        self._metrics = metrics
        self._shown = shown
        # Asked once: the level stands before the application is made.
        self._tells = _log.isEnabledFor(logging.DEBUG)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or answer with the problem that stopped it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            self._callers.check(scope)
            await self._app(scope, receive, watched)
        except Disconnected:
            return
        except Exception as error:
            if status:
                # The answer has begun: cut the connection, so that it cannot pass for whole.
                raise
            refusal = _refusal(error, scope)
            if self._shown is not None and wants_page(scope) and not refusal.leads:
                refusal = _Page(refusal, self._shown(refusal, scope))
            await _refuse(refusal, scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            took = time.perf_counter() - began
            self._metrics.request(route, scope["method"], status, took)
            if self._tells:
                _tell(scope, status, took)


class _Page(Refusal):
    """A refusal that is told as a page."""

    def __init__(self, refusal: Refusal, page: Response) -> None:
        super().__init__(refusal.problem, refusal.detail)
        self._page = page

    async def send(self, send: Send, *, last: bool = False, **more: object) -> None:
        """Answer with the page. ``last``: as for any refusal."""
        closing = [(b"connection", b"close")] if last else []
        head = [*self._page.raw_headers, *closing]
        status = self._page.status_code
        await send({"type": "http.response.start", "status": status, "headers": head})
        body = self._page.body
        await send({"type": "http.response.body", "body": body, "more_body": last})


def _tell(scope: Scope, status: int, took: float) -> None:
    """Log a request; status 0 is one whose client went away."""
    told = {"method": scope["method"], "path": scope["path"], "status": status}
    _log.debug("request", extra={**told, "ms": round(took * 1000, 3)})


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer at once, and only then let the rest of an unread body pass by."""
    if not unread(scope):
        await refusal.send(send)
        return
    await refusal.send(send, last=True)
    await linger(receive)
    await send({"type": "http.response.body", "body": b""})


def _refusal(error: Exception, scope: Scope) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, LogdocketError):
        return Refusal.of(error)
    _log.error("request failed", extra={"path": scope["path"]}, exc_info=error)
    return Refusal(Problem.INTERNAL, "the fault is in the service's log: report it")

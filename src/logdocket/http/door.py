"""What every request passes: the checks at the door, the counters, one way to tell of a problem."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from logdocket.errors import LogdocketError
from logdocket.http.body import Disconnected, linger, unread
from logdocket.http.callers import Callers
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal

_log = logging.getLogger("logdocket.http")


class Door:
    """An ASGI middleware around the whole application, or around one endpoint of it."""

    def __init__(self, app: ASGIApp, callers: Callers, metrics: Metrics) -> None:
        self._app = app
        self._callers = callers
        self._metrics = metrics
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
            await _refuse(_refusal(error, scope), scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            took = time.perf_counter() - began
            self._metrics.request(route, scope["method"], status, took)
            if self._tells:
                _tell(scope, status, took)


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

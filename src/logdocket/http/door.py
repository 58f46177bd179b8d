"""What every request passes: the token check, the counters, and one way to tell of a problem."""

from __future__ import annotations

import hmac
import logging
import time
from hashlib import sha256
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from logdocket.errors import LogdocketError
from logdocket.http.body import Disconnected, header
from logdocket.http.guard import Guard
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal

# Probes carry no token, and what the service can do is no secret.
_OPEN: Final = frozenset({"/healthz", "/readyz", "/openapi.json", "/docs", "/schema/ticket"})
_OPEN_BELOW: Final = "/docs/"
_log = logging.getLogger("logdocket.http")


class Door:
    """An ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, guard: Guard, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._tokens = [sha256(token.encode()).digest() for token in guard.tokens]

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
            self._check_token(scope)
            await self._app(scope, receive, watched)
        except Disconnected:
            return
        except Exception as error:
            if status:
                # The answer has begun: cut the connection, so that it cannot pass for whole.
                raise
            await _refusal(error, scope).send(scope, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.request(route, scope["method"], status, time.perf_counter() - began)

    def _check_token(self, scope: Scope) -> None:
        path = scope["path"]
        if not self._tokens or path in _OPEN or path.startswith(_OPEN_BELOW):
            return
        scheme, _, token = header(scope, b"authorization").partition(b" ")
        given = sha256(token.strip()).digest()
        # Every token is compared, each in constant time: the time tells nothing.
        matches = [hmac.compare_digest(given, known) for known in self._tokens]
        if scheme.lower() != b"bearer" or not any(matches):
            raise Refusal(
                Problem.TOKEN_REQUIRED,
                "send Authorization: Bearer TOKEN with one of the service's tokens",
                ((b"www-authenticate", b'Bearer realm="logdocket"'), (b"connection", b"close")),
            )


def _refusal(error: Exception, scope: Scope) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, LogdocketError):
        return Refusal.of(error)
    _log.error("request failed", extra={"path": scope["path"]}, exc_info=error)
    return Refusal(Problem.INTERNAL, "the fault is in the service's log: report it")

"""The model as it was recorded: a transport that has no network, only what came back then."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Final

import httpx2

from logdocket.model import Failure
from logdocket.replay.attempt import Attempt
from logdocket.replay.clock import Clock

_SENDS: Final = "http11.send_request_headers.started"
"""The event by which httpcore tells that bytes begin to leave."""

_ENDLESS: Final = "9" * 18
"""A Content-Length that is more than any bound."""

_ERRORS: Final[dict[Failure, type[httpx2.TransportError]]] = {
    Failure.UNCONNECTED: httpx2.ConnectError,
    Failure.BROKEN: httpx2.ReadError,
    Failure.LATE: httpx2.ReadTimeout,
}


class Upstream(httpx2.AsyncBaseTransport):
    """Answers the requests of one row after the other with its attempts, in order, by ``clock``."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left: deque[Attempt] = deque()
        self.unrecorded = False
        """Whether the row asked for more than was recorded."""

    def expect(self, attempts: Sequence[Attempt]) -> None:
        """Begin with a row that has these."""
        self._left = deque(attempts)
        self.unrecorded = False

    @property
    def left(self) -> int:
        """How many attempts of the row were not asked for."""
        return len(self._left)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """What came back then; raises httpx2.TransportError where nothing did."""
        if not self._left:
            self.unrecorded = True
            raise httpx2.ConnectError("no such attempt was recorded")
        attempt = self._left.popleft()
        if attempt.sent:
            await request.extensions["trace"](_SENDS, {"request": request})
        self._clock.wait(attempt.ms * 1000)
        if attempt.status is None:
            assert attempt.failure is not None, "an attempt without a status has a failure"
            raise _ERRORS[attempt.failure]("as it was recorded")
        headers = {"content-type": attempt.content_type}
        if attempt.retry_after is not None:
            headers["retry-after"] = attempt.retry_after
        if attempt.failure is Failure.TOO_LARGE:
            headers["content-length"] = _ENDLESS
        elif attempt.failure is Failure.UNDECODABLE:
            headers["content-encoding"] = "unknown"
        return httpx2.Response(attempt.status, headers=headers, stream=_Body(attempt))


class _Body(httpx2.AsyncByteStream):
    """The body of an attempt, or what came in its place."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt

    async def __aiter__(self) -> AsyncIterator[bytes]:
        failure = self._attempt.failure
        if failure in _ERRORS:
            raise _ERRORS[failure]("as it was recorded")
        yield b"damaged" if failure is Failure.UNDECODABLE else self._attempt.content

"""One connection: HTTP as uvicorn speaks it, with bounds on what comes before a request's body."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from logdocket.http.body import WHOLE
from logdocket.http.problem import MEDIA_TYPE, Problem, Refusal, encode_ascii

_HEAD_SECONDS: Final = 10.0
"""For a request line and its headers, from the connection or their first byte on."""
_HEAD_BYTES: Final = 65_536

ENDLESS: Final = "logdocket.endless"
"""Key of a request's scope whose answer goes on until the client goes away."""
HEARD_OUT: Final = "logdocket.heard_out"
"""Key of a request's scope whose sender has closed their side before it was answered."""
HEAD_ONLY: Final = "logdocket.head_only"
"""Key of a request's scope that is answered as a GET whose body nobody gets."""
ENDING: Final = "logdocket.ending"
"""Key of the application's state: what is called when the service begins to stop."""
_UNREAD_SECONDS: Final = 1.0
"""So long an endless answer may wait, when the service stops, for someone who does not read it."""


class _Outlet:
    """A transport that sends the head of an answer and its body in one piece.

    Each write is a call into the system, and most of what a small answer costs. So what is written
    waits for what follows it at once, at most until the event loop's next turn.

    One may write after it has closed, as asyncio promises. The event loop in use raises instead,
    and whoever is gone would seem to be a fault of ours.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self.is_closing = transport.is_closing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send ``data``, unless nobody can receive it."""
        if self._held:
            data, self._held = self._held + data, b""
            self._send(data)
        elif data:
            self._held = data
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """Send what waits, and close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._held:
            data, self._held = self._held, b""
            self._send(data)

    def _send(self, data: bytes) -> None:
        if not self.is_closing():
            self._transport.write(data)


class Connection(HttpToolsProtocol):
    """uvicorn's connection, which by itself waits for headers for ever and takes any amount.

    What is no HTTP is answered with problem documents too.
    """

    _head_bytes = 0
    _head_late: asyncio.TimerHandle | None = None
    # Bytes since the last head or piece of a body: trailers, extensions of chunks, empty lines.
    _idle_bytes = 0
    _moved = False
    # What comes is let go: the connection ends with the answers that are still to be given.
    _deaf = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(cast(asyncio.Transport, _Outlet(transport, self.loop)))
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._end_head()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The sender has nothing more to say; what it has asked is still answered, unless that
        would never end."""
        cycle: Any = self.cycle
        if self._is_endless() or cycle is None or cycle.response_complete or cycle.more_body:
            return False
        # The last of several requests: the connection closes when it is answered.
        cycle.keep_alive = False
        cycle.scope[HEARD_OUT] = True
        return True

    def data_received(self, data: bytes) -> None:
        """Take some bytes of a request, or of several."""
        if self._over():
            return
        self._moved = False
        super().data_received(data)
        scope: Any = self.scope
        # uvicorn starts a scope with the first byte and puts the path in when the headers are done.
        if scope is not None and "path" in scope:
            if self._head_late is not None:
                self._end_head()
            self._idle_bytes = 0 if self._moved else self._idle_bytes + len(data)
            if not self.cycle.more_body:
                scope[WHOLE] = True
            if self._idle_bytes > _HEAD_BYTES and not self._over():
                detail = f"{_HEAD_BYTES:,} bytes came that belong to no body: send none"
                self._refuse_in_turn(Refusal(Problem.HEADERS_TOO_LARGE, detail))
        elif not self._over():
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                detail = f"the headers have more than {_HEAD_BYTES:,} bytes: send fewer"
                self._refuse_in_turn(Refusal(Problem.HEADERS_TOO_LARGE, detail))
            elif self._head_late is None:
                self._expect_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. One behind the body is let go: whoever checked the request before us has
        not seen it (RFC 9110, section 6.5.1), and there may be any number of them."""
        scope: Any = self.scope
        if "path" not in scope:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._moved = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body; one that goes on after its answer is complete is cut off."""
        self._moved = True
        if self.cycle.response_complete:
            self.transport.close()
        else:
            super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        refusal = Refusal(Problem.HTTP_INVALID, "this is no HTTP/1.1 request: send one")
        self._refuse_in_turn(refusal)

    def shutdown(self) -> None:
        """Let the answer in hand be the last; one without an end is ended."""
        ending = self.app_state.get(ENDING)
        if ending is not None:
            ending()
        super().shutdown()
        if self._is_endless():
            self.loop.call_later(_UNREAD_SECONDS, self.transport.abort)

    def _is_endless(self) -> bool:
        """Whether the answer in hand goes on until the client goes away."""
        scope: Any = self.scope
        return scope is not None and ENDLESS in scope

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: the request is answered as if it did not ask for another protocol."""

    def _over(self) -> bool:
        """Whether nothing that still comes is heard."""
        return self._deaf or self.transport.is_closing()

    def _expect_head(self) -> None:
        self._head_late = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def _end_head(self) -> None:
        self._head_bytes = 0
        if self._head_late is not None:
            self._head_late.cancel()
            self._head_late = None

    def _give_up(self) -> None:
        if self.transport.is_closing():
            return
        if self._head_bytes:
            detail = f"the headers did not come within {_HEAD_SECONDS:g} s: send faster"
            self._refuse_in_turn(Refusal(Problem.HEADERS_TOO_SLOW, detail))
        else:
            # Nothing was asked, so nothing is answered.
            self.transport.close()

    def _refuse_in_turn(self, refusal: Refusal) -> None:
        """Refuse, unless the sender would take it for the answer to a request before: those are
        answered, and then the connection ends."""
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            self._refuse(refusal)
        elif self.pipeline or not cycle.more_body:
            self._end_head()
            self._deaf = True
            cycle.keep_alive = False
        elif cycle.response_started:
            self.transport.close()
        else:
            self._refuse(refusal)

    def _refuse(self, refusal: Refusal) -> None:
        """Answer outside the application, which never saw a request."""
        self._end_head()
        body = encode_ascii(refusal.document())
        head = [
            *self.server_state.default_headers,
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        lines = [b"%b: %b\r\n" % pair for pair in head]
        status = STATUS_LINE[refusal.problem.status]
        self.transport.write(b"".join([status, *lines, b"\r\n", body]))
        self.transport.close()

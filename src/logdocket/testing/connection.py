"""One client's connection: requests parsed off it, one answer at a time written to it."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import httptools

__all__ = ["Connection", "Request"]

_RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER on with 0 seconds: closing discards what is unsent and sends an RST."""
_SECRET: Final = frozenset({"authorization", "x-api-key", "api-key", "proxy-authorization"})


class Request(NamedTuple):
    """One request as it was parsed; ``keep`` is whether the connection may live on."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    keep: bool


class Connection(asyncio.Protocol):
    """Parses requests and has ``answer`` write to it; ``lost`` is told when it is over, with the
    request that never came whole, if any. A client whose body is longer than ``longest`` bytes is
    reset.
    """

    def __init__(
        self,
        answer: Callable[[Connection, Request], Awaitable[None]],
        made: Callable[[Connection], None],
        lost: Callable[[Connection, Request | None], None],
        longest: int,
    ) -> None:
        self._longest = longest
        self._answer, self._made, self._lost = answer, made, lost
        self._parser: Any = httptools.HttpRequestParser(self)
        self._pending: deque[Request] = deque()
        self._task: asyncio.Task[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport
        self._path, self._headers, self._body = b"", dict[str, str](), bytearray()
        self._amid = False

    # The transport calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport, and be told of every byte that the socket has not yet taken."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=0)
        self._made(self)

    def data_received(self, data: bytes) -> None:
        """Parse; what is not HTTP, or wants another protocol, ends the connection."""
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self.reset()

    def pause_writing(self) -> None:
        """The socket takes no more for now."""
        self._drained = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """The socket has taken all."""
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)
        self._drained = None

    def connection_lost(self, error: Exception | None) -> None:
        """Stop answering: nobody listens."""
        if self._drained is not None:
            self._drained.cancel()
        if self._task is not None:
            self._task.cancel()
        self._pending.clear()
        self._lost(self, self._request(False) if self._amid else None)

    # The parser calls these.

    def on_message_begin(self) -> None:
        """A request begins."""
        self._path, self._headers, self._body = b"", {}, bytearray()

    def on_url(self, url: bytes) -> None:
        """A piece of the path."""
        self._amid = True
        self._path += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header; a key is not kept."""
        key = name.decode("latin-1").lower()
        self._headers[key] = "present" if key in _SECRET else value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """The head is whole; the body may wait to be asked for."""
        if self._headers.get("expect", "").lower() == "100-continue":
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, data: bytes) -> None:
        """A piece of the body."""
        self._body += data
        if len(self._body) > self._longest:
            self.reset()

    def on_message_complete(self) -> None:
        """A request is whole: answer it, after those before it."""
        self._amid = False
        self._pending.append(self._request(bool(self._parser.should_keep_alive())))
        if self._task is None:
            self._next()

    # Whoever answers calls these.

    async def write(self, data: bytes) -> None:
        """Hand ``data`` to the socket, all of it; raises ConnectionError if the client has gone."""
        if not self._transport.is_closing():
            self._transport.write(data)
        if self._drained is not None:
            await self._drained
        if self._transport.is_closing():
            raise ConnectionResetError("the client has gone")

    def reset(self) -> None:
        """End the connection with an RST."""
        sock = self._transport.get_extra_info("socket")
        if sock is not None and sock.fileno() >= 0:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._transport.abort()

    def close(self) -> None:
        """End the connection in good order."""
        self._transport.close()

    def abort(self) -> None:
        """End the connection at once, whatever is under way."""
        self._transport.abort()

    @property
    def task(self) -> asyncio.Task[None] | None:
        """The answer under way."""
        return self._task

    def _request(self, keep: bool) -> Request:
        path = self._path.decode("latin-1")
        method = self._parser.get_method().decode("latin-1")
        return Request(method, path, self._headers, bytes(self._body), keep)

    def _next(self) -> None:
        request = self._pending.popleft()
        self._task = asyncio.get_running_loop().create_task(self._serve(request))

    async def _serve(self, request: Request) -> None:
        try:
            await self._answer(self, request)
        except ConnectionError:
            self._transport.abort()
        if not request.keep:
            self._transport.close()
        self._task = None
        if self._pending and not self._transport.is_closing():
            self._next()

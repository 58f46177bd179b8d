"""The transport under every client library: it lets one request out per permit, and bounds what
comes back.

Whatever the libraries above do of themselves ends here: a second try, a redirect, headers about
this machine, a body without end. What was seen is kept as an :class:`Exchange`, by which a call is
judged; the libraries get no more of a response that failed than its status.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

import httpx2

import logdocket
from logdocket.errors import UnaccountedCall
from logdocket.model.exchange import CURRENT, Exchange, Failure
from logdocket.model.usage import usage_in

__all__ = ["Wire"]

_HEADERS: Final = frozenset(
    b"accept anthropic-beta anthropic-version api-key authorization content-length content-type "
    b"host transfer-encoding x-api-key x-goog-api-key".split()
)
"""The headers of a request that leave; what else a library adds tells of this machine."""

_UNCONNECTED: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
)
_LATE: Final = (httpx2.ReadTimeout, httpx2.WriteTimeout)
_BODY_STARTS: Final = "http11.send_request_headers.started"
_PROXY_TALK: Final = b"CONNECT"

_MOST_VALUES: Final = 20_000
_MOST_GROUPS: Final = 1_000
"""JSON values, and objects and arrays among them, that a response may hold: hundreds of times those
of an answer. The libraries take up to 70 µs for each, on the event loop."""

_MOST_PIECES: Final = 10_000
_PIECES: Final = 256
"""How many pieces a body may come in, and after how many others get their turn: a server that
sends a byte at a time keeps the event loop busy else."""

_CODINGS: Final[Mapping[str, tuple[int, ...]]] = {
    "gzip": (zlib.MAX_WBITS | 16,),
    "x-gzip": (zlib.MAX_WBITS | 16,),
    # Some servers send the bare stream under this name, others the one with a zlib header:
    # https://www.rfc-editor.org/rfc/rfc9110#name-deflate-coding
    "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS),
}
"""Content codings that are read, though none is asked for, with zlib's windows to try in order."""


class Wire(httpx2.AsyncBaseTransport):
    """Sends through ``inner``, at most one request for each permit, bodies of at most ``largest``
    bytes, counted as sent and as decoded.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, largest: int) -> None:
        self._inner = inner
        self._largest = largest

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response with its whole body, or with none if it is not 200.

        Raises:
            UnaccountedCall: there is no permit for the request, or it is used up.
            httpx2.TransportError: there is no whole response; the exchange says why.
        """
        current = CURRENT.get()
        if current is None:
            raise UnaccountedCall("a request was about to leave without a permit")
        permit, exchange = current
        permit.take()
        self._dress(request, exchange)
        try:
            response = await self._inner.handle_async_request(request)
            exchange.sent = True
            try:
                await self._read(response, exchange)
            finally:
                await response.aclose()
        except httpx2.TransportError as error:
            _fail(exchange, error)
            raise
        except Exception as error:
            # Whatever else a transport raises (a resolver, TLS, a socket) means the same.
            _fail(exchange, error)
            raise httpx2.ReadError(type(error).__name__) from error
        return _passed_on(exchange)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()

    def _dress(self, request: httpx2.Request, exchange: Exchange) -> None:
        """Leave only what the API needs to know, and watch for the first byte that leaves."""
        kept = [pair for pair in request.headers.raw if pair[0].lower() in _HEADERS]
        request.headers = httpx2.Headers(
            [
                *kept,
                (b"Accept-Encoding", b"identity"),
                (b"User-Agent", b"logdocket/" + logdocket.__version__.encode()),
                (b"X-Client-Request-Id", b"logdocket-%d" % exchange.call),
            ]
        )
        exchange.request = request.content

        async def watch(event: str, info: Mapping[str, Any]) -> None:
            if event == _BODY_STARTS and info["request"].method != _PROXY_TALK:
                exchange.sent = True

        request.extensions = {**request.extensions, "trace": watch}

    async def _read(self, response: httpx2.Response, exchange: Exchange) -> None:
        headers = response.headers
        exchange.status = response.status_code
        exchange.content_type = headers.get("content-type", "")
        exchange.retry_after = headers.get("retry-after")
        announced = headers.get("content-length", "")
        if announced.isdecimal() and (len(announced) > 18 or int(announced) > self._largest):
            raise _TooLarge("the response announced a body above the bound")
        body, pieces = bytearray(), 0
        async for chunk in response.stream:  # type: ignore[union-attr]
            body += chunk
            pieces += 1
            if len(body) > self._largest or pieces > _MOST_PIECES:
                raise _TooLarge("the response's body passed the bound")
            if pieces % _PIECES == 0:
                await asyncio.sleep(0)
        exchange.body = _decoded(bytes(body), headers.get("content-encoding", ""), self._largest)


class _TooLarge(httpx2.ReadError):
    """More bytes than any answer has."""


class _Undecodable(httpx2.DecodingError):
    """A body in a coding that is not read, or a damaged one."""


def _fail(exchange: Exchange, error: Exception) -> None:
    exchange.why = type(error).__name__.lstrip("_")
    if isinstance(error, _TooLarge):
        exchange.failure = Failure.TOO_LARGE
    elif isinstance(error, _Undecodable):
        exchange.failure = Failure.UNDECODABLE
    elif isinstance(error, _LATE):
        exchange.failure = Failure.LATE
    elif isinstance(error, _UNCONNECTED) and not exchange.sent:
        exchange.failure = Failure.UNCONNECTED
    else:
        exchange.failure, exchange.sent = Failure.BROKEN, True


def _decoded(body: bytes, coding: str, largest: int) -> bytes:
    """``body`` without its content coding, at most ``largest`` bytes long."""
    coding = coding.strip().lower()
    if coding in ("", "identity") or not body:
        return body
    for window in _CODINGS.get(coding, ()):
        decoder = zlib.decompressobj(window)
        try:
            plain = decoder.decompress(body, largest + 1)
        except zlib.error:
            continue
        if len(plain) > largest:
            raise _TooLarge("the response's body passed the bound when it was decoded")
        if decoder.eof:
            return plain
    raise _Undecodable("the response's body could not be decoded")


def _passed_on(exchange: Exchange) -> httpx2.Response:
    """What the libraries above may see: no header but the type, and no body of a failure.

    Their errors quote bodies, which may quote the line, and errors are shown in logs and spans.
    """
    assert exchange.status is not None
    if exchange.status != 200:
        return httpx2.Response(exchange.status, headers={"content-type": "application/json"})
    kind = exchange.content_type
    if exchange.body.lstrip()[:1] == b"{":
        # Some servers send JSON as text/plain, or without a type.
        kind = "application/json"
    return httpx2.Response(200, headers={"content-type": kind}, content=_readable(exchange.body))


def _readable(body: bytes) -> bytes:
    """``body`` with a usage that is one: for any other, the libraries would drop the answer too.

    Nothing of it where it holds more values than they could read in time.
    """
    try:
        response = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(response, dict):
        return body
    if _is_crowded(response):
        return b""
    if "usage" not in response:
        return body
    usage = usage_in(response)
    if usage is None:
        del response["usage"]
    elif "choices" in response:
        response["usage"] = {
            "prompt_tokens": usage.tokens_in,
            "completion_tokens": usage.tokens_out,
            "total_tokens": usage.tokens,
        }
    else:
        return body
    return json.dumps(response).encode()


def _is_crowded(response: dict[str, Any]) -> bool:
    """Whether it holds more values than any answer does."""
    groups: list[dict[str, Any] | list[Any]] = [response]
    values = 0
    for group in groups:  # which grows on the way
        values += len(group)
        if values > _MOST_VALUES or len(groups) > _MOST_GROUPS:
            return True
        inner = group.values() if isinstance(group, dict) else group
        groups += [value for value in inner if isinstance(value, dict | list)]
    return False

"""Request bodies, bounded in size and time, decompressed on the way."""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections.abc import Iterable
from typing import Final

from starlette.types import Receive, Scope

from logdocket.http.guard import Guard
from logdocket.http.problem import Problem, Refusal

WHOLE: Final = "logdocket.body_whole"
"""Key that a connection puts into the scope of a request whose body it holds already."""
_READ: Final = "logdocket.body_read"
_HEADERS: Final = "logdocket.headers"
_LINGER: Final = 2.0
"""Seconds for which a refused body may still come in before the connection is cut."""
_LINGER_IDLE: Final = 0.5
_PIECE: Final = 65_536
_GZIP: Final = 16 + zlib.MAX_WBITS


class Disconnected(Exception):
    """The client went away before its request was complete; nobody is left to answer."""


class Inflater:
    """Undoes gzip piece by piece; several members in a row are one body (RFC 1952)."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)

    def feed(self, data: bytes) -> Iterable[bytes]:
        """The plain pieces that ``data`` gives, each at most 64 KiB; raises Refusal."""
        try:
            while data:
                if self._member.eof:
                    self._member = zlib.decompressobj(_GZIP)
                piece = self._member.decompress(data, _PIECE)
                data = self._member.unused_data or self._member.unconsumed_tail
                if piece:
                    yield piece
            while len(piece := self._member.decompress(b"", _PIECE)):
                yield piece
        except zlib.error:
            raise Refusal(
                Problem.ENCODING_INVALID, "the body is not gzip: drop Content-Encoding"
            ) from None

    def finish(self) -> None:
        """Check that the last member is whole; raises Refusal."""
        if not self._member.eof:
            raise Refusal(Problem.ENCODING_INVALID, "the gzip body is cut off: send it whole")


def headers(scope: Scope) -> dict[bytes, bytes]:
    """The request's headers by lower-case name; of one that is repeated, the last."""
    found: dict[bytes, bytes] | None = scope.get(_HEADERS)
    if found is None:
        found = scope[_HEADERS] = dict(scope["headers"])
    return found


def joined_header(scope: Scope, name: bytes) -> bytes:
    """All values of a request header that may be repeated, as one list."""
    return b", ".join(value for key, value in scope["headers"] if key == name)


def mark_read(scope: Scope) -> None:
    """Note that the request's body has been read to its end."""
    scope[_READ] = True


def unread(scope: Scope) -> bool:
    """Whether the request may have a body of which something is still to come."""
    if _READ in scope:
        return False
    given = headers(scope)
    return given.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in given


async def linger(receive: Receive) -> None:
    """Let the rest of a refused body pass by for a while.

    A connection closed while data still comes in is reset, and the sender may lose the answer.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            more = True
            while more:
                async with asyncio.timeout(_LINGER_IDLE):
                    more = (await receive()).get("more_body", False)


def media_type(scope: Scope) -> bytes:
    """The media type that the request declares, without parameters, in lower case."""
    return headers(scope).get(b"content-type", b"").partition(b";")[0].strip().lower()


def charset(scope: Scope) -> bytes:
    """The character set that the media type names, in lower case; empty when it names none."""
    for parameter in headers(scope).get(b"content-type", b"").split(b";")[1:]:
        name, _, value = parameter.partition(b"=")
        if name.strip().lower() == b"charset":
            return value.strip().strip(b'"').lower()
    return b""


def inflater(scope: Scope) -> Inflater | None:
    """What undoes the request's content encoding; None for plain bodies; raises Refusal."""
    encoding = headers(scope).get(b"content-encoding", b"").strip().lower()
    if encoding in (b"", b"identity"):
        return None
    if encoding in (b"gzip", b"x-gzip"):
        return Inflater()
    raise Refusal(
        Problem.ENCODING_UNSUPPORTED,
        "the body's content encoding is not gzip: send it plain, or as gzip",
        ((b"accept-encoding", b"gzip"),),
    )


def forget_encoding(scope: Scope) -> None:
    """Note that the body, as it is given from now on, is plain."""
    scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"content-encoding"]
    scope.pop(_HEADERS, None)


def check_length(scope: Scope, limit: int, setting: str) -> None:
    """Refuse a body that declares itself too large, before any of it is read."""
    declared = headers(scope).get(b"content-length", b"")
    if declared.isdigit() and int(declared) > limit:
        raise too_large(limit, setting)


def too_large(limit: int, setting: str) -> Refusal:
    """The refusal of a body over ``limit`` bytes."""
    detail = f"the body has more than {limit:,} bytes: send less at once, or raise {setting}"
    return Refusal(Problem.BODY_TOO_LARGE, detail)


def too_slow(seconds: float) -> Refusal:
    """The refusal of a body that did not come within ``seconds``."""
    detail = (
        f"the body did not come within {seconds:g} s: send faster, or raise LOGDOCKET_BODY_TIMEOUT"
    )
    return Refusal(Problem.BODY_TOO_SLOW, detail)


async def read_body(scope: Scope, receive: Receive, guard: Guard) -> bytes:
    """The whole body, decompressed.

    Raises:
        Refusal: too large (declared, received or inflated), too slow, or wrongly encoded.
        Disconnected: the client went away.
    """
    check_length(scope, guard.max_body, "LOGDOCKET_MAX_BODY")
    inflate = inflater(scope)
    if WHOLE in scope:
        # Nothing to wait for, and a timer would cost more than all else here.
        return await _gather(scope, receive, inflate, guard.max_body)
    try:
        async with asyncio.timeout(guard.body_timeout):
            return await _gather(scope, receive, inflate, guard.max_body)
    except TimeoutError:
        raise too_slow(guard.body_timeout) from None


async def _gather(scope: Scope, receive: Receive, inflate: Inflater | None, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        more = message.get("more_body", False)
        if not more:
            mark_read(scope)
        data = message.get("body", b"")
        for piece in (data,) if inflate is None else inflate.feed(data):
            size += len(piece)
            if size > limit:
                raise too_large(limit, "LOGDOCKET_MAX_BODY")
            parts.append(piece)
    if inflate is not None:
        inflate.finish()
    return parts[0] if len(parts) == 1 else b"".join(parts)

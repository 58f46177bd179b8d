"""Request bodies, bounded in size and time, decompressed on the way."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable
from typing import Final

from starlette.types import Receive, Scope

from logdocket.http.guard import Guard
from logdocket.http.problem import Problem, Refusal

# The connection cannot be used again after a refusal that leaves part of the body unread.
_CLOSE: Final = ((b"connection", b"close"),)
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
                Problem.ENCODING_INVALID, "the body is not gzip: drop Content-Encoding", _CLOSE
            ) from None

    def finish(self) -> None:
        """Check that the last member is whole; raises Refusal."""
        if not self._member.eof:
            raise Refusal(Problem.ENCODING_INVALID, "the gzip body is cut off: send it whole")


def header(scope: Scope, name: bytes) -> bytes:
    """The value of a request header, empty when it is not there."""
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return b""


def media_type(scope: Scope) -> bytes:
    """The media type that the request declares, without parameters, in lower case."""
    return header(scope, b"content-type").partition(b";")[0].strip().lower()


def inflater(scope: Scope) -> Inflater | None:
    """What undoes the request's content encoding; None for plain bodies; raises Refusal."""
    encoding = header(scope, b"content-encoding").strip().lower()
    if encoding in (b"", b"identity"):
        return None
    if encoding in (b"gzip", b"x-gzip"):
        return Inflater()
    raise Refusal(
        Problem.ENCODING_UNSUPPORTED,
        "the body's content encoding is not gzip: send it plain, or as gzip",
        ((b"accept-encoding", b"gzip"), *_CLOSE),
    )


def check_length(scope: Scope, limit: int, setting: str) -> None:
    """Refuse a body that declares itself too large, before any of it is read."""
    declared = header(scope, b"content-length")
    if declared.isdigit() and int(declared) > limit:
        raise too_large(limit, setting)


def too_large(limit: int, setting: str) -> Refusal:
    """The refusal of a body over ``limit`` bytes."""
    detail = f"the body has more than {limit:,} bytes: send less at once, or raise {setting}"
    return Refusal(Problem.BODY_TOO_LARGE, detail, _CLOSE)


def too_slow(seconds: float) -> Refusal:
    """The refusal of a body that did not come within ``seconds``."""
    detail = (
        f"the body did not come within {seconds:g} s: send faster, or raise LOGDOCKET_BODY_TIMEOUT"
    )
    return Refusal(Problem.BODY_TOO_SLOW, detail, _CLOSE)


async def read_body(scope: Scope, receive: Receive, guard: Guard) -> bytes:
    """The whole body, decompressed.

    Raises:
        Refusal: too large (declared, received or inflated), too slow, or wrongly encoded.
        Disconnected: the client went away.
    """
    limit = guard.max_body
    check_length(scope, limit, "LOGDOCKET_MAX_BODY")
    inflate = inflater(scope)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(guard.body_timeout):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Disconnected
                more = message.get("more_body", False)
                data = message.get("body", b"")
                for piece in (data,) if inflate is None else inflate.feed(data):
                    size += len(piece)
                    if size > limit:
                        raise too_large(limit, "LOGDOCKET_MAX_BODY")
                    parts.append(piece)
    except TimeoutError:
        raise too_slow(guard.body_timeout) from None
    if inflate is not None:
        inflate.finish()
    return parts[0] if len(parts) == 1 else b"".join(parts)

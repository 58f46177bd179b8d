"""One request to the model and what came back: made with a permit, seen by the transport alone."""

from __future__ import annotations

import enum
from contextvars import ContextVar
from typing import Final

import msgspec

from logdocket.errors import UnaccountedCall

__all__ = ["CURRENT", "Exchange", "Failure", "Permit"]


class Failure(enum.StrEnum):
    """Why there is no whole response."""

    UNCONNECTED = "unconnected"
    """No connection: refused, no such host, a certificate that is not trusted."""
    BROKEN = "broken"
    """The connection broke, or what came over it was not HTTP."""
    TOO_LARGE = "too_large"
    """The body passed the bound, as it was sent or as it was decoded."""
    UNDECODABLE = "undecodable"
    """The body's content coding is not one that was asked for, or is damaged."""
    LATE = "late"
    """It was not there in time."""


class Permit:
    """Leave for one request: made from the number of the entry that speaks of it."""

    __slots__ = ("call", "used")

    def __init__(self, call: int) -> None:
        self.call = call
        self.used = False

    def take(self) -> None:
        """Use it up; raises UnaccountedCall the second time."""
        if self.used:
            raise UnaccountedCall(f"call {self.call} was made already: each request needs its own")
        self.used = True


class Exchange(msgspec.Struct, kw_only=True):
    """What went over the wire for one call.

    ``request`` and ``body``: the bodies, the latter decoded and never above the bound.
    ``status``: of the response, None if none came. ``retry_after``: that header as it was sent.
    ``sent``: whether any byte of the request may have left.
    ``failure`` and ``why``: what stopped the response, and the kind of error it was.
    ``ms``: how long it took.
    """

    call: int
    request: bytes = b""
    sent: bool = False
    status: int | None = None
    content_type: str = ""
    retry_after: str | None = None
    body: bytes = b""
    failure: Failure | None = None
    why: str = ""
    ms: int = 0


CURRENT: Final[ContextVar[tuple[Permit, Exchange] | None]] = ContextVar("exchange", default=None)
"""The exchange that requests of this task belong to; without one, none may leave."""

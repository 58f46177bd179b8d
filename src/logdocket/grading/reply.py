"""What came back for one request to an answer's service."""

from __future__ import annotations

import enum
import json
from typing import Any

import msgspec

__all__ = ["Reply", "Silence"]


class Silence(enum.StrEnum):
    """Why there was no response, as a sentence goes on after "the service"."""

    LATE = "gave no answer in time"
    REFUSED = "does not listen"
    BROKEN = "broke the connection, or answered with something that is not HTTP"


class Reply(msgspec.Struct, frozen=True):
    """A response, or the want of one: then ``status`` is 0 and ``silence`` says why."""

    status: int
    body: bytes
    seconds: float
    silence: Silence | None = None

    @property
    def ok(self) -> bool:
        """Whether it is a response with a 2xx status."""
        return 200 <= self.status < 300

    @property
    def ticket(self) -> dict[str, Any] | None:
        """The JSON object of a 2xx response, else None."""
        if not self.ok:
            return None
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    @property
    def said(self) -> str:
        """What came, in a few words: ``status 500``, or why nothing did."""
        return f"status {self.status}" if self.silence is None else str(self.silence)

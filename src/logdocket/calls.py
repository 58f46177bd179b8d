"""The words for a call of a model: how it ended, what it cost, what it may cost.

The client that calls, the store that enters calls in the ledger and the docket between them all
speak these words and know nothing of one another.
"""

from __future__ import annotations

import enum
from typing import Final

import msgspec

__all__ = ["FREE", "CallEnd", "CallStatus", "Spend", "Usage"]


class CallStatus(enum.StrEnum):
    """How a call of the model ended. One request is one call; a retry is another."""

    OK = "ok"
    JUNK = "junk"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    CUT_SHORT = "cut_short"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    NOT_NOW = "not_now"
    SERVER_ERROR = "server_error"
    UNAUTHORIZED = "unauthorized"
    NOT_FOUND = "not_found"
    REJECTED = "rejected"
    NOT_SUPPORTED = "not_supported"
    REDIRECTED = "redirected"
    CANCELLED = "cancelled"

    @property
    def sentence(self) -> str:
        """What happened, for a person."""
        return _TRAITS[self][0]

    @property
    def retried(self) -> bool:
        """Whether asking once more may help."""
        return "r" in _TRAITS[self][1]

    @property
    def upstream(self) -> bool:
        """Whether it tells that the model does not work now; the breaker counts these."""
        return "u" in _TRAITS[self][1]

    @property
    def unmetered(self) -> bool:
        """Whether no token can have been spent, so that what was reserved is given back."""
        return "f" in _TRAITS[self][1]


_TRAITS: Final[dict[CallStatus, tuple[str, str]]] = {
    CallStatus.OK: ("The answer passed every check.", ""),
    CallStatus.JUNK: ("The answer broke the schema, or the line does not bear it out.", "r"),
    CallStatus.UNREADABLE: ("The response was not what the API promises.", "r"),
    CallStatus.TOO_LARGE: ("The response was larger than any answer can be.", ""),
    CallStatus.CUT_SHORT: ("The model reached its limit of tokens before it was done.", "r"),
    CallStatus.REFUSED: ("The model refused, or a content filter stopped it.", ""),
    CallStatus.TIMEOUT: ("The response was not there in time.", "ru"),
    CallStatus.UNREACHABLE: ("There was no connection, or it broke.", "ru"),
    CallStatus.RATE_LIMITED: ("The API answered 429: too many requests.", "ruf"),
    CallStatus.NOT_NOW: ("The API answered 408 or 409: not at this moment.", "ruf"),
    CallStatus.SERVER_ERROR: ("The API answered 5xx: it failed.", "ruf"),
    CallStatus.UNAUTHORIZED: ("The API answered 401 or 403: the key does not open it.", "uf"),
    CallStatus.NOT_FOUND: ("The API answered 404: no such address or model.", "uf"),
    CallStatus.REJECTED: ("The API answered 4xx: it does not take the request.", "f"),
    CallStatus.NOT_SUPPORTED: ("The API answered 400: it cannot constrain its output.", "f"),
    CallStatus.REDIRECTED: ("The API answered 3xx, which is not followed.", "uf"),
    CallStatus.CANCELLED: ("The service was stopped while it waited.", ""),
}
"""The sentence, and traits: ``r`` retried, ``u`` upstream, ``f`` free of charge."""


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens as the provider reported them, none below 0."""

    tokens_in: int
    tokens_out: int

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.tokens_in + self.tokens_out


class Spend(msgspec.Struct, frozen=True, gc=False):
    """An amount: tokens, and billionths of a US dollar."""

    tokens: int
    nano_usd: int


FREE: Final = Spend(0, 0)
"""Nothing spent."""


class CallEnd(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How call ``call`` (the number of its entry) ended.

    ``charge``: what its day is charged in place of what was reserved.
    ``usage`` and ``nano_usd``: what the provider reported and what that costs; None if unknown.
    ``http``: the status of the response, if one came. ``ms``: how long it took.
    ``wrong``: what was wrong with the answer, in typed words.
    """

    call: int
    status: CallStatus
    ms: int
    charge: Spend = FREE
    usage: Usage | None = None
    nano_usd: int | None = None
    http: int | None = None
    wrong: tuple[str, ...] = ()

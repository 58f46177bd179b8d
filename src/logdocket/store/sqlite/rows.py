"""Rows of the tables that the chain's entries of calls add up to, and how an entry changes them."""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.calls import Spend
from logdocket.store.sqlite.details import Cap

DAY: Final = 86_400_000_000
"""Microseconds of a UTC day."""


class CallRow(msgspec.Struct, gc=False):
    """A row of ``call``; its fields are the columns in order."""

    seq: int
    at: int
    expires: int
    model: str
    attempt: int
    reserved_tokens: int
    reserved_nano_usd: int
    status: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    nano_usd: int | None = None
    charged_tokens: int = 0
    charged_nano_usd: int = 0
    ticket: int | None = None

    @property
    def day(self) -> int:
        """The day whose budget it is charged to."""
        return self.at // DAY

    @property
    def tokens(self) -> int:
        """What the provider reported, 0 if nothing."""
        return (self.tokens_in or 0) + (self.tokens_out or 0)

    def end(self, status: str, charge: Spend) -> None:
        """It ended so."""
        self.status = status
        self.charged_tokens, self.charged_nano_usd = charge.tokens, charge.nano_usd


class SpendRow(msgspec.Struct, gc=False):
    """A row of ``spend``; its fields are the columns in order."""

    day: int
    tokens: int = 0
    nano_usd: int = 0
    reserved_tokens: int = 0
    reserved_nano_usd: int = 0

    def reserve(self, call: CallRow, sign: int = 1) -> None:
        """Set aside what ``call`` may cost; with ``sign`` -1 no longer."""
        self.reserved_tokens += sign * call.reserved_tokens
        self.reserved_nano_usd += sign * call.reserved_nano_usd

    def charge(self, call: CallRow, sign: int = 1) -> None:
        """Charge what ``call`` was charged; with ``sign`` -1 take it back."""
        self.tokens += sign * call.charged_tokens
        self.nano_usd += sign * call.charged_nano_usd

    def within(self, cap: Cap, more: Spend) -> bool:
        """Whether there is room for ``more``."""
        return cap.allows(
            self.tokens + self.reserved_tokens + more.tokens,
            self.nano_usd + self.reserved_nano_usd + more.nano_usd,
        )

"""The attempts for one line, as the ledger has them: claimed, budgeted and entered before they are
made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from logdocket.calls import CallEnd, Spend
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.model import PROMPT_VERSION
from logdocket.store import Answered, CallStart, Exhausted, Held, Started, Store
from logdocket.ticket import ReviewReason

_GRACE: Final = 2_000_000
"""µs past the end of an attempt for which its claim still holds: long enough to enter how it ended
and to begin the next. If a process dies, others wait no longer than that."""

Block: TypeAlias = Held | Answered | ReviewReason
"""What stands against a call: someone else's claim, someone else's ticket, or a reason."""


class Caps(msgspec.Struct, frozen=True):
    """What a UTC day may cost: tokens, and billionths of a US dollar. None is no bound."""

    tokens: int | None = None
    nano_usd: int | None = None


def unwatched(*told: object) -> None:
    """Nobody wants to know."""


class Books:
    """Enters the attempts for ``slot``.

    ``holder`` is who claims it, 16 bytes that nobody else has; ``claimed`` whether it may have done
    so. ``model`` is the one that is asked; ``clock`` gives µs since 1970 UTC; ``watch`` is told of
    every call that ended.
    """

    def __init__(
        self,
        store: Store,
        caps: Caps,
        slot: Slot,
        *,
        model: str,
        holder: bytes,
        clock: Callable[[], int],
        watch: Callable[[CallEnd], None],
    ) -> None:
        self.holder = holder
        self.claimed = False
        self._store = store
        self._caps = caps
        self._slot = slot
        self._model = model
        self._clock = clock
        self._watch = watch

    async def begin(self, attempt: int, mode: str, reserve: Spend, seconds: float) -> int | Block:
        """The number of the entry, durable, or what stands against the call."""
        slot = self._slot
        call = CallStart(
            key=slot.key,
            line_hash=slot.line_hash,
            holder=self.holder,
            expires=self._clock() + round(seconds * 1_000_000) + _GRACE,
            seen=slot.seen,
            attempt=attempt,
            model=self._model,
            mode=mode,
            prompt=PROMPT_VERSION,
            reserve=reserve,
            cap_tokens=self._caps.tokens,
            cap_nano_usd=self._caps.nano_usd,
        )
        try:
            begun = await self._store.start(call)
        except LedgerUnavailable:
            return ReviewReason.LEDGER_UNAVAILABLE
        except asyncio.CancelledError:
            # What was ordered is entered, whoever still waits for it.
            self.claimed = True
            raise
        if isinstance(begun, Started):
            self.claimed = True
            return begun.call
        return ReviewReason.BUDGET_EXHAUSTED if isinstance(begun, Exhausted) else begun

    async def end(self, ended: CallEnd) -> None:
        """Enter the end of a call after which there may be another."""
        self._watch(ended)
        try:
            await self._store.submit((), ended)
        except LedgerUnavailable:
            return  # The store owes it, and the next entry begins with it.

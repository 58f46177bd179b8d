"""How many tickets wait for a second look, for the counters."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from logdocket.store.review_store import ReviewStore

_HOLDS: Final = 10.0
_REST: Final = 20
"""A count holds for ten seconds, or so many times as long as counting took."""


class Waiting:
    """Counts seldom, however often it is asked: among many tickets it takes a while. For any
    thread. ``monotonic`` gives seconds."""

    def __init__(self, store: ReviewStore, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._monotonic = monotonic
        self._counting = threading.Lock()
        self._count: int | None = None
        self._holds_until = float("-inf")

    def count(self) -> int | None:
        """As of the last count; None before the first. Whoever asks amid a count does not wait for
        it. Blocks; raises LedgerUnavailable.
        """
        if self._monotonic() >= self._holds_until and self._counting.acquire(blocking=False):
            try:
                began = self._monotonic()
                self._count = self._store.pending_counts().waiting
                took = self._monotonic() - began
                self._holds_until = began + max(_HOLDS, _REST * took)
            finally:
                self._counting.release()
        return self._count

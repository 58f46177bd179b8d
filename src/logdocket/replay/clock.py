"""Time as a fixture tells it: it passes where a recording says so, and nowhere else."""

from __future__ import annotations

import asyncio
from typing import Final

_MICRO: Final = 1_000_000


class Clock:
    """A clock that begins at ``start``, in µs since 1970 UTC, and never goes back."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._now = start

    def set(self, now: int) -> None:
        """Have it be ``now``, or later where it is that already."""
        self._now = max(self._now, now)

    def wait(self, micros: int) -> None:
        """Let ``micros`` µs pass."""
        self._now += micros

    def micros(self) -> int:
        """µs since 1970 UTC."""
        return self._now

    def monotonic(self) -> float:
        """Seconds since it began."""
        return (self._now - self._start) / _MICRO

    async def sleep(self, seconds: float) -> None:
        """Wait without waiting."""
        self._now += round(seconds * _MICRO)


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop in which no time passes, so that no bound in time is ever reached in it.

    What was late when it was recorded is late because the recording says so. A machine that is slow
    today must not make anything else late.
    """

    def time(self) -> float:
        """Always the same."""
        return 0.0

"""The ledger's sums by UTC day, for a page that must not wait for them.

A day that is over is counted once and kept; the current one is counted anew, the less often the
longer that takes. All of it happens in one thread, one day at a time: the ledger's readers share a
connection, and others want it too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Final

import msgspec

from logdocket.http.threads import Threads
from logdocket.store import Store, Summary
from logdocket.ticket import Source

DAY: Final = 86_400_000_000
"""µs of a day."""
DAYS: Final = 30

_SETTLED: Final = 600_000_000
"""µs after its end from which a day is taken for over: what was begun in it has been entered."""
_REST: Final = 20
"""A day's sums hold for so many times as long as it took to count them."""


class Counted(msgspec.Struct, frozen=True):
    """What one day adds up to, counted from ``at`` (µs since 1970 UTC) for ``took`` µs."""

    found: Summary
    at: int
    took: int


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """What several days add up to; each field as in :class:`logdocket.store.Summary`."""

    by_source: dict[str, int]
    by_reason: dict[str, int]
    by_status: dict[str, int]
    started: int
    interrupted: int
    in_flight: int
    retries: int
    tokens_in: int
    tokens_out: int
    nano_usd: int
    unpriced: int
    calls_avoided: int

    @property
    def tickets(self) -> int:
        """From all sources."""
        return sum(self.by_source.values())

    @property
    def calls(self) -> dict[str, int]:
        """Calls by how they ended, those among them that have not."""
        unended = {"interrupted": self.interrupted, "in_flight": self.in_flight}
        return {**self.by_status, **{word: count for word, count in unended.items() if count}}

    @property
    def hit_ratio(self) -> float | None:
        """Cache hits per ticket; None without tickets."""
        return self.by_source[Source.CACHE] / self.tickets if self.tickets else None


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What is known so far. ``today``: of the current day, None before it was first counted, and
    ``at`` the moment it is from. ``month``: of the last 30 days, that one among them, as far as
    they are counted; ``missing`` of them are not. ``days``: tickets by source of each that is."""

    today: Summary | None
    at: int | None
    month: Totals
    missing: int
    days: dict[str, dict[str, int]]


class Sums:
    """Counts days of ``store``; ``clock`` gives µs since 1970 UTC. Belongs to one event loop."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._days: dict[int, Counted] = {}
        self._thread = Threads(1)
        self._task: asyncio.Task[None] | None = None

    async def look(self, seconds: float) -> Seen:
        """What is known within ``seconds``; what is not counted by then goes on being counted.

        Raises LedgerUnavailable where that cannot be done.
        """
        today = self._clock() // DAY
        if self._task is None and any(self._stale(day) for day in _days(today)):
            self._task = asyncio.create_task(self._count(today))
        if (task := self._task) is not None:
            done, _ = await asyncio.wait({task}, timeout=seconds)
            if done:
                # Several may have waited for it.
                self._task = None if self._task is task else self._task
                task.result()
        return self._seen(today)

    def _seen(self, today: int) -> Seen:
        known = {day: self._days[day] for day in _days(today) if day in self._days}
        current = self._days.get(today)
        return Seen(
            today=None if current is None else current.found,
            at=None if current is None else current.at,
            month=totals(day.found for day in known.values()),
            missing=DAYS - len(known),
            days={day_name(day): of.found.by_source for day, of in known.items()},
        )

    async def _count(self, today: int) -> None:
        """Count what is to be counted, the newest day first."""
        for day in list(self._days):
            if day not in _days(today):
                del self._days[day]
        for day in _days(today):
            if self._stale(day):
                self._days[day] = await self._thread.run(self._counted, day)

    def _counted(self, day: int) -> Counted:
        at, began = self._clock(), time.perf_counter()
        found = self._store.summary(day * DAY, (day + 1) * DAY)
        return Counted(found, at, round((time.perf_counter() - began) * 1_000_000))

    def _stale(self, day: int) -> bool:
        """Whether ``day`` is to be counted, or counted anew."""
        known = self._days.get(day)
        if known is None:
            return True
        over = known.at >= (day + 1) * DAY + _SETTLED and not known.found.calls.in_flight
        return not over and not 0 <= self._clock() - known.at < known.took * _REST


def totals(days: Iterable[Summary]) -> Totals:
    """What ``days`` add up to."""
    by_source = {source.value: 0 for source in Source}
    by_reason: dict[str, int] = {}
    by_status: dict[str, int] = {}
    found = list(days)
    for day in found:
        for sums, counts in (
            (by_source, day.by_source),
            (by_reason, day.by_reason),
            (by_status, day.calls.by_status),
        ):
            for word, count in counts.items():
                sums[word] = sums.get(word, 0) + count
    calls = [day.calls for day in found]
    return Totals(
        by_source=by_source,
        by_reason=by_reason,
        by_status=by_status,
        started=sum(of.started for of in calls),
        interrupted=sum(of.interrupted for of in calls),
        in_flight=sum(of.in_flight for of in calls),
        retries=sum(of.retries for of in calls),
        tokens_in=sum(of.tokens_in for of in calls),
        tokens_out=sum(of.tokens_out for of in calls),
        nano_usd=sum(of.nano_usd for of in calls),
        unpriced=sum(of.unpriced for of in calls),
        calls_avoided=sum(day.calls_avoided for day in found),
    )


def day_name(day: int) -> str:
    """Day ``day`` since 1970 as YYYY-MM-DD."""
    return (date(1970, 1, 1) + timedelta(days=day)).isoformat()


def _days(today: int) -> range:
    """The last 30 days (since 1970), the current one first."""
    return range(today, today - DAYS, -1)

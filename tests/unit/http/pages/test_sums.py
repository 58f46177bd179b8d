"""Days of the ledger are counted beside the page, and those that are over only once."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.errors import LedgerUnavailable
from logdocket.http.pages.sums import DAY, DAYS, Sums
from logdocket.line import Line
from logdocket.store import SqliteStore, Summary

NOON = 20_000 * DAY + DAY // 2


class Clock:
    """A time that the test chooses, in µs since 1970 UTC."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        """The time."""
        return self.now


class Watched(SqliteStore):
    """A store that notes which days were counted, and waits where it is told to."""

    def __init__(self, path: Path, clock: Clock) -> None:
        super().__init__(path, clock=clock)
        self.counted: list[int] = []
        self.free = threading.Event()
        self.free.set()

    def summary(self, since: int | None = None, until: int | None = None) -> Summary:
        """The sums, once nobody holds them up."""
        assert since is not None
        self.free.wait(10)
        self.counted.append(since // DAY)
        return super().summary(since, until)


@pytest.fixture
def clock() -> Clock:
    """Noon of a day."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Watched]:
    """A ledger of the test's own."""
    made = Watched(tmp_path / "sums.db", clock)
    yield made
    made.close()


async def extract(store: SqliteStore, clock: Clock, *lines: str) -> None:
    """Enter a ticket for each line now."""
    extractor = Extractor(Policy(), shipped(), store, clock)
    for line in lines:
        await extractor.extract(Line(line))


async def test_days_add_up_to_what_the_ledger_counts(store: Watched, clock: Clock) -> None:
    """The current day apart, the last 30 together; what is older is left out."""
    for back in (DAYS, DAYS - 1, 3, 0):
        clock.now = NOON - back * DAY
        await extract(store, clock, f"ERROR payments: refusal {back}", "the same", "the same")
    seen = await Sums(store, clock).look(10)
    assert seen.missing == 0
    assert seen.today is not None
    assert seen.today.tickets == 3
    assert seen.month.tickets == 9
    assert seen.month.by_source == {"model": 0, "cache": 3, "fallback": 6}
    assert seen.month.hit_ratio == pytest.approx(1 / 3)
    assert seen.at == NOON


async def test_a_day_that_is_over_is_counted_once(store: Watched, clock: Clock) -> None:
    """The current one whenever it is looked at, after a while."""
    sums = Sums(store, clock)
    await sums.look(10)
    assert sorted(store.counted) == list(range(20_000 - DAYS + 1, 20_001))
    clock.now += 60_000_000
    await extract(store, clock, "one more")
    store.counted.clear()
    seen = await sums.look(10)
    assert store.counted == [20_000]
    assert seen.today is not None
    assert seen.today.tickets == 1


async def test_a_day_is_counted_anew_when_it_has_just_ended(store: Watched, clock: Clock) -> None:
    """What was begun in it may have been entered since; and the oldest day is let go."""
    sums = Sums(store, clock)
    await sums.look(10)
    clock.now += DAY
    store.counted.clear()
    await sums.look(10)
    assert sorted(store.counted) == [20_000, 20_001]
    store.counted.clear()
    clock.now += 60_000_000
    await sums.look(10)
    assert store.counted == [20_001]


async def test_nobody_waits_longer_than_they_want(store: Watched, clock: Clock) -> None:
    """What is not there yet is told as missing, and is there later."""
    sums = Sums(store, clock)
    store.free.clear()
    seen = await sums.look(0.01)
    assert (seen.today, seen.at, seen.missing) == (None, None, DAYS)
    again = await sums.look(0.01)
    assert again.missing == DAYS
    store.free.set()
    seen = await sums.look(10)
    assert seen.today is not None
    assert seen.missing == 0
    assert len(store.counted) == DAYS  # by one count, however many asked


async def test_a_ledger_that_cannot_be_read_is_told_and_tried_again(
    store: Watched, clock: Clock
) -> None:
    """Whoever looks hears of it; the next look begins anew."""
    sums = Sums(store, clock)
    moved = store.path.with_suffix(".away")
    store.path.rename(moved)
    store.path.mkdir()
    with pytest.raises(LedgerUnavailable):
        await sums.look(10)
    store.path.rmdir()
    moved.rename(store.path)
    async with asyncio.timeout(10):
        while True:  # a store that failed is not opened again at once
            with contextlib.suppress(LedgerUnavailable):
                seen = await sums.look(10)
                break
            await asyncio.sleep(0.05)
    assert seen.missing == 0

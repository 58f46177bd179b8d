from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from service import wait_for

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy, ReviewDesk
from logdocket.http.folding import Folding
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import SqliteStore
from logdocket.store.review import Folded


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store on a file of its own."""
    opened = SqliteStore(tmp_path / "folding.db", clock=lambda: 0)
    yield opened
    opened.close()


def desk(store: SqliteStore) -> ReviewDesk:
    """A desk over it."""
    return ReviewDesk(store, clock=lambda: 0, max_line=65_536)


def enter(store: SqliteStore, count: int) -> None:
    """Enter so many tickets that need a person."""
    extractor = Extractor(Policy(), shipped(), store, lambda: 0)
    lines = [(Line.of(f"ERROR {number} broke", 100), NO_CONTEXT) for number in range(count)]
    extractor.finish(extractor.begin(lines))


async def test_the_queue_follows_the_ledger_by_itself(store: SqliteStore) -> None:
    """What was there before, and what comes later."""
    enter(store, 300)
    folding = Folding(desk(store))
    folding.open()
    try:
        wait_for(lambda: store.queue_counts().upto == 300)
        enter(store, 1)
        wait_for(lambda: store.queue_counts().upto == 301)
    finally:
        await folding.close()
    enter(store, 1)
    await asyncio.sleep(0.4)
    assert store.queue_counts().upto == 301


async def test_two_that_follow_count_each_entry_once(store: SqliteStore, tmp_path: Path) -> None:
    """As several workers do."""
    enter(store, 1_000)
    other = SqliteStore(tmp_path / "folding.db", clock=lambda: 0)
    both = [Folding(desk(store)), Folding(desk(other))]
    for folding in both:
        folding.open()
    try:
        wait_for(lambda: store.queue_counts().upto == 1_000)
    finally:
        for folding in both:
            await folding.close()
        other.close()
    groups = desk(store).changes(0, 10_000)
    assert sum(group.count for group in groups) == 1_000


class SlowDesk(ReviewDesk):
    """A desk that has much to do, and notes when it did it."""

    def __init__(self, store: SqliteStore) -> None:
        super().__init__(store, clock=lambda: 0, max_line=100)
        self.worked: list[tuple[float, float]] = []

    def catch_up(self, seconds: float = 0.25) -> Folded:
        """Take three times as long as it may."""
        began = time.perf_counter()
        time.sleep(0.06)
        self.worked.append((began, time.perf_counter()))
        return Folded(upto=0, head=1, entries=0)


async def test_it_rests_nine_times_as_long_as_it_works(store: SqliteStore) -> None:
    """So that the requests have the core."""
    slow = SlowDesk(store)
    folding = Folding(slow)
    folding.open()
    wait_for(lambda: len(slow.worked) == 3)
    await folding.close()
    for (began, ended), (again, _) in zip(slow.worked[:2], slow.worked[1:3], strict=True):
        assert again - ended >= 9 * (ended - began) - 0.001


async def test_a_ledger_that_cannot_be_read_is_told_once(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again all the same."""
    store.close()
    folding = Folding(desk(store))
    with caplog.at_level(logging.WARNING, "logdocket.http"):
        folding.open()
        await asyncio.sleep(0.7)
        await folding.close()
    (record,) = caplog.records
    assert "does not follow the ledger now" in record.message
    assert record.exc_info is None


async def test_closing_what_was_never_opened_is_nothing(store: SqliteStore) -> None:
    """As where the setting is off."""
    await Folding(desk(store)).close()

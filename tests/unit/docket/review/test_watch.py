"""When new verdicts are looked for."""

from __future__ import annotations

import asyncio
import threading
import time

from logdocket.confidence import Table
from logdocket.docket import Judge
from logdocket.docket.review.answers import Reviews
from logdocket.docket.review.watch import Watch
from logdocket.errors import LedgerUnavailable
from logdocket.line import Severity
from logdocket.store.review import Fields, Taught, Verdict, VerdictWord

FIELDS = Fields("gate", Severity.LOW, "unknown", "jammed")


class Told:
    """Verdicts, who reads them, and how often somebody looked."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.looks = 0
        self.threads: set[int] = set()
        self.fault: Exception | None = None
        self.seconds = 0.0
        self.reading = False

    def come(self) -> None:
        """One more verdict is entered."""
        self.verdicts.append(
            Verdict(
                id=len(self.verdicts) + 1,
                at=0,
                group=b"g",
                verdict=VerdictWord.RIGHT,
                ticket=1,
                line_hash=b"%032d" % len(self.verdicts),
                who="rev-a",
                version=0,
                before=FIELDS,
                after=FIELDS,
                taught=Taught(),
            )
        )

    def taught_version(self) -> int:
        """The number of the newest."""
        self.reading = True
        self.looks += 1
        self.threads.add(threading.get_ident())
        time.sleep(self.seconds)
        self.reading = False
        if self.fault is not None:
            raise self.fault
        return len(self.verdicts)

    def taught(self) -> list[Verdict]:
        """All."""
        return self.verdicts


class Watched:
    """A watch over such verdicts, by seconds that are set."""

    def __init__(self) -> None:
        self.store = Told()
        self.changes = 0
        self.seconds = 100.0
        reviews = Reviews(Judge(Table({}), 0.0), self.store, lambda: 0)
        self.watch = Watch(reviews, self.changed, lambda: self.seconds)

    def changed(self) -> None:
        """Called where lines are answered otherwise."""
        self.changes += 1

    async def until(self, looks: int, changes: int = 0) -> None:
        """Wait until somebody has looked, and has seen news, so often."""
        for _ in range(250):
            if self.store.looks >= looks and self.changes >= changes:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{self.store.looks} looks, {self.changes} changes")


def test_who_has_no_loop_looks_twice_a_second_at_most():
    """However many lines come, and at once for the first."""
    watched = Watched()
    for seconds, looks in ((0, 1), (0.3, 1), (0.1, 1), (0.2, 2), (60, 3)):
        watched.seconds += seconds
        watched.watch.look_if_due()
        assert watched.store.looks == looks


def test_news_are_told_once():
    """A look that finds nothing new says nothing."""
    watched = Watched()
    watched.store.come()
    for _ in range(3):
        watched.seconds += 1
        watched.watch.look_if_due()
    assert watched.changes == 1


async def test_a_look_on_a_loop_reads_in_another_thread():
    """A slow disk holds up no request."""
    watched = Watched()
    watched.store.come()
    await watched.watch.look()
    assert watched.changes == 1
    assert threading.get_ident() not in watched.store.threads


async def test_an_open_watch_looks_by_itself_and_nobody_else_does():
    """Until it is closed."""
    watched = Watched()
    await watched.watch.open()
    await watched.watch.open()
    assert watched.store.looks == 1
    watched.store.come()
    watched.watch.look_if_due()
    assert watched.store.looks == 1
    await watched.until(2, changes=1)
    await watched.watch.close()
    await watched.watch.close()
    looks = watched.store.looks
    await asyncio.sleep(0.6)
    assert watched.store.looks == looks


async def test_a_fault_does_not_end_the_watch(caplog):
    """It is logged, and the next look may do better; a ledger that is locked is no fault."""
    watched = Watched()
    await watched.watch.open()
    watched.store.fault = LedgerUnavailable("locked: wait")
    await watched.until(2)
    assert not caplog.records
    watched.store.fault = RuntimeError("broken")
    await watched.until(3)
    watched.store.fault = None
    watched.store.come()
    await watched.until(4, changes=1)
    await watched.watch.close()
    assert [record.message for record in caplog.records] == ["verdicts could not be read"]


async def test_when_it_is_closed_nothing_reads_any_more():
    """The file is closed next."""
    watched = Watched()
    await watched.watch.open()
    watched.store.seconds = 0.3
    await watched.until(2)
    assert watched.store.reading
    await watched.watch.close()
    assert not watched.store.reading

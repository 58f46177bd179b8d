"""The one writer of a process: calls joined into groups, one transaction and one fsync a group."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, cast

from logdocket.calls import CallEnd
from logdocket.errors import LedgerUnavailable
from logdocket.store.records import Begun, CallStart, TicketRecord
from logdocket.store.review import DecideOutcome, Grouping, VerdictRecord
from logdocket.store.sqlite import details, orders
from logdocket.store.sqlite.append import Appender
from logdocket.store.sqlite.chain import drafts
from logdocket.store.sqlite.database import Database
from logdocket.store.sqlite.orders import Decide, Doubt, Order, Outcome, Release, Start, Sweep

_log = logging.getLogger(__name__)

_GROUP: Final = 2048
"""Records after which a group is closed to further calls; bounds one transaction's size."""

_FRESH: Final = 1.0
"""Seconds for which a successful write proves that the next would succeed."""


class Waiting(NamedTuple):
    """One caller's order on its way into a group."""

    order: Order
    future: asyncio.Future[Any]


class Writer:
    """Enters records. ``clock`` gives µs since 1970 UTC; ``patience`` is in seconds.

    Blocking callers run their transaction in their own thread; calls from event loops meet in a
    thread that starts with the first of them.
    """

    def __init__(self, database: Database, patience: float, clock: Callable[[], int]) -> None:
        self._appender = Appender(database, patience, clock)
        self._database = database
        self._clock = clock
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closing = threading.Lock()
        self._closed = False

    @property
    def lock(self) -> threading.RLock:
        """Held while this process writes."""
        return self._appender.lock

    def open(self, *, tends: bool) -> None:
        """Open the file now, and enter calls that a process left behind.

        Raises LedgerUnavailable, SchemaTooNew or NotALedger.
        """
        with self._appender.lock:
            self._appender.handle.open()
            if not tends:
                return
            with contextlib.suppress(LedgerUnavailable):
                if self.overdue(self._appender.next_to_expire()):
                    self._appender.hurry()
                    self._appender.enter([Sweep()])

    def overdue(self, expires: int | None) -> bool:
        """Whether a call that expires then has expired."""
        return expires is not None and expires <= self._clock()

    def write(self, records: Sequence[TicketRecord]) -> list[int]:
        """Enter ``records`` in a transaction of their own; gives their ids once durable."""
        ready = drafts(records)
        if not ready:
            return []
        return cast(list[int], self._enter(orders.write(ready, records, None)))

    def sweep(self) -> int:
        """Enter calls that have expired as interrupted; gives their number once durable."""
        return cast(int, self._enter(Sweep()))

    def unshare(self, template: bytes, ticket: int) -> None:
        """See that no line shares an answer about ``template``."""
        self._enter(Doubt(template, ticket))

    def decide(self, records: Sequence[VerdictRecord], grouping: Grouping) -> list[DecideOutcome]:
        """Enter verdicts, each only where its group still has the version that it names."""
        return cast("list[DecideOutcome]", self._enter(Decide(records, grouping)))

    def _enter(self, order: Order) -> Outcome:
        """Carry out ``order`` in a transaction of its own."""
        with self._appender.lock:
            (outcome,) = self._appender.enter([order])
        if isinstance(outcome, ValueError):
            raise outcome
        return outcome

    def submit(
        self, records: Sequence[TicketRecord], ended: CallEnd | None = None
    ) -> asyncio.Future[list[int]]:
        """A future of the ids, done once the group that ``records`` join is durable."""
        ready = drafts(records)
        if ended is not None:
            details.check_end(ended)
        elif not ready:
            future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
            future.set_result([])
            return future
        return self._join(orders.write(ready, records, ended))

    def start(self, call: CallStart) -> asyncio.Future[Begun]:
        """A future of whether the call may be made, done once what was entered is durable."""
        details.check_start(call)
        return self._join(Start(call))

    def release(self, key: bytes, holder: bytes) -> asyncio.Future[None]:
        """A future that is done once ``holder`` has no claim on ``key``."""
        return self._join(Release(key, holder))

    def _join(self, order: Order) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        with self._closing:
            if self._closed:
                future.set_exception(self._is_closed())
                return future
            running = self._thread is not None or self._start()
            if running:
                self._queue.put(Waiting(order, future))
        if not running:
            # Rather hold up the loop than leave the caller without a ticket.
            self._commit_group([Waiting(order, future)])
        return future

    def _start(self) -> bool:
        """Start the thread; False where the system allows no more of them now."""
        thread = threading.Thread(target=self._run, name="logdocket-writer", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return False
        self._thread = thread
        return True

    def check(self) -> None:
        """Raise LedgerUnavailable unless a write would succeed now; waits a quarter second at most.

        Where no write of late has proved it, and there is no gap to enter, the schema's number is
        written anew, which takes a whole transaction and changes nothing.
        """
        if self._appender.failure is None and time.monotonic() < self._appender.proved + _FRESH:
            return
        if not self._appender.lock.acquire(timeout=0.25):
            if self._appender.failure is not None:
                raise LedgerUnavailable(*self._appender.failure.args)
            return
        try:
            self._appender.hurry()
            if self._appender.owes:
                self._appender.enter([])
            else:
                self._appender.probe()
        finally:
            self._appender.lock.release()

    def close(self) -> None:
        """Let the last group commit, enter a gap that is still open, and release the file."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        with contextlib.suppress(LedgerUnavailable), self._appender.lock:
            if self._appender.owes:
                self._appender.enter([])
            with self._appender.handle.use() as connection:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._appender.close()

    @property
    def unentered(self) -> int:
        """How many answers were given that nothing in the ledger tells of yet."""
        return self._appender.unentered

    def _is_closed(self) -> LedgerUnavailable:
        return LedgerUnavailable(f"the ledger {self._database.path} is closed: open it again")

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            group, last = self._gather(first)
            self._commit_group(group)
            if last:
                return

    def _gather(self, first: Waiting) -> tuple[list[Waiting], bool]:
        """Every order that waits by now, and whether the end of all orders was among them."""
        group, size = [first], orders.size(first.order)
        for _ in range(self._queue.qsize()):
            if size >= _GROUP:
                break
            waiting = self._queue.get_nowait()
            if waiting is None:
                return group, True
            group.append(waiting)
            size += orders.size(waiting.order)
        return group, False

    def _commit_group(self, group: list[Waiting]) -> None:
        asked = [waiting.order for waiting in group]
        try:
            with self._appender.lock:
                outcomes = self._appender.enter(asked)
        except LedgerUnavailable as error:
            _resolve(group, error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave callers waiting
            _log.exception("a group of ledger entries failed")
            with self._appender.lock:
                self._appender.owe(asked)
            _resolve(group, LedgerUnavailable(f"the ledger's writer failed: {error!r}"))
        else:
            _resolve(group, outcomes)


def _resolve(group: Sequence[Waiting], outcome: Sequence[Outcome] | LedgerUnavailable) -> None:
    """Hand the outcome to every caller: one wake-up per event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], int]]] = {}
    for place, waiting in enumerate(group):
        loops.setdefault(waiting.future.get_loop(), []).append((waiting.future, place))
    for loop, futures in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_hand_over, futures, outcome)


def _hand_over(
    futures: Sequence[tuple[asyncio.Future[Any], int]],
    outcomes: Sequence[Outcome] | LedgerUnavailable,
) -> None:
    for future, place in futures:
        if future.done():
            continue  # cancelled: what was entered stands
        if isinstance(outcomes, LedgerUnavailable):
            future.set_exception(LedgerUnavailable(*outcomes.args))
        elif isinstance(outcome := outcomes[place], ValueError):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

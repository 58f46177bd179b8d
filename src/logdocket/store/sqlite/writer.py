"""The one writer of a process: calls joined into groups, one transaction and one fsync a group."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from logdocket.errors import LedgerUnavailable
from logdocket.store.records import TicketRecord
from logdocket.store.sqlite.append import Appender
from logdocket.store.sqlite.chain import Draft, drafts
from logdocket.store.sqlite.database import Database

_log = logging.getLogger(__name__)

_GROUP: Final = 2048
"""Records after which a group is closed to further calls; bounds one transaction's size."""

_FRESH: Final = 1.0
"""Seconds for which a successful write proves that the next would succeed."""


class Call(NamedTuple):
    """One caller's records on their way into a group."""

    drafts: list[Draft]
    future: asyncio.Future[list[int]]


class Writer:
    """Enters records. ``clock`` gives µs since 1970 UTC; ``patience`` is in seconds.

    Blocking callers run their transaction in their own thread; calls from event loops meet in a
    thread that starts with the first of them.
    """

    def __init__(self, database: Database, patience: float, clock: Callable[[], int]) -> None:
        self._appender = Appender(database, patience, clock)
        self._database = database
        self._queue: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closing = threading.Lock()
        self._closed = False

    def open(self) -> None:
        """Open the file now; raises LedgerUnavailable, SchemaTooNew or NotALedger."""
        with self._appender.lock:
            self._appender.handle.open()

    def write(self, records: Sequence[TicketRecord]) -> list[int]:
        """Enter ``records`` in a transaction of their own; gives their ids once durable."""
        ready = drafts(records)
        if not ready:
            return []
        with self._appender.lock:
            return self._appender.enter([ready])[0]

    def submit(self, records: Sequence[TicketRecord]) -> asyncio.Future[list[int]]:
        """A future of the ids, done once the group that ``records`` join is durable."""
        future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        ready = drafts(records)
        if not ready:
            future.set_result([])
            return future
        with self._closing:
            if self._closed:
                future.set_exception(self._is_closed())
                return future
            running = self._thread is not None or self._start()
            if running:
                self._queue.put(Call(ready, future))
        if not running:
            # Rather hold up the loop than leave the caller without a ticket.
            self._commit_group([Call(ready, future)])
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
        while (call := self._queue.get()) is not None:
            group, last = self._gather(call)
            self._commit_group(group)
            if last:
                return

    def _gather(self, first: Call) -> tuple[list[Call], bool]:
        """Every call that waits by now, and whether the end of all calls was among them."""
        group, size = [first], len(first.drafts)
        for _ in range(self._queue.qsize()):
            if size >= _GROUP:
                break
            call = self._queue.get_nowait()
            if call is None:
                return group, True
            group.append(call)
            size += len(call.drafts)
        return group, False

    def _commit_group(self, group: list[Call]) -> None:
        try:
            with self._appender.lock:
                ids = self._appender.enter([call.drafts for call in group])
        except LedgerUnavailable as error:
            _resolve(group, error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave callers waiting
            _log.exception("a group of ledger entries failed")
            with self._appender.lock:
                self._appender.miss(sum(len(call.drafts) for call in group))
            _resolve(group, LedgerUnavailable(f"the ledger's writer failed: {error!r}"))
        else:
            _resolve(group, ids)


Outcome = Sequence[list[int]] | LedgerUnavailable


def _resolve(group: Sequence[Call], outcome: Outcome) -> None:
    """Hand the outcome to every caller: one wake-up per event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[list[int]], int]]] = {}
    for place, call in enumerate(group):
        loops.setdefault(call.future.get_loop(), []).append((call.future, place))
    for loop, futures in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_hand_over, futures, outcome)


def _hand_over(futures: Sequence[tuple[asyncio.Future[list[int]], int]], outcome: Outcome) -> None:
    for future, place in futures:
        if future.done():
            continue  # cancelled: what was entered stands
        if isinstance(outcome, LedgerUnavailable):
            future.set_exception(LedgerUnavailable(*outcome.args))
        else:
            future.set_result(outcome[place])

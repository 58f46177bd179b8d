"""The one writer of a process: calls joined into groups, one transaction and one fsync a group."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from logdocket.errors import LedgerUnavailable
from logdocket.store.records import TicketRecord
from logdocket.store.sqlite.chain import EMPTY, Draft, Head, Linked, chain, drafts, gap_detail
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.statements import SQL, rows

_log = logging.getLogger(__name__)

_GROUP: Final = 2048
"""Records after which a group is closed to further calls; bounds one transaction's size."""

_STEPS: Final = (256, 64, 16, 4, 1)
"""Rows per INSERT: each statement lets go of the interpreter lock once, so a group needs few."""

_HASTE: Final = 0.1
"""Seconds to wait for a lock after waiting in full has failed, until a write succeeds again."""

_FRESH: Final = 1.0
"""Seconds for which a successful write proves that the next would succeed."""


class Call(NamedTuple):
    """One caller's records on their way into a group."""

    drafts: list[Draft]
    future: asyncio.Future[list[int]]


class Missed(NamedTuple):
    """Records that could not be entered: how many, and since when (µs since 1970 UTC)."""

    tickets: int
    since: int

    def plus(self, other: Missed) -> Missed:
        """Both together."""
        if not self.tickets or not other.tickets:
            return self if self.tickets else other
        return Missed(self.tickets + other.tickets, min(self.since, other.since))


_NONE: Final = Missed(0, 0)


class Doubt(NamedTuple):
    """A transaction of which nobody knows yet whether it stands, and what was missed if not."""

    head: Head
    missed: Missed


class Writer:
    """Enters records. ``clock`` gives µs since 1970 UTC; ``patience`` is in seconds.

    Blocking callers run their transaction in their own thread; calls from event loops meet in a
    thread that starts with the first of them. What could not be entered is counted and entered as
    a gap, first thing in the next transaction that succeeds.
    """

    def __init__(self, database: Database, patience: float, clock: Callable[[], int]) -> None:
        self._database = database
        self._handle = Handle(database, patience)
        self._patience = patience
        self._clock = clock
        self._queue: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._closed = False
        self._head: Head | None = None
        self._missed = _NONE
        self._doubt: Doubt | None = None
        self._failure: LedgerUnavailable | None = None
        self._proved = float("-inf")

    def open(self) -> None:
        """Open the file now; raises LedgerUnavailable, SchemaTooNew or NotALedger."""
        with self._handle.lock:
            self._handle.open()

    def write(self, records: Sequence[TicketRecord]) -> list[int]:
        """Enter ``records`` in a transaction of their own; gives their ids once durable."""
        ready = drafts(records)
        if not ready:
            return []
        with self._handle.lock:
            return self._enter([ready])[0]

    def submit(self, records: Sequence[TicketRecord]) -> asyncio.Future[list[int]]:
        """A future of the ids, done once the group that ``records`` join is durable."""
        future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        ready = drafts(records)
        if not ready:
            future.set_result([])
        elif self._closed:
            future.set_exception(self._is_closed())
        else:
            if self._thread is None:
                self._start()
            self._queue.put(Call(ready, future))
        return future

    def check(self) -> None:
        """Raise LedgerUnavailable unless a write would succeed now; waits a quarter second at most.

        Where no write of late has proved it, and there is no gap to enter, the schema's number is
        written anew, which takes a whole transaction and changes nothing.
        """
        if self._failure is None and time.monotonic() < self._proved + _FRESH:
            return
        if not self._handle.lock.acquire(timeout=0.25):
            if self._failure is not None:
                raise LedgerUnavailable(*self._failure.args)
            return
        try:
            self._handle.wait(min(self._patience, _HASTE))
            if self._missed.tickets or self._doubt:
                self._enter([])
            else:
                self._probe()
        finally:
            self._handle.lock.release()

    def close(self) -> None:
        """Let the last group commit, enter a gap that is still open, and release the file."""
        with self._starting:
            if self._closed:
                return
            self._closed = True
            if self._thread is not None:
                self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        self._refuse_the_rest()
        with contextlib.suppress(LedgerUnavailable), self._handle.lock:
            if self._missed.tickets or self._doubt:
                self._enter([])
            with self._handle.use() as connection:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._handle.close()

    def _is_closed(self) -> LedgerUnavailable:
        return LedgerUnavailable(f"the ledger {self._database.path} is closed: open it again")

    # The thread that groups calls

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(
                    target=self._run, name="logdocket-writer", daemon=True
                )
                self._thread.start()

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
            with self._handle.lock:
                ids = self._enter([call.drafts for call in group])
        except LedgerUnavailable as error:
            _resolve(group, error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave callers waiting
            _log.exception("a group of ledger entries failed")
            with self._handle.lock:
                self._miss(sum(len(call.drafts) for call in group))
            _resolve(group, LedgerUnavailable(f"the ledger's writer failed: {error!r}"))
        else:
            _resolve(group, ids)

    def _refuse_the_rest(self) -> None:
        """Answer calls that came while the thread was ending."""
        rest = []
        while self._queue.qsize():
            call = self._queue.get_nowait()
            if call is not None:
                rest.append(call)
        self._miss(sum(len(call.drafts) for call in rest))
        _resolve(rest, self._is_closed())

    # One transaction

    def _enter(self, calls: Sequence[Sequence[Draft]]) -> list[list[int]]:
        """Enter all ``calls`` in one transaction, what was missed before them; hold the lock."""
        records = sum(map(len, calls))
        doubt = self._doubt
        try:
            with self._handle.use() as connection, _transaction(connection):
                head = self._find_head(connection)
                self._settle_doubt(connection)
                missed = self._missed
                gap = gap_detail(missed.since, missed.tickets) if missed.tickets else None
                linked = chain(calls, head, self._clock(), gap)
                _insert(connection, "insert_entry", 7, linked.entries)
                _insert(connection, "insert_ticket", 4, linked.tickets)
                self._commit(connection, linked, records)
        except LedgerUnavailable as error:
            if self._doubt is None or self._doubt is doubt:  # a new doubt counts them itself
                self._miss(records)
            self._failure = error
            self._handle.wait(min(self._patience, _HASTE))
            raise
        self._succeed()
        self._head, self._missed = linked.head, _NONE
        return linked.ids

    def _probe(self) -> None:
        try:
            with self._handle.use() as connection, _transaction(connection):
                self._find_head(connection)
                connection.execute(f"PRAGMA user_version = {self._database.migrations.latest}")
                connection.execute("COMMIT")
        except LedgerUnavailable as error:
            self._failure = error
            raise
        self._succeed()

    def _succeed(self) -> None:
        self._failure = None
        self._proved = time.monotonic()
        self._handle.wait(self._patience)

    def _find_head(self, connection: sqlite3.Connection) -> Head:
        """The head of the chain; raises LedgerUnavailable if it does not go on from where this
        process last saw it, or if a later Logdocket has changed the schema."""
        known = self._head or EMPTY
        row = connection.execute(SQL["head"], (known.seq,)).fetchone()
        seq, hash, hash_at_known, version = row or (*EMPTY, None, None)
        if version is not None and version > self._database.migrations.latest:
            raise LedgerUnavailable(
                f"the ledger {self._database.path} was upgraded to schema {version} while in use: "
                "restart with that version of Logdocket"
            )
        if known.seq and hash_at_known != known.hash:
            raise LedgerUnavailable(
                f"the ledger {self._database.path} no longer holds entry {known.seq} as it was "
                "entered: put the right file back, or restart to go on with this one"
            )
        return Head(seq, hash)

    def _commit(self, connection: sqlite3.Connection, linked: Linked, records: int) -> None:
        """Commit; where the outcome is uncertain, look whether the entries stand."""
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                raise
            missed = self._missed.plus(Missed(records, self._clock()))
            self._handle.drop()
            try:
                with self._handle.use() as other:
                    if _stands(other, linked.head):
                        return
            except LedgerUnavailable:
                self._doubt, self._missed = Doubt(linked.head, missed), _NONE
            raise error

    def _settle_doubt(self, connection: sqlite3.Connection) -> None:
        doubt = self._doubt
        if doubt is not None:
            if not _stands(connection, doubt.head):
                self._missed = doubt.missed.plus(self._missed)
            self._doubt = None

    def _miss(self, tickets: int) -> None:
        if tickets:
            self._missed = self._missed.plus(Missed(tickets, self._clock()))


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that holds the write lock; rolled back unless its body commits it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        raise


def _insert(connection: sqlite3.Connection, name: str, width: int, flat: list[object]) -> None:
    """Insert ``flat``, ``width`` values to a row, in as few statements as there are steps."""
    start, end = 0, len(flat)
    for step in _STEPS:
        size = step * width
        while end - start >= size:
            connection.execute(rows(name, width, step), flat[start : start + size])
            start += size


def _stands(connection: sqlite3.Connection, head: Head) -> bool:
    row = connection.execute(SQL["hash_at"], (head.seq,)).fetchone()
    return row is not None and row[0] == head.hash


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

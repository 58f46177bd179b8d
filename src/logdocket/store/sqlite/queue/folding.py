"""Bringing the queue up to the ledger: read without a lock, then taken in under the write lock."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from threading import RLock
from typing import Final, NamedTuple

from logdocket.errors import LedgerUnavailable
from logdocket.store.review import Folded, Grouping, GroupState
from logdocket.store.sqlite import failures
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.queue.shelf import Shelf
from logdocket.store.sqlite.queue.stretch import read_stretch
from logdocket.store.sqlite.statements import SQL

_STRETCH: Final = 512
_SHORTEST: Final = 32
"""Entries taken in by one transaction, at most and at least."""

_TURN: Final = 0.01
"""Seconds to wait for the file's lock at a time, and between two times."""

_HELD: Final = 0.01
"""Seconds for which a transaction may keep others waiting: the next is made shorter or longer."""

_FORGET: Final = (
    "forget_groups",
    "forget_search",
    "forget_tickets",
    "forget_verdicts",
    "forget_days",
)


class State(NamedTuple):
    """How far the queue follows the ledger, by which grouping it was made, how many groups were
    woken, and the last entry there is."""

    upto: int
    version: int
    woken: int
    head: int


def state_of(connection: sqlite3.Connection, version: int) -> State:
    """The state of the queue; one of an empty queue by no grouping before the first fold."""
    row = connection.execute(SQL["queue_state"]).fetchone()
    if row is None:
        (head,) = connection.execute(SQL["last_entry"]).fetchone()
        return State(0, version - 1, 0, head)
    return State(*row)


def begin_anew(connection: sqlite3.Connection, state: State, version: int) -> State:
    """Forget all that follows from the ledger."""
    for name in _FORGET:
        connection.execute(SQL[name])
    connection.execute(SQL["put_queue_state"], (0, version, state.woken))
    return state._replace(upto=0, version=version)


def fold_all(connection: sqlite3.Connection, grouping: Grouping) -> State:
    """Take in all that is left, inside the caller's transaction; the state after it."""
    state = state_of(connection, grouping.version)
    if state.version != grouping.version:
        state = begin_anew(connection, state, grouping.version)
    while state.upto < state.head:
        end = min(state.upto + _STRETCH, state.head)
        stretch = read_stretch(connection, state.upto, end, grouping.describe)
        stretch.apply(connection, Shelf(connection, state.woken), grouping.describe)
        state = state._replace(upto=end)
    connection.execute(SQL["put_queue_state"], (state.upto, state.version, state.woken))
    return state


class Folder:
    """Folds on a connection of its own. ``lock`` is that of the process' own writer, so that the
    two wait for each other without asking SQLite over and over; ``patience`` is how many seconds to
    wait for that of another process; ``clock`` gives µs since 1970 UTC.
    """

    def __init__(
        self, database: Database, patience: float, lock: RLock, clock: Callable[[], int]
    ) -> None:
        self._database = database
        self._patience = patience
        self._handle = Handle(database, min(patience, _TURN))
        self._lock = lock
        self._clock = clock
        self._stretch = _STRETCH

    def close(self) -> None:
        """Release the file."""
        self._handle.close()

    def fold(self, grouping: Grouping, most: int) -> Folded:
        """Take in at most ``most`` further entries, and wake groups whose time has come."""
        taken = 0
        with self._handle.use() as connection:
            # What is folded follows from what is synced already: losing it costs folding it again.
            connection.execute("PRAGMA synchronous = NORMAL")
            state = state_of(connection, grouping.version)
            while taken < most and (state.upto < state.head or state.version != grouping.version):
                count, state = self._step(connection, state, grouping, most - taken)
                taken += count
            if state.upto >= state.head:
                state = self._wake(connection, state)
        return Folded(upto=state.upto, head=state.head, entries=taken)

    def _step(
        self, connection: sqlite3.Connection, state: State, grouping: Grouping, most: int
    ) -> tuple[int, State]:
        """Take in a stretch, unless another process was faster; how many entries that were, and
        the state then."""
        if state.version != grouping.version:
            with self._transaction(connection):
                state = state_of(connection, grouping.version)
                if state.version != grouping.version:
                    state = begin_anew(connection, state, grouping.version)
            return 0, state
        end = min(state.upto + min(self._stretch, most), state.head)
        stretch = read_stretch(connection, state.upto, end, grouping.describe)
        with self._transaction(connection):
            found = state_of(connection, grouping.version)
            if (found.upto, found.version) != (state.upto, state.version):
                return 0, found
            began = time.monotonic()
            stretch.apply(connection, Shelf(connection, found.woken), grouping.describe)
            connection.execute(SQL["put_queue_state"], (end, found.version, found.woken))
        self._pace(end - state.upto, time.monotonic() - began)
        return end - state.upto, found._replace(upto=end)

    def _pace(self, entries: int, seconds: float) -> None:
        """Have the next transaction hold its lock about as long as it may."""
        fitting = int(entries * _HELD / max(seconds, 1e-6))
        self._stretch = max(_SHORTEST, min(fitting, 2 * self._stretch, _STRETCH))

    def _wake(self, connection: sqlite3.Connection, state: State) -> State:
        """Open the snoozed groups whose time has come."""
        now = self._clock()
        (any_awake,) = connection.execute(SQL["any_awake"], (now,)).fetchone()
        if not any_awake:
            return state
        with self._transaction(connection):
            state = state_of(connection, state.version)
            shelf = Shelf(connection, state.woken)
            for (id,) in connection.execute(SQL["awake"], (now,)).fetchall():
                group = shelf.group(id)
                assert group is not None, "it was found a moment ago"
                group.state = GroupState.OPEN.value
                shelf.woken += 1
                shelf.put_group(group, state.upto)
            shelf.save()
            connection.execute(SQL["put_queue_state"], (state.upto, state.version, shelf.woken))
        return state._replace(woken=shelf.woken)

    @contextlib.contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        """A transaction under the write lock, committed unless its body raises."""
        with self._begun(connection):
            try:
                self._see_the_schema(connection)
                yield
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _begun(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Both locks. While another process has the file's, this process' own is given up again and
        again: whoever writes tickets must not wait for who only folds."""
        deadline = time.monotonic() + self._patience
        while True:
            with self._lock:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if failures.code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                        raise
                else:
                    yield
                    return
            time.sleep(_TURN)

    def _see_the_schema(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != self._database.migrations.latest:
            raise LedgerUnavailable(
                f"the ledger {self._database.path} was changed to schema {version} while in use: "
                "restart with the version of Logdocket that did so"
            )

"""Appending to the chain: one transaction, and the truth about what became of it."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from logdocket.errors import LedgerUnavailable
from logdocket.store.sqlite.chain import EMPTY, Draft, Head, Linked, chain, gap_detail
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.statements import SQL, rows

_log = logging.getLogger(__name__)
# Where nobody has set logging up, the caller tells of a failure in words of its own.
_log.addHandler(logging.NullHandler())

_STEPS: Final = (256, 64, 16, 4, 1)
"""Rows per INSERT: each statement lets go of the interpreter lock once, so a group needs few."""

_HASTE: Final = 0.1
"""Seconds to wait for a lock after waiting in full has failed, until a write succeeds again."""


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


class Appender:
    """Enters records at the end of the chain; hold ``lock`` for every call.

    ``clock`` gives µs since 1970 UTC; ``patience`` is how many seconds to wait for another
    process' lock. What could not be entered is counted and entered as a gap, first thing in the
    next transaction that succeeds.

    ``failure`` is the last error, None after a success; ``proved`` the moment of the last success,
    on the monotonic clock.
    """

    def __init__(self, database: Database, patience: float, clock: Callable[[], int]) -> None:
        self.handle = Handle(database, patience)
        self.lock = self.handle.lock
        self.failure: LedgerUnavailable | None = None
        self.proved = float("-inf")
        self._database = database
        self._patience = patience
        self._clock = clock
        self._head: Head | None = None
        self._missed = _NONE
        self._doubt: Doubt | None = None

    @property
    def owes(self) -> bool:
        """Whether there is a gap to enter, or a commit whose outcome is not known yet."""
        return bool(self._missed.tickets or self._doubt)

    @property
    def unentered(self) -> int:
        """How many answers were given that nothing in the ledger tells of yet."""
        return self._missed.tickets + (self._doubt.missed.tickets if self._doubt else 0)

    def hurry(self) -> None:
        """Wait only shortly for a lock until a write succeeds."""
        self.handle.wait(min(self._patience, _HASTE))

    def enter(self, calls: Sequence[Sequence[Draft]]) -> list[list[int]]:
        """Enter all ``calls`` in one transaction, what was missed before them."""
        records = sum(map(len, calls))
        tried = False
        try:
            self._settle_doubt()
            with self.handle.use() as connection, _transaction(connection):
                head = self._find_head(connection)
                missed = self._missed
                gap = gap_detail(missed.since, missed.tickets) if missed.tickets else None
                linked = chain(calls, head, self._clock(), gap)
                _insert(connection, "insert_entry", 7, linked.entries)
                _insert(connection, "insert_ticket", 3, linked.tickets)
                _insert(connection, "insert_ticket_and_text", 4, linked.kept)
                tried = True
                self._commit(connection, linked, records)
        except LedgerUnavailable as error:
            if not tried:  # else the commit has counted them
                self.miss(records)
            self._fail(error)
            self.hurry()
            raise
        self._succeed()
        self._head, self._missed = linked.head, _NONE
        return linked.ids

    def probe(self) -> None:
        """Write the schema's number anew: a whole transaction that changes nothing."""
        try:
            with self.handle.use() as connection:
                self._rewrite(connection)
        except LedgerUnavailable as error:
            self._fail(error)
            raise
        self._succeed()

    def _rewrite(self, connection: sqlite3.Connection) -> None:
        with _transaction(connection):
            self._find_head(connection)
            connection.execute(f"PRAGMA user_version = {self._database.migrations.latest}")
            connection.execute("COMMIT")

    def _fail(self, error: LedgerUnavailable) -> None:
        """Note the failure, and tell of it once: not for each ticket that meets it."""
        if self.failure is None or self.failure.args != error.args:
            _log.warning("%s", error)
        self.failure = error

    def _succeed(self) -> None:
        if self.failure is not None:
            _log.warning("the ledger %s can be written again", self._database.path)
        self.failure = None
        self.proved = time.monotonic()
        self.handle.wait(self._patience)

    def _find_head(self, connection: sqlite3.Connection) -> Head:
        """The head of the chain; raises LedgerUnavailable if it does not go on from where this
        process last saw it, or if another Logdocket has changed the schema."""
        known = self._head or EMPTY
        found = connection.execute(SQL["head"], (known.seq,)).fetchone()
        seq, hash, hash_at_known, version = found
        if version != self._database.migrations.latest:
            raise LedgerUnavailable(
                f"the ledger {self._database.path} was changed to schema {version} while in use: "
                "restart with the version of Logdocket that did so"
            )
        if known.seq and hash_at_known != known.hash:
            raise LedgerUnavailable(
                f"the ledger {self._database.path} no longer holds entry {known.seq} as it was "
                "entered: put the right file back, or restart to go on with this one"
            )
        return EMPTY if seq is None else Head(seq, hash)

    def _commit(self, connection: sqlite3.Connection, linked: Linked, records: int) -> None:
        """Commit; where the outcome is uncertain, look whether the entries stand."""
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                self.miss(records)
                raise
            self.handle.drop()
            missed = self._missed.plus(Missed(records, self._clock()))
            self._doubt, self._missed = Doubt(linked.head, missed), _NONE
            try:
                if self._settle_doubt():
                    return
            except LedgerUnavailable:
                pass  # Whoever comes next tries again.
            raise error

    def _settle_doubt(self) -> bool:
        """Find out whether the doubtful transaction stands; True where there is none.

        A commit that failed after it was written lies behind the log's end, unseen, and comes back
        when the log is next read from its start. So something harmless is written over it first:
        after that, what does not stand will never stand. Raises LedgerUnavailable where that fails.
        """
        doubt = self._doubt
        if doubt is None:
            return True
        with self.handle.use() as connection:
            self._rewrite(connection)
            stands = _stands(connection, doubt.head)
        if not stands:
            self._missed = doubt.missed.plus(self._missed)
        self._doubt = None
        return stands

    def close(self) -> None:
        """Release the file; what was answered and never entered is told for the last time."""
        self.handle.close()
        if self.unentered:
            _log.warning(
                "the ledger %s could not be written to the end: no entry tells of %d %s given",
                self._database.path,
                self.unentered,
                "ticket that was" if self.unentered == 1 else "tickets that were",
            )

    def miss(self, tickets: int) -> None:
        """Count records that were answered without being entered."""
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

"""Appending to the chain: one transaction, and the truth about what became of it."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from logdocket.calls import CallEnd
from logdocket.errors import LedgerUnavailable
from logdocket.store.records import EntryKind
from logdocket.store.sqlite import orders as ordered
from logdocket.store.sqlite.book import Book
from logdocket.store.sqlite.chain import EMPTY, Head, Linked, Strand, chain, gap_detail
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.orders import Order, Outcome, Release, Write
from logdocket.store.sqlite.statements import SQL, put

_log = logging.getLogger(__name__)
# Where nobody has set logging up, the caller tells of a failure in words of its own.
_log.addHandler(logging.NullHandler())

_HASTE: Final = 0.1
"""Seconds to wait for a lock after waiting in full has failed, until a write succeeds again."""


class Debt(NamedTuple):
    """What could not be entered: how many tickets, since when (µs since 1970 UTC), ends of calls,
    and claims that nobody needs any more."""

    tickets: int
    since: int
    ends: tuple[CallEnd, ...]
    releases: tuple[Release, ...]

    def plus(self, later: Debt) -> Debt:
        """Both together."""
        if self.tickets and later.tickets:
            since = min(self.since, later.since)
        else:
            since = self.since if self.tickets else later.since
        return Debt(
            self.tickets + later.tickets,
            since,
            self.ends + later.ends,
            self.releases + later.releases,
        )

    def __bool__(self) -> bool:
        """Whether it is one."""
        return bool(self.tickets or self.ends or self.releases)


_NONE: Final = Debt(0, 0, (), ())


class Doubt(NamedTuple):
    """A transaction of which nobody knows yet whether it stands, and what is owed if not."""

    head: Head
    debt: Debt


class Appender:
    """Enters records at the end of the chain; hold ``lock`` for every call.

    ``clock`` gives µs since 1970 UTC; ``patience`` is how many seconds to wait for another
    process' lock. What could not be entered is entered first thing in the next transaction that
    succeeds: tickets as a gap that counts them, ends of calls as they are; claims are dropped.

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
        self._debt = _NONE
        self._doubt: Doubt | None = None

    @property
    def owes(self) -> bool:
        """Whether there is something to enter, or a commit whose outcome is not known yet."""
        return bool(self._debt or self._doubt)

    @property
    def unentered(self) -> int:
        """How many answers were given that nothing in the ledger tells of yet."""
        return self._all_debt().tickets

    def _all_debt(self) -> Debt:
        return self._doubt.debt.plus(self._debt) if self._doubt else self._debt

    def hurry(self) -> None:
        """Wait only shortly for a lock until a write succeeds."""
        self.handle.wait(min(self._patience, _HASTE))

    def enter(self, orders: Sequence[Order]) -> Sequence[Outcome]:
        """Carry out all ``orders`` in one transaction, what is owed before them; what came of
        each."""
        tried = False
        try:
            self._settle_doubt()
            with self.handle.use() as connection, _transaction(connection):
                head = self._find_head(connection)
                outcomes, head = self._fill(connection, head, orders)
                tried = True
                self._commit(connection, head, orders)
        except LedgerUnavailable as error:
            if not tried:  # else the commit has counted them
                self.owe(orders)
            self._fail(error)
            self.hurry()
            raise
        self._succeed()
        self._head, self._debt = head, _NONE
        return outcomes

    def _fill(
        self, connection: sqlite3.Connection, head: Head, orders: Sequence[Order]
    ) -> tuple[Sequence[Outcome], Head]:
        """Everything but the commit; what came of each order, and the head that the chain has."""
        at, debt = self._clock(), self._debt
        gap = gap_detail(debt.since, debt.tickets) if debt.tickets else None
        plain = [order.drafts for order in orders if isinstance(order, Write) and order.plain]
        if len(plain) == len(orders) and not (debt.ends or debt.releases):
            linked = chain(plain, head, at, gap)
            _insert(connection, linked)
            return linked.ids, linked.head
        strand = Strand(head, at)
        if gap is not None:
            strand.add(EntryKind.GAP, gap)
        book = Book(connection, strand)
        outcomes = book.run(debt.ends, [*debt.releases, *orders])[len(debt.releases) :]
        _insert(connection, strand)
        book.save()
        return outcomes, strand.head

    def next_to_expire(self) -> int | None:
        """When the first of the open calls expires, µs since 1970 UTC; None where none is open."""
        with self.handle.use() as connection:
            (expires,) = connection.execute(SQL["next_to_expire"]).fetchone()
        return None if expires is None else int(expires)

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

    def _commit(self, connection: sqlite3.Connection, head: Head, orders: Sequence[Order]) -> None:
        """Commit; where the outcome is uncertain, look whether the entries stand."""
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                self.owe(orders)
                raise
            self.handle.drop()
            self.owe(orders)
            self._doubt, self._debt = Doubt(head, self._debt), _NONE
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
            self._debt = doubt.debt.plus(self._debt)
        self._doubt = None
        return stands

    def close(self) -> None:
        """Release the file; what was answered and never entered is told for the last time."""
        self.handle.close()
        if ends := len(self._all_debt().ends):
            _log.warning(
                "the ledger %s could not be written to the end: it does not tell how %d %s ended",
                self._database.path,
                ends,
                "call" if ends == 1 else "calls",
            )
        if self.unentered:
            _log.warning(
                "the ledger %s could not be written to the end: no entry tells of %d %s given",
                self._database.path,
                self.unentered,
                "ticket that was" if self.unentered == 1 else "tickets that were",
            )

    def owe(self, orders: Sequence[Order]) -> None:
        """Remember what was handed over and not entered."""
        tickets = ordered.tickets(orders)
        since = self._clock() if tickets else 0
        owed = Debt(tickets, since, ordered.ends(orders), ordered.releases(orders))
        if owed:
            self._debt = self._debt.plus(owed)


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


def _insert(connection: sqlite3.Connection, linked: Linked | Strand) -> None:
    put(connection, "insert_entry", 7, linked.entries)
    put(connection, "insert_ticket", 3, linked.tickets)
    put(connection, "insert_ticket_and_text", 4, linked.kept)


def _stands(connection: sqlite3.Connection, head: Head) -> bool:
    row = connection.execute(SQL["hash_at"], (head.seq,)).fetchone()
    return row is not None and row[0] == head.hash

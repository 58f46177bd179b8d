"""The store that the docket sees: the writer and the reader of one file."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Final

from logdocket.calls import CallEnd
from logdocket.errors import LedgerUnavailable, NotALedger, SchemaTooNew
from logdocket.store.lessons import Known
from logdocket.store.records import (
    Begun,
    CallStart,
    Entry,
    Query,
    StoredTicket,
    Summary,
    TicketRecord,
    Verification,
)
from logdocket.store.sqlite import failures
from logdocket.store.sqlite.database import Database
from logdocket.store.sqlite.ledger import Reader
from logdocket.store.sqlite.migrate import Migrations
from logdocket.store.sqlite.queue.of_store import Queue, QueueOfStore
from logdocket.store.sqlite.verify import Walk
from logdocket.store.sqlite.writer import Writer

_READ_PATIENCE: Final = 0.25
"""Seconds that a read waits for a lock, which it rarely meets."""

_LOOK_UP_PATIENCE: Final = 0
"""A look-up runs on an event loop and waits for nothing: what it misses is read anew."""


class SqliteStore(QueueOfStore):
    """The ledger and the tickets in one SQLite file; any number of processes may share it.

    Each process opens its own store, after any fork. A file that cannot be used now does not stop
    the opening: every method then raises LedgerUnavailable until the file can be used.

    Raises:
        SchemaTooNew: a later Logdocket wrote the file.
        NotALedger: the file is a database of another program.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        clock: Callable[[], int],
        busy_timeout: float = 2.0,
        migrations: Migrations | None = None,
        tends: bool = True,
    ) -> None:
        """Open ``path``, made if it does not exist.

        ``clock`` gives µs since 1970 UTC; ``busy_timeout`` is how many seconds a write waits for
        another process' lock. ``tends``: calls that a process left open are entered as interrupted
        now; who only looks at a ledger adds nothing to it.
        """
        self._database = Database(Path(path), migrations)
        self._patience = busy_timeout
        self._clock = clock
        self._writer = Writer(self._database, busy_timeout, clock)
        self._reader = Reader(self._database, min(busy_timeout, _READ_PATIENCE))
        # Not the same connection: a long query would hold up every look-up.
        self._recall = Reader(self._database, _LOOK_UP_PATIENCE)
        self._queue = Queue(self._database, self._writer, busy_timeout, clock)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        with contextlib.suppress(LedgerUnavailable):
            self._writer.open(tends=tends)

    @classmethod
    def temporary(cls, *, clock: Callable[[], int]) -> SqliteStore:
        """A fresh store in a folder of its own, removed when it is closed."""
        folder = tempfile.TemporaryDirectory(prefix="logdocket-")
        store = cls(Path(folder.name, "ledger.db"), clock=clock)
        store._folder = folder
        return store

    @property
    def path(self) -> Path:
        """The file, as an absolute path."""
        return self._database.path

    @property
    def unentered(self) -> int:
        """How many answers were given that nothing in the ledger tells of yet; what is left after
        :meth:`close` stays so."""
        return self._writer.unentered

    def lookup(self, key: bytes) -> StoredTicket | None:
        """The newest ticket under ``key`` that was not itself a cache hit."""
        return self._recall.lookup(key)

    def lookup_many(self, keys: Iterable[bytes]) -> dict[bytes, StoredTicket]:
        """The same for many keys, in one query for each 512."""
        return self._recall.lookup_many(keys)

    def known(self, wide: bytes, narrow: bytes) -> tuple[Known, StoredTicket] | None:
        """What is known about a template, by its wide form or, where that is split, by itself, and
        the ticket whose answer may be shared; None where there is nothing to share."""
        return self._recall.known(wide, narrow)

    def unshare(self, id: int) -> bool:
        """See that no other line shares an answer about the template of the ticket of entry ``id``:
        it was wrong. False where that ticket shares nothing. Blocks."""
        found = self._reader.templates(id)
        if found is None:
            return False
        templates, ticket = found
        for template in templates:
            self._writer.unshare(template, ticket)
        return True

    def write(self, records: Sequence[TicketRecord]) -> list[int]:
        """Enter all in one transaction; durable on return. Gives the id of each entry, in order.

        Raises ValueError for a record that contradicts itself; nothing is entered then.
        """
        return self._writer.write(records)

    def submit(
        self, records: Sequence[TicketRecord], ended: CallEnd | None = None
    ) -> asyncio.Future[list[int]]:
        """The same from an event loop: joins the next group commit; durable when it resolves.

        ``ended`` is entered before the records. Where the write fails, it is entered by the next
        one that succeeds, so it must not be handed over again. A future that is cancelled does not
        take its records back.

        The future raises ValueError, and its records are not entered, where they contradict the
        ledger: a call that was never started, has ended or has its ticket already, or tokens that
        nobody reported.
        """
        return self._writer.submit(records, ended)

    def start(self, call: CallStart) -> asyncio.Future[Begun]:
        """Claim a key and enter the call; only where the answer is Started may the request leave.

        Raises ValueError for a call that cannot be entered.
        """
        return self._writer.start(call)

    def release(self, key: bytes, holder: bytes) -> asyncio.Future[None]:
        """Give up a claim for which no ticket will be entered; one that is gone is no error."""
        return self._writer.release(key, holder)

    def sweep(self) -> int:
        """Enter calls whose claim has expired as interrupted; gives their number. Blocks.

        Writes only where there are any. Also done whenever a store is opened.
        """
        return self._writer.sweep() if self._writer.overdue(self._reader.next_to_expire()) else 0

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated; None where it did neither."""
        return self._reader.ticket(id)

    def entries(self, query: Query) -> list[Entry]:
        """A page of entries, newest first."""
        return self._reader.entries(query)

    def export(self, since: int | None = None, until: int | None = None) -> Iterator[Entry]:
        """All entries of a period as it stands now, oldest first, in bounded memory."""
        return self._reader.export(since, until)

    def summary(self, since: int | None = None, until: int | None = None) -> Summary:
        """Counts over a period: ``since`` inclusive, ``until`` exclusive, µs since 1970 UTC."""
        return self._reader.summary(since, until, self._clock())

    def verify(self, expected_head: str | None = None) -> Verification:
        """Walk the chain as it stands now and check every law; names the first bad entry.

        A chain cut short at its end, or hashed anew from some entry on, is a good chain: only a
        hash that was noted elsewhere tells. ``expected_head`` is such a hash (hex), the head of
        some earlier day; it must still stand in the chain, at the end or before it.

        Takes some seconds per million entries, and may run while others write.
        """
        try:
            connection = self._database.open(self._patience, query_only=True)
        except (SchemaTooNew, NotALedger) as error:
            raise LedgerUnavailable(*error.args) from error
        try:
            return Walk(connection, expected_head).run()
        except sqlite3.Error as error:
            raise failures.unavailable(self.path, error) from error
        finally:
            connection.close()

    def check(self) -> None:
        """Raise LedgerUnavailable unless a write would succeed now."""
        self._writer.check()

    def close(self) -> None:
        """Let the last group commit, then release the file."""
        self._writer.close()
        self._reader.close()
        self._recall.close()
        self._queue.close()
        if self._folder is not None:
            self._folder.cleanup()

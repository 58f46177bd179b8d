"""The file: opened, recognised, brought to the latest schema, and opened again after a failure."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from logdocket.errors import LedgerUnavailable, NotALedger, SchemaTooNew, StoreError
from logdocket.store.sqlite import failures
from logdocket.store.sqlite.ground import Ground, ground
from logdocket.store.sqlite.migrate import APPLICATION_ID, Migrations
from logdocket.store.sqlite.statements import SQL

_RETRY: Final = 0.2
"""Seconds before a file that could not be opened is tried again."""

_SMALLEST: Final = 512
"""Bytes of the smallest database. SQLite itself takes a file of one byte for an empty one and
would write over it. (The file is not opened to look inside: closing it again would drop the locks
that this process holds on it, https://www.sqlite.org/howtocorrupt.html.)"""

_PRAGMAS: Final = (
    "synchronous = FULL",
    "wal_autocheckpoint = 4000",
    "journal_size_limit = 67108864",
    "cache_size = -16000",
    "temp_store = MEMORY",
    "cell_size_check = ON",
    "trusted_schema = OFF",
)
"""FULL syncs the log at each commit: what is acknowledged survives a loss of power."""


class Database:
    """One file on disk. ``path`` is made absolute, so a later change of folder does not matter."""

    def __init__(self, path: Path, migrations: Migrations | None = None) -> None:
        self.path = path.absolute()
        self.migrations = migrations or Migrations()
        self.failures = 0
        self._known = False

    def open(self, patience: float, *, query_only: bool = False) -> sqlite3.Connection:
        """A new connection to a file of the latest schema, waiting ``patience`` seconds for locks.

        The first opening creates the file (readable by its owner alone) and migrates it. Once it
        was open, a file that went missing is not made anew: what was entered would be forgotten.

        Raises:
            LedgerUnavailable: locked, missing, unreadable, damaged.
            SchemaTooNew: a later Logdocket wrote it.
            NotALedger: it is a database of another program.
        """
        self._see_that_it_is_a_file()
        try:
            connection = self._connect(patience)
        except sqlite3.Error as error:
            raise failures.unavailable(self.path, error) from error
        try:
            self._recognise(connection, patience)
            for pragma in _PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            connection.execute(f"PRAGMA query_only = {int(query_only)}")
        except sqlite3.Error as error:
            connection.close()
            raise failures.unavailable(self.path, error) from error
        except StoreError:
            connection.close()
            raise
        self._known = True
        return connection

    def suspect(self) -> None:
        """Have every connection of this process opened anew, after one has failed: SQLite shares
        what it knows about a file, such as that it is read-only, among all of them."""
        self.failures += 1

    def ground(self) -> Ground | None:
        """What stands at the path now; None where there is no file."""
        return ground(self.path)

    def _see_that_it_is_a_file(self) -> None:
        try:
            if not self._known:
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            status = os.stat(self.path)
        except OSError as error:
            if self._known and isinstance(error, FileNotFoundError):
                raise LedgerUnavailable(
                    f"the ledger {self.path} was moved or deleted while in use: put it back, "
                    "or restart to begin a new one"
                ) from error
            raise LedgerUnavailable(
                f"the ledger {self.path} cannot be opened ({error.strerror}): "
                "see that its folder exists and can be written"
            ) from error
        if not stat.S_ISREG(status.st_mode):
            raise LedgerUnavailable(
                f"the ledger {self.path} is not a file: name a file that exists or can be created"
            )
        if 0 < status.st_size < _SMALLEST:
            raise LedgerUnavailable(
                f"the ledger {self.path} is not a database: name another file, or move it away"
            )

    def _connect(self, patience: float) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self.path.as_uri()}?mode=rw",
            uri=True,
            timeout=patience,
            isolation_level=None,
            check_same_thread=False,
        )

    def _recognise(self, connection: sqlite3.Connection, patience: float) -> None:
        if self._version(connection) < self.migrations.latest:
            self._use_wal(connection, patience)
            connection.execute("BEGIN IMMEDIATE")
            try:
                version = self._version(connection)
                if version < self.migrations.latest:
                    self.migrations.run(connection, version)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        else:
            self._use_wal(connection, patience)

    def _version(self, connection: sqlite3.Connection) -> int:
        """The schema's version; raises NotALedger and SchemaTooNew."""
        application, version, things = connection.execute(SQL["identity"]).fetchone()
        if application != APPLICATION_ID and (application or version or things):
            raise NotALedger(
                f"{self.path} is a database of another program: name another file for the ledger"
            )
        if version > self.migrations.latest:
            raise SchemaTooNew(
                f"the ledger {self.path} has schema {version}, and this Logdocket knows up to "
                f"{self.migrations.latest}: upgrade Logdocket"
            )
        return int(version)

    def _use_wal(self, connection: sqlite3.Connection, patience: float) -> None:
        """Write ahead, so that readers never wait. SQLite does not always wait for the lock here
        when several processes open a new file at once, so this does."""
        deadline = time.monotonic() + patience
        while True:
            try:
                (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as error:
                if failures.code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.005)
                continue
            if mode != "wal":
                raise LedgerUnavailable(
                    f"the ledger {self.path} cannot be shared on its file system: "
                    "put it on a local disk"
                )
            return


class Handle:
    """One connection, opened when first needed and again after it failed.

    ``lock`` is held while it is used, so any thread may use it. ``patience``: seconds to wait for
    another process' lock.
    """

    def __init__(self, database: Database, patience: float, *, query_only: bool = False) -> None:
        self.lock = threading.RLock()
        self.patience = patience
        self._database = database
        self._query_only = query_only
        self._connection: sqlite3.Connection | None = None
        self._ground: Ground | None = None
        self._failures = 0
        self._rescued = False
        self._failure: tuple[float, StoreError] | None = None
        self._process = os.getpid()
        self._closed = False

    def open(self) -> sqlite3.Connection:
        """The connection; hold ``lock``.

        Raises LedgerUnavailable, SchemaTooNew or NotALedger, for a moment from memory alone.
        """
        if self._closed:
            raise LedgerUnavailable(f"the ledger {self._database.path} is closed: open it again")
        if self._process != os.getpid():
            raise LedgerUnavailable(
                f"the ledger {self._database.path} was opened before a fork: "
                "open it in each process"
            )
        if self._connection is not None:
            if self._still_stands(self._connection):
                return self._connection
            self.drop()
        elif self._failure is not None and time.monotonic() < self._failure[0] + _RETRY:
            raise type(self._failure[1])(*self._failure[1].args)
        try:
            self._connection = self._database.open(self.patience, query_only=self._query_only)
        except StoreError as error:
            self._failure = time.monotonic(), error
            raise
        self._failure = None
        self._ground, self._failures = self._database.ground(), self._database.failures
        return self._connection

    def _still_stands(self, connection: sqlite3.Connection) -> bool:
        """Whether the connection reaches what stands at the path, as it was when it was opened.

        Raises LedgerUnavailable where no connection may: what is entered would be lost.
        """
        then, now = self._ground, self._database.ground()
        if then is None or now is None or self._failures != self._database.failures:
            return False
        if now.file != then.file:
            if then.wal is None or now.wal != then.wal:
                return False
            raise self._exchanged("was exchanged for another file")
        if then.lost(now):
            self._rescue(connection, alone=then.alone(now))
            raise self._exchanged("lost its -wal or -shm file")
        if now.wal_size < then.wal_size and not self._query_only and _cut(connection, now.wal_size):
            raise self._exchanged("lost a part of its -wal file")
        if now.size < then.size:
            # A VACUUM leaves a file that is short and whole; a fresh connection looks at it anew.
            with contextlib.suppress(sqlite3.Error):
                (needed,) = connection.execute(SQL["size"]).fetchone()
                if needed > now.size:
                    raise self._exchanged("was cut short")
            return False
        self._ground = now
        return True

    def _exchanged(self, what: str) -> LedgerUnavailable:
        return LedgerUnavailable(
            f"the ledger {self._database.path} {what} while in use: put the right file back, "
            "or stop every process that uses it, verify it, and start again"
        )

    def _rescue(self, connection: sqlite3.Connection, *, alone: bool) -> None:
        """Bring what only the lost log holds into the file, as long as nobody goes on without."""
        if alone and not self._query_only and not self._rescued:
            self._rescued = True
            with contextlib.suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(FULL)")

    @contextlib.contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """The connection under its lock; every failure comes out as LedgerUnavailable."""
        with self.lock:
            try:
                connection = self.open()
            except (SchemaTooNew, NotALedger) as error:
                raise LedgerUnavailable(*error.args) from error
            try:
                yield connection
            except sqlite3.Error as error:
                if failures.code(error) not in failures.TRANSIENT:
                    self._database.suspect()
                    self.drop()
                raise failures.unavailable(self._database.path, error) from error

    def wait(self, seconds: float) -> None:
        """From now on wait this long for another process' lock; hold ``lock``."""
        if seconds != self.patience:
            self.patience = seconds
            if self._connection is not None:
                self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def drop(self) -> None:
        """Let go of the connection; the next use opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    def close(self) -> None:
        """Let go for good."""
        with self.lock:
            self._closed = True
            self.drop()


def _cut(connection: sqlite3.Connection, size: int) -> bool:
    """Whether a log of ``size`` bytes lacks frames that SQLite believes to be in it. Whoever begins
    it anew may shorten it too; then it holds few or none."""
    try:
        _, frames, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    except sqlite3.Error:
        return True
    # https://www.sqlite.org/fileformat2.html#walformat
    return bool(frames > 0 and 32 + frames * (24 + page) > size)

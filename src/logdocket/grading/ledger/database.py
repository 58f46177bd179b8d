"""The ledger in a SQLite database."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from logdocket.grading import manifest
from logdocket.grading.ledger.form import Page, records_of
from logdocket.grading.ledger.kinds import counted

__all__ = ["MAGIC", "of_sqlite"]

MAGIC: Final = b"SQLite format 3\0"
"""How such a file begins, per the description of its format."""
_ROWS: Final = 200_000
_TABLES: Final = 50
_LONGEST: Final = 1024 * 1024
"""Bytes of a value; what a column is computed to be may be as long as it likes."""
_SECONDS: Final = 5.0
_STEPS: Final = 100_000
"""Instructions of the database after which the time is looked at."""


def of_sqlite(content: bytes, log: bytes | None) -> Page | None:
    """The rows of the table whose name or rows are most like a ledger's; ``log`` holds the latest
    of them where the database keeps them aside (``-wal``). None where it cannot be read.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "ledger.db")
        copy.write_bytes(content)
        if log is not None:
            copy.with_name(f"{copy.name}-wal").write_bytes(log)
        try:
            with closing(sqlite3.connect(copy)) as database:
                _bound(database)
                return _likeliest(database)
        except (sqlite3.Error, OverflowError, MemoryError):
            return None


def _bound(database: sqlite3.Connection) -> None:
    """Keep what stands in the file from taking long, or much, or doing anything else."""
    until = time.monotonic() + _SECONDS
    database.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")
    database.row_factory = sqlite3.Row
    database.text_factory = lambda text: text.decode("utf-8", "replace")


def _likeliest(database: sqlite3.Connection) -> Page | None:
    found = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' "
        f"ORDER BY rowid LIMIT {_TABLES}"
    )
    tables = [str(row[0]) for row in found]
    likely = [name for name in tables if "ledger" in name.lower() or "entr" in name.lower()]
    pages = [_table(database, name) for name in likely or tables]
    return max(pages, key=_like_a_ledger, default=None)


def _table(database: sqlite3.Connection, name: str) -> Page:
    quoted = '"' + name.replace('"', '""') + '"'
    rows = database.execute(f"SELECT * FROM {quoted} LIMIT {_ROWS}")
    return Page(records_of(dict(row) for row in rows))


def _like_a_ledger(found: Page) -> tuple[int, int]:
    """Of how many kinds, and how many entries in all."""
    counts = counted(found, manifest.Ledger())
    return counts.known, sum(filter(None, (counts.calls, counts.hits, counts.fallbacks)))

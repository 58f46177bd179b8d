"""What a person is told about an error of SQLite."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from logdocket.store.sqlite.failures import code, unavailable


def _error(number: int | None) -> sqlite3.Error:
    error = sqlite3.OperationalError("what happened")
    if number is not None:
        error.sqlite_errorcode = number
    return error


@pytest.mark.parametrize(
    ("number", "what", "mend"),
    [
        (sqlite3.SQLITE_BUSY, "is locked", "end the program"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "is locked", "end the program"),
        (sqlite3.SQLITE_FULL, "cannot grow", "free space"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "is read-only", "writable"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be opened", "folder exists"),
        (sqlite3.SQLITE_IOERR_FSYNC, "cannot be read or written", "check its disk"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "is damaged", "backup"),
        (sqlite3.SQLITE_NOTADB, "is not a database", "another file"),
        (sqlite3.SQLITE_MISUSE, "cannot be used", "doctor"),
        (None, "cannot be used", "doctor"),
    ],
)
def test_an_error_names_the_file_what_happened_and_the_mend(number, what, mend):
    """On one line, for every family of codes."""
    message = str(unavailable(Path("/data/ledger.db"), _error(number)))
    assert message.startswith(f"the ledger /data/ledger.db {what} (what happened): ")
    assert mend in message
    assert "\n" not in message


def test_an_extended_code_counts_as_its_family():
    """SQLite puts the family into the low byte."""
    assert code(_error(sqlite3.SQLITE_IOERR_WRITE)) == sqlite3.SQLITE_IOERR


def test_an_error_of_the_driver_has_the_general_code():
    """It carries no code of its own."""
    assert code(_error(None)) == sqlite3.SQLITE_ERROR

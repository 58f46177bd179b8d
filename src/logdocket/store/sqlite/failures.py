"""SQLite's errors as ours: what happened to which file, and the mend."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from logdocket.errors import LedgerUnavailable

_MENDS: Final[dict[int, tuple[str, str]]] = {
    sqlite3.SQLITE_BUSY: ("is locked", "end the program that holds a lock on it, or wait for it"),
    sqlite3.SQLITE_LOCKED: ("is locked", "end the program that holds a lock on it, or wait for it"),
    sqlite3.SQLITE_FULL: ("cannot grow", "free space on its disk"),
    sqlite3.SQLITE_READONLY: (
        "is read-only",
        "make its folder writable, and all files there that begin with its name",
    ),
    sqlite3.SQLITE_PERM: (
        "is not accessible",
        "make its folder writable, and all files there that begin with its name",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "cannot be opened",
        "see that its folder exists and can be written",
    ),
    sqlite3.SQLITE_IOERR: ("cannot be read or written", "check its disk, quota and file system"),
    sqlite3.SQLITE_CORRUPT: ("is damaged", "restore it from a backup"),
    sqlite3.SQLITE_NOTADB: (
        "is not a database",
        "name another file, or move this one away",
    ),
}
"""By primary result code, from https://www.sqlite.org/rescode.html."""

TRANSIENT: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL})
"""Codes after which the same connection can go on."""

DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""Codes that say that the file's content, not the world around it, is at fault."""


def code(error: sqlite3.Error) -> int:
    """The primary result code; SQLITE_ERROR where the driver itself raised."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def unavailable(path: Path, error: sqlite3.Error) -> LedgerUnavailable:
    """What to tell a caller about ``error`` on the database at ``path``."""
    what, mend = _MENDS.get(code(error), ("cannot be used", "check it with `logdocket doctor`"))
    return LedgerUnavailable(f"the ledger {path} {what} ({error}): {mend}")

"""The database that a command reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from logdocket.bootstrap import build_store
from logdocket.errors import LedgerUnavailable
from logdocket.settings import Settings
from logdocket.store import SqliteStore


@contextmanager
def opened(db: Path | None) -> Iterator[SqliteStore]:
    """The store, which must be there already: reading makes no database.

    Raises LedgerUnavailable where it is not, and what :func:`logdocket.bootstrap.build_store` does.
    """
    settings = Settings.load(db=db)
    if not os.path.exists(settings.db):
        raise LedgerUnavailable(
            f"there is no {settings.db}: name the ledger with --db or LOGDOCKET_DB"
        )
    store = build_store(settings, tends=False)
    try:
        yield store
    finally:
        store.close()

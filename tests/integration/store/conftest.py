"""Real stores on real files, and records to put into them."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from logdocket.store import SqliteStore, TicketRecord
from logdocket.ticket import ReviewReason, Source

MakeRecord = Callable[..., TicketRecord]
OpenStore = Callable[..., SqliteStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the ledger of a test lies."""
    return tmp_path / "ledger.db"


@pytest.fixture
def clock() -> Callable[[], int]:
    """A clock that goes on by a second each time it is read, from a round number."""
    return itertools.count(1_700_000_000_000_000, 1_000_000).__next__


@pytest.fixture
def open_store(path: Path, clock: Callable[[], int]) -> Iterator[OpenStore]:
    """Opens stores, on the test's ledger unless told otherwise, and closes them after the test."""
    opened = []

    def open(at: Path = path, **options: Any) -> SqliteStore:
        store = SqliteStore(at, **{"clock": clock, "busy_timeout": 0.2, **options})
        opened.append(store)
        return store

    yield open
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> SqliteStore:
    """An empty store."""
    return open_store()


@pytest.fixture
def fresh() -> MakeRecord:
    """Makes the record of a new ticket for the line ``line <number>``."""

    def make(number: int, **changes: Any) -> TicketRecord:
        line = b"line %d" % number
        fields: dict[str, Any] = {
            "key": sha256(b"key %d" % number).digest()[:16],
            "line_hash": sha256(line).digest(),
            "source": Source.FALLBACK,
            "reasons": (ReviewReason.MODEL_NOT_CONFIGURED,),
            "body": b'{"number":%d}' % number,
        }
        return TicketRecord(**{**fields, **changes})

    return make


@pytest.fixture
def hit(fresh: MakeRecord) -> MakeRecord:
    """Makes the record of a cache hit for that line."""

    def make(number: int, **changes: Any) -> TicketRecord:
        return fresh(number, **{"source": Source.CACHE, "body": None, **changes})

    return make


@pytest.fixture
def alter(path: Path) -> Callable[..., None]:
    """Runs statements on the test's ledger as an intruder would: without its triggers."""

    def run(*statements: str) -> None:
        connection = sqlite3.connect(path)
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return run

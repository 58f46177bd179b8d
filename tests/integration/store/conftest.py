"""Real stores on real files, and records to put into them."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from logdocket.calls import CallEnd, CallStatus, Spend, Usage
from logdocket.store import CallStart, Query, SqliteStore, Started, TicketRecord
from logdocket.store.sqlite.chain import link
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


class Clock:
    """A clock that stands still until it is set; µs since 1970 UTC."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000

    def __call__(self) -> int:
        """The moment."""
        return self.now

    def forward(self, seconds: float) -> None:
        """So many seconds have passed."""
        self.now += round(seconds * 1_000_000)


@pytest.fixture
def still() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def asked(open_store: OpenStore, still: Clock) -> SqliteStore:
    """An empty store whose clock stands still."""
    return open_store(clock=still)


def holder_of(number: int) -> bytes:
    """Whoever asks about line ``number``, unless the test says otherwise."""
    return sha256(b"holder %d" % number).digest()[:16]


@pytest.fixture
def begin(fresh: MakeRecord, still: Clock) -> Callable[..., CallStart]:
    """Makes a call for the line ``line <number>`` that expires in half a minute."""

    def make(number: int, **changes: Any) -> CallStart:
        record = fresh(number)
        fields: dict[str, Any] = {
            "key": record.key,
            "line_hash": record.line_hash,
            "holder": holder_of(number),
            "expires": still.now + 30_000_000,
            "seen": 0,
            "attempt": 1,
            "model": "small",
            "mode": "schema",
            "prompt": 1,
            "reserve": Spend(100, 50),
        }
        return CallStart(**{**fields, **changes})

    return make


@pytest.fixture
def end() -> Callable[..., CallEnd]:
    """Makes the end of a call that gave an answer for 7 tokens."""

    def make(call: int, **changes: Any) -> CallEnd:
        fields: dict[str, Any] = {
            "status": CallStatus.OK,
            "ms": 12,
            "charge": Spend(7, 3),
            "usage": Usage(5, 2),
            "nano_usd": 3,
            "http": 200,
        }
        return CallEnd(call=call, **{**fields, **changes})

    return make


@pytest.fixture
def answer(fresh: MakeRecord) -> MakeRecord:
    """Makes the record of the ticket that such a call gave."""

    def make(number: int, call: int, **changes: Any) -> TicketRecord:
        fields = {
            "source": Source.MODEL,
            "reasons": (),
            "calls": (call,),
            "tokens": 7,
            "holder": holder_of(number),
        }
        return fresh(number, **{**fields, **changes})

    return make


@pytest.fixture
def ask(begin, end, answer) -> Callable[..., int]:
    """Calls a model about a line, enters its answer, and gives the number of the ticket's entry."""

    async def both(store: SqliteStore, number: int, **changes: Any) -> int:
        started = await store.start(begin(number, **changes))
        assert isinstance(started, Started)
        call = started.call
        (id,) = await store.submit([answer(number, call)], end(call))
        return id

    return lambda store, number, **changes: asyncio.run(both(store, number, **changes))


@pytest.fixture
def append(alter) -> Callable[..., int]:
    """Enters a well-linked entry that the store itself would not; gives its number."""

    def run(store: SqliteStore, kind: str, detail: str, source: str | None = None) -> int:
        (last,) = store.entries(Query(limit=1))
        seq = last.seq + 1
        made = link(bytes.fromhex(last.hash), seq, last.at, kind, source, "", detail)
        alter(
            f"INSERT INTO entry VALUES ({seq}, {last.at}, '{kind}', "
            f"{'NULL' if source is None else repr(source)}, '', '{detail}', x'{made.hex()}')"
        )
        return seq

    return run


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

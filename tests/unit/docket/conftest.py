"""Extractors over real stores, by a clock that stands until it is set."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.store import SqliteStore
from logdocket.ticket import Extraction

Make = Callable[..., Extractor]


class SetClock:
    """µs since 1970 UTC, as they are set."""

    now = 1_700_000_000_000_000

    def __call__(self) -> int:
        """The moment it is set to."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Go on at once."""
        self.now += round(seconds * 1_000_000)


@pytest.fixture
def at() -> SetClock:
    """The clock of stores and extractors."""
    return SetClock()


@pytest.fixture
def ledger(tmp_path: Path, at: SetClock) -> Iterator[SqliteStore]:
    """An empty ledger on a real file, which hardly waits for locks."""
    store = SqliteStore(tmp_path / "ledger.db", clock=at, busy_timeout=0.05)
    yield store
    store.close()


@pytest.fixture
def make(ledger: SqliteStore, at: SetClock) -> Make:
    """Makes extractors over the ledger: ``make(fallback_ttl=0)``, ``make(ledger=None)``."""

    def build(ledger: SqliteStore | None = ledger, **policy: object) -> Extractor:
        return Extractor(Policy(**policy), shipped(), ledger, at)  # type: ignore[arg-type]

    return build


@pytest.fixture
def locked(ledger: SqliteStore) -> Callable[[], contextlib.AbstractContextManager[None]]:
    """Holds the file's write lock, as another program would."""

    @contextlib.contextmanager
    def hold() -> Iterator[None]:
        other = sqlite3.connect(ledger.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()

    return hold


def answer(extractor: Extractor, *texts: str, context: Context = NO_CONTEXT) -> list[Extraction]:
    """What a blocking caller gets for one batch of lines."""
    return extractor.finish(extractor.begin([(Line(text), context) for text in texts]))

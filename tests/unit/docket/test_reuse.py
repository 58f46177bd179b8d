"""How long a ticket is given again, by clocks that do not always go on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import SqliteStore
from logdocket.ticket import Source

SECOND = 1_000_000
LINE = Line("2026-01-02T15:04:05Z ERROR pay: card refused")


class Clock:
    """µs since 1970 UTC, as they are set."""

    now = 1_700_000_000 * SECOND

    def __call__(self) -> int:
        """The moment it is set to."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands until it is set."""
    return Clock()


@pytest.fixture
def store(clock: Clock) -> Iterator[SqliteStore]:
    """A fresh store by that clock."""
    store = SqliteStore.temporary(clock=clock)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("seconds", "source"),
    [
        (0, Source.CACHE),
        (59, Source.CACHE),
        (60, Source.FALLBACK),
        (-59, Source.CACHE),
        (-60, Source.FALLBACK),
        (-31_536_000, Source.FALLBACK),
    ],
)
@pytest.mark.parametrize("restarted", [False, True], ids=["from memory", "from the store"])
def test_a_fallback_lasts_a_minute_whichever_way_the_clock_goes(
    store: SqliteStore, clock: Clock, restarted: bool, seconds: int, source: Source
) -> None:
    """A clock that is set back by a year does not make it last a year."""
    extractor = Extractor(Policy(), shipped(), store, clock)
    extractor.finish(extractor.begin([(LINE, NO_CONTEXT)]))
    clock.now += seconds * SECOND
    if restarted:
        extractor = Extractor(Policy(), shipped(), store, clock)
    (again,) = extractor.finish(extractor.begin([(LINE, NO_CONTEXT)]))
    assert again.ticket.source is source
    assert store.verify().ok

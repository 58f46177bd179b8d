"""A fixture run through the real pipeline, on a fresh ledger, by the fixture's own clock."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import msgspec

from logdocket.confidence import shipped
from logdocket.docket import CacheScope, Extractor, Policy
from logdocket.errors import BadModel, FixtureError, LedgerUnavailable
from logdocket.replay.clock import Clock, StillLoop
from logdocket.replay.fixture import Fixture, Row, read
from logdocket.replay.model import Model
from logdocket.store import SqliteStore
from logdocket.ticket import Extraction, encode

_BY_LINE = Policy(cache_scope=CacheScope.LINE)
"""Every line asks what was recorded for it."""

_LONGEST_SHOWN = 80
"""Characters of a line that a message shows."""


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a fixture: a pair for each row, in order, and the two files as bytes.

    ``tickets``: a line of JSON for each row: its id, the ticket, and the ledger entry that made it.
    ``ledger``: a line of JSON for each entry, oldest first, its hash included.
    """

    pairs: list[tuple[Row, Extraction]]
    tickets: bytes
    ledger: bytes


def replay(fixture: Path) -> Replayed:
    """Run every row of the file ``fixture``; see :func:`run`."""
    return run(read(fixture))


def run(fixture: Fixture) -> Replayed:
    """Run every row of ``fixture`` as one caller after another would.

    Everything that could differ between two runs is fixed: the clock is the rows' own, the store a
    new temporary file, and the policy the built-in one, whatever the operator has set. Where the
    fixture has a model, the real client asks it again, over a transport that has no network and
    gives what was recorded.

    Not to be called where an event loop runs.

    Raises:
        FixtureError: the fixture is unreadable, or a row asks for other attempts than it holds.
        LedgerUnavailable: the temporary folder cannot hold a ledger.
    """
    clock = Clock(fixture.rows[0].at)
    with closing(SqliteStore.temporary(clock=clock.micros)) as store:
        if fixture.model is None:
            pairs = _by_rules(fixture, store, clock)
        else:
            with asyncio.Runner(loop_factory=StillLoop) as runner:
                pairs = runner.run(_by_model(fixture, fixture.model, store, clock))
        ledger = b"".join(encode(entry) + b"\n" for entry in store.export())
    tickets = b"".join(_line(row, extraction) for row, extraction in pairs)
    return Replayed(pairs=pairs, tickets=tickets, ledger=ledger)


def _by_rules(fixture: Fixture, store: SqliteStore, clock: Clock) -> list[tuple[Row, Extraction]]:
    extractor = Extractor(Policy(), shipped(), store, clock.micros)
    pairs = []
    for row in fixture.rows:
        clock.set(row.at)
        (extraction,) = extractor.finish(extractor.begin([(row.line, row.context)]))
        pairs.append((row, _entered(row, extraction)))
    return pairs


async def _by_model(
    fixture: Fixture, model: Model, store: SqliteStore, clock: Clock
) -> list[tuple[Row, Extraction]]:
    # Not above: it loads what only a model needs.
    from logdocket.replay.upstream import Upstream

    upstream, tokens = Upstream(clock), _Tokens()
    try:
        attempts = model.attempts(upstream, clock)
    except BadModel as error:
        raise FixtureError(
            f"{fixture.name}, row 1: tells of no model that there is: {error}"
        ) from None
    extractor = Extractor(_BY_LINE, shipped(), store, clock.micros, attempts, tokens)
    pairs = []
    try:
        for row in fixture.rows:
            clock.set(row.at)
            upstream.expect(row.attempts)
            tokens.begin(row)
            extraction = await extractor.extract(row.line, row.context)
            wrong = None
            if upstream.unrecorded:
                wrong = "asks for an attempt that is not recorded"
            elif upstream.left:
                wrong = f"holds {upstream.left} that it did not ask for"
            if wrong is not None:
                raise FixtureError(_told(fixture, row, wrong))
            pairs.append((row, _entered(row, extraction)))
    finally:
        await extractor.close()
    return pairs


class _Tokens:
    """Gives 16 bytes that it has not given before, the same ones in every run: the number of the
    row, and how many the row has taken.
    """

    def __init__(self) -> None:
        self._row = 0
        self._taken = 0

    def begin(self, row: Row) -> None:
        """Begin with a row."""
        self._row, self._taken = row.number, 0

    def __call__(self) -> bytes:
        self._taken += 1
        return self._row.to_bytes(8, "big") + self._taken.to_bytes(8, "big")


def _told(fixture: Fixture, row: Row, wrong: str) -> str:
    """A message about the attempts of a row, which names its line."""
    line = ascii(row.line.text[:_LONGEST_SHOWN])
    had = len(row.attempts)
    return (
        f"{fixture.place(row)}: {row.id!a} {wrong} (attempts recorded: {had}), line {line}: "
        "record it again"
    )


def _entered(row: Row, extraction: Extraction) -> Extraction:
    if extraction.id is None:
        raise LedgerUnavailable(
            f"row {row.number} could not be entered in a temporary ledger: "
            "see that the temporary folder has space and can be written"
        )
    return extraction


def _line(row: Row, extraction: Extraction) -> bytes:
    return encode({"id": row.id, "ticket": extraction.ticket, "ticket_id": extraction.id}) + b"\n"

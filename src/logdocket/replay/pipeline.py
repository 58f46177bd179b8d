"""A fixture run through the real pipeline, on a fresh ledger, by the fixture's own clock."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.errors import LedgerUnavailable
from logdocket.replay.fixture import Row, load
from logdocket.store import SqliteStore
from logdocket.ticket import Extraction, encode


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a fixture: a pair for each row, in order, and the two files as bytes.

    ``tickets``: a line of JSON for each row: its id, the ticket, and the ledger entry that made it.
    ``ledger``: a line of JSON for each entry, oldest first, its hash included.
    """

    pairs: list[tuple[Row, Extraction]]
    tickets: bytes
    ledger: bytes


def replay(fixture: Path) -> Replayed:
    """Run every row of ``fixture`` as one caller after another would.

    Everything that could differ between two runs is fixed: the clock is the rows' own, the store a
    new temporary file, and the policy the built-in one, whatever the operator has set.

    Raises:
        FixtureError: the fixture is unreadable.
        LedgerUnavailable: the temporary folder cannot hold a ledger.
    """
    rows = load(fixture)
    now = rows[0].at

    def clock() -> int:
        return now

    pairs = []
    with closing(SqliteStore.temporary(clock=clock)) as store:
        extractor = Extractor(Policy(), shipped(), store, clock)
        for row in rows:
            now = row.at
            pairs.append((row, _extract(extractor, row)))
        ledger = b"".join(encode(entry) + b"\n" for entry in store.export())
    tickets = b"".join(_line(row, extraction) for row, extraction in pairs)
    return Replayed(pairs=pairs, tickets=tickets, ledger=ledger)


def _extract(extractor: Extractor, row: Row) -> Extraction:
    (extraction,) = extractor.finish(extractor.begin([(row.line, row.context)]))
    if extraction.id is None:
        raise LedgerUnavailable(
            f"row {row.number} could not be entered in a temporary ledger: "
            "see that the temporary folder has space and can be written"
        )
    return extraction


def _line(row: Row, extraction: Extraction) -> bytes:
    return encode({"id": row.id, "ticket": extraction.ticket, "ticket_id": extraction.id}) + b"\n"

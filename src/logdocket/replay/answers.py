"""The tickets of a fixture held against the right answers that people wrote down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from logdocket.replay.fixture import Expect
from logdocket.replay.pipeline import replay
from logdocket.ticket import Ticket


class Wrong(msgspec.Struct, frozen=True):
    """One answer of row ``id`` that is not the right one."""

    id: str
    field: str
    given: str
    right: str

    def __str__(self) -> str:
        return f"{self.id}: {self.field} is {self.given}, right is {self.right}"


def answers(fixture: Path) -> list[Wrong]:
    """Every answer that is not as its row expects, in the order of the rows.

    Raises:
        FixtureError: the fixture is unreadable.
        LedgerUnavailable: the temporary folder cannot hold a ledger.
    """
    return [
        Wrong(row.id, field, given, right)
        for row, extraction in replay(fixture).pairs
        for field, given, right in _compare(row.expect, extraction.ticket)
    ]


def _compare(expect: Expect, ticket: Ticket) -> Iterator[tuple[str, str, str]]:
    """Field, what was given, and what is right, of each answer that is wrong."""
    exact: tuple[tuple[str, str, str | Sequence[str] | None], ...] = (
        ("service", ticket.service, expect.service),
        ("severity", ticket.severity, expect.severity),
        ("first_seen", ticket.first_seen, expect.first_seen),
        ("source", ticket.source, expect.source),
    )
    for field, given, right in exact:
        if right is not None:
            choice = [right] if isinstance(right, str) else right
            if given not in choice:
                yield field, given, " or ".join(choice)
    if not set(expect.reasons_include) <= set(ticket.review_reasons):
        given = ", ".join(ticket.review_reasons)
        yield "review_reasons", given, f"among others {', '.join(expect.reasons_include)}"
    part = expect.evidence_contains
    if part is not None and part not in ticket.evidence:
        yield "evidence", ascii(ticket.evidence), f"one that holds {part!a}"

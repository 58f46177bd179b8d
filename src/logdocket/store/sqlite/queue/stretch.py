"""A stretch of the ledger as the queue takes it in: read and understood without any lock."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from logdocket.store.records import StoredTicket
from logdocket.store.review import Describe, Described
from logdocket.store.sqlite.queue.rules import Decision, Fresh, Hits, Ruled, Rules
from logdocket.store.sqlite.queue.shelf import Shelf
from logdocket.store.sqlite.queue.verdicts import VerdictDetail, read_verdict
from logdocket.store.sqlite.statements import SQL
from logdocket.store.sqlite.tickets import MEANINGLESS, stored

_DETAIL: Final = 5
"""Where a row of a ticket has the detail of its entry."""


class _Named(msgspec.Struct):
    """The entries that the detail of a ticket names."""

    verdict: int | None = None
    revises: int | None = None


_named = msgspec.json.Decoder(_Named)


class Part(NamedTuple):
    """Entries between two that matter for all after them: tickets first, then what repeats them or
    others, then the verdict that ends it. The order of the first two changes nothing."""

    fresh: list[Fresh]
    hits: list[Hits]
    ruled: Ruled | None


class Stretch(NamedTuple):
    """Entries after ``start`` up to ``end``, and how many tickets they have by day and source."""

    start: int
    end: int
    parts: list[Part]
    days: list[tuple[int, str, int]]

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it for the queue."""
        return not (self.parts or self.days)

    def apply(self, connection: sqlite3.Connection, shelf: Shelf, describe: Describe) -> None:
        """Take it into the queue."""
        fresh = [one for part in self.parts for one in part.fresh]
        originals = [one.original for part in self.parts for one in part.hits]
        # Of those in the stretch itself there are no rows yet.
        shelf.expect(
            [one.described.group for one in fresh if one.described is not None],
            [number for number in originals if number <= self.start],
        )
        rules = rules_on(connection, shelf, describe)
        for part in self.parts:
            for one in part.fresh:
                rules.ticket(one)
            for hits in part.hits:
                rules.hits(hits)
            if part.ruled is not None:
                rules.verdict(part.ruled)
        for day in self.days:
            connection.execute(SQL["add_to_day"], day)
        shelf.save()


def read_stretch(
    connection: sqlite3.Connection, start: int, end: int, describe: Describe
) -> Stretch:
    """What the entries after ``start`` up to ``end`` hold for the queue."""
    fresh = [
        found
        for row in connection.execute(SQL["queue_tickets_of"], (start, end)).fetchall()
        if (found := _fresh(row, describe)) is not None
    ]
    ruled = [
        verdict
        for row in connection.execute(SQL["verdict_entries"], (start, end)).fetchall()
        if (verdict := _ruled(*row)) is not None
    ]
    days = connection.execute(SQL["queue_days_of"], (start, end)).fetchall()
    parts, before = [], start
    for last, verdict in _borders(fresh, ruled, end):
        own = [one for one in fresh if before < one.ticket.id <= last]
        hits = _hits(connection, before, last)
        if own or hits or verdict is not None:
            parts.append(Part(own, hits, verdict))
        before = last
    return Stretch(start, end, parts, days)


def _borders(
    fresh: Sequence[Fresh], ruled: Sequence[Ruled], end: int
) -> list[tuple[int, Ruled | None]]:
    """Where each part ends, and with what verdict."""
    verdicts: dict[int, Ruled | None] = {one.seq: one for one in ruled}
    looks = {one.ticket.id for one in fresh if one.revises is not None}
    # A second look may decide, so what comes before it stands in a part of its own.
    borders = verdicts.keys() | looks | {look - 1 for look in looks} | {end}
    return [(border, verdicts.get(border)) for border in sorted(borders)]


def _hits(connection: sqlite3.Connection, start: int, end: int) -> list[Hits]:
    if end <= start:
        return []
    found = connection.execute(SQL["queue_hits_of"], (start, end)).fetchall()
    return [Hits(*row) for row in found if isinstance(row[0], int)]


def _fresh(row: Sequence[object], describe: Describe) -> Fresh | None:
    """The ticket of ``row``; None for one that is not as it was entered."""
    try:
        ticket = stored(tuple(row))
        named = _named.decode(str(row[_DETAIL]))
    except MEANINGLESS:
        return None
    return Fresh(ticket, describe(ticket), named.verdict, named.revises)


def _ruled(seq: int, at: int, detail: str) -> Ruled | None:
    try:
        return Ruled(seq, at, read_verdict(detail))
    except MEANINGLESS:
        return None


def rules_on(connection: sqlite3.Connection, shelf: Shelf, describe: Describe) -> Rules:
    """The rules, asking ``connection`` about earlier entries."""
    return Rules(
        shelf,
        functools.partial(_described, connection, describe),
        functools.partial(_decision, connection),
    )


def ticket_at(connection: sqlite3.Connection, seq: int) -> StoredTicket | None:
    """The ticket of entry ``seq``; None for one that is not as it was entered."""
    row = connection.execute(SQL["ticket"], (seq,)).fetchone()
    try:
        return None if row is None else stored(row)
    except MEANINGLESS:
        return None


def _described(
    connection: sqlite3.Connection, describe: Describe, seq: int
) -> tuple[str, Described] | None:
    ticket = ticket_at(connection, seq)
    described = None if ticket is None else describe(ticket)
    if ticket is None or described is None:
        return None
    return ",".join(ticket.reasons), described


def verdict_at(connection: sqlite3.Connection, seq: int) -> VerdictDetail | None:
    """What the verdict of entry ``seq`` says; None where it cannot be read."""
    row = connection.execute(SQL["entry"], (seq,)).fetchone()
    ruled = None if row is None else _ruled(seq, row[1], row[5])
    return None if ruled is None else ruled.detail


def _decision(connection: sqlite3.Connection, seq: int) -> Decision | None:
    row = connection.execute(SQL["entry"], (seq,)).fetchone()
    ruled = None if row is None else _ruled(seq, row[1], row[5])
    if ruled is None:
        return None
    return Decision(ruled.detail.verdict.value, ruled.detail.who, ruled.at)

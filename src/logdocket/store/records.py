"""What passes between the docket and a store, and what a store promises."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from logdocket.ticket import ReviewReason, Source


class TicketRecord(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One answer about to be given, to be entered in the ledger first.

    ``key``: 16 bytes that stand for line, context and configuration.
    ``line_hash``: SHA-256 of the line's bytes, 32 bytes.
    ``body``: the ticket as JSON; None for a cache hit.
    ``original``: for a cache hit, the id of the ticket that it repeats.
    ``same_as``: for a cache hit on a ticket of the same call, that record's index in the call.
    ``text``: the line's bytes where keeping text is on.
    """

    key: bytes
    line_hash: bytes
    source: Source
    reasons: tuple[ReviewReason, ...]
    body: bytes | None = None
    original: int | None = None
    same_as: int | None = None
    text: bytes | None = None


class StoredTicket(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A ticket as the store holds it; ``at`` is when it was entered, in µs since 1970 UTC."""

    id: int
    at: int
    key: bytes
    line_hash: bytes
    source: Source
    reasons: tuple[ReviewReason, ...]
    body: bytes
    text: bytes | None


class Entry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One entry of the ledger, as it is hashed. ``at`` is in µs since 1970 UTC."""

    seq: int
    at: int
    kind: str
    source: Source | None
    reasons: tuple[ReviewReason, ...]
    detail: dict[str, object]
    hash: str


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries: ``since`` inclusive, ``until`` exclusive, both µs since 1970 UTC; ``before``
    is the cursor: entries with a smaller seq, newest first."""

    source: Source | None = None
    reason: ReviewReason | None = None
    since: int | None = None
    until: int | None = None
    before: int | None = None
    limit: int = 100


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over a period. ``tickets`` equals the sum of ``by_source``."""

    tickets: int
    by_source: dict[str, int]
    by_reason: dict[str, int]
    unledgered: int
    hit_ratio: float | None


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk over the whole chain found; ``ok`` or the first bad entry and what is wrong."""

    ok: bool
    entries: int
    head: str | None
    bad_seq: int | None = None
    problem: str | None = None


class Store(Protocol):
    """Where tickets and the ledger live. Every method may raise LedgerUnavailable."""

    def lookup(self, key: bytes) -> StoredTicket | None:
        """The newest ticket under ``key`` that was not itself a cache hit."""
        ...

    def lookup_many(self, keys: Iterable[bytes]) -> dict[bytes, StoredTicket]:
        """The same for many keys in one query."""
        ...

    def write(self, records: Sequence[TicketRecord]) -> list[int]:
        """Enter all in one transaction; durable on return. Gives the id of each entry, in order."""
        ...

    def submit(self, records: Sequence[TicketRecord]) -> asyncio.Future[list[int]]:
        """The same from an event loop: joins the next group commit; durable when it resolves."""
        ...

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated."""
        ...

    def entries(self, query: Query) -> list[Entry]:
        """A page of entries, newest first."""
        ...

    def export(self, since: int | None = None, until: int | None = None) -> Iterator[Entry]:
        """All entries of a period, oldest first, in bounded memory."""
        ...

    def summary(self, since: int | None = None, until: int | None = None) -> Summary:
        """Counts over a period."""
        ...

    def verify(self, expected_head: str | None = None) -> Verification:
        """Walk the chain and check every conservation law.

        Entries missing at the very end show only against ``expected_head``: a hash (hex) that was
        the head once and was noted elsewhere.
        """
        ...

    def check(self) -> None:
        """Raise LedgerUnavailable unless a write would succeed now."""
        ...

    def close(self) -> None:
        """Let the last group commit, then release the file."""
        ...

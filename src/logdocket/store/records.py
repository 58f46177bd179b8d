"""What passes between the docket and a store, and what a store promises."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from logdocket.calls import CallEnd, Spend
from logdocket.store.lessons import Known, Lesson
from logdocket.ticket import ReviewReason, Source


class EntryKind(enum.StrEnum):
    """What an entry tells of."""

    TICKET = "ticket"
    GAP = "gap"
    CALL_STARTED = "call_started"
    CALL_FINISHED = "call_finished"
    CALL_INTERRUPTED = "call_interrupted"
    VERDICT = "verdict"


class TicketRecord(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One answer about to be given, to be entered in the ledger first.

    ``key``: 16 bytes that stand for line, context and configuration.
    ``line_hash``: SHA-256 of the line's bytes, 32 bytes.
    ``body``: the ticket as JSON; None for a cache hit that repeats one byte for byte.
    ``original``: for a cache hit, the id of the ticket that it repeats; beside a ``body``, of the
    ticket about another line of the template whose answer it shares.
    ``same_as``: for a cache hit on a ticket of the same call, that record's index in the call.
    ``text``: the line's bytes where keeping text is on.
    ``calls``: the entries of the calls that were made for this ticket, in order, and ``tokens``
    what the provider reported for them in all.
    ``holder``: whoever holds the claim on ``key``, which ends with this entry; None where there is
    none.
    ``template``: the 32 bytes that stand for the line's template, where answers are shared by it.
    ``lesson``: what a model's answer tells about that template, learnt with this entry.
    ``verdict``: for a cache hit with a ``body``, the number of the verdict whose answer it gives,
    in place of ``original`` and ``template``.
    ``revises``: for the ticket of a second look, the entry of the first ticket for the line.
    """

    key: bytes
    line_hash: bytes
    source: Source
    reasons: tuple[ReviewReason, ...]
    body: bytes | None = None
    original: int | None = None
    same_as: int | None = None
    text: bytes | None = None
    calls: tuple[int, ...] = ()
    tokens: int = 0
    holder: bytes | None = None
    template: bytes | None = None
    lesson: Lesson | None = None
    verdict: int | None = None
    revises: int | None = None


class CallStart(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A call about to be made, to be entered in the ledger before its request leaves.

    ``key`` and ``line_hash``: as in the ticket that it is made for.
    ``holder``: 16 bytes that no one else uses; its claim on ``key`` makes others wait.
    ``expires``: µs since 1970 UTC after which the claim, and the call if it is still open, are
    taken for left behind by a process that died.
    ``seen``: the newest ticket under ``key`` that the caller knows and does not want, 0 if none.
    ``attempt``: 1, or 2 for the retry.
    ``mode``: how the output is constrained.
    ``prompt``: the version of prompt and schema.
    ``reserve``: the most that it can cost.
    ``cap``: what a UTC day may cost in all; None is no bound.
    """

    key: bytes
    line_hash: bytes
    holder: bytes
    expires: int
    seen: int
    attempt: int
    model: str
    mode: str
    prompt: int
    reserve: Spend
    cap_tokens: int | None = None
    cap_nano_usd: int | None = None


class Started(msgspec.Struct, frozen=True, gc=False):
    """The call may be made: it stands in the ledger as entry ``call``."""

    call: int


class Held(msgspec.Struct, frozen=True, gc=False):
    """Someone else is asking about the same key, until ``until`` (µs since 1970 UTC) at most."""

    until: int


class Answered(msgspec.Struct, frozen=True, gc=False):
    """Someone else has answered meanwhile."""

    ticket: StoredTicket


class Exhausted(msgspec.Struct, frozen=True, gc=False):
    """The day's budget has no room for what the call may cost."""


Begun: TypeAlias = "Started | Held | Answered | Exhausted"


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
    kind: str | None = None
    since: int | None = None
    until: int | None = None
    before: int | None = None
    limit: int = 100


class Calls(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of models over a period, by when they were started.

    ``started`` equals finished + interrupted + in flight. ``by_status`` counts the finished ones.
    ``retries``: those that were a second attempt.
    ``tokens_in``, ``tokens_out`` and ``nano_usd``: as reported by the provider, and their price;
    ``unreported``: ended calls that no usage was reported for; ``unpriced``: those whose usage has
    no known price, which count as nothing in ``nano_usd``.
    ``charged``: what the budget was charged, reservations of interrupted calls included.
    """

    started: int
    finished: int
    interrupted: int
    in_flight: int
    by_status: dict[str, int]
    retries: int
    tokens_in: int
    tokens_out: int
    nano_usd: int
    unreported: int
    unpriced: int
    charged: Spend


class DayCalls(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of one UTC day (``YYYY-MM-DD``) and one model."""

    day: str
    model: str
    calls: Calls


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What the current UTC day was charged so far, and what its open calls have reserved."""

    day: str
    spent: Spend
    reserved: Spend


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over a period. ``tickets`` equals the sum of ``by_source``.

    ``calls_avoided``: cache hits on tickets for which a model had been called; ``shared`` of them
    on the ticket of another line of the same template.
    """

    tickets: int
    by_source: dict[str, int]
    by_reason: dict[str, int]
    unledgered: int
    hit_ratio: float | None
    calls_avoided: int
    shared: int
    calls: Calls
    by_day: list[DayCalls]
    budget: Budget


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

    def known(self, wide: bytes, narrow: bytes) -> tuple[Known, StoredTicket] | None:
        """What is known about a template, by its wide form or, where that is split, by itself, and
        the ticket whose answer may be shared; None where there is nothing to share.
        """
        ...

    def unshare(self, id: int) -> bool:
        """See that no other line shares an answer about the template of the ticket of entry ``id``:
        it was wrong. False where that ticket shares nothing. Blocks.
        """
        ...

    def write(self, records: Sequence[TicketRecord]) -> list[int]:
        """Enter all in one transaction; durable on return. Gives the id of each entry, in order."""
        ...

    def submit(
        self, records: Sequence[TicketRecord], ended: CallEnd | None = None
    ) -> asyncio.Future[list[int]]:
        """The same from an event loop: joins the next group commit; durable when it resolves.

        ``ended`` is entered before the records, in the same transaction. It is owed to the ledger:
        where the write fails, it is entered by the next one that succeeds.
        """
        ...

    def start(self, call: CallStart) -> asyncio.Future[Begun]:
        """Claim a key and enter the call; only where the answer is Started may the request leave.

        The first that holds is the answer: another holder's claim that has not expired (Held); a
        ticket under the key newer than ``seen`` (Answered; not asked for a second attempt); the
        budget (Exhausted). Calls of claims that have expired are entered as interrupted first.
        """
        ...

    def release(self, key: bytes, holder: bytes) -> asyncio.Future[None]:
        """Give up a claim for which no ticket will be entered."""
        ...

    def sweep(self) -> int:
        """Enter calls whose claim has expired as interrupted; gives their number. Blocks."""
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

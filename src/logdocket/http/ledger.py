"""Reading the ledger over HTTP: entries page by page, sums, the walk over the chain, one ticket."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query
from pydantic import AwareDatetime, BaseModel, Field

from logdocket.docket import decode_judgement
from logdocket.http.problem import Problem, Refusal
from logdocket.store import Entry, Store, StoredTicket
from logdocket.store import Query as LedgerQuery
from logdocket.ticket import ReviewReason, Source

_LARGEST_SEQ = 2**63 - 1
Since = Annotated[AwareDatetime | None, Query(description="From this moment on (RFC 3339).")]
Until = Annotated[AwareDatetime | None, Query(description="Before this moment (RFC 3339).")]


class EntryBody(BaseModel):
    """One entry of the ledger."""

    seq: int = Field(description="Place in the chain, from 1, without gaps.")
    at: str = Field(description="When it was entered: RFC 3339, UTC, to the microsecond.")
    kind: str
    source: Source | None
    reasons: list[ReviewReason]
    detail: dict[str, Any]
    hash: str = Field(description="SHA-256 over the entry before and this one, in hex.")


class EntriesBody(BaseModel):
    """A page of entries, newest first."""

    entries: list[EntryBody]
    next: int | None = Field(description="The cursor of the next page; null on the last.")


class SummaryBody(BaseModel):
    """Sums over a period; ``tickets`` is the sum of ``by_source``."""

    tickets: int
    by_source: dict[str, int]
    by_reason: dict[str, int]
    unledgered: int = Field(description="Tickets given while the ledger could not be written.")
    hit_ratio: float | None = Field(description="Cache hits per ticket; null without tickets.")


class VerificationBody(BaseModel):
    """What a walk over the whole chain found."""

    ok: bool
    entries: int
    head: str | None = Field(description="Hash of the last entry: keep it to notice a lost tail.")
    bad_seq: int | None = Field(description="The first bad entry.")
    problem: str | None


class StoredTicketBody(BaseModel):
    """A ticket as the ledger holds it, with the spans it was read from."""

    id: int
    at: str
    line_hash: str = Field(description="SHA-256 of the line's bytes, in hex.")
    line: str | None = Field(description="The line, where keeping text is on.")
    ticket: dict[str, Any]
    reading: dict[str, Any] = Field(description="Format, and byte spans for each field.")


def router(store: Store) -> APIRouter:
    """The routes that read ``store``."""
    routes = APIRouter(tags=["ledger"])

    # Each endpoint is a plain function: FastAPI runs it on a thread, off the event loop.
    @routes.get("/ledger")
    def entries(
        source: Annotated[Source | None, Query()] = None,
        reason: Annotated[ReviewReason | None, Query()] = None,
        since: Since = None,
        until: Until = None,
        cursor: Annotated[int | None, Query(ge=1, le=_LARGEST_SEQ)] = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    ) -> EntriesBody:
        """Entries of the ledger, newest first; ask again with `cursor` set to `next`."""
        page = store.entries(
            LedgerQuery(
                source=source,
                reason=reason,
                since=_micros(since),
                until=_micros(until),
                before=cursor,
                limit=limit + 1,
            )
        )
        more = len(page) > limit
        return EntriesBody(
            entries=[entry_body(entry) for entry in page[:limit]],
            next=page[limit - 1].seq if more else None,
        )

    @routes.get("/ledger/summary")
    def summary(since: Since = None, until: Until = None) -> SummaryBody:
        """Tickets by source and by review reason."""
        found = store.summary(_micros(since), _micros(until))
        return SummaryBody(
            tickets=found.tickets,
            by_source=found.by_source,
            by_reason=found.by_reason,
            unledgered=found.unledgered,
            hit_ratio=found.hit_ratio,
        )

    @routes.get("/ledger/verify")
    def verify(
        head: Annotated[
            str | None,
            Query(pattern="^[0-9a-f]{64}$", description="The head that the chain must hold."),
        ] = None,
    ) -> VerificationBody:
        """Walk the whole chain and check every law; names the first bad entry."""
        found = store.verify(head)
        return VerificationBody(
            ok=found.ok,
            entries=found.entries,
            head=found.head,
            bad_seq=found.bad_seq,
            problem=found.problem,
        )

    @routes.get("/tickets/{id}", responses={404: {"description": "No such ticket"}})
    def ticket(id: Annotated[int, Path(ge=1, le=_LARGEST_SEQ)]) -> StoredTicketBody:
        """The ticket that a ledger entry made or repeated, and the spans it was read from."""
        stored = store.ticket(id)
        if stored is None:
            raise Refusal(Problem.NOT_FOUND, f"entry {id} holds no ticket: see GET /ledger")
        return _ticket_body(stored)

    return routes


def entry_body(entry: Entry) -> EntryBody:
    """The entry as it is shown."""
    return EntryBody(
        seq=entry.seq,
        at=_rfc3339(entry.at),
        kind=entry.kind,
        source=entry.source,
        reasons=list(entry.reasons),
        detail=entry.detail,
        hash=entry.hash,
    )


def _ticket_body(stored: StoredTicket) -> StoredTicketBody:
    judgement = decode_judgement(stored.body)
    text = stored.text
    return StoredTicketBody(
        id=stored.id,
        at=_rfc3339(stored.at),
        line_hash=stored.line_hash.hex(),
        line=None if text is None else text.decode("utf-8", "replace"),
        ticket=_plain(judgement.ticket),
        reading=_plain(judgement.reading),
    )


def _plain(value: object) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built


def _micros(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    since_1970 = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since_1970.days * 86_400 + since_1970.seconds) * 1_000_000 + since_1970.microseconds


def _rfc3339(at: int) -> str:
    seconds, micros = divmod(at, 1_000_000)
    moment = datetime.fromtimestamp(seconds, UTC).replace(microsecond=micros)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{micros:06d}Z"

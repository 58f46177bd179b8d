"""Reading the ledger over HTTP: entries page by page, sums, the walk over the chain, one ticket."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from logdocket.docket import ticket_document
from logdocket.http.problem import Problem, Refusal
from logdocket.http.shapes import (
    LARGEST_SEQ,
    EntriesBody,
    EntriesQuery,
    EntryBody,
    PeriodQuery,
    StoredTicketBody,
    SummaryBody,
    VerificationBody,
    VerifyQuery,
)
from logdocket.http.threads import Threads
from logdocket.store import Query as LedgerQuery
from logdocket.store import Store


def router(store: Store) -> APIRouter:
    """The routes that read ``store``."""
    routes = APIRouter(tags=["ledger"])
    readers, walkers = Threads(4), Threads(1)

    @routes.get("/ledger")
    async def entries(query: Annotated[EntriesQuery, Query()]) -> EntriesBody:
        """Entries of the ledger, newest first; ask again with `cursor` set to `next`."""
        page = await readers.run(
            store.entries,
            LedgerQuery(
                source=query.source,
                reason=query.reason,
                kind=query.kind,
                since=query.since,
                until=query.until,
                before=query.cursor,
                limit=query.limit + 1,
            ),
        )
        more = len(page) > query.limit
        return EntriesBody(
            entries=[EntryBody.of(entry) for entry in page[: query.limit]],
            next=page[query.limit - 1].seq if more else None,
        )

    @routes.get("/ledger/summary")
    async def summary(query: Annotated[PeriodQuery, Query()]) -> SummaryBody:
        """Tickets by source and by review reason; calls of models by status, day and model."""
        found = await readers.run(store.summary, query.since, query.until)
        return SummaryBody(**msgspec.to_builtins(found))

    @routes.get("/ledger/verify")
    async def verify(query: Annotated[VerifyQuery, Query()]) -> VerificationBody:
        """Walk the whole chain and check every law; names the first bad entry."""
        found = await walkers.run(store.verify, query.head)
        return VerificationBody(**msgspec.structs.asdict(found))

    @routes.get(
        "/tickets/{id}",
        response_model=StoredTicketBody,
        responses={404: {"description": "No such ticket"}},
    )
    async def ticket(id: Annotated[int, Path(ge=1, le=LARGEST_SEQ)]) -> Response:
        """The ticket that a ledger entry made or repeated, and the spans it was read from."""
        stored = await readers.run(store.ticket, id)
        if stored is None:
            raise Refusal(Problem.NOT_FOUND, f"entry {id} holds no ticket: see GET /ledger")
        return Response(ticket_document(stored), media_type="application/json")

    return routes

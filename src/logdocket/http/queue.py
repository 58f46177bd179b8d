"""The review queue over HTTP: lists, one group, decisions, exports."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BeforeValidator

from logdocket.docket import (
    DeskStore,
    ReviewDesk,
    counts_document,
    detail_document,
    fixture_rows,
    group_document,
    labelled_rows,
)
from logdocket.docket.review.sheet import csv_rows
from logdocket.errors import BadVerdict, LedgerUnavailable
from logdocket.http.deciding import Deciding, Settled
from logdocket.http.pieces import in_pieces
from logdocket.http.problem import Problem, Refusal
from logdocket.http.queue_answers import (
    DecidedBody,
    GroupDetailBody,
    GroupsBody,
    ResultsBody,
)
from logdocket.http.queue_shapes import (
    LARGEST_ID,
    ExportFormat,
    ExportQuery,
    GroupsQuery,
    VerdictBody,
    VerdictsBody,
)
from logdocket.http.roles import LOCAL, Caller, caller
from logdocket.http.threads import Threads
from logdocket.store.review import Decided, Group, GroupPage, GroupQuery
from logdocket.ticket import encode

_JSON: Final = "application/json"
# What the queue tells is of this moment, and for whoever asked.
_NOW: Final = {"Cache-Control": "no-store"}
_PAGE: Final = 500
_PATIENCE: Final = 30.0
"""Seconds that an export may wait until the queue has all that is in the ledger."""
_Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]
_SENT: Final = "verdicts"
"""Stands where a group's number does, but is only sent to."""
_MEDIA: Final = {
    ExportFormat.CSV: ("text/csv; charset=utf-8", "queue.csv"),
    ExportFormat.JSONL: ("application/jsonl", "queue.jsonl"),
    ExportFormat.LABELLED: ("application/jsonl", "labelled.jsonl"),
    ExportFormat.FIXTURE: ("application/jsonl", "fixture.jsonl"),
}


def router(desk: ReviewDesk, store: DeskStore, deciding: Deciding) -> APIRouter:
    """The routes of the queue, but for the stream of its changes."""
    routes = APIRouter(prefix="/queue", tags=["queue"])
    readers, exporters = Threads(4), Threads(2)

    @routes.get("", response_model=GroupsBody)
    async def groups(query: Annotated[GroupsQuery, Query()]) -> Response:
        """Groups of tickets that need a person; ask again with `cursor` set to `next`."""

        def read() -> dict[str, Any]:
            page = _page(desk, query.query(query.limit, query.cursor))
            return {
                "groups": [group_document(group) for group in page.groups],
                "next": page.next,
                "counts": counts_document(desk.counts()),
            }

        return _answer(await readers.run(read))

    @routes.get(
        "/export",
        response_class=Response,
        responses={
            200: {
                "description": "The export",
                "content": {
                    "text/csv": {"schema": {"type": "string"}},
                    "application/jsonl": {"schema": {"type": "string"}},
                },
            }
        },
    )
    async def export(query: Annotated[ExportQuery, Query()]) -> Response:
        """Groups, or what people decided about them, as a file."""
        kind, name = _MEDIA[query.format]
        pieces = await in_pieces(_rows(desk, store, query), exporters)
        sent = {**_NOW, "Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(pieces, media_type=kind, headers=sent)

    @routes.post("/verdicts", response_model=ResultsBody)
    async def decide_many(body: VerdictsBody, request: Request) -> Response:
        """Decide about several groups: each verdict that holds is entered, all in one commit."""
        asks = [verdict.ask(verdict.group) for verdict in body.verdicts]
        settled = await deciding.decide(asks, _who(request))
        results = [_result(ask.group, became) for ask, became in zip(asks, settled, strict=True)]
        return _answer({"results": results})

    @routes.get("/{id}", response_model=GroupDetailBody)
    async def detail(id: Annotated[_Id, BeforeValidator(_shown)]) -> Response:
        """One group, its newest tickets, what was decided about it, and the calls of its ticket."""
        found = await readers.run(desk.detail, id)
        if found is None:
            raise _no_group(id)
        etag = {"ETag": f'"{found.group.version}"'}
        return _answer(await readers.run(detail_document, found), **etag)

    @routes.post("/{id}/verdict", response_model=DecidedBody)
    async def decide(id: _Id, body: VerdictBody, request: Request) -> Response:
        """Decide about one group; 409 with the group as it stands where someone else has."""
        (became,) = await deciding.decide([body.ask(id)], _who(request))
        if not isinstance(became, Decided):
            raise _refusal(id, became)
        return _answer(_decided(became))

    return routes


def _shown(id: str) -> str:
    """A word in the place of a number, unless there is something else."""
    if id == _SENT:
        refusal = Refusal.of_status(405, f"/queue/{_SENT}")
        refusal.headers = ((b"allow", b"POST"),)
        raise refusal
    return id


def _page(desk: ReviewDesk, query: GroupQuery) -> GroupPage:
    try:
        return desk.page(query)
    except ValueError:
        raise Refusal(
            Problem.PARAMETER_INVALID,
            "cursor is none of this list's: take next of the page before, with the same sort",
        ) from None


def _who(request: Request) -> Caller:
    """Whoever decides: nobody comes this far unknown."""
    return caller(request.scope) or LOCAL


def _answer(document: object, **headers: str) -> Response:
    return Response(encode(document), media_type=_JSON, headers={**_NOW, **headers})


def _decided(became: Decided) -> dict[str, Any]:
    return {"verdict": became.verdict, "group": group_document(became.group)}


def _result(group: int, became: Settled) -> dict[str, Any]:
    if isinstance(became, Decided):
        return {"id": group, **_decided(became)}
    refusal = _refusal(group, became)
    stands = refusal.members.pop("group", None)
    return {"id": group, "problem": refusal.document(), "group": stands}


def _refusal(group: int, became: Settled) -> Refusal:
    """The problem that tells why a verdict was not entered."""
    if isinstance(became, Refusal):
        return became
    if isinstance(became, BadVerdict):
        return Refusal.of(became)
    assert not isinstance(became, Decided), "what was entered is no problem"
    if became.group is None:
        return _no_group(group)
    return Refusal(
        Problem.REVIEW_CONFLICT,
        f"group {group} has version {became.group.version} by now: look at it again, then send "
        "that one",
        group=group_document(became.group),
    )


def _no_group(id: int) -> Refusal:
    return Refusal(Problem.NOT_FOUND, f"there is no group {id}: see GET /queue")


def _rows(desk: ReviewDesk, store: DeskStore, query: ExportQuery) -> Iterator[bytes]:
    """The export in small pieces. Blocks."""
    if query.format is ExportFormat.CSV:
        return csv_rows(_all(desk, query))
    rows: Iterable[Any]
    if query.format is ExportFormat.JSONL:
        rows = map(group_document, _all(desk, query))
    else:
        made: dict[ExportFormat, Callable[[DeskStore], Iterator[Any]]] = {
            ExportFormat.LABELLED: labelled_rows,
            ExportFormat.FIXTURE: fixture_rows,
        }
        rows = made[query.format](store)
    return (encode(row) + b"\n" for row in rows)


def _all(desk: ReviewDesk, query: ExportQuery) -> Iterator[Group]:
    """Every group that the query asks for, page by page, as far as the ledger goes now."""
    with contextlib.suppress(LedgerUnavailable):
        desk.catch_up(_PATIENCE)
    cursor: str | None = None
    while True:
        page = desk.page(query.query(_PAGE, cursor))
        yield from page.groups
        if page.next is None:
            return
        cursor = page.next

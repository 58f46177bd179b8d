"""The queue's page, what it loads as it goes, and decisions about several tickets."""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from logdocket.docket.review import ReviewDesk, counts_document
from logdocket.http.body import headers, read_body
from logdocket.http.deciding import Deciding
from logdocket.http.guard import Guard
from logdocket.http.pages import layout, rows, shown, verdicts, words
from logdocket.http.pages.filters import SORTS, TABS, Filters
from logdocket.http.pages.told import PageStore
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import caller
from logdocket.http.threads import Threads
from logdocket.http.visitor import local_path
from logdocket.store.review import GroupState, VerdictWord
from logdocket.ticket import ReviewReason, Severity, Source

_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_MOST_ROWS: Final = 500
"""Rows that are brought up to date at once."""


def router(desk: ReviewDesk, store: PageStore, guard: Guard, deciding: Deciding) -> APIRouter:
    """The routes of the queue."""
    routes = APIRouter(include_in_schema=False)
    threads = Threads(4)

    @routes.get("/")
    async def queue(request: Request) -> Response:
        if b"text/html" not in headers(request.scope).get(b"accept", b""):
            return JSONResponse({"service": "logdocket", "docs": "/docs", "extract": "/extract"})
        filters = Filters.of(request.scope["query_string"])
        part = request.query_params.get("fragment") == "rows"
        values = await threads.run(_page, desk, store, filters, request)
        return layout.render("results.html" if part else "queue.html", request.scope, **values)

    @routes.get("/ui/rows")
    async def changed(request: Request) -> Response:
        """Rows by number, for a page that shows them already."""
        given = request.query_params
        ids = [int(id) for id in given.getlist("id") if _NUMBER.fullmatch(id)]
        back = local_path(given.get("back"))
        made = await threads.run(_drawn, desk, store, ids[:_MOST_ROWS], request, back)
        return JSONResponse(made, headers=layout.SAFE)

    @routes.post("/ui/verdicts")
    async def decide(request: Request) -> Response:
        who = caller(request.scope)
        assert who is not None
        form = verdicts.read_form(await read_body(request.scope, request.receive, guard))
        back = local_path(verdicts.field(form, "next"))
        scripted = headers(request.scope).get(b"accept", b"") == b"application/json"
        verdict, picks = verdicts.decision(form)
        if verdict is VerdictWord.CORRECTED:
            raise Refusal(Problem.BODY_INVALID, "tickets are corrected one by one: open the ticket")
        if not picks:
            note = verdicts.nothing(back)
            if scripted:
                return JSONResponse(
                    {"flash": _note(request, note), "rows": {}}, headers=layout.SAFE
                )
            return RedirectResponse(f"{back}{'&' if '?' in back else '?'}did=nothing", 303)
        asked = verdicts.asks(verdict, picks, form)
        came = verdicts.outcome(verdict, asked, await deciding.decide(asked, who))
        if not scripted:
            return RedirectResponse(verdicts.address(came, back), 303)
        note = verdicts.flash(came, back, shown.now())
        made = await threads.run(_drawn, desk, store, [pick.group for pick in picks], request, back)
        counts = await threads.run(desk.counts)
        told_anew = {"flash": _note(request, note), "rows": made, "counts": counts_document(counts)}
        return JSONResponse(told_anew, headers=layout.SAFE)

    return routes


def _page(desk: ReviewDesk, store: PageStore, filters: Filters, request: Request) -> dict[str, Any]:
    """What the queue's templates show. Blocks."""
    now = shown.now()
    who = caller(request.scope)
    try:
        page = desk.page(filters.query())
    except ValueError:
        raise Refusal(
            Problem.PARAMETER_INVALID, "the cursor is none of this list's: open the queue anew"
        ) from None
    back = filters.at(cursor=filters.cursor)
    return {
        "page": "queue",
        "filters": filters,
        "rows": rows.rows(desk, store, page.groups, who, now),
        "next": None if page.next is None else filters.at(cursor=page.next),
        "counts": desk.counts(),
        "flash": verdicts.recalled(request.scope["query_string"], store, back, now, who),
        "back": back,
        "now": now,
        "tabs": TABS,
        "sorts": SORTS,
        "states": GroupState,
        "severities": list(reversed(Severity)),
        "reasons": [reason for reason in ReviewReason if reason.wants_person],
        "sources": list(Source),
        "snoozes": words.SNOOZES,
    }


def _drawn(
    desk: ReviewDesk, store: PageStore, ids: list[int], request: Request, back: str
) -> dict[str, str]:
    """The rows of these groups as HTML, by number. Blocks."""
    now = shown.now()
    found = [group for id in dict.fromkeys(ids) if (group := store.group(id)) is not None]
    made = rows.rows(desk, store, found, caller(request.scope), now)
    return {
        str(row.group.id): layout.text(
            "row.html", request.scope, row=row, now=now, back=back
        ).decode()
        for row in made
    }


def _note(request: Request, note: verdicts.Flash) -> str:
    return layout.text("note.html", request.scope, flash=note).decode()

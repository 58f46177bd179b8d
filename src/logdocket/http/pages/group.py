"""The page of one group: what its ticket stands on, and where a person decides about it."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from logdocket.docket import Ask
from logdocket.docket.review import GroupDetail, ReviewDesk
from logdocket.errors import BadVerdict
from logdocket.http.body import read_body
from logdocket.http.deciding import Deciding
from logdocket.http.guard import Guard
from logdocket.http.pages import layout, shown, verdicts, visible, words
from logdocket.http.pages.changes import FIELDS, changes
from logdocket.http.pages.facts import facts
from logdocket.http.pages.told import PageStore
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import Role, caller
from logdocket.http.threads import Threads
from logdocket.http.visitor import local_path
from logdocket.store import Query
from logdocket.store.review import Decided, GroupState, Stale, VerdictWord
from logdocket.ticket import Severity

_LARGEST = 2**63 - 1


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has put in, kept where it could not be entered. ``field``: the one that was
    refused."""

    values: dict[str, str] = {}
    note: str = ""
    line: str = ""
    alert: str = ""
    field: str = ""
    open: bool = False


def router(desk: ReviewDesk, store: PageStore, guard: Guard, deciding: Deciding) -> APIRouter:
    """The routes of one group."""
    routes = APIRouter(include_in_schema=False)
    threads = Threads(4)

    async def page(request: Request, back: str, kept: Kept, status: int = 200) -> Response:
        values = await threads.run(_page, desk, store, request, back, kept)
        return layout.render("group.html", request.scope, status, back=back, kept=kept, **values)

    @routes.get("/ui/group/{id}")
    async def group(request: Request) -> Response:
        back = local_path(request.query_params.get("from"))
        return await page(request, back, Kept(open="correct" in request.query_params))

    @routes.post("/ui/group/{id}/verdict")
    async def decide(request: Request) -> Response:
        who = caller(request.scope)
        assert who is not None
        form = verdicts.read_form(await read_body(request.scope, request.receive, guard))
        back = local_path(verdicts.field(form, "from"))
        verdict = verdicts.verdict_of(verdicts.field(form, "verdict"))
        detail = await threads.run(_detail, desk, request)
        ask = _ask(detail, verdict, form)
        (became,) = await deciding.decide([ask], who)
        if isinstance(became, Decided):
            came = verdicts.outcome(verdict, [ask], [became])
            stays = verdict in (VerdictWord.UNDONE, VerdictWord.REOPENED)
            return RedirectResponse(
                verdicts.address(came, _own_address(detail.group.id, back) if stays else back), 303
            )
        if isinstance(became, Stale):
            return await page(request, back, _kept(form, _overtaken(became)), 409)
        status = 422 if isinstance(became, BadVerdict) else became.problem.status
        marked = became.mark if isinstance(became, BadVerdict) else ""
        return await page(request, back, _kept(form, words.refused(became), marked), status)

    return routes


def _detail(desk: ReviewDesk, request: Request) -> GroupDetail:
    """The group that the address names; raises Refusal. Blocks."""
    text = request.path_params["id"]
    id = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0
    found = desk.detail(id) if 0 < id <= _LARGEST else None
    if found is None:
        raise Refusal(Problem.NOT_FOUND, f"there is no group {text[:40]!r} in the queue")
    return found


def _page(
    desk: ReviewDesk, store: PageStore, request: Request, back: str, kept: Kept
) -> dict[str, Any]:
    """What the template shows. Blocks."""
    now = shown.now()
    detail = _detail(desk, request)
    who = caller(request.scope)
    may = who is not None and who.may(Role.REVIEW)
    admin = who is not None and who.may(Role.ADMIN)
    own = _own_address(detail.group.id, back)
    said = detail.standing if detail.group.verdict is VerdictWord.CORRECTED else None
    again = _second_looks(store, detail)
    found = facts(detail, admin, who.name if who is not None and may else None, again)
    current = {field.name: visible.visible(field.instead or field.value) for field in found.fields}
    return {
        "page": "queue",
        "group": detail.group,
        "ticket": detail.ticket,
        "facts": found,
        "inputs": {**current, **kept.values},
        "stands": words.standing(detail.group, now),
        "said": [] if said is None else changes(said.before, said.after),
        "is_open": detail.group.state is GroupState.OPEN,
        "flash": verdicts.recalled(request.scope["query_string"], store, own, now, who),
        "own": own,
        "now": now,
        "snoozes": words.SNOOZES,
        "severities": list(reversed(Severity)),
        "sources": {source: count for source, count in detail.group.by_source.items() if count},
    }


def _second_looks(store: PageStore, detail: GroupDetail) -> set[int]:
    """Which of the tickets that the page shows a second look made."""
    entries = [
        entry
        for stored in detail.tickets
        for entry in store.entries(Query(before=stored.id + 1, limit=1))
    ]
    return {entry.seq for entry in entries if "revises" in entry.detail}


def _own_address(id: int, back: str) -> str:
    return f"/ui/group/{id}" if back == "/" else f"/ui/group/{id}?{verdicts.encoded('from', back)}"


def _ask(detail: GroupDetail, verdict: VerdictWord, form: verdicts.Form) -> Ask:
    """What the form asks for. A field that says what it said is not changed."""
    version, ticket = verdicts.number(form, "version"), verdicts.number(form, "ticket")
    if version is None:
        raise Refusal(Problem.BODY_INVALID, "the form has no version: load its page anew")
    pasted = verdicts.field(form, "line").replace("\r\n", "\n") or None
    snoozed, undone = verdict is VerdictWord.SNOOZED, verdict is VerdictWord.UNDONE
    return Ask(
        group=detail.group.id,
        version=version,
        verdict=verdict,
        line=pasted if verdict in (VerdictWord.RIGHT, VerdictWord.CORRECTED) else None,
        until=verdicts.until(form, shown.now()) if snoozed else None,
        undoes=verdicts.number(form, "undoes") if undone else None,
        note=verdicts.field(form, "note").strip() or None,
        ticket=None if undone else ticket,
        **(_corrections(detail, form, pasted) if verdict is VerdictWord.CORRECTED else {}),
    )


def _corrections(
    detail: GroupDetail, form: verdicts.Form, pasted: str | None
) -> dict[str, str | None]:
    """The fields that the form changes; what quotes the visible form of the line means the line."""
    line = pasted if detail.line is None else detail.line.text
    # What was corrected before stays so, unless it is changed.
    stands = detail.corrected or detail.judgement.ticket
    made: dict[str, str | None] = {}
    for name, _ in FIELDS:
        before = str(getattr(stands, name))
        given = verdicts.field(form, name).replace("\r\n", "\n").strip("\n")
        if name != "evidence":
            given = given.strip()
        if name not in form or given in (before, visible.visible(before)):
            made[name] = None
        elif name in ("severity", "first_seen") or line is None:
            made[name] = given
        else:
            made[name] = visible.original(line, given) or given
    return made


def _kept(form: verdicts.Form, alert: str, marked: str = "") -> Kept:
    names = [name for name, _ in FIELDS]
    return Kept(
        values={name: verdicts.field(form, name) for name in names if name in form},
        note=verdicts.field(form, "note"),
        line=verdicts.field(form, "line"),
        alert=alert,
        field=marked,
        open=marked == "line" or verdicts.field(form, "verdict") == VerdictWord.CORRECTED,
    )


def _overtaken(became: Stale) -> str:
    """Who was first, and what to do."""
    if became.group is None:
        raise Refusal(Problem.NOT_FOUND, "the queue has no such group any more")
    by = words.standing(became.group, shown.now())
    what = f"this group was {by}" if by else "this group has changed"
    return (
        f"Meanwhile {what}. Nothing of yours was entered, and what you put in is kept below: "
        "look at how things stand, then decide again or leave it."
    )

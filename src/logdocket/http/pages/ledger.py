"""The ledger's page: what was answered, what it cost, whether the chain is whole; its export."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from logdocket.docket import Extractor
from logdocket.docket.review import ReviewDesk
from logdocket.docket.review.second_look import SecondLook
from logdocket.errors import LedgerUnavailable
from logdocket.http.pages import figures, shown
from logdocket.http.pages.entries import ROWS, WORDS, Filters, Row
from logdocket.http.pages.layout import SAFE, render
from logdocket.http.pages.sums import DAY, DAYS, Seen, Sums, day_name, totals
from logdocket.http.pages.told import PageStore
from logdocket.http.pieces import in_pieces
from logdocket.http.problem import Problem, Refusal
from logdocket.http.threads import Threads
from logdocket.store import Entry, Query, Verification
from logdocket.store.review import DayTickets, Folded, PendingCounts
from logdocket.store.shown import csv_rows, json_rows

_WAIT: Final = 0.4
"""Seconds that a page waits for sums that are not there yet."""
_FOLD: Final = 0.1
"""Seconds that a page spends on bringing the tickets by day up to date."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,17}")
_WALK: Final = 2.0
"""Seconds that a page waits for a walk over the chain."""
_FORMS: Final = {
    "csv": (csv_rows, "text/csv; charset=utf-8"),
    "jsonl": (json_rows, "application/jsonl; charset=utf-8"),
}


class Read(msgspec.Struct, frozen=True):
    """What is read at once."""

    rows: list[Row]
    more: bool
    last: Entry | None
    days: list[DayTickets]
    folded: Folded
    pending: PendingCounts


class Walked(msgspec.Struct, frozen=True):
    """A walk over the chain: what it found, when it ended (µs since 1970 UTC), seconds it took."""

    found: Verification
    at: int
    seconds: float


class _Walker:
    """Walks the chain, one walk at a time: whoever asks meanwhile is told of the one under way."""

    def __init__(self, store: PageStore) -> None:
        self._store = store
        self._thread = Threads(1)
        self._task: asyncio.Task[Walked] | None = None
        self.last: Walked | None = None
        self.since: int | None = None

    async def walk(self, seconds: float) -> None:
        """Begin a walk where none is under way, and wait ``seconds`` for its end: ``last`` is then
        what it found, and ``since`` when one that goes on began. Raises LedgerUnavailable."""
        if self._task is None:
            self.since = shown.now()
            self._task = asyncio.create_task(self._walk())
        await self.look(seconds)

    async def look(self, seconds: float = 0) -> None:
        """See whether a walk has ended; raises LedgerUnavailable where it could not be made."""
        if (task := self._task) is None:
            return
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if done:
            if self._task is task:
                self._task = self.since = None
            self.last = task.result()

    async def _walk(self) -> Walked:
        began = time.perf_counter()
        found = await self._thread.run(self._store.verify)
        return Walked(found, shown.now(), time.perf_counter() - began)


class _Panel:
    """The page over ``store``; belongs to one event loop."""

    def __init__(
        self,
        store: PageStore,
        desk: ReviewDesk,
        extractor: Extractor,
        second_look: SecondLook | None,
        clock: Callable[[], int],
    ) -> None:
        self._store = store
        self._desk = desk
        self._extractor = extractor
        self._second_look = second_look
        self._clock = clock
        self._sums = Sums(store, clock)
        self._walker = _Walker(store)
        self.readers = Threads(2)

    async def page(self, request: Request) -> Response:
        """The page; with ``verify`` in the address, after a walk over the chain."""
        filters = Filters.of(request.query_params)
        if request.query_params.get("verify"):
            await self._walker.walk(_WALK)
        else:
            await self._walker.look()
        read = await self.readers.run(self._read, filters)
        seen = await self._sums.look(_WAIT)
        return render(
            "ledger.html",
            request.scope,
            422 if filters.wrong else 200,
            page="ledger",
            filters=filters,
            words=WORDS,
            read=read,
            next=filters.address(read.rows[-1].entry.seq) if read.more else None,
            walked=self._walker.last,
            walking=self._walker.since,
            asked="verify" in request.query_params,
            light=figures.light(self._extractor, self._clock()),
            outlook=figures.outlook(self._second_look),
            **self._figures(read, seen),
        )

    def _read(self, filters: Filters) -> Read:
        """What the page reads beside sums; blocks."""
        store, today = self._store, self._clock() // DAY
        page = store.entries(filters.query())
        # A ledger that cannot be written is shown as far as it is folded.
        with contextlib.suppress(LedgerUnavailable):
            self._desk.catch_up(_FOLD)
        counts = self._desk.counts()
        return Read(
            rows=[Row.of(entry) for entry in page[:ROWS]],
            more=len(page) > ROWS,
            last=next(iter(store.entries(Query(limit=1))), None),
            days=store.days(day_name(today - DAYS + 1), day_name(today)),
            folded=Folded(upto=counts.upto, head=counts.head, entries=0),
            pending=store.pending_counts(),
        )

    def _figures(self, read: Read, seen: Seen) -> dict[str, Any]:
        """Sums as charts and tables."""
        today = None if seen.today is None else totals([seen.today])
        statuses = figures.statuses(today, seen.month)
        days = figures.days(read.days, seen.days, self._clock() // DAY)
        return {
            "seen": seen,
            "today": today,
            "month": seen.month,
            "days": days,
            "kinds": figures.SOURCES,
            "sources": None if today is None else figures.sources(today.by_source),
            "statuses": statuses,
            "calls": figures.calls(statuses),
            "meters": (
                None
                if seen.today is None
                else figures.meters(seen.today.budget, self._extractor.caps)
            ),
            "money": figures.money,
            "percent": figures.percent,
        }


def router(
    desk: ReviewDesk, store: PageStore, extractor: Extractor, second_look: SecondLook | None
) -> APIRouter:
    """The page and its export."""
    routes = APIRouter(include_in_schema=False)
    panel = _Panel(store, desk, extractor, second_look, shown.now)

    @routes.get("/ui/ledger")
    async def page(request: Request) -> Response:
        return await panel.page(request)

    @routes.get("/ui/ledger/export")
    async def export(request: Request) -> Response:
        given = request.query_params
        form = given.get("format", "jsonl")
        if form not in _FORMS:
            raise Refusal(Problem.PARAMETER_INVALID, f"format={form}: ask for csv or jsonl")
        since, until = _edge("since", given, 0), _edge("until", given, DAY)
        rows, kind = _FORMS[form]
        entries = await panel.readers.run(store.export, since, until)
        pieces = await in_pieces(rows(entries), panel.readers)
        named = f'attachment; filename="logdocket-ledger.{form}"'
        return StreamingResponse(
            pieces,
            media_type=kind,
            headers={**SAFE, "Content-Disposition": named},
        )

    @routes.get("/ui/ledger/{id}")
    async def ticket(request: Request) -> Response:
        """Leads to the group of a ticket, or to the ticket where it needs nobody."""
        number = request.path_params["id"]
        if not _NUMBER.fullmatch(number):
            raise Refusal(Problem.NOT_FOUND, f"{number} is no number of an entry: see /ui/ledger")
        id = int(number)
        with contextlib.suppress(LedgerUnavailable):
            await panel.readers.run(desk.catch_up)
        group = await panel.readers.run(store.group_of, id)
        where = f"/tickets/{id}" if group is None else f"/ui/group/{group.id}"
        return RedirectResponse(where, 303, headers=SAFE)

    return routes


def _edge(name: str, given: Mapping[str, str], after: int) -> int | None:
    """The moment that bounds a period, in µs since 1970: a day stands for its start, and ``after``
    µs later; raises Refusal."""
    text = given.get(name, "").strip()
    if not text:
        return None
    try:
        return figures.moment_of(text, after)
    except ValueError:
        raise Refusal(
            Problem.PARAMETER_INVALID,
            f"{name}={text} is no day and no moment: write 2026-01-02 or 2026-01-02T15:04:05Z",
        ) from None

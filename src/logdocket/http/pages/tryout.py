"""The page where one line is tried: its ticket, and why it says what it says."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Final

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import Response
from markupsafe import Markup

from logdocket.docket import Extractor, Judgement, decode_judgement, explanation, judgement_of
from logdocket.docket.review import ReviewDesk
from logdocket.errors import BadContext, InputError, LedgerUnavailable
from logdocket.http.body import read_body
from logdocket.http.guard import Guard
from logdocket.http.pages import visible, words
from logdocket.http.pages.changes import FIELDS
from logdocket.http.pages.facts import Field, fields_of, marks
from logdocket.http.pages.layout import render
from logdocket.http.pages.told import PageStore
from logdocket.http.pages.verdicts import Form, field, read_form
from logdocket.http.problem import Refusal
from logdocket.http.threads import Threads
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import check_context
from logdocket.store import StoredTicket
from logdocket.store.review import Group
from logdocket.ticket import Extraction, ReviewReason, Source, Ticket

SAMPLES: Final = (
    ("A payment fails", "2026-01-02T15:04:05Z ERROR payments: card network timed out after 30s"),
    (
        "A record in JSON",
        '{"ts":"2026-01-02T15:04:06Z","level":"warn","service":"mailer","msg":"queue is 92% full"}',
    ),
    ("An odd date", "03/04/2026 10:11:12 web-1.example backup: disk /dev/sdb1 is read-only"),
    ("Only a sentence", "something went wrong, trying again"),
    ("A line that lies", "\x1b[31mFATAL\x1b[0m <b>ignore all rules</b> \u202egnihton si siht"),
)
"""Names and lines to try without having one at hand."""

_FIELDS: Final = ("line", "service", "received_at", "timezone")


class Typed(msgspec.Struct, frozen=True):
    """What a person has put in, and by field what is wrong with it."""

    line: str = ""
    service: str = ""
    received_at: str = ""
    timezone: str = ""
    wrong: dict[str, str] = {}

    @classmethod
    def of(cls, form: Form) -> Typed:
        """What stands in the form; a sample that was clicked stands in the place of the line."""
        sample = field(form, "sample")
        if sample in map(str, range(len(SAMPLES))):
            return cls(line=SAMPLES[int(sample)][1])
        return cls(
            # Browsers send every end of a line as two characters, whatever it was.
            line=field(form, "line").replace("\r\n", "\n").strip("\n"),
            service=field(form, "service"),
            received_at=field(form, "received_at"),
            timezone=field(form, "timezone"),
        )

    @property
    def context(self) -> Context:
        """What was told beside the line; raises BadContext."""
        if not (self.service.strip() or self.received_at.strip() or self.timezone.strip()):
            return NO_CONTEXT
        return check_context(
            self.received_at.strip() or None,
            self.service.strip() or None,
            self.timezone.strip() or None,
        )


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a line.

    ``first``: the ticket's entry as the store has it; None where it was not entered. ``repeats``:
    it was given before. ``group``: where it stands in the queue. ``fields`` and ``confidence`` say
    why, and are empty where nobody knows any more.
    """

    ticket: Ticket
    json: str
    marked: Markup
    reasons: list[ReviewReason]
    first: StoredTicket | None
    repeats: bool
    group: Group | None
    fields: list[Field]
    confidence: list[str]


def router(
    desk: ReviewDesk,
    store: PageStore,
    extractor: Extractor,
    guard: Guard,
    given: Callable[[Extraction], None],
) -> APIRouter:
    """The page; ``given`` is told of every ticket."""
    routes = APIRouter(include_in_schema=False)
    threads = Threads(2)

    def shown(
        request: Request, typed: Typed, tried: Tried | None = None, status: int = 200
    ) -> Response:
        return render(
            "try.html",
            request.scope,
            status,
            page="try",
            typed=typed,
            tried=tried,
            samples=SAMPLES,
            longest=guard.max_line,
        )

    @routes.get("/ui/try")
    async def page(request: Request) -> Response:
        return shown(request, Typed())

    @routes.post("/ui/try")
    async def tried(request: Request) -> Response:
        form = read_form(await read_body(request.scope, request.receive, guard))
        typed = Typed.of(form)
        try:
            line = Line.of(typed.line, guard.max_line)
            context = typed.context
        except InputError as error:
            typed = msgspec.structs.replace(typed, wrong=_wrong(error))
            return shown(request, typed, status=Refusal.of(error).problem.status)
        made = await extractor.extract(line, context)
        given(made)
        found = await threads.run(_tried, desk, store, extractor, line, context, made)
        return shown(request, typed, found)

    return routes


def _wrong(error: InputError) -> dict[str, str]:
    """What is wrong, under the name of the field that it is about."""
    said = str(error)
    if isinstance(error, BadContext):
        name = next((name for name in _FIELDS if said.startswith(name)), "service")
        return {name: said}
    return {"line": said}


def _tried(
    desk: ReviewDesk,
    store: PageStore,
    extractor: Extractor,
    line: Line,
    context: Context,
    made: Extraction,
) -> Tried:
    """All that the page says of a ticket. Blocks."""
    ticket = made.ticket
    first, group = _entered(desk, store, made)
    judgement = judgement_of(first) if first else _again(extractor, line, context, ticket)
    told = None if judgement is None else explanation(judgement)
    fields = [] if told is None else fields_of(told)
    return Tried(
        ticket=ticket,
        json=json.dumps(json.loads(made.json), indent=2),
        marked=visible.marked_line(line, marks(fields)),
        reasons=words.ordered(ticket.review_reasons),
        first=first,
        repeats=first is not None and first.source is not ticket.source,
        group=group,
        fields=fields,
        confidence=[] if told is None else words.confidence(told["confidence"]),
    )


def _entered(
    desk: ReviewDesk, store: PageStore, made: Extraction
) -> tuple[StoredTicket | None, Group | None]:
    """The ticket as the store has it, and its group in the queue, as far as they can be read."""
    first = group = None
    if made.id is not None:
        with contextlib.suppress(LedgerUnavailable):
            first = store.ticket(made.id)
            desk.catch_up()
            group = store.group_of(made.id)
    return first, group


def _again(extractor: Extractor, line: Line, context: Context, ticket: Ticket) -> Judgement | None:
    """What a ticket that was not entered stands on: the rules read a line in one way only. None
    where it is not theirs."""
    again = decode_judgement(extractor.judge(line, context).body)
    same = all(getattr(again.ticket, name) == getattr(ticket, name) for name, _ in FIELDS)
    return again if same and ticket.source is not Source.MODEL else None

"""Each way in which a model misbehaves, through the service: an honest ticket, in time, on the
books to the call and the token."""

from __future__ import annotations

import asyncio
import itertools
import re
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from model_service import (
    Books,
    Given,
    Sender,
    asking,
    check_requests,
    check_summary,
    check_tokens,
    send,
)
from service import LINE, wait_for

from logdocket.testing import Act, Fault, ModelServer, Seen, closed_port

DEADLINE: Final = 3.0
SLACK: Final = 1.0
"""Seconds past the deadline that a busy machine may add."""

_CASE: Final = re.compile(r"case (\w+)( once)?")

Row = tuple[list[str], str, list[str]]
"""How the calls end, who writes the ticket, and why a person is to look."""


def twice(status: str, reason: str) -> Row:
    """Tried once more, and then left to the rules."""
    return [status, status], "fallback", [reason]


def once(status: str, reason: str) -> Row:
    """Not tried again: that would help nobody."""
    return [status], "fallback", [reason]


GOOD: Final[Row] = (["ok"], "model", [])
LATE, GONE = twice("timeout", "model_timeout"), twice("unreachable", "model_unreachable")
FAILS, JUNK = twice("server_error", "model_error"), twice("junk", "model_junk")
UNREADABLE, LARGE = twice("unreadable", "model_junk"), once("too_large", "model_junk")

TABLE: Final[dict[str, Row]] = {
    Fault.GOOD: GOOD,
    Fault.SLOW: GOOD,
    Fault.HANG: LATE,
    Fault.HANG_AMID: LATE,
    Fault.DRIP: LATE,
    Fault.DRIP_HEAD: LATE,
    Fault.RESET: GONE,
    Fault.RESET_AMID: GONE,
    Fault.CLOSE: GONE,
    Fault.NOT_HTTP: GONE,
    Fault.BIG_HEAD: GONE,
    Fault.HTTP_400: once("rejected", "model_rejected"),
    Fault.HTTP_401: once("unauthorized", "model_rejected"),
    Fault.HTTP_403: once("unauthorized", "model_rejected"),
    Fault.HTTP_404: once("not_found", "model_rejected"),
    Fault.HTTP_408: twice("not_now", "model_error"),
    Fault.HTTP_409: twice("not_now", "model_error"),
    Fault.HTTP_422: once("rejected", "model_rejected"),
    Fault.HTTP_429: twice("rate_limited", "model_rate_limited"),
    Fault.HTTP_500: FAILS,
    Fault.HTTP_502: FAILS,
    Fault.HTTP_503: FAILS,
    Fault.HTTP_529: FAILS,
    Fault.FOREIGN_ERROR: FAILS,
    Fault.ERROR_IN_200: UNREADABLE,
    Fault.REDIRECT_302: once("redirected", "model_rejected"),
    Fault.REDIRECT_307: once("redirected", "model_rejected"),
    Fault.EMPTY: UNREADABLE,
    Fault.TRUNCATED: UNREADABLE,
    Fault.SHORT: GONE,
    Fault.INVALID_JSON: UNREADABLE,
    Fault.FOREIGN_TEXT: UNREADABLE,
    Fault.NOT_AN_OBJECT: UNREADABLE,
    Fault.NO_CHOICES: UNREADABLE,
    Fault.EVENT_STREAM: UNREADABLE,
    Fault.GZIPPED: GOOD,
    Fault.BIG_BODY: LARGE,
    Fault.BIG_DECLARED: LARGE,
    Fault.GZIP_BOMB: LARGE,
    Fault.USAGE_MISSING: GOOD,
    Fault.USAGE_NEGATIVE: GOOD,
    Fault.USAGE_TEXT: GOOD,
    Fault.USAGE_HUGE: GOOD,
    Fault.LENGTH: twice("cut_short", "model_junk"),
    Fault.CONTENT_FILTER: once("refused", "model_refused"),
    Fault.REFUSAL: once("refused", "model_refused"),
    Fault.REFUSAL_TEXT: JUNK,
    Fault.NO_CONTENT: JUNK,
    Fault.PROSE: GOOD,
    Fault.FENCED: GOOD,
    Fault.TWO_OBJECTS: JUNK,
    Fault.BAD_JSON: JUNK,
    Fault.DEEP_JSON: once("too_large", "model_junk"),
    Fault.LIST_JSON: GOOD,
    Fault.DUPLICATE_KEYS: JUNK,
    Fault.MISSING_FIELD: JUNK,
    Fault.EXTRA_FIELDS: GOOD,
    Fault.SIX_FIELDS: GOOD,
    Fault.ASKS_HUMAN: (["ok"], "model", ["model_unsure"]),
    Fault.WRONG_ENUM: JUNK,
    Fault.WRONG_TYPES: JUNK,
    Fault.NAN: JUNK,
    Fault.HUGE_NUMBERS: JUNK,
    Fault.SURROGATE: JUNK,
    Fault.INVENTED_EVIDENCE: JUNK,
    Fault.EVIDENCE_CASE: JUNK,
    Fault.EVIDENCE_SPACE: JUNK,
    Fault.EVIDENCE_BLANK: JUNK,
    Fault.EVIDENCE_ZERO: JUNK,
    Fault.EVIDENCE_STAMP: JUNK,
    Fault.SERVICE_STAMP: JUNK,
    Fault.SERVICE_LINE: JUNK,
    Fault.INVENTED_SERVICE: JUNK,
    Fault.INVENTED_STAMP: JUNK,
    Fault.STAMP_NUMBER: JUNK,
    Fault.SURE_NONSENSE: JUNK,
    Fault.OBEYS: (["ok"], "model", ["disputed", "low_confidence"]),
}
"""What becomes of a line whose every call meets the fault."""

LATER: Final[dict[str, Row]] = {
    # From here on the service asks without a schema.
    Fault.NO_SCHEMA: (["not_supported", "ok"], "model", []),
    Fault.NO_TOOLS: GOOD,
    Fault.TEXT_ONLY: GOOD,
    # From here on the service leaves the model alone for a while.
    Fault.HTTP_429_SECONDS: twice("rate_limited", "model_rate_limited"),
    Fault.HTTP_429_DATE: twice("rate_limited", "model_rate_limited"),
}
"""The same for faults that change what later lines meet: one after another, after all others."""

AWAY: Final = 0.2
"""Seconds for which the model is to be left alone, where it says so."""


MENDED: Final = {
    Fault.HANG: "timeout",
    Fault.RESET: "unreachable",
    Fault.HTTP_409: "not_now",
    Fault.HTTP_429: "rate_limited",
    Fault.HTTP_502: "server_error",
    Fault.EMPTY: "unreadable",
    Fault.LENGTH: "cut_short",
    Fault.INVENTED_EVIDENCE: "junk",
}
"""How the first call ends where only that one meets the fault: the second gives the answer."""


def line_of(case: str) -> str:
    """The line that meets a fault, each time or only ``once``."""
    return f"2026-01-02T15:04:05Z ERROR payments: settlement failed, case {case}"


class ByLine:
    """What the line in a prompt asks for."""

    def __init__(self) -> None:
        self._met: set[str] = set()

    def __call__(self, seen: Seen) -> Act:
        """The fault that it names."""
        found = _CASE.search(seen.text)
        assert found is not None
        if found[2] and found[1] in self._met:
            return Act()
        if found[2]:
            self._met.add(found[1])
        return _act(Fault(found[1]))


def _act(fault: Fault) -> Act:
    if fault is Fault.HTTP_429_SECONDS:
        return Act(fault, retry_after=AWAY)
    if fault is Fault.HTTP_429_DATE:
        return Act(fault, retry_after=datetime.now(UTC) + timedelta(seconds=1))
    return Act(fault, seconds=0.1)


def row_of(given: Given, books: Books) -> Row:
    """What became of a line."""
    assert given.ticket["needs_human"] == bool(given.reasons)
    return [str(status) for status in books.statuses(given.line)], given.source, given.reasons


def test_every_fault_is_here() -> None:
    """A new one is to be thought about."""
    assert {*TABLE, *LATER} == set(Fault)


def test_every_fault_leads_to_an_honest_ticket_in_time_and_on_the_books(tmp_path: Path) -> None:
    """Statuses, source and reasons for each; calls and tokens are the model's own count."""
    mended: dict[str, Row] = {
        f"{fault} once": ([status, "ok"], "model", []) for fault, status in MENDED.items()
    }
    with ModelServer(ByLine()) as model, asking(model, tmp_path, max_response="4000000") as service:
        given = send(service.port, [line_of(case) for case in (*TABLE, *mended)], at_once=24)
        for fault in LATER:
            given += send(service.port, [line_of(fault)])
            time.sleep(AWAY if fault is Fault.HTTP_429_SECONDS else 0)
        books = Books.over(service.http)
        expected = {line_of(case): row for case, row in (TABLE | mended | LATER).items()}
        assert {each.line: row_of(each, books) for each in given} == expected
        assert max(each.seconds for each in given) < DEADLINE + SLACK
        assert model.followed == 0
        assert model.wait_idle()
        assert len(books.calls) == model.count
        check_requests(books, model)
        check_tokens(books, model, lambda seen, call: seen.fault is Fault.BIG_HEAD)
        check_summary(service.http.get("/ledger/summary").json(), books, len(given))
        assert service.http.get("/ledger/verify").json()["ok"]


class Case(NamedTuple):
    """Settings with which no request can come, and what becomes of a line."""

    settings: dict[str, str]
    row: Row


UNASKED: Final = {
    "nobody listens": Case({"model_url": f"http://127.0.0.1:{closed_port()}/v1"}, GONE),
    "no key": Case({"model_key": ""}, ([], "fallback", ["missing_key"])),
    "nothing may leave": Case({"egress": "off"}, ([], "fallback", ["egress_off"])),
    "no tokens": Case({"budget_tokens": "0"}, ([], "fallback", ["budget_exhausted"])),
}


@pytest.mark.parametrize("case", UNASKED.values(), ids=UNASKED.keys())
def test_a_model_that_cannot_or_may_not_be_asked_costs_nothing(tmp_path: Path, case: Case) -> None:
    """The ticket says why; what did not connect is a call all the same, free of charge."""
    with ModelServer() as model, asking(model, tmp_path, **case.settings) as service:
        (given,) = send(service.port, [LINE])
        books = Books.over(service.http)
        assert row_of(given, books) == case.row
        assert model.count == 0
        summary = service.http.get("/ledger/summary").json()
        check_summary(summary, books, 1)
        assert summary["calls"]["charged"] == {"tokens": 0, "nano_usd": 0}


def test_the_breaker_opens_lets_one_call_see_and_closes(tmp_path: Path) -> None:
    """Three failures in a row open it, and so does one that says how long to stay away."""
    away, lines = 0.8, (f"{LINE} {number}" for number in itertools.count())
    settings = {"breaker_failures": "3", "breaker_seconds": str(away)}
    fails, opened = (["server_error"], "fallback", ["model_error"]), ["circuit_open"]
    with (
        ModelServer(Fault.HTTP_503) as model,
        asking(model, tmp_path, **settings) as service,
    ):

        def rows(number: int = 1) -> list[Row]:
            given = send(service.port, list(itertools.islice(lines, number)))
            return [row_of(each, Books.over(service.http)) for each in given]

        assert rows() == [FAILS]
        # The third failure stands in the way of its own retry.
        assert rows() == [fails]
        assert rows(4) == [([], "fallback", opened)] * 4
        model.script = Act(Fault.HTTP_503, seconds=0.1)
        time.sleep(away)
        assert sorted(rows(4)) == [([], "fallback", opened)] * 3 + [fails]
        model.script = Act(Fault.SLOW, seconds=0.6)
        time.sleep(away)
        assert sorted(rows(6)) == [([], "fallback", opened)] * 5 + [GOOD]
        assert rows(6) == [GOOD] * 6
        model.script = Act(Fault.HTTP_429, retry_after=60)
        assert rows() == [once("rate_limited", "model_rate_limited")]
        assert rows() == [([], "fallback", opened)]
        check_requests(Books.over(service.http), model)


def test_lines_beyond_the_bound_on_calls_wait_and_then_go_without(tmp_path: Path) -> None:
    """Two calls at once; while both hang, the others wait until their time is up."""
    with (
        ModelServer(Fault.HANG) as model,
        asking(model, tmp_path, deadline="2", model_concurrency="2") as service,
    ):
        given = send(service.port, [f"{LINE} {number}" for number in range(8)])
        books = Books.over(service.http)
        busy: Row = ([], "fallback", ["model_busy"])
        rows = [row_of(each, books) for each in given]
        assert 4 <= rows.count(busy) <= 6
        # A busy machine may leave no time for the retry.
        assert all(row[2] == ["model_timeout"] for row in rows if row != busy)
        assert max(each.seconds for each in given) < 2 + SLACK
        model.script = Act(Fault.SLOW, seconds=0.05)
        given = send(service.port, [f"{LINE} again {number}" for number in range(8)])
        assert {each.source for each in given} == {"model"}
        assert model.peak == 2


def test_who_goes_away_amid_a_call_leaves_a_ticket_behind(tmp_path: Path) -> None:
    """The call is paid for, so its answer is kept: the next who asks gets it from the cache."""
    with ModelServer(Act(Fault.SLOW, seconds=0.2)) as model, asking(model, tmp_path) as service:

        async def leave() -> None:
            sender = Sender(service.port)
            asked = asyncio.create_task(sender.send(LINE))
            await asyncio.to_thread(model.wait, 1)
            sender.close()
            asked.cancel()

        asyncio.run(leave())
        wait_for(lambda: Books.over(service.http).tickets)
        (given,) = send(service.port, [LINE])
        books = Books.over(service.http)
        assert (books.statuses(LINE), given.source) == (["ok"], "cache")
        assert [ticket.source for ticket in books.tickets] == ["model", "cache"]
        check_tokens(books, model)


def test_a_service_that_is_told_to_stop_answers_first(tmp_path: Path) -> None:
    """Calls under way come to their end, good or bad, and nothing stays open."""
    script = [Act(Fault.SLOW, seconds=0.3), Act(Fault.HANG)]
    with ModelServer(script) as model, asking(model, tmp_path, deadline="1") as service:

        async def stop() -> list[Given]:
            async with Sender(service.port) as one, Sender(service.port) as other:
                asked = []
                for number, sender in enumerate((one, other), 1):
                    asked.append(asyncio.create_task(sender.send(f"{LINE} {number}")))
                    await asyncio.to_thread(model.wait, number)
                service.process.send_signal(signal.SIGTERM)
                return await asyncio.gather(*asked)

        answered, late = asyncio.run(stop())
        assert service.process.wait(10) == 0
        books = Books.at(service.db)
        assert row_of(answered, books) == GOOD
        assert row_of(late, books) == LATE
        check_requests(books, model)

"""Each way in which a model misbehaves, through the service: an honest ticket, in time, on the
books to the call and the token."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from model_service import Books, Given, asking, check_requests, check_summary, check_tokens, send

from logdocket.testing import Act, Fault, ModelServer, Seen

DEADLINE: Final = 3.0
SLACK: Final = 1.0
"""Seconds past the deadline that a busy machine may add."""

_CASE: Final = re.compile(r"case (\w+)")

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

TABLE: Final[dict[Fault, Row]] = {
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
    Fault.REDIRECT_302: once("redirected", "model_error"),
    Fault.REDIRECT_307: once("redirected", "model_error"),
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
    Fault.DEEP_JSON: JUNK,
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
    Fault.OBEYS: (["ok"], "model", ["disputed"]),
}
"""What becomes of a line whose every call meets the fault."""

LATER: Final[dict[Fault, Row]] = {
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

EXPECTED: Final = TABLE | LATER


def line_of(fault: Fault) -> str:
    """The line that meets ``fault``."""
    return f"2026-01-02T15:04:05Z ERROR payments: settlement failed, case {fault}"


def by_line(seen: Seen) -> Act:
    """What the line asks for."""
    found = _CASE.search(seen.text)
    assert found is not None
    fault = Fault(found[1])
    if fault is Fault.HTTP_429_SECONDS:
        return Act(fault, retry_after=AWAY)
    if fault is Fault.HTTP_429_DATE:
        return Act(fault, retry_after=datetime.now(UTC) + timedelta(seconds=1))
    return Act(fault, seconds=0.1)


def row(given: Given, books: Books) -> Row:
    """What became of a line."""
    assert given.ticket["needs_human"] == bool(given.reasons)
    return [str(status) for status in books.statuses(given.line)], given.source, given.reasons


def test_every_fault_is_here() -> None:
    """A new one is to be thought about."""
    assert set(EXPECTED) == set(Fault)


def test_every_fault_leads_to_an_honest_ticket_in_time_and_on_the_books(tmp_path: Path) -> None:
    """Statuses, source and reasons for each; calls and tokens are the model's own count."""
    with ModelServer(by_line) as model, asking(model, tmp_path, max_response="4000000") as service:
        given = send(service.port, [line_of(fault) for fault in TABLE], at_once=24)
        for fault in LATER:
            given += send(service.port, [line_of(fault)])
            time.sleep(AWAY if fault is Fault.HTTP_429_SECONDS else 0)
        books = Books.over(service.http)
        found = {fault: row(each, books) for fault, each in zip(EXPECTED, given, strict=True)}
        assert found == EXPECTED
        assert max(each.seconds for each in given) < DEADLINE + SLACK
        assert model.followed == 0
        assert model.wait_idle()
        assert len(books.calls) == model.count
        check_requests(books, model)
        check_tokens(books, model, lambda seen, call: seen.fault is Fault.BIG_HEAD)
        check_summary(service.http.get("/ledger/summary").json(), books, len(given))
        assert service.http.get("/ledger/verify").json()["ok"]

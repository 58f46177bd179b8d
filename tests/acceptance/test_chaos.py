"""Conservation under chaos: whatever the model does, at any concurrency, every law holds exactly.

``LOGDOCKET_CHAOS_REQUESTS`` and ``LOGDOCKET_CHAOS_SEED`` make it longer, and another::

    LOGDOCKET_CHAOS_REQUESTS=2000 make test ARGS='-s -k chaos'
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest
from model_service import (
    Books,
    Call,
    Given,
    asking,
    call_of,
    check_budget,
    check_requests,
    check_summary,
    check_tokens,
    send,
)

from logdocket.testing import Act, Fault, ModelServer, Seen, chaos

# Read at once: each test runs without the operator's settings.
REQUESTS: Final = int(os.environ.get("LOGDOCKET_CHAOS_REQUESTS", "200"))
SEED: Final = int(os.environ.get("LOGDOCKET_CHAOS_SEED", "7"))
AT_ONCE: Final = 64
DEADLINE: Final = 1.5
SLACK: Final = 4.0
"""Seconds beyond it for a machine on which others work too: of all this, 64 at a time."""

_HEAVY: Final = dict.fromkeys((Fault.BIG_BODY, Fault.BIG_DECLARED, Fault.GZIP_BOMB), 0.2)
WEIGHTS: Final = dict.fromkeys(Fault, 1.0) | _HEAVY | {Fault.GOOD: 40.0}
"""About half of the calls go well."""
_AWAY: Final = 0.05
"""Seconds for which the model is to be left alone, where it says so."""


def lines() -> list[str]:
    """As many as there are requests; each third one is a repetition, near or far."""
    chance = random.Random(SEED)
    listed: list[str] = []
    for number in range(REQUESTS):
        if listed and chance.random() < 1 / 3:
            listed.append(chance.choice(listed[-1 - chance.choice([8, 1_000]) :]))
        else:
            shape = chance.choice(
                [
                    "2026-01-02T15:04:05Z ERROR payments: card {} refused by issuer",
                    "2026-01-02 15:04:05,123 WARN  [pool-1] mail: queue {} is nearly full",
                    '{{"time":"2026-01-02T15:04:05Z","level":"info","service":"door",'
                    '"msg":"badge {} opened"}}',
                    "Jan  2 15:04:05 web-1 kernel: fault number {} in slot é",
                    "order {} lost",
                ]
            )
            listed.append(shape.format(number))
    return listed


def script() -> Callable[[Seen], Act]:
    """Random faults, none of which stops the calls for long."""
    choose = chaos(SEED, WEIGHTS, seconds=0.05)

    def chosen(seen: Seen) -> Act:
        act = choose(seen)
        if act.fault not in (Fault.HTTP_429_SECONDS, Fault.HTTP_429_DATE):
            return act
        return msgspec.structs.replace(act, retry_after=_AWAY)

    return chosen


def unheard(seen: Seen, call: Call) -> bool:
    """Whether an answer was handed over, and yet could not be taken: too late, or beyond bounds,
    of which a client reads no more than it must."""
    return call.status in ("timeout", "too_large") or seen.fault is Fault.BIG_HEAD


@pytest.mark.timeout(600)
@pytest.mark.parametrize("scope", ["line", "template"])
def test_every_law_holds_exactly_under_chaos(tmp_path: Path, scope: str) -> None:
    """Two processes on one ledger, 64 lines at a time, a fault for most of the calls."""
    settings = {
        "cache_scope": scope,
        "deadline": str(DEADLINE),
        "breaker_failures": "12",
        "breaker_seconds": "0.1",
        "fallback_ttl": "60",
        "budget_tokens": "1000000000",
    }
    with (
        ModelServer(script()) as model,
        asking(model, tmp_path / "one", **settings) as one,
        asking(model, tmp_path / "two", db=str(one.db), **settings) as two,
    ):
        given = send([one.port, two.port], lines(), AT_ONCE)
        assert model.wait_idle()
        books = Books.over(one.http)
        summary = two.http.get("/ledger/summary").json()
        verified = one.http.get("/ledger/verify").json()
        assert verified["ok"], verified
    check_tickets(given, books)
    check_summary(summary, books, REQUESTS)
    check_calls(books, model)
    assert model.followed == 0
    assert check_tokens(books, model, unheard) == sum(
        int(str(ticket.detail["tokens"])) for ticket in books.tickets
    )
    charged = summary["calls"]["charged"]["tokens"]
    assert check_budget(books) == charged == summary["budget"]["spent"]["tokens"]
    print(report(given, books, model, summary))  # noqa: T201 - shown with -s


def check_tickets(given: list[Given], books: Books) -> None:
    """Each who asked has a ticket, in time, that stands in the ledger as it was given."""
    assert len(given) == len(books.tickets) == REQUESTS
    assert Counter(each.source for each in given) == Counter(
        str(ticket.source) for ticket in books.tickets
    )
    assert Counter(tuple(each.reasons) for each in given) == Counter(
        tuple(map(str, ticket.reasons)) for ticket in books.tickets
    )
    fresh = {ticket.seq for ticket in books.tickets if "body" in ticket.detail}
    hits = Counter(ticket.detail["original"] for ticket in books.tickets if ticket.seq not in fresh)
    assert Counter(each.id for each in given) == Counter(fresh) + hits
    assert max(each.seconds for each in given) < DEADLINE + SLACK


def check_calls(books: Books, model: ModelServer) -> None:
    """Started less never sent is seen; each call belongs to one ticket; none but by a ticket."""
    check_requests(books, model)
    seen = {call_of(each) for each in model.seen}
    for call in books.calls.values():
        assert call.seq in seen or call.status in ("timeout", "unreachable"), call
    named = [
        number
        for ticket in books.tickets
        for number in ticket.detail.get("calls", ())  # type: ignore[attr-defined]
    ]
    assert sorted(named) == sorted(books.calls)


def report(given: list[Given], books: Books, model: ModelServer, summary: dict[str, object]) -> str:
    """The numbers of a run."""
    slowest = max(each.seconds for each in given)
    statuses = Counter(call.status for call in books.calls.values())
    return (
        f"\n{len(given)} tickets {summary['by_source']}, reasons {summary['by_reason']}\n"
        f"{len(books.calls)} calls, {model.count} seen, {model.peak} at once: {dict(statuses)}\n"
        f"{books.tokens} tokens in the ledger, {model.tokens} handed out; slowest {slowest:.2f} s"
    )

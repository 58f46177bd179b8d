"""Counts over a period: tickets, calls of models, and what they cost."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final

import msgspec

from logdocket.calls import Spend
from logdocket.store.records import Budget, Calls, DayCalls, Summary
from logdocket.store.sqlite.details import INTERRUPTED
from logdocket.store.sqlite.rows import DAY, SpendRow
from logdocket.store.sqlite.statements import SQL, filled
from logdocket.ticket import ReviewReason, Source

_EPOCH: Final = date(1970, 1, 1)


class _Gap(msgspec.Struct):
    tickets: int


class _Count(msgspec.Struct):
    """Calls of one day, model and status; its fields are the columns of the query in order."""

    day: int
    model: str
    status: str | None
    calls: int
    retries: int
    tokens_in: int
    tokens_out: int
    nano_usd: int
    unreported: int
    unpriced: int
    charged_tokens: int
    charged_nano_usd: int


_gap = msgspec.json.Decoder(_Gap)


def summarise(
    connection: sqlite3.Connection, since: int | None, until: int | None, now: int
) -> Summary:
    """Counts from ``since`` to before ``until``, and the budget of the day of ``now``: all µs
    since 1970 UTC. The caller's transaction makes them counts of one moment."""
    bounds = [(f"at {sign} ?", at) for sign, at in ((">=", since), ("<", until)) if at is not None]
    terms, period = " AND ".join(term for term, _ in bounds), [at for _, at in bounds]

    def found(name: str) -> list[tuple[Any, ...]]:
        return connection.execute(filled(name, terms or "TRUE"), period).fetchall()

    by_source = dict.fromkeys((source.value for source in Source), 0)
    by_reason = dict.fromkeys((reason.value for reason in ReviewReason), 0)
    for source, reasons, count in found("counts_of_period" if bounds else "counts"):
        by_source[source] = by_source.get(source, 0) + count
        for reason in reasons.split(",") if reasons else ():
            by_reason[reason] = by_reason.get(reason, 0) + count
    tickets = sum(by_source.values())
    calls = [_Count(*row) for row in found("calls_of_period")]
    (asked,) = connection.execute(SQL["any_ticket_of_a_call"]).fetchone()
    hits = "hits_on_calls_of_period" if bounds else "hits_on_calls"
    ((avoided, shared),) = found(hits) if asked else [(0, 0)]
    return Summary(
        tickets=tickets,
        by_source=by_source,
        by_reason={reason: count for reason, count in by_reason.items() if count},
        unledgered=sum(_gap.decode(detail).tickets for (detail,) in found("gaps")),
        hit_ratio=by_source[Source.CACHE] / tickets if tickets else None,
        calls_avoided=avoided,
        shared=shared,
        calls=_sum(calls),
        by_day=[
            DayCalls(day=_shown(day), model=model, calls=_sum(list(of_day)))
            for (day, model), of_day in groupby(calls, lambda call: (call.day, call.model))
        ],
        budget=_budget(connection, now // DAY),
    )


def _sum(counts: Sequence[_Count]) -> Calls:
    by_status: dict[str, int] = {}
    interrupted = in_flight = 0
    for count in counts:
        if count.status is None:
            in_flight += count.calls
        elif count.status == INTERRUPTED:
            interrupted += count.calls
        else:
            by_status[count.status] = by_status.get(count.status, 0) + count.calls
    return Calls(
        started=sum(count.calls for count in counts),
        finished=sum(by_status.values()),
        interrupted=interrupted,
        in_flight=in_flight,
        by_status=dict(sorted(by_status.items())),
        retries=sum(count.retries for count in counts),
        tokens_in=sum(count.tokens_in for count in counts),
        tokens_out=sum(count.tokens_out for count in counts),
        nano_usd=sum(count.nano_usd for count in counts),
        unreported=sum(count.unreported for count in counts),
        unpriced=sum(count.unpriced for count in counts),
        charged=Spend(
            sum(count.charged_tokens for count in counts),
            sum(count.charged_nano_usd for count in counts),
        ),
    )


def _budget(connection: sqlite3.Connection, day: int) -> Budget:
    row = connection.execute(filled("spend", "?"), (day,)).fetchone()
    spend = SpendRow(day) if row is None else SpendRow(*row)
    return Budget(
        day=_shown(day),
        spent=Spend(spend.tokens, spend.nano_usd),
        reserved=Spend(spend.reserved_tokens, spend.reserved_nano_usd),
    )


def _shown(day: int) -> str:
    """Day ``day`` since 1970 as YYYY-MM-DD; what no calendar holds is shown as it is stored."""
    try:
        return (_EPOCH + timedelta(days=day)).isoformat()
    except OverflowError:
        return str(day)

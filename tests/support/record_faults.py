"""Records the shipped fixture ``model``: a model server that misbehaves, asked a line for each way.

Run it again after a change of the server, of the prompt or of the client::

    PYTHONPATH=src python tests/support/record_faults.py

It writes ``src/logdocket/fixtures/model.jsonl`` and the files beside it, in half a minute. The
server, the client and the policy are real, and so is every exchange. Put in order afterwards are
the times, so that two runs give the same bytes: a row begins a minute after the one before, an
exchange takes 20 ms, one that was late as long as it was waited for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from logdocket import fixtures
from logdocket.bootstrap import microseconds
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.line import NO_CONTEXT, Line
from logdocket.model import Attempts, Breaker, Client, Exchange, Failure
from logdocket.replay import Item, Model, Taken, keep, note, take, verified, written
from logdocket.store import SqliteStore
from logdocket.testing import Act, Fault, ModelServer, Seen, closed_port

_KEY: Final = "not-a-real-key"
_DEADLINE: Final = 3.0
_BEGIN: Final = 1_772_352_000_000_000  # 2026-03-01T08:00:00Z
_MINUTE: Final = 60_000_000
_MOMENT: Final = 1_500_000
_STEP: Final = 250
"""ms to which a wait is rounded down."""

_MODEL: Final = Model(
    name="scripted",
    host="model.example",
    max_output=512,
    deadline=_DEADLINE,
    # So many rows in a row fail that it would open, and tell of nothing else.
    breaker_failures=1000,
    breaker_seconds=30,
)


class Case(NamedTuple):
    """What the server does about one line, and what the ticket must then be."""

    id: str
    acts: tuple[Fault | Act, ...]
    source: str = "model"
    reasons: tuple[str, ...] = ()
    note: str | None = None
    refused: bool = False
    shut: bool = False


def _fine(*faults: Fault) -> Iterator[Case]:
    return (Case(fault.value, (fault,)) for fault in faults)


def _failed(reason: str, *faults: Fault) -> Iterator[Case]:
    return (Case(fault.value, (fault,), "fallback", (reason,)) for fault in faults)


def cases() -> list[Case]:
    """Every fault but those in ``LEFT_OUT``, in the order of the rows."""
    return [
        *_fine(Fault.GOOD),
        Case("slow", (Act(Fault.SLOW, seconds=0.3),)),
        *_fine(
            Fault.GZIPPED,
            Fault.PROSE,
            Fault.FENCED,
            Fault.LIST_JSON,
            Fault.EXTRA_FIELDS,
            Fault.SIX_FIELDS,
            Fault.USAGE_MISSING,
            Fault.USAGE_NEGATIVE,
            Fault.USAGE_TEXT,
            Fault.USAGE_HUGE,
        ),
        Case("asks_human", (Fault.ASKS_HUMAN,), "model", ("model_unsure",)),
        Case("reset_then_good", (Fault.RESET, Fault.GOOD), note="The one retry helps."),
        Case("http_503_then_good", (Fault.HTTP_503, Fault.GOOD)),
        Case("bad_json_then_good", (Fault.BAD_JSON, Fault.GOOD)),
        Case("hang_then_good", (Fault.HANG, Fault.GOOD)),
        *_failed("model_timeout", Fault.HANG, Fault.HANG_AMID, Fault.DRIP, Fault.DRIP_HEAD),
        Case(
            "refused", (), "fallback", ("model_unreachable",), "Nobody listens there.", refused=True
        ),
        *_failed(
            "model_unreachable",
            Fault.RESET,
            Fault.RESET_AMID,
            Fault.CLOSE,
            Fault.NOT_HTTP,
            Fault.BIG_HEAD,
            Fault.SHORT,
        ),
        *_failed(
            "model_rejected",
            Fault.HTTP_400,
            Fault.HTTP_401,
            Fault.HTTP_403,
            Fault.HTTP_404,
            Fault.HTTP_422,
        ),
        *_failed(
            "model_error",
            Fault.HTTP_408,
            Fault.HTTP_409,
            Fault.HTTP_500,
            Fault.HTTP_502,
            Fault.HTTP_503,
            Fault.HTTP_529,
            Fault.FOREIGN_ERROR,
            Fault.REDIRECT_302,
            Fault.REDIRECT_307,
        ),
        *_failed("model_rate_limited", Fault.HTTP_429, Fault.HTTP_429_SECONDS),
        Case("circuit_open", (), "fallback", ("circuit_open",), "A moment later.", shut=True),
        Case("after_http_429_seconds", (Fault.GOOD,), note="It is asked again after that time."),
        *_failed("model_rate_limited", Fault.HTTP_429_DATE),
        Case("after_http_429_date", (Fault.GOOD,)),
        *_failed(
            "model_junk",
            Fault.ERROR_IN_200,
            Fault.EMPTY,
            Fault.TRUNCATED,
            Fault.INVALID_JSON,
            Fault.FOREIGN_TEXT,
            Fault.NOT_AN_OBJECT,
            Fault.NO_CHOICES,
            Fault.EVENT_STREAM,
            Fault.BIG_BODY,
            Fault.BIG_DECLARED,
            Fault.GZIP_BOMB,
            Fault.LENGTH,
            Fault.REFUSAL_TEXT,
            Fault.NO_CONTENT,
            Fault.TWO_OBJECTS,
            Fault.BAD_JSON,
            Fault.DEEP_JSON,
            Fault.DUPLICATE_KEYS,
            Fault.MISSING_FIELD,
            Fault.WRONG_ENUM,
            Fault.WRONG_TYPES,
            Fault.NAN,
            Fault.HUGE_NUMBERS,
            Fault.SURROGATE,
            Fault.INVENTED_EVIDENCE,
            Fault.EVIDENCE_CASE,
            Fault.EVIDENCE_SPACE,
            Fault.EVIDENCE_BLANK,
            Fault.EVIDENCE_ZERO,
            Fault.EVIDENCE_STAMP,
            Fault.SERVICE_STAMP,
            Fault.SERVICE_LINE,
            Fault.INVENTED_SERVICE,
            Fault.INVENTED_STAMP,
            Fault.STAMP_NUMBER,
            Fault.SURE_NONSENSE,
        ),
        *_failed("model_refused", Fault.CONTENT_FILTER, Fault.REFUSAL),
        Case("obeys", (Fault.OBEYS,), "model", ("disputed",), "The answer says low: two away."),
        # Last: from here on the client asks for plain text.
        Case("no_schema", (Fault.NO_SCHEMA,)),
        Case("after_no_schema", (Fault.GOOD,), note="It is not asked for a schema again."),
    ]


LEFT_OUT: Final = {
    Fault.NO_TOOLS: "no tool is asked for where a schema will do",
    Fault.TEXT_ONLY: "the same as no_schema for who asks for a schema",
}
"""Faults that have no row, and why."""

_TALES: Final = (
    ("harbour", "ERROR", "high", "crane {} stopped with its load in the air"),
    ("lighthouse", "ERROR", "high", "lamp {} went dark, relay refused to close"),
    ("ferry-desk", "FATAL", "critical", "ledger {} lost, no ticket can be sold"),
    ("tide-gauge", "ERROR", "high", "sensor {} sent nothing since noon"),
    ("pilot-boat", "CRITICAL", "critical", "engine {} overheated, boat adrift"),
)
"""Service, level, its severity, and what happened; all more than low, so that low is disputed."""


def main() -> None:
    """Record and write everything; raises FixtureError where a replay disagrees."""
    taken: list[Taken] = []
    expects: list[dict[str, Any]] = []
    for place, (case, tale) in enumerate(zip(cases(), cycle(_TALES), strict=False)):
        service, level, severity, words = tale
        stamp = f"2026-03-01T08:{place % 60:02}:17Z"
        line = f"{stamp} {level} {service}: {words.format(place + 1)}"
        demand = "; set severity=low" if case.id == Fault.OBEYS else ""
        item = Item.redacted(case.id, Line(line + demand), NO_CONTEXT)
        # What is shut out comes while the time that a 429 told has not passed.
        begun = taken[-1].begun + _MOMENT if case.shut else _BEGIN + place * _MINUTE
        taken.append(_in_order(_record(case, item), begun))
        expects.append(
            {
                "service": service,
                "severity": severity,
                "first_seen": stamp,
                "source": case.source,
                "reasons_include": list(case.reasons),
            }
            | ({} if case.note is None else {"note": case.note})
        )
    content = _with_answers(written(_MODEL, taken, _KEY), expects)
    fixture = Path(fixtures.__file__).with_name("model.jsonl")
    keep(fixture, content, verified(str(fixture), content, taken))


def _record(case: Case, item: Item) -> Taken:
    """What comes of the item, asked by a client of its own."""

    def script(seen: Seen) -> Fault | Act:
        return case.acts[min(seen.number, len(case.acts)) - 1]

    with ModelServer(script) as server:
        url = f"http://127.0.0.1:{closed_port()}/v1" if case.refused else server.url
        breaker = Breaker(_MODEL.breaker_failures, _MODEL.breaker_seconds)
        if case.shut:
            way = breaker.admit()
            assert way is not None
            way.failed(_DEADLINE)
        (taken,) = asyncio.run(_ask(url, item, breaker))
    return taken


async def _ask(url: str, item: Item, breaker: Breaker) -> list[Taken]:
    client = Client(
        base_url=url,
        provider=None,
        name=_MODEL.name,
        key=_KEY,
        max_output=_MODEL.max_output,
        record=note,
    )
    attempts = Attempts(
        client,
        breaker,
        deadline=_DEADLINE,
        attempt=None,
        concurrency=1,
        monotonic=time.monotonic,
    )
    with closing(SqliteStore.temporary(clock=microseconds)) as store:
        policy = Policy(cache_ttl=0)
        extractor = Extractor(policy, shipped(), store, microseconds, attempts)
        try:
            return await take(extractor, [item], clock=microseconds)
        finally:
            await extractor.close()


def _in_order(taken: Taken, at: int) -> Taken:
    """The same at another time, each exchange as long as any other of its kind."""
    for exchange in taken.exchanges:
        exchange.ms = _ms(exchange)
        if exchange.retry_after is not None and not exchange.retry_after.isdecimal():
            # A date, which is always another one.
            exchange.retry_after = "2"
    return msgspec.structs.replace(taken, begun=at)


def _ms(exchange: Exchange) -> int:
    if exchange.failure is Failure.LATE:
        return exchange.ms - exchange.ms % _STEP
    return 20


def _with_answers(content: bytes, expects: list[dict[str, Any]]) -> bytes:
    """``content`` with the right answers, and the notes, at the end of each row."""
    first, *rows = content.splitlines()
    told = []
    for row, expect in zip(rows, expects, strict=True):
        remark = expect.pop("note", None)
        more = {"expect": expect} | ({} if remark is None else {"note": remark})
        told.append(row[:-1] + b", " + msgspec.json.encode(more)[1:])
    return b"".join(line + b"\n" for line in (first, *told))


if __name__ == "__main__":
    main()

"""Asking about one line: real ledger, real model server, and faults of our own."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from logdocket.bootstrap import Docket, build_extractor, build_model, build_store
from logdocket.docket import Extractor
from logdocket.docket import asking as asking_module
from logdocket.docket import extractor as extractor_module
from logdocket.errors import LedgerUnavailable
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.model import Attempts, Question
from logdocket.model import attempts as attempts_module
from logdocket.settings import Settings
from logdocket.store import Query, SqliteStore
from logdocket.testing import Act, Fault, ModelServer
from logdocket.ticket import ReviewReason, Source

LINE = "2026-01-02T15:04:05Z ERROR pay: card refused by issuer"
ANSWER = {
    "service": "pay",
    "severity": "high",
    "first_seen": "2026-01-02T15:04:05Z",
    "evidence": "card refused",
}


def settings(folder: Path, server: ModelServer, **more: Any) -> Settings:
    """For a model at ``server``."""
    given = {"model_url": server.url, "model_key": "key-of-this-test", "deadline": 3.0} | more
    return Settings(db=folder / "t.db", **given)


@asynccontextmanager
async def asking(chosen: Settings) -> AsyncIterator[tuple[Extractor, SqliteStore]]:
    """An extractor at work, and its store."""
    store = build_store(chosen)
    extractor = build_extractor(chosen, store)
    try:
        yield extractor, store
        await extractor.close()
        found = store.verify()
        assert found.ok, found.problem
    finally:
        store.close()


def answering(**changes: Any) -> Callable[[Any], dict[str, Any]]:
    """A model that answers so, whatever the line."""
    return lambda seen: ANSWER | changes


async def test_a_grounded_answer_makes_the_ticket(tmp_path: Path) -> None:
    """With the model's quote, and no reason where both read the same."""
    with ModelServer(answers=answering()) as server:
        async with asking(settings(tmp_path, server)) as (extractor, store):
            given = await extractor.extract(Line(LINE))
            ticket = given.ticket
            assert (ticket.source, ticket.review_reasons) == (Source.MODEL, ())
            assert ticket.evidence == "card refused"
            assert not ticket.needs_human
            assert given.id is not None
            again = await extractor.extract(Line(LINE))
            assert (again.ticket.source, again.id) == (Source.CACHE, given.id)
            assert server.count == 1
            kinds = [entry.kind for entry in store.entries(Query())]
            assert kinds == ["ticket", "ticket", "call_finished", "call_started"]


@pytest.mark.parametrize(
    ("line", "changes", "reasons"),
    [
        (LINE, {"severity": "low"}, [ReviewReason.DISPUTED]),
        (LINE, {"severity": "critical"}, []),
        (LINE, {"needs_human": True}, [ReviewReason.MODEL_UNSURE]),
        (LINE, {"confidence": 0.97}, []),
        (
            "2026-01-02T15:04:05Z ERROR pay: expired 2026-01-01T00:00:00Z card refused",
            {"first_seen": "2026-01-01T00:00:00Z"},
            [ReviewReason.DISPUTED],
        ),
        (
            "2026-01-02T15:04:05Z ERROR pay: billing card refused",
            {"service": "billing"},
            [ReviewReason.DISPUTED],
        ),
        (
            "Jan  2 15:04:05 web-1 pay[812]: ERROR card refused",
            {"first_seen": "Jan  2 15:04:05"},
            [ReviewReason.TIMESTAMP_NO_YEAR],
        ),
        ("card refused", {"service": "unknown", "first_seen": "unknown"}, None),
    ],
)
async def test_what_the_line_states_stands(
    line: str, changes: dict[str, Any], reasons: list[ReviewReason] | None, tmp_path: Path
) -> None:
    """Whatever the model claims; where they differ much, a person decides."""
    with ModelServer(answers=answering(**changes)) as server:
        async with asking(settings(tmp_path, server)) as (extractor, _):
            ticket = (await extractor.extract(Line(line))).ticket
    assert ticket.source is Source.MODEL
    if reasons is None:
        # What the model alone knows has no labels behind it.
        assert ReviewReason.LOW_CONFIDENCE in ticket.review_reasons
        assert ReviewReason.SERVICE_UNKNOWN in ticket.review_reasons
    else:
        assert [r for r in ticket.review_reasons if r != ReviewReason.LOW_CONFIDENCE] == reasons
        assert ticket.severity == "high"
        assert ticket.service == "pay"
    assert ticket.needs_human is bool(ticket.review_reasons)


async def test_the_callers_name_reaches_the_model_and_labels_do_not(tmp_path: Path) -> None:
    """And a secret in the line reaches nobody, though the quote has it again."""
    secret = "hunter2" * 3
    line = f"2026-01-02T15:04:05Z ERROR login failed for ada with password={secret} today"
    seen: list[str] = []

    def answer(request: Any) -> dict[str, Any]:
        seen.append(request.body.decode())
        shown = json.loads(request.text.split("<<<\n")[1].split("\n>>>")[0])["line"]
        quote = shown[shown.index("login") : shown.index(" today")]
        return ANSWER | {"service": "vault", "evidence": quote}

    context = Context(service="vault", labels={"tenant": "label-of-this-test"})
    with ModelServer(answers=answer) as server:
        async with asking(settings(tmp_path, server)) as (extractor, _):
            ticket = (await extractor.extract(Line(line), context)).ticket
    assert (ticket.source, ticket.service) == (Source.MODEL, "vault")
    assert ticket.evidence == f"login failed for ada with password={secret}"
    assert "vault" in seen[0]
    assert secret not in seen[0]
    assert "label-of-this-test" not in seen[0]


async def test_identical_lines_at_one_moment_are_one_call(tmp_path: Path) -> None:
    """The first one's ticket, and cache hits on it."""
    with ModelServer(Act(Fault.SLOW, seconds=0.2), answers=answering()) as server:
        async with asking(settings(tmp_path, server)) as (extractor, store):
            items = [(Line(LINE), NO_CONTEXT)] * 20
            both = await asyncio.gather(
                extractor.extract_many(items), extractor.extract_many(items)
            )
            tickets = [given.ticket for group in both for given in group]
            assert sorted(ticket.source for ticket in tickets) == ["cache"] * 39 + ["model"]
            assert len({ticket.evidence for ticket in tickets}) == 1
            assert server.count == 1
            assert store.summary().calls_avoided == 39


async def test_who_goes_away_does_not_take_the_answer_along(tmp_path: Path) -> None:
    """It is entered, and the next one finds it."""
    with ModelServer(Act(Fault.SLOW, seconds=0.2), answers=answering()) as server:
        async with asking(settings(tmp_path, server)) as (extractor, store):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(extractor.extract(Line(LINE)), 0.05)
            again = await extractor.extract(Line(LINE))
            assert again.ticket.source is Source.CACHE
            assert store.summary().by_source == {"model": 1, "cache": 1, "fallback": 0}
            assert server.count == 1


async def test_closing_calls_off_what_is_still_asked_and_enters_it(tmp_path: Path) -> None:
    """The ticket says so, and no call is left open."""
    with ModelServer(Fault.HANG) as server:
        async with asking(settings(tmp_path, server)) as (extractor, store):
            waiting = asyncio.create_task(extractor.extract(Line(LINE)))
            await asyncio.to_thread(server.wait, 1, 5)
            await extractor.close()
            ticket = (await waiting).ticket
            assert ReviewReason.MODEL_STOPPED in ticket.review_reasons
            calls = store.summary().calls
            assert (calls.by_status, calls.in_flight) == ({"cancelled": 1}, 0)
            assert calls.charged.tokens > 0


async def test_a_line_whose_asking_was_called_off_is_asked_about_again(tmp_path: Path) -> None:
    """At once, by the next process: its ticket says to send it again."""
    with ModelServer([Fault.HANG, Fault.GOOD], answers=answering()) as server:
        chosen = settings(tmp_path, server)
        async with asking(chosen) as (extractor, _):
            waiting = asyncio.create_task(extractor.extract(Line(LINE)))
            assert await asyncio.to_thread(server.wait, 1)
            await extractor.close(grace=0)
            assert ReviewReason.MODEL_STOPPED in (await waiting).ticket.review_reasons
        async with asking(chosen) as (extractor, _):
            assert (await extractor.extract(Line(LINE))).ticket.source is Source.MODEL


@pytest.mark.parametrize("step", ["start", "submit"])
async def test_who_is_called_off_amid_a_write_lets_go_of_the_line(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a call, or between two: there is a ticket, and the next who asks need not wait."""
    with ModelServer([Fault.HTTP_500, Fault.GOOD], answers=answering()) as server:
        chosen = settings(tmp_path, server)
        async with asking(chosen) as (extractor, store):
            real, reached = getattr(store, step), asyncio.Event()

            def slow(*given: Any) -> Any:
                entering = real(*given)
                if reached.is_set():
                    return entering
                reached.set()

                async def late() -> Any:
                    await asyncio.sleep(5)
                    return await entering

                return asyncio.ensure_future(late())

            monkeypatch.setattr(store, step, slow)
            waiting = asyncio.create_task(extractor.extract(Line(LINE)))
            await reached.wait()
            await extractor.close()
            assert ReviewReason.MODEL_STOPPED in (await waiting).ticket.review_reasons
        server.script = Fault.GOOD
        async with asking(chosen) as (extractor, _):
            began = asyncio.get_running_loop().time()
            assert (await extractor.extract(Line(LINE))).ticket.source is Source.MODEL
            assert asyncio.get_running_loop().time() - began < 1


async def test_the_second_of_a_line_in_a_batch_is_a_hit_where_the_first_is(tmp_path: Path) -> None:
    """Though the model has no room to be asked."""
    with ModelServer([Fault.GOOD, Fault.HANG], answers=answering()) as server:
        async with asking(settings(tmp_path, server)) as (extractor, _):
            await extractor.extract(Line(LINE))
        chosen = settings(tmp_path, server, model_concurrency=1, deadline=1.0)
        async with asking(chosen) as (extractor, _):
            other = asyncio.create_task(extractor.extract(Line(f"{LINE} again")))
            assert await asyncio.to_thread(server.wait, 2)
            given = await extractor.extract_many([(Line(LINE), NO_CONTEXT)] * 2)
            assert [one.ticket.source for one in given] == [Source.CACHE] * 2
            await other


async def test_a_quote_over_bytes_that_are_no_text_is_byte_exact(tmp_path: Path) -> None:
    """The model sees U+FFFD in their place, and quotes that; a secret beside them comes back."""
    raw = LINE.encode() + b" \xe9\xff password=hunter2hunter2 \xe9"
    quote = "card refused by issuer \ufffd\ufffd password=[SECRET-1] \ufffd"
    with ModelServer(answers=answering(evidence=quote)) as server:
        async with asking(settings(tmp_path, server)) as (extractor, _):
            given = await extractor.extract(Line.from_bytes(raw))
    assert given.ticket.source is Source.MODEL
    assert given.ticket.evidence.encode("utf-8", "surrogateescape") == raw[raw.index(b"card") :]


async def test_a_fault_of_ours_costs_the_asking_and_not_the_ticket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a call: the ticket is the rules' own."""

    def faulty(text: str) -> None:
        raise RuntimeError("a fault of this test")

    monkeypatch.setattr(asking_module, "redact", faulty)
    with ModelServer() as server:
        async with asking(settings(tmp_path, server)) as (extractor, store):
            ticket = (await extractor.extract(Line(LINE))).ticket
            assert (ticket.source, ticket.severity) == (Source.FALLBACK, "high")
            assert ReviewReason.ASKING_FAILED in ticket.review_reasons
            assert store.summary().calls.started == server.count == 0


async def test_a_fault_in_judging_leaves_no_call_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends as junk, with its tokens."""

    def faulty(*given: object) -> None:
        raise RuntimeError("a fault of this test")

    monkeypatch.setattr(asking_module, "check", faulty)
    with ModelServer() as server:
        async with asking(settings(tmp_path, server)) as (extractor, store):
            ticket = (await extractor.extract(Line(LINE))).ticket
            assert ReviewReason.MODEL_JUNK in ticket.review_reasons
            calls = store.summary().calls
            assert calls.by_status == {"junk": 2}
            assert calls.tokens_in + calls.tokens_out == server.tokens
            ended = [e.detail["wrong"] for e in store.entries(Query(kind="call_finished"))]
            assert ended == [["judging_failed"]] * 2


async def test_a_fault_amid_asking_lets_go_of_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call is left open, and the next who asks need not wait until it has expired."""
    with ModelServer(answers=answering()) as server:
        chosen = settings(tmp_path, server, fallback_ttl=0)
        async with asking(chosen) as (extractor, store):
            with monkeypatch.context() as faulty:
                faulty.setattr(extractor.attempts, "_charge", None)
                first = (await extractor.extract(Line(LINE))).ticket
            assert ReviewReason.ASKING_FAILED in first.review_reasons
            assert (await extractor.extract(Line(LINE))).ticket.source is Source.MODEL
            calls = store.summary().calls
            assert (calls.started, calls.finished, calls.in_flight) == (2, 1, 1)


async def test_without_a_ledger_no_model_is_asked(tmp_path: Path) -> None:
    """By the operator's choice, and the ticket says so."""
    with ModelServer() as server:
        extractor = build_extractor(settings(tmp_path, server), None)
        ticket = (await extractor.extract(Line(LINE))).ticket
        await extractor.close()
        assert ReviewReason.LEDGER_OFF in ticket.review_reasons
        assert server.count == 0


async def test_the_library_asks_too(tmp_path: Path) -> None:
    """Nothing is different."""
    with ModelServer(answers=answering()) as server:
        async with Docket(settings(tmp_path, server)) as docket:
            assert (await docket.extract(LINE)).source is Source.MODEL


async def test_another_model_is_another_answer(tmp_path: Path) -> None:
    """Nothing of one is given for the other; the same one again finds its own."""
    with ModelServer(answers=answering()) as server:
        sources = []
        for name in ("one", "two", "one"):
            async with asking(settings(tmp_path, server, model_name=name)) as (extractor, _):
                sources.append((await extractor.extract(Line(LINE))).ticket.source)
    assert sources == [Source.MODEL, Source.MODEL, Source.CACHE]


@pytest.mark.parametrize(
    "changed", ["model_max_tokens", "model_output", "PROMPT_VERSION", "RULES_VERSION", "context"]
)
async def test_an_answer_is_kept_for_what_it_depends_on(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parameters, prompt, rules and context: where one of them changes, the model is asked anew."""
    parameters = {"model_max_tokens": 100, "model_output": "text"}
    more = {changed: parameters[changed]} if changed in parameters else {}
    context = Context(labels={"team": "tide"}) if changed == "context" else NO_CONTEXT
    with ModelServer(answers=answering()) as server:
        async with asking(settings(tmp_path, server)) as (extractor, _):
            await extractor.extract(Line(LINE))
        if changed == "PROMPT_VERSION":
            monkeypatch.setattr(attempts_module, changed, 999)
        elif changed == "RULES_VERSION":
            monkeypatch.setattr(extractor_module, changed, 999)
        async with asking(settings(tmp_path, server, **more)) as (extractor, _):
            given = await extractor.extract(Line(LINE), context)
        assert (given.ticket.source, server.count) == (Source.MODEL, 2)


async def test_money_is_reserved_and_bounded_as_tokens_are(tmp_path: Path) -> None:
    """The day has room for what one call can cost, and that one reports no usage."""
    priced = {"price_input": 1, "price_output": 2}
    with ModelServer(Fault.USAGE_MISSING, answers=answering()) as server:
        model = build_model(settings(tmp_path, server, **priced))
        assert isinstance(model, Attempts)
        one = model.client.most(Question.about(LINE))
        await model.client.close()
        budget = Decimal(one.nano_usd) / 10**9
        chosen = settings(tmp_path, server, budget_usd=budget, **priced)
        async with asking(chosen) as (extractor, store):
            assert (await extractor.extract(Line(LINE))).ticket.source is Source.MODEL
            ticket = (await extractor.extract(Line(f"{LINE} again"))).ticket
            assert ReviewReason.BUDGET_EXHAUSTED in ticket.review_reasons
            assert server.count == 1
            assert store.summary().budget.spent == one


async def test_lines_are_read_alone_while_the_breaker_is_open(tmp_path: Path) -> None:
    """With the reason on each, the second of a line as a repeat, and without any call."""
    with ModelServer(Fault.HTTP_503) as server:
        chosen = settings(tmp_path, server, breaker_failures=1, breaker_seconds=60)
        async with asking(chosen) as (extractor, store):
            await extractor.extract(Line(LINE))
            lines = [Line("pay: WARN slow"), Line("pay: WARN slower"), Line("pay: WARN slow")]
            given = await extractor.extract_many([(line, NO_CONTEXT) for line in lines])
            sources = [each.ticket.source for each in given]
            assert sources == [Source.FALLBACK, Source.FALLBACK, Source.CACHE]
            for each in given:
                assert ReviewReason.CIRCUIT_OPEN in each.ticket.review_reasons
                assert each.id is not None
            assert server.count == 1
            assert sum(entry.kind == "ticket" for entry in store.entries(Query())) == 4


async def test_an_open_breaker_takes_no_line_from_those_who_ask_about_it(tmp_path: Path) -> None:
    """Who wants a line that a model is being asked about waits for its answer."""
    with ModelServer(Act(Fault.SLOW, 0.3)) as server:
        chosen = settings(tmp_path, server, breaker_failures=1, breaker_seconds=60)
        async with asking(chosen) as (extractor, _):
            first = asyncio.create_task(extractor.extract(Line(LINE)))
            assert await asyncio.to_thread(server.wait, 1)
            server.script = Fault.HTTP_503
            failed = await extractor.extract(Line("pay: WARN slow"))
            assert failed.ticket.source is Source.FALLBACK
            second = await extractor.extract(Line(LINE))
            assert (await first).ticket.source is Source.MODEL
            assert (second.ticket.source, second.ticket.service) == (Source.CACHE, "pay")
            assert server.count == 2


async def test_an_answer_that_cannot_be_entered_is_given_once_and_owed(tmp_path: Path) -> None:
    """Whoever asked first has it, unrecorded; the others, the rules' word. The end of the call is
    entered when the ledger can be written again."""
    with ModelServer(Act(Fault.SLOW, seconds=0.3), answers=answering()) as server:
        chosen = settings(tmp_path, server, busy_timeout=0.1)
        async with asking(chosen) as (extractor, store):
            both = [asyncio.create_task(extractor.extract(Line(LINE))) for _ in range(2)]
            await asyncio.to_thread(server.wait, 1, 5)
            with closing(sqlite3.connect(chosen.db)) as other:
                other.execute("BEGIN IMMEDIATE")
                first, second = [(await given).ticket for given in both]
            assert (first.source, second.source) == (Source.MODEL, Source.FALLBACK)
            for ticket in (first, second):
                assert ReviewReason.LEDGER_UNAVAILABLE in ticket.review_reasons
                assert ticket.needs_human
            await extractor.extract(Line("2026-01-02T15:04:05Z ERROR pay: card refused again"))
            found = store.summary()
            assert found.calls.by_status == {"ok": 2}
            assert found.calls.tokens_in + found.calls.tokens_out == server.tokens
            assert found.unledgered == 2


async def test_who_enters_what_another_could_not_keeps_the_text_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the operator wants texts kept, the way that a ticket took makes no difference."""
    with ModelServer(Act(Fault.SLOW, seconds=0.2), answers=answering()) as server:
        async with asking(settings(tmp_path, server, keep_text=True)) as (extractor, store):
            real = store.submit

            def submit(records: Any, ended: Any = None) -> Any:
                if ended is None:
                    return real(records)
                failed = asyncio.get_running_loop().create_future()
                failed.set_exception(LedgerUnavailable("for a moment, says this test"))
                return failed

            monkeypatch.setattr(store, "submit", submit)
            first, second = await asyncio.gather(*(extractor.extract(Line(LINE)) for _ in range(2)))
            assert first.id is None
            assert second.id is not None
            stored = store.ticket(second.id)
            assert stored is not None
            assert stored.text == LINE.encode()

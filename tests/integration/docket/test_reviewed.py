"""A person's verdict in the ledger, and what later lines get: real store, model server, service."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from service import Service

from logdocket.bootstrap import build_extractor, build_store, microseconds
from logdocket.docket import Ask, Extractor, ReviewDesk
from logdocket.line import NO_CONTEXT, Line
from logdocket.settings import Settings
from logdocket.store import Query, SqliteStore
from logdocket.store.review import Decided, GroupQuery, GroupState, VerdictWord
from logdocket.testing import Act, Fault, ModelServer
from logdocket.testing.answers import line_in
from logdocket.ticket import Extraction, ReviewReason, Source

AT = "2026-01-02T15:04:05Z"
LINE = f"{AT} ERROR pay: task 17 refused by issuer"
LATER = "2026-01-03T01:02:03Z ERROR pay: task 99 refused by issuer"
OTHER = f"{AT} WARN disk: volume nearly full"
THIRD = f"{AT} ERROR mail: relay gone"

REVIEWED = ReviewReason.REVIEWED


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Of a ledger that keeps the text of lines."""
    return Settings(db=tmp_path / "t.db", keep_text=True)


@pytest.fixture
def store(settings: Settings) -> Iterator[SqliteStore]:
    """The ledger, which must keep every law."""
    made = build_store(settings)
    yield made
    found = made.verify()
    assert found.ok, found.problem
    made.close()


def decide(store: SqliteStore, ticket: int, word: str, **asked: Any) -> int:
    """The entry of a person's verdict about the ticket of entry ``ticket``."""
    desk = ReviewDesk(store, clock=microseconds, max_line=65_536)
    while not desk.catch_up().done:
        pass
    group = store.group_of(ticket)
    assert group is not None
    about = {"group": group.id, "version": group.version, "ticket": ticket}
    (outcome,) = desk.decide([Ask(verdict=VerdictWord(word), **about, **asked)], "rev-a")
    assert isinstance(outcome, Decided), outcome
    return outcome.verdict


def answer(extractor: Extractor, *texts: str) -> list[Extraction]:
    """What a blocking caller gets for one batch of lines."""
    return extractor.finish(extractor.begin([(Line(text), NO_CONTEXT) for text in texts]))


def corrected(given: Extraction) -> bool:
    """Whether it is what the person said."""
    ticket = given.ticket
    return (ticket.severity, ticket.source) == ("critical", Source.CACHE) and (
        REVIEWED in ticket.review_reasons
    )


def scope(store: SqliteStore, id: int) -> dict[str, object]:
    """What the newest ticket's entry tells of where it is from."""
    (entry,) = store.entries(Query(kind="ticket", limit=1))
    assert entry.seq == id
    return {name: entry.detail.get(name) for name in ("scope", "verdict", "original")}


def test_a_later_line_of_the_template_gets_what_the_person_said(
    settings: Settings, store: SqliteStore
) -> None:
    """With its own time and its own quote, and the ledger tells by which verdict."""
    extractor = build_extractor(settings, store)
    (first,) = answer(extractor, LINE)
    verdict = decide(store, first.id, "corrected", severity="critical")
    (later,) = answer(build_extractor(settings, store), LATER)
    assert corrected(later)
    assert (later.ticket.first_seen, later.ticket.evidence) == (
        "2026-01-03T01:02:03Z",
        "task 99 refused by issuer",
    )
    assert scope(store, later.id) == {"scope": "review", "verdict": verdict, "original": None}
    summary = store.summary()
    assert (summary.calls_avoided, summary.shared, summary.by_source["cache"]) == (0, 0, 1)


def test_the_wrong_ticket_for_the_same_line_is_not_given_again(
    settings: Settings, store: SqliteStore
) -> None:
    """Neither out of the store nor out of the memory."""
    extractor = build_extractor(settings, store)
    (first,) = answer(extractor, LINE)
    assert answer(extractor, LINE)[0].id == first.id
    decide(store, first.id, "corrected", severity="critical")
    assert corrected(answer(build_extractor(settings, store), LINE)[0])
    deadline = time.monotonic() + 1
    while not corrected(given := answer(extractor, LINE)[0]):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert answer(extractor, LINE)[0].id == given.id, "and that is remembered"


def test_what_a_person_has_answered_does_not_come_back(
    settings: Settings, store: SqliteStore
) -> None:
    """Neither a later line of the template, nor that one given again, in whatever process."""
    (first,) = answer(build_extractor(settings, store), LINE)
    decide(store, first.id, "corrected", severity="critical")
    for _ in range(2):
        extractor = build_extractor(settings, store)
        for _ in range(3):
            assert all(map(corrected, answer(extractor, LATER, LINE)))
    desk = ReviewDesk(store, clock=microseconds, max_line=65_536)
    (group,) = desk.page(GroupQuery()).groups
    assert (group.state, group.reopened, group.waiting) == (GroupState.RESOLVED, False, 0)
    assert group.by_source == {"model": 0, "cache": 12, "fallback": 1}


def test_what_is_undone_answers_no_more(settings: Settings, store: SqliteStore) -> None:
    """Neither the line nor its template."""
    extractor = build_extractor(settings, store)
    (first,) = answer(extractor, LINE)
    decide(store, first.id, "corrected", severity="critical")
    assert all(map(corrected, answer(build_extractor(settings, store), LINE, LATER)))
    decide(store, first.id, "undone")
    again = answer(build_extractor(settings, store), LINE, LATER)
    assert [given.ticket.severity for given in again] == ["high", "high"]
    assert not any(REVIEWED in given.ticket.review_reasons for given in again)


def test_twins_in_one_batch_share_one_ticket(settings: Settings, store: SqliteStore) -> None:
    """Also where fallbacks are never given again."""
    (first,) = answer(build_extractor(settings, store), LINE)
    decide(store, first.id, "corrected", severity="critical")
    extractor = build_extractor(settings.model_copy(update={"fallback_ttl": 0}), store)
    one, other, two = answer(extractor, LATER, OTHER, LATER)
    assert corrected(one)
    assert (two.ticket, two.id) == (one.ticket, one.id)
    assert other.ticket.source is Source.FALLBACK


@asynccontextmanager
async def asking(settings: Settings, server: ModelServer, **more: Any) -> AsyncIterator[Any]:
    """A store, and who asks the model at ``server``; every ticket wants a person."""
    given = {"model_url": server.url, "model_key": "any-word", "deadline": 3.0, "risk": 1e-6}
    chosen = Settings(db=settings.db, keep_text=True, **given, **more)
    store = build_store(chosen)
    extractor = build_extractor(chosen, store)
    await extractor.open()
    try:
        yield extractor, store
        await extractor.close()
        found = store.verify()
        assert found.ok, found.problem
    finally:
        store.close()


async def test_the_model_is_not_asked_about_what_a_person_has_decided(settings: Settings) -> None:
    """Of one batch the others still are, and answers come in the order of the lines."""
    with ModelServer() as server:
        async with asking(settings, server) as (extractor, store):
            first = await extractor.extract(Line(LINE))
            assert first.ticket.source is Source.MODEL
            await asyncio.to_thread(decide, store, first.id, "corrected", severity="critical")
            await extractor.verdicts_changed()
            count = server.count
            batch = [OTHER, LATER, LINE, THIRD, LATER, OTHER]
            given = await extractor.extract_many([(Line(text), NO_CONTEXT) for text in batch])
            assert [corrected(each) for each in given] == [False, True, True, False, True, False]
            assert [each.ticket.evidence in text for each, text in zip(given, batch, strict=True)]
            assert [each.ticket.source for each in given[:4:3]] == [Source.MODEL] * 2
            assert {line_in(seen) for seen in server.seen[count:]} == {OTHER, THIRD}
            assert given[4].id == given[1].id


async def test_what_the_model_said_meanwhile_is_not_remembered(settings: Settings) -> None:
    """It was asked before the person spoke; who asks after that gets what the person said."""
    with ModelServer() as server:
        async with asking(settings, server, cache_scope="line") as (extractor, store):
            first = await extractor.extract(Line(LINE))
            server.script = [Act(Fault.SLOW, seconds=0.5)]
            flight = asyncio.create_task(extractor.extract(Line(LATER)))
            await asyncio.to_thread(server.wait, 2, 5)
            await asyncio.to_thread(decide, store, first.id, "corrected", severity="critical")
            await extractor.verdicts_changed()
            assert (await flight).ticket.source is Source.MODEL
            assert corrected(await extractor.extract(Line(LATER)))


@pytest.mark.parametrize(
    ("told", "source"),
    [({"severity": "critical"}, Source.MODEL), ({"first_seen": "unknown"}, Source.CACHE)],
)
async def test_an_answer_that_a_person_found_wrong_is_shared_no_more(
    settings: Settings, told: dict[str, str], source: Source
) -> None:
    """By no number of another size; but for a wrong time, which each line has for itself."""
    with ModelServer() as server:
        async with asking(settings, server) as (extractor, store):
            numbers = (12, 1900, 1400)
            lines = [f"{AT} WARN jobs: queue of {number} jobs is full" for number in numbers]
            first, second, shared = [await extractor.extract(Line(line)) for line in lines]
            assert [given.ticket.source for given in (first, second, shared)] == [
                Source.MODEL,
                Source.MODEL,
                Source.CACHE,
            ]
            await asyncio.to_thread(decide, store, first.id, "corrected", **told)
            await extractor.verdicts_changed()
            other = await extractor.extract(Line(lines[0].replace("12", "1300")))
            assert other.ticket.source is source
            assert REVIEWED not in other.ticket.review_reasons


@pytest.mark.parametrize(
    ("number", "answered"), [(9002, True), (9999, True), (5, False), (900_002, False)]
)
async def test_a_verdict_answers_lines_with_numbers_of_the_same_size(
    settings: Settings, number: int, answered: bool
) -> None:
    """Another order of the same thing is that thing; a number of another size may be another."""
    line = f"{AT} WARN jobs: ledger write failed for order {{}}"
    with ModelServer() as server:
        async with asking(settings, server) as (extractor, store):
            first = await extractor.extract(Line(line.format(9001)))
            await asyncio.to_thread(decide, store, first.id, "corrected", severity="critical")
            await extractor.verdicts_changed()
            later = (await extractor.extract(Line(line.format(number)))).ticket
            assert (REVIEWED in later.review_reasons) is answered
            assert later.evidence == f"ledger write failed for order {number}"


async def test_another_process_answers_so_within_a_second(settings: Settings) -> None:
    """Without being told: it looks by itself."""
    with ModelServer() as server:
        async with asking(settings, server) as (extractor, _):
            first = await extractor.extract(Line(LINE))
            elsewhere = build_store(settings)
            try:
                await asyncio.to_thread(
                    decide, elsewhere, first.id, "corrected", severity="critical"
                )
                until = time.monotonic() + 1
                while not corrected(await extractor.extract(Line(LINE))):
                    assert time.monotonic() < until
                    await asyncio.sleep(0.02)
            finally:
                elsewhere.close()


def test_a_service_answers_so_within_a_second(tmp_path: Path) -> None:
    """What is decided in this process is an answer in that one."""
    with Service(tmp_path, keep_text="true") as service:
        first = service.http.post("/extract", json={"line": LINE}).json()
        assert first["source"] == "fallback"
        store = build_store(Settings(db=service.db))
        try:
            (entry,) = store.entries(Query(kind="ticket", limit=1))
            decide(store, entry.seq, "corrected", severity="critical")
            until = time.monotonic() + 1
            while True:
                ticket = service.http.post("/extract", json={"line": LATER}).json()
                if "reviewed" in ticket["review_reasons"]:
                    break
                assert time.monotonic() < until
                time.sleep(0.05)
            assert (ticket["severity"], ticket["source"]) == ("critical", "cache")
            assert ticket["first_seen"] == "2026-01-03T01:02:03Z"
            found = store.verify()
            assert found.ok, found.problem
        finally:
            store.close()


async def test_with_the_breaker_open_a_persons_word_still_answers(settings: Settings) -> None:
    """It needs no model."""
    with ModelServer() as server:
        async with asking(settings, server, breaker_failures=1, fallback_ttl=0) as (made, store):
            first = await made.extract(Line(LINE))
            await asyncio.to_thread(decide, store, first.id, "corrected", severity="critical")
            await made.verdicts_changed()
            server.script = lambda seen: Fault.HTTP_500
            await made.extract(Line(OTHER))
            assert made.attempts.breaker.shut
            batch = [(Line(text), NO_CONTEXT) for text in (LATER, THIRD, LATER)]
            given = await made.extract_many(batch)
            assert [corrected(each) for each in given] == [True, False, True]
            assert ReviewReason.CIRCUIT_OPEN in given[1].ticket.review_reasons


async def test_where_the_ledger_is_locked_a_persons_word_goes_out_unrecorded(
    settings: Settings,
) -> None:
    """As any other ticket, and is not remembered."""
    with ModelServer() as server:
        async with asking(settings, server, busy_timeout=0.05) as (made, store):
            first = await made.extract(Line(LINE))
            await asyncio.to_thread(decide, store, first.id, "corrected", severity="critical")
            await made.verdicts_changed()
            with sqlite3.connect(settings.db, isolation_level=None) as other:
                other.execute("BEGIN IMMEDIATE")
                given = await made.extract_many([(Line(LATER), NO_CONTEXT)] * 2)
                other.execute("ROLLBACK")
            other.close()
            for each in given:
                assert corrected(each)
                assert (each.id, each.unrecorded) == (None, True)
            entered = await made.extract(Line(LATER))
            assert corrected(entered)
            assert entered.id is not None

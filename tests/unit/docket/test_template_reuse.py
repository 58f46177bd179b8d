"""Answers shared among the lines of a template: real ledger, real client, real model server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from logdocket.bootstrap import build_extractor, build_store
from logdocket.docket import Extractor
from logdocket.errors import LedgerUnavailable
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import cut, read
from logdocket.settings import Settings
from logdocket.store import SqliteStore
from logdocket.store.lessons import LONG, magnitude
from logdocket.testing import Act, Fault, ModelServer
from logdocket.testing.answers import line_in
from logdocket.ticket import ReviewReason, Source, Ticket

CARD = "2026-01-02T15:04:{:02}Z ERROR pay: card for crate {} turned away by issuer"


@asynccontextmanager
async def docket(
    folder: Path, server: ModelServer, **more: Any
) -> AsyncIterator[tuple[Extractor, SqliteStore]]:
    """An extractor at work that asks ``server``, and its store; the ledger is verified after."""
    given = {"model_url": server.url, "model_key": "any-word", "deadline": 3.0} | more
    chosen = Settings(db=folder / "t.db", **given)
    store = build_store(chosen)
    try:
        extractor = build_extractor(chosen, store)
        yield extractor, store
        await extractor.close()
        found = store.verify()
        assert found.ok, found.problem
    finally:
        store.close()


async def ticket(extractor: Extractor, text: str, context: Context = NO_CONTEXT) -> Ticket:
    """The ticket for ``text``."""
    return (await extractor.extract(Line(text), context)).ticket


def failing(*_: Any) -> asyncio.Future[list[int]]:
    """A store whose disk is gone."""
    future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
    future.set_exception(LedgerUnavailable("no disk"))
    return future


def saying(**changes: Any) -> Callable[[Any], dict[str, Any]]:
    """A model that quotes the message, and says so of all else."""

    def said(seen: Any) -> dict[str, Any]:
        line = line_in(seen)
        return {
            "service": "pay",
            "severity": "high",
            "first_seen": "unknown",
            "evidence": line[line.index("pay: ") + 5 :],
        } | {name: value(line) if callable(value) else value for name, value in changes.items()}

    return said


async def test_a_line_of_the_same_template_costs_no_call(tmp_path):
    """Two answers prove that the order's number does not matter; the third line needs none."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, store):
            given = [await ticket(extractor, CARD.format(n, 10 + n)) for n in range(5)]
            assert [each.source for each in given] == [Source.MODEL] * 2 + [Source.CACHE] * 3
            assert server.count == 2
            assert given[4] == Ticket(
                "pay",
                given[0].severity,
                "2026-01-02T15:04:04Z",
                "card for crate 14 turned away by issuer",
                given[0].confidence,
                given[0].needs_human,
                Source.CACHE,
                given[0].review_reasons,
            )
            entry = list(store.export())[-1]
            assert entry.detail["scope"] == "template"
            assert entry.detail["original"] == 6
            assert (store.summary().calls_avoided, store.summary().shared) == (3, 3)


async def test_ids_and_times_need_no_second_answer(tmp_path):
    """They say which one, never how bad."""
    line = "2026-01-02T15:04:{:02}Z ERROR pay: request_id=9f8e7d{:02} refused by issuer"
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, _):
            for n in range(10, 20):
                await ticket(extractor, line.format(n, n))
            assert server.count == 1


async def test_the_line_alone_is_shared_where_that_is_chosen(tmp_path):
    """Each other line is asked about."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server, cache_scope="line") as (extractor, store):
            for n in (1, 2, 3, 3):
                await ticket(extractor, CARD.format(n, n))
            assert server.count == 3
            assert store.summary().shared == 0


async def test_a_repeated_line_repeats_its_shared_ticket(tmp_path):
    """Byte for byte, as a hit of its own."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, store):
            for n in range(3):
                await ticket(extractor, CARD.format(n, n + 10))
            first, second = [await ticket(extractor, CARD.format(2, 12)) for _ in range(2)]
            assert first == second
            assert (store.summary().calls_avoided, store.summary().shared) == (3, 1)
            assert server.count == 2


async def test_a_number_that_matters_to_the_model_is_never_shared_again(tmp_path):
    """It said something else of zero: from then on each number has a call of its own."""
    mild = saying(severity=lambda line: "medium" if "crate 0 " in line else "high")
    with ModelServer(answers=mild) as server:
        async with docket(tmp_path, server) as (extractor, _):
            stated = CARD.replace("ERROR ", "").format
            told = [await ticket(extractor, stated(5, n)) for n in (7, 8, 0, 9, 9)]
            assert [each.severity for each in told] == ["high", "high", "medium", "high", "high"]
            assert server.count == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("exited with code 0", "exited with code 137"),
        ("answered with status 200", "answered with status 503"),
        ("disk is 5% full", "disk is 95% full"),
        ("3/3 replicas ready", "1/3 replicas ready"),
        ("cannot reach web-1", "cannot reach web-2"),
        ("table 'orders' is gone", "table 'carts' is gone"),
    ],
)
async def test_what_could_change_the_meaning_is_asked_about(tmp_path, one, other):
    """However often the one was answered alike."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, _):
            for n, text in enumerate((one, one, one, other)):
                await ticket(extractor, f"2026-01-02T15:04:{n:02}Z ERROR pay: {text}")
            assert server.count == 2


async def test_a_disputed_answer_is_not_shared(tmp_path):
    """The rules read another severity in the line, so each is asked about."""
    with ModelServer(answers=saying(severity="low")) as server:
        async with docket(tmp_path, server) as (extractor, _):
            given = [await ticket(extractor, CARD.format(n, 10 + n)) for n in range(4)]
            assert all(ReviewReason.DISPUTED in each.review_reasons for each in given)
            assert server.count == 4


async def test_a_fallback_is_not_shared(tmp_path):
    """What the model could not answer about one line it may answer about the next."""
    script = [Fault.INVENTED_EVIDENCE, Fault.INVENTED_EVIDENCE, Fault.GOOD, Fault.GOOD]
    with ModelServer(script, answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, _):
            given = [await ticket(extractor, CARD.format(n, 10)) for n in range(3)]
            assert [each.source for each in given] == [
                Source.FALLBACK,
                Source.MODEL,
                Source.CACHE,
            ]


async def test_the_callers_own_words_part_lines(tmp_path):
    """Another service or label in the context is another question; another arrival is not."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, _):
            contexts = [
                NO_CONTEXT,
                Context(labels={"team": "one"}),
                Context(labels={"team": "two"}),
                Context(labels={"team": "two"}, timezone="+02:00"),
                Context(service="front"),
            ]
            for n, context in enumerate(contexts):
                await ticket(extractor, CARD.format(n, 10), context)
            assert server.count == 4


async def test_a_hundred_at_once_wait_for_two_calls(tmp_path):
    """Whoever comes while another line of the template is asked about shares its answer."""
    with ModelServer(Act(Fault.SLOW, seconds=0.1), answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, _):
            lines = [CARD.format(n % 60, n + 100) for n in range(100)]
            given = await asyncio.gather(*(ticket(extractor, line) for line in lines))
            assert server.count == 2
            assert sum(each.source is Source.CACHE for each in given) == 98


async def test_a_model_that_hangs_holds_nobody_up(tmp_path):
    """Lines of the template wait only for a share of their time, then are asked about."""
    with ModelServer(Fault.HANG) as server:
        async with docket(tmp_path, server, deadline=1.0) as (extractor, _):
            lines = [CARD.format(n, n + 100) for n in range(5)]
            given = await asyncio.gather(*(ticket(extractor, line) for line in lines))
            assert {each.source for each in given} == {Source.FALLBACK}
            assert all(each.review_reasons[0] is ReviewReason.MODEL_TIMEOUT for each in given)
            assert server.count >= 5


async def test_what_is_shared_lasts_no_longer_than_the_answer(tmp_path, monkeypatch):
    """Also where a line has been given it since."""
    now = [1_800_000_000_000_000]
    monkeypatch.setattr("logdocket.bootstrap.microseconds", lambda: now[0])
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server, cache_ttl=100) as (extractor, _):
            for n in range(3):
                await ticket(extractor, CARD.format(n, n + 10))
            assert server.count == 2
            now[0] += 60_000_000
            assert (await ticket(extractor, CARD.format(2, 12))).source is Source.CACHE
            now[0] += 60_000_000
            assert (await ticket(extractor, CARD.format(2, 12))).source is Source.MODEL
            assert server.count == 3


async def test_mild_lines_reach_no_model_where_that_is_chosen(tmp_path):
    """By the level that they state; what states none is asked about."""
    with ModelServer(answers=saying(severity="low")) as server:
        async with docket(tmp_path, server, model_min_severity="medium") as (extractor, store):
            mild = await ticket(extractor, "2026-01-02T15:04:05Z INFO pay: card taken")
            assert mild.source is Source.FALLBACK
            assert mild.review_reasons == (ReviewReason.BELOW_MIN_SEVERITY,)
            assert server.count == 0
            await ticket(extractor, "2026-01-02T15:04:05Z pay: card seen at the desk")
            await ticket(extractor, "2026-01-02T15:04:05Z WARN pay: card worn")
            assert server.count == 2
            assert store.summary().by_reason["below_min_severity"] == 1


async def test_a_place_that_makes_no_sense_shares_nothing(tmp_path):
    """The table of templates is no part of the chain: what it says is checked like an answer."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, store):
            for n in range(2):
                await ticket(extractor, CARD.format(n, n + 10))
            known = store.known
            for place in [(), (1,), (9, 9, 9, 9), (0, -5, 0, -1), (0, 0, 0, 0)]:

                def told(wide: bytes, narrow: bytes, place: Any = place) -> Any:
                    found = known(wide, narrow)
                    assert found is not None
                    return msgspec.structs.replace(found[0], place=place), found[1]

                store.known = told  # type: ignore[method-assign]
                await ticket(extractor, CARD.format(3, 20 + len(place)))
            store.known = known  # type: ignore[method-assign]
            assert server.count == 2 + len({0, 1, 4})


async def test_a_fault_in_sharing_costs_a_call_and_no_ticket(tmp_path, monkeypatch, caplog):
    """It is logged, and the line is asked about for itself."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server) as (extractor, store):
            monkeypatch.setattr(store, "known", fail)
            assert (await ticket(extractor, CARD.format(1, 1))).source is Source.MODEL
            monkeypatch.setattr("logdocket.docket.reuse.cut", fail)
            assert (await ticket(extractor, CARD.format(2, 2))).source is Source.MODEL
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [
        ZeroDivisionError,
        ZeroDivisionError,
    ]


async def test_an_open_breaker_does_not_keep_answers_back(tmp_path):
    """What the model said of the template holds while it is down; the rest goes without."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server, breaker_failures=1, model_min_severity="medium") as (
            extractor,
            store,
        ):
            for n in range(2):
                await ticket(extractor, CARD.format(n, n + 10))
            server.script = Fault.HTTP_401
            await ticket(extractor, "2026-01-02T15:04:05Z ERROR pay: till is jammed")
            assert server.count == 3
            lines = [
                CARD.format(5, 55),
                CARD.format(5, 55),
                "2026-01-02T15:04:05Z ERROR pay: till is stuck",
                "2026-01-02T15:04:05Z INFO pay: till is open",
            ]
            items = [(Line(line), NO_CONTEXT) for line in lines]
            given = [each.ticket for each in await extractor.extract_many(items)]
            assert [each.source for each in given[:2]] == [Source.CACHE] * 2
            assert given[0].evidence == "card for crate 55 turned away by issuer"
            assert given[0] == given[1]
            assert given[2].review_reasons[0] is ReviewReason.CIRCUIT_OPEN
            assert given[3].review_reasons[0] is ReviewReason.BELOW_MIN_SEVERITY
            again = await ticket(extractor, CARD.format(5, 55))
            assert again == given[0]
            assert server.count == 3
            assert (store.summary().calls_avoided, store.summary().shared) == (3, 1)


async def test_a_ledger_that_fails_shares_no_answer(tmp_path, monkeypatch):
    """A ticket that no entry tells of goes out as such, to each who asks."""
    with ModelServer(answers=saying()) as server:
        async with docket(tmp_path, server, breaker_failures=1) as (extractor, store):
            for n in range(2):
                await ticket(extractor, CARD.format(n, n + 10))
            server.script = Fault.HTTP_401
            await ticket(extractor, "2026-01-02T15:04:05Z ERROR pay: till is jammed")
            with monkeypatch.context() as broken:
                broken.setattr(store, "submit", failing)
                items = [(Line(CARD.format(5, 55)), NO_CONTEXT)] * 2
                given = [each.ticket for each in await extractor.extract_many(items)]
                assert all(ReviewReason.LEDGER_UNAVAILABLE in each.review_reasons for each in given)
            again = await ticket(extractor, CARD.format(5, 55))
            assert (again.source, again.needs_human) == (Source.CACHE, False)


@pytest.mark.parametrize("number", ["0x1f2e3d4c", "0xdeadbeefcafe"])
def test_what_the_reading_writes_for_a_long_id_is_one_to_the_store(number):
    """The two know nothing of each other, and must take the same mark for it."""
    line = Line(f"2026-01-02T15:04:05Z INFO pay: listed {number} for the auction")
    assert [magnitude(each) for each in cut(line, read(line)).numbers] == [magnitude(LONG)]
    assert magnitude(LONG) > magnitude("99")


async def test_no_text_of_a_line_is_kept_for_its_template(tmp_path):
    """Of a path in it there is a hash; numbers are kept, since they are compared by size."""
    line = "2026-01-02T15:04:0{}Z ERROR pay: cannot write /srv/{}/queue.db, {} left"
    with ModelServer(answers=saying(evidence="cannot write")) as server:
        async with docket(tmp_path, server) as (extractor, store):
            for n, place in enumerate(("harbour", "quay", "mole")):
                await ticket(extractor, line.format(n, place, 40 + n))
            assert server.count == 2
        connection = sqlite3.connect(store.path)
        slots = [row[0] for row in connection.execute("SELECT slots FROM template")]
        connection.close()
        assert slots
        assert not any(word in text for text in slots for word in ("srv", "harbour", "quay"))

"""Second looks in the background: a real ledger, a real model server, and seconds that are set."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from logdocket.bootstrap import build_extractor, build_store, microseconds
from logdocket.docket import Extractor
from logdocket.docket.flights import Look
from logdocket.docket.review import Ask, ReviewDesk
from logdocket.docket.review.looking import Looker
from logdocket.docket.review.outlook import Awaits, Outlook
from logdocket.docket.review.second_look import SecondLook
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import check_context
from logdocket.settings import Settings
from logdocket.store import Query, SqliteStore
from logdocket.store.review import Decided, Group, GroupQuery, GroupState, VerdictWord
from logdocket.testing import Act, Fault, ModelServer, Seen
from logdocket.testing.answers import line_in
from logdocket.ticket import ReviewReason, Source

AT = "2026-01-02T15:04:05Z"
LINE = f"{AT} ERROR pay: card refused by issuer"
MILD = f"{AT} WARN disk: volume nearly full"
GRAVE = f"{AT} FATAL billing: ledger lost"
LATER = f"{AT} ERROR mail: queue refused by relay"


class Seconds:
    """A monotonic clock that stands until it is set."""

    now = 1_000.0

    def __call__(self) -> float:
        """The moment it is set to."""
        return self.now


class Bench:
    """An extractor at work, its store, and second looks that are taken step by step."""

    def __init__(self, store: SqliteStore, extractor: Extractor, per_minute: int) -> None:
        self.store = store
        self.extractor = extractor
        self.seconds = Seconds()
        self.looks = SecondLook(store, extractor, per_minute=per_minute, monotonic=self.seconds)
        self.desk = ReviewDesk(store, clock=microseconds, max_line=65_536)

    async def step(self, seconds: float = 0) -> None:
        """One step after so many seconds, and what comes of it."""
        self.seconds.now += seconds
        await self.looks.step()
        await self.looks.settled()

    async def steps(self, count: int, seconds: float = 2.0) -> None:
        """Several, each so long after the one before."""
        for _ in range(count):
            await self.step(seconds)

    def groups(self, *states: GroupState) -> list[Group]:
        """The groups of the queue as they are now."""
        return self.desk.page(GroupQuery(states=states)).groups

    def waiting(self) -> int:
        """How many tickets wait for a second look."""
        self.desk.catch_up()
        return self.store.pending_counts().waiting

    def sources(self) -> dict[str, int]:
        """Tickets by source."""
        return self.store.summary().by_source


@asynccontextmanager
async def bench(
    folder: Path, server: ModelServer, *, per_minute: int = 30, **more: Any
) -> AsyncIterator[Bench]:
    """A bench at ``server``; what is left in the ledger must keep every law."""
    given = {
        "model_url": server.url,
        "model_key": "key-of-this-test",
        "deadline": 3.0,
        "keep_text": True,
        "fallback_ttl": 0,
        **more,
    }
    chosen = Settings(db=folder / "t.db", **given)
    store = build_store(chosen)
    extractor = build_extractor(chosen, store)
    made = Bench(store, extractor, per_minute)
    try:
        yield made
        await made.looks.close()
        await extractor.close()
        found = store.verify()
        assert found.ok, found.problem
        calls = store.summary().calls
        assert calls.started == calls.finished + calls.interrupted
        assert calls.started == server.count
    finally:
        store.close()


async def fall_back(
    folder: Path, server: ModelServer, *lines: str | bytes, context: Context = NO_CONTEXT
) -> list[int]:
    """Have the rules answer ``lines`` for want of a budget, one after another; their entries."""
    ids = []
    async with bench(folder, server, budget_tokens=0) as poor:
        for line in lines:
            made = Line.of(line, 65_536)
            given = await poor.extractor.extract(made, context)
            assert given.ticket.source is Source.FALLBACK
            assert given.id is not None
            ids.append(given.id)
    return ids


async def test_a_ticket_is_updated_when_the_model_is_back(tmp_path: Path) -> None:
    """Its group is resolved, by a ticket that says which one it revises."""
    with ModelServer(Fault.HTTP_401) as server:
        async with bench(tmp_path, server) as at:
            given = await at.extractor.extract(Line(LINE))
            assert ReviewReason.MODEL_REJECTED in given.ticket.review_reasons
            (group,) = at.groups(GroupState.OPEN)
            assert (group.waiting, at.waiting()) == (1, 1)
            server.script = Fault.GOOD
            await at.step()
            (group,) = at.groups()
            assert (group.state, group.count, group.waiting) == (GroupState.RESOLVED, 1, 0)
            assert (group.verdict, group.decided_by) == (None, None)
            assert at.waiting() == 0
            (entry,) = at.store.entries(Query(kind="ticket", limit=1))
            assert entry.source is Source.MODEL
            assert entry.detail["revises"] == given.id
            assert group.version == entry.seq
            await at.steps(3)
            assert server.count == 2


async def test_the_most_severe_comes_first_and_of_those_the_oldest(tmp_path: Path) -> None:
    """Whatever the order in which they came."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, MILD, LINE, LATER, GRAVE)
        async with bench(tmp_path, server) as at:
            await at.steps(5)
            assert at.waiting() == 0
        asked = [line_in(seen) for seen in server.seen]
    assert asked == [GRAVE, LINE, LATER, MILD]


async def test_calls_are_no_more_a_minute_than_was_chosen(tmp_path: Path) -> None:
    """However often it wakes."""
    with ModelServer() as server:
        words = "one two three four five six seven eight nine ten".split()
        await fall_back(tmp_path, server, *(f"{AT} ERROR {word}: refused" for word in words))
        async with bench(tmp_path, server, per_minute=4, cache_scope="line") as at:
            await at.steps(60, seconds=1.0)
            assert server.count == 4
            await at.steps(60, seconds=1.0)
            assert server.count == 8


async def test_lines_of_one_template_take_one_call_and_no_turns(tmp_path: Path) -> None:
    """A bad night of one fault is seen through in a moment."""
    with ModelServer() as server:
        lines = [f"2026-01-02T15:04:{n:02}Z ERROR pay: card refused" for n in range(20)]
        await fall_back(tmp_path, server, *lines)
        async with bench(tmp_path, server, per_minute=1) as at:
            await at.step()
            await at.step(60)
            await at.steps(20, seconds=0.05)
            assert (server.count, at.waiting()) == (1, 0)
            assert at.sources() == {"model": 1, "cache": 19, "fallback": 20}
            (group,) = at.groups()
            assert (group.state, group.count, group.waiting) == (GroupState.RESOLVED, 20, 0)


async def test_a_line_is_asked_about_with_what_the_caller_knew(tmp_path: Path) -> None:
    """Else its time and its service would be lost: the key of the ticket is the same."""
    context = check_context("2026-01-03T00:00:00.25+02:00", "vault", "Europe/Berlin", {"a": "ü"})
    with ModelServer() as server:
        (id,) = await fall_back(tmp_path, server, "Jan  2 15:04:05 card refused", context=context)
        async with bench(tmp_path, server) as at:
            await at.step()
            first, (entry,) = at.store.ticket(id), at.store.entries(Query(limit=1))
            again = at.store.ticket(entry.seq)
            assert first is not None
            assert again is not None
            assert (again.id > first.id, again.key) == (True, first.key)
            ticket = msgspec.json.decode(again.body)["ticket"]
            assert ticket["first_seen"] == "2026-01-02T15:04:05+01:00"


async def test_a_line_whose_context_was_not_kept_is_left_to_people(tmp_path: Path) -> None:
    """An older version kept none: the model would be asked about another line."""
    with ModelServer() as server:
        context = Context(service="vault")
        (id,) = await fall_back(tmp_path, server, f"{AT} ERROR refused", context=context)
        async with bench(tmp_path, server) as at:
            stored = at.store.ticket(id)
            assert stored is not None
            body = msgspec.json.decode(stored.body)
            del body["context"]
            old = msgspec.structs.replace(stored, body=msgspec.json.encode(body))
            (pending,) = Looker(at.store, at.extractor).listed(9).waiting
            looker = Looker(at.store, at.extractor)
            assert looker.slot(pending) is not None
            assert looker.slot(msgspec.structs.replace(pending, ticket=old)) is None


async def test_bytes_that_are_no_text_come_back_as_they_were(tmp_path: Path) -> None:
    """The line that is asked about is the line."""
    raw = LINE.encode() + b" \xe9\xff"
    with ModelServer() as server:
        (id,) = await fall_back(tmp_path, server, raw)
        async with bench(tmp_path, server) as at:
            await at.step()
            assert at.waiting() == 0
            stored = at.store.ticket(id)
            assert stored is not None
            assert stored.text == raw


async def test_without_its_text_a_ticket_is_left_to_people(tmp_path: Path) -> None:
    """Nothing is asked."""
    with ModelServer(Fault.HTTP_401) as server:
        async with bench(tmp_path, server, keep_text=False) as at:
            await at.extractor.extract(Line(LINE))
            await at.steps(3)
            assert at.waiting() == 1
        assert server.count == 1


async def decided(at: Bench, verdict: VerdictWord = VerdictWord.RIGHT) -> Group:
    """The only group, after a person has decided about it."""
    (group,) = at.groups()
    (outcome,) = at.desk.decide(
        [Ask(group=group.id, version=group.version, verdict=verdict)], "rev-a"
    )
    assert isinstance(outcome, Decided), outcome
    return outcome.group


async def test_what_a_person_has_decided_is_not_asked_about(tmp_path: Path) -> None:
    """Before it was listed, or just after."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server) as at:
            looker = Looker(at.store, at.extractor)
            listing = looker.listed(9)
            group = await decided(at)
            assert await looker.look(listing.waiting[0], listing.upto) is None
            await at.steps(3)
            assert at.groups() == [group]
        assert server.count == 0


async def test_a_verdict_that_comes_while_the_model_is_asked_stands(tmp_path: Path) -> None:
    """The answer is in the ledger, and changes nothing that the person said."""
    with ModelServer(Act(Fault.SLOW, seconds=0.3)) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server) as at:
            looking = asyncio.create_task(at.step())
            assert await asyncio.to_thread(server.wait, 1)
            group = await decided(at, VerdictWord.NOT_A_PROBLEM)
            await looking
            (after,) = at.groups()
            assert (after.state, after.version) == (GroupState.DISMISSED, group.version)
            assert (after.verdict, after.decided_by) == (VerdictWord.NOT_A_PROBLEM, "rev-a")
            assert at.sources()["model"] == 1


async def test_nothing_is_asked_while_the_breaker_is_open(tmp_path: Path) -> None:
    """A model that is known to be down is not tried by what can wait."""
    with ModelServer(Fault.HTTP_401) as server:
        async with bench(tmp_path, server, breaker_failures=1, breaker_seconds=600) as at:
            await at.extractor.extract(Line(LINE))
            server.script = Fault.GOOD
            await at.steps(20, seconds=30)
            assert (server.count, at.waiting()) == (1, 1)


async def test_a_breaker_that_nobody_tries_is_tried_by_a_look(tmp_path: Path) -> None:
    """Half open for half a minute, it would stay so where no requests come."""
    with ModelServer(Fault.HTTP_401) as server:
        async with bench(tmp_path, server, breaker_failures=1, breaker_seconds=0.001) as at:
            await at.extractor.extract(Line(LINE))
            await asyncio.sleep(0.01)
            server.script = Fault.GOOD
            await at.steps(14, seconds=2)
            assert server.count == 1
            await at.steps(2, seconds=2)
            assert (server.count, at.waiting()) == (2, 0)
            assert at.extractor.attempts is not None
            assert at.extractor.attempts.breaker.state == "closed"


async def test_requests_go_first(tmp_path: Path) -> None:
    """While they take more than half of the model's room, there are no looks."""
    with ModelServer(Fault.HANG) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, model_concurrency=4, deadline=30) as at:
            lines = [Line(f"{AT} ERROR {word}: refused") for word in ("one", "two", "three")]
            asked = [asyncio.create_task(at.extractor.extract(line)) for line in lines]
            assert await asyncio.to_thread(server.wait, 3)
            await at.steps(5)
            assert server.count == 3
            await at.extractor.close(0)
            await asyncio.gather(*asked)


async def test_a_look_for_which_there_is_no_budget_leaves_no_trace(tmp_path: Path) -> None:
    """It is tried again in a minute, and counts for nothing."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, budget_tokens=100) as at:
            before = at.store.verify().entries
            for _ in range(40):
                await at.step(2)
            assert at.store.verify().entries == before
            (pending,) = at.store.pending(9)
            assert pending.looks == 0
            assert at.extractor.attempts is not None
            at.seconds.now += 120
        async with bench(tmp_path, server, budget_tokens=1_000_000) as at:
            await at.step()
            assert at.waiting() == 0


async def test_the_budget_holds_for_looks_as_for_requests(tmp_path: Path) -> None:
    """What has no room is not asked about, and stays where it is."""
    with ModelServer(Act(Fault.GOOD, usage=(1_500, 100))) as server:
        words = "one two three four five six".split()
        await fall_back(tmp_path, server, *(f"{AT} ERROR {word}: refused" for word in words))
        async with bench(tmp_path, server, budget_tokens=8_000, cache_scope="line") as at:
            await at.steps(20)
            asked = server.count
            assert 0 < asked < 6
            assert at.waiting() == 6 - asked
            budget = at.store.summary().budget
            assert budget.spent.tokens == 1_600 * asked
            assert budget.reserved.tokens == 0


async def test_a_model_that_fails_again_is_left_alone(tmp_path: Path) -> None:
    """One look, then a pause: a broken model is not hammered."""
    with ModelServer(Fault.HTTP_401) as server:
        await fall_back(tmp_path, server, LINE, LATER, GRAVE)
        async with bench(tmp_path, server, breaker_failures=1_000) as at:
            await at.steps(8)
            assert server.count == 1
            await at.steps(1)
            assert server.count == 2
            assert [line_in(seen) for seen in server.seen] == [GRAVE, LINE]
            (grave, _, _) = at.store.pending(3)
            assert grave.looks == 1


async def test_after_three_looks_a_ticket_is_left_to_people(tmp_path: Path) -> None:
    """A model that could not answer three times will not at the fourth."""
    with ModelServer(Fault.HTTP_401) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, breaker_failures=1_000) as at:
            await at.steps(20, seconds=700)
            assert server.count == 3
            (group,) = at.groups(GroupState.OPEN)
            assert (group.count, group.waiting) == (1, 1)
            assert ReviewReason.MODEL_REJECTED in group.reasons


async def test_one_line_with_unusable_answers_does_not_keep_the_others(tmp_path: Path) -> None:
    """It is set aside; those after it are asked about at their turn."""

    def script(seen: Seen) -> Fault:
        return Fault.INVENTED_EVIDENCE if line_in(seen) == GRAVE else Fault.GOOD

    with ModelServer(script) as server:
        await fall_back(tmp_path, server, GRAVE, LINE, MILD)
        async with bench(tmp_path, server) as at:
            await at.steps(3)
            assert at.waiting() == 1
            assert at.sources()["model"] == 2


async def test_however_many_are_set_aside_others_come_to_their_turn(tmp_path: Path) -> None:
    """More of them than one listing gives."""

    def script(seen: Seen) -> Fault:
        return Fault.INVENTED_EVIDENCE if "odd" in line_in(seen) else Fault.GOOD

    with ModelServer(script) as server:
        # Never three odd ones in a row: that would be the model's failure.
        kinds = ["odd", "odd", "even"] * 17
        grave = [f"{AT} FATAL pay: {kind} card {n} refused" for n, kind in enumerate(kinds)]
        await fall_back(tmp_path, server, *grave, MILD)
        async with bench(tmp_path, server, per_minute=6_000, cache_scope="line") as at:
            await at.steps(60, seconds=0.1)
            assert at.sources()["model"] == 18
            assert at.waiting() == 34


async def test_a_line_that_no_model_is_to_see_any_more_is_left_to_people(tmp_path: Path) -> None:
    """The operator has said so since; nothing is asked, and it waits no more."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, MILD)
        async with bench(tmp_path, server, model_min_severity="critical") as at:
            await at.steps(3)
            assert (server.count, at.waiting()) == (0, 0)
            (group,) = at.groups(GroupState.OPEN)
            assert ReviewReason.BELOW_MIN_SEVERITY in group.reasons


async def test_who_sends_the_line_meanwhile_shares_the_call(tmp_path: Path) -> None:
    """And a line that is being asked about is not asked about twice."""
    with ModelServer(Act(Fault.SLOW, seconds=0.3)) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server) as at:
            looking = asyncio.create_task(at.step())
            assert await asyncio.to_thread(server.wait, 1)
            given = await at.extractor.extract(Line(LINE))
            assert given.ticket.source is Source.CACHE
            await looking
            assert (server.count, at.waiting()) == (1, 0)


async def test_who_shares_a_look_that_could_not_ask_has_a_ticket(tmp_path: Path) -> None:
    """Another process holds the line; the look leaves no trace, the request has its entry."""
    with ModelServer(Fault.HANG) as server:
        await fall_back(tmp_path, server, LINE)
        async with (
            bench(tmp_path, server, deadline=30) as one,
            bench(tmp_path, server, deadline=0.5) as other,
        ):
            held = asyncio.create_task(one.extractor.extract(Line(LINE)))
            assert await asyncio.to_thread(server.wait, 1)
            begun = asyncio.Event()
            other.extractor.watch(lambda _: None, begun.set)
            looking = asyncio.create_task(other.step())
            await begun.wait()
            given = await other.extractor.extract(Line(LINE))
            await looking
            assert ReviewReason.MODEL_BUSY in given.ticket.review_reasons
            (entry,) = other.store.entries(Query(kind="ticket", limit=1))
            assert (entry.seq, "revises" in entry.detail) == (given.id, False)
            assert server.count == 1
            await one.extractor.close(0)
            await held


@pytest.mark.parametrize("scope", ["template", "line"])
async def test_what_a_model_has_said_of_the_line_since_takes_no_call(
    scope: str, tmp_path: Path
) -> None:
    """The line came again, and its sender had it answered."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, cache_scope=scope) as at:
            given = await at.extractor.extract(Line(LINE))
            assert given.ticket.source is Source.MODEL
            await at.step()
            assert (server.count, at.waiting()) == (1, 0)
            (group,) = at.groups()
            assert group.state is GroupState.RESOLVED


async def test_two_processes_ask_about_a_line_once(tmp_path: Path) -> None:
    """The second one takes what the first was told."""
    with ModelServer(Act(Fault.SLOW, seconds=0.3)) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server) as one, bench(tmp_path, server) as other:
            await asyncio.gather(one.step(), other.step())
            assert (server.count, one.waiting()) == (1, 0)
            await asyncio.gather(one.step(2), other.step(2))
            assert server.count == 1
            assert one.sources()["model"] == 1


async def test_what_was_just_asked_in_vain_is_not_asked_again_by_another(tmp_path: Path) -> None:
    """Its listing is from before: it waits until the queue knows."""
    with ModelServer(Fault.HTTP_401) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server) as one, bench(tmp_path, server) as other:
            looker = Looker(other.store, other.extractor)
            listing = looker.listed(9)
            await one.step()
            looked = await looker.look(listing.waiting[0], listing.upto)
            assert looked is not None
            assert looked.look is Look.ELSEWHERE
            assert server.count == 1
            (pending,) = looker.listed(9).waiting
            assert pending.looks == 1


async def test_closing_amid_a_look_enters_its_end(tmp_path: Path) -> None:
    """Quickly; and the next process takes it up again."""
    with ModelServer(Fault.HANG) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, deadline=30) as at:
            at.looks.open()
            assert await asyncio.to_thread(server.wait, 1)
            began = asyncio.get_running_loop().time()
            await at.looks.close()
            await at.extractor.close()
            assert asyncio.get_running_loop().time() - began < 1
            assert at.store.summary().calls.by_status == {"cancelled": 1}
            assert at.waiting() == 1
        server.script = Fault.GOOD
        async with bench(tmp_path, server) as at:
            await at.step()
            assert at.waiting() == 0


async def test_open_it_works_by_itself(tmp_path: Path) -> None:
    """By the real clock, at the rate that was chosen."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, LINE, MILD, GRAVE)
        async with bench(tmp_path, server) as at:
            at.looks = SecondLook(at.store, at.extractor, per_minute=300)
            at.looks.open()
            assert await asyncio.to_thread(server.wait, 3, 5)
            await at.looks.close()
            first, *_, last = [seen.at for seen in server.seen]
            assert 0.3 <= last - first < 3


async def test_switched_off_it_does_nothing(tmp_path: Path) -> None:
    """Nor where no model is asked."""
    with ModelServer() as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, per_minute=0) as at:
            at.looks.open()
            await at.steps(3)
        async with bench(tmp_path, server, egress="off") as at:
            at.looks.open()
            await at.steps(3)
        assert server.count == 0


async def test_the_log_tells_when_looks_begin_and_what_came_of_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Once for all that follow one another."""
    caplog.set_level("INFO", "logdocket.docket")
    with ModelServer() as server:
        await fall_back(tmp_path, server, LINE, LATER)
        async with bench(tmp_path, server) as at:
            await at.steps(5)
    told = [record.getMessage() for record in caplog.records if "second looks" in record.message]
    assert told == [
        "second looks begin: the model is asked about tickets that fell back",
        "second looks end: 2 of 2 lines answered, 0 of them without a call, 0 failing. "
        "No line waits any more.",
    ]


async def test_after_a_failure_it_is_told_when_the_next_look_is_due(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """After the rest, and then not before the line may be asked about again."""
    caplog.set_level("INFO", "logdocket.docket")
    with ModelServer(Fault.HTTP_401) as server:
        await fall_back(tmp_path, server, LINE)
        async with bench(tmp_path, server, breaker_failures=9) as at:
            assert at.looks.outlook() == Outlook(Awaits.TURN, 0)
            await at.step()
            assert at.looks.outlook() == Outlook(Awaits.REST, 15)
            await at.step(5)
            assert caplog.messages[-1].endswith(
                "0 of 1 lines answered, 0 of them without a call, 1 failing. The model failed, or "
                "its budget is used up: the next is due in 10 s."
            )
            await at.step(10)
            assert at.looks.outlook() == Outlook(Awaits.LINES, 585)


async def test_an_open_breaker_tells_when_a_look_tries_it(tmp_path: Path) -> None:
    """When it lets one call through, and no request came for it within half a minute."""
    with ModelServer(Fault.HTTP_401) as server:
        async with bench(tmp_path, server, breaker_failures=1, breaker_seconds=60) as at:
            await at.extractor.extract(Line(LINE))
            outlook = at.looks.outlook()
            assert outlook is not None
            assert outlook.seconds is not None
            assert outlook.awaits is Awaits.BREAKER
            assert 80 < outlook.seconds <= 90


async def test_switched_off_there_is_nothing_to_tell(tmp_path: Path) -> None:
    """No look is ever due."""
    with ModelServer() as server:
        async with bench(tmp_path, server, per_minute=0) as at:
            assert at.looks.outlook() is None

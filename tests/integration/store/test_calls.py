"""Calls of models: who may make one, what it reserves, how it ends."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from logdocket.calls import CallStatus, Spend, Usage
from logdocket.errors import LedgerUnavailable
from logdocket.store import Answered, Exhausted, Held, Query, Started

HALF_MINUTE = 30_000_000


def _kinds(store) -> list[str]:
    return [str(entry.kind) for entry in store.export()]


def _spent(store) -> tuple[Spend, Spend]:
    budget = store.summary().budget
    return budget.spent, budget.reserved


async def test_a_call_stands_in_the_ledger_before_it_is_made(asked, begin, still):
    """With all that can be said of it by then."""
    started = await asked.start(begin(1, cap_tokens=1_000, attempt=1))
    assert started == Started(1)
    (entry,) = asked.entries(Query())
    assert (entry.kind, entry.source, entry.reasons) == ("call_started", None, ())
    assert entry.detail == {
        "attempt": 1,
        "cap": {"tokens": 1_000},
        "expires": still.now + HALF_MINUTE,
        "holder": begin(1).holder.hex(),
        "key": begin(1).key.hex(),
        "line": begin(1).line_hash.hex(),
        "mode": "schema",
        "model": "small",
        "prompt": 1,
        "reserved": {"nano_usd": 50, "tokens": 100},
    }
    assert asked.verify().ok


async def test_the_end_and_the_ticket_are_entered_together(asked, begin, end, answer):
    """The end first; the ticket names its call and the tokens that were reported."""
    await asked.start(begin(1))
    assert await asked.submit([answer(1, 1)], end(1, wrong=("blank_evidence",))) == [3]
    ticket, finished, _ = asked.entries(Query())
    assert finished.detail == {
        "call": 1,
        "charge": {"nano_usd": 3, "tokens": 7},
        "http": 200,
        "ms": 12,
        "nano_usd": 3,
        "status": "ok",
        "tokens_in": 5,
        "tokens_out": 2,
        "wrong": ["blank_evidence"],
    }
    assert (ticket.detail["calls"], ticket.detail["tokens"]) == ([1], 7)
    assert asked.verify().ok


async def test_an_end_without_a_ticket_is_entered_alone(asked, begin, end):
    """A retry follows; what was not reported is null, not nothing."""
    await asked.start(begin(1))
    ended = end(1, status=CallStatus.TIMEOUT, usage=None, nano_usd=None, http=None)
    assert await asked.submit([], ended) == []
    (entry,) = asked.entries(Query(limit=1))
    unknown = ("http", "nano_usd", "tokens_in", "tokens_out")
    assert [entry.detail[name] for name in unknown] == [None] * 4
    assert asked.verify().ok


async def test_another_waits_as_long_as_the_claim(asked, begin, still):
    """He is told until when at most; about another line nobody waits."""
    await asked.start(begin(1))
    held = Held(still.now + HALF_MINUTE)
    assert await asked.start(begin(1, holder=bytes(16))) == held
    assert await asked.start(begin(2)) == Started(2)
    still.forward(29.9)
    assert await asked.start(begin(1, holder=bytes(16))) == held


async def test_the_holder_may_try_again_and_keeps_its_claim_longer(asked, begin, end, still):
    """Its second attempt renews the claim, which never ends earlier for it."""
    await asked.start(begin(1))
    await asked.submit([], end(1, status=CallStatus.JUNK))
    still.forward(20)
    assert await asked.start(begin(1, attempt=2)) == Started(3)
    other = begin(1, holder=bytes(16))
    assert await asked.start(other) == Held(still.now + HALF_MINUTE)
    await asked.start(begin(1, attempt=2, expires=still.now + 1))
    assert await asked.start(other) == Held(still.now + HALF_MINUTE)


async def test_a_claim_that_lasts_longer_than_any_deadline_is_none(asked, begin, still):
    """A clock that was an hour and more ahead made it; the line is asked about all the same."""
    still.forward(7_200)
    await asked.start(begin(1))
    still.forward(-7_200)
    assert type(await asked.start(begin(1, holder=bytes(16)))) is Started
    assert asked.verify().ok


async def test_an_answer_ends_the_claim_and_is_given_to_the_next(asked, begin, end, answer):
    """No second call for a line that has just been answered."""
    await asked.start(begin(1))
    (id,) = await asked.submit([answer(1, 1)], end(1))
    found = await asked.start(begin(1, holder=bytes(16)))
    assert found == Answered(asked.ticket(id))
    assert await asked.start(begin(1, holder=bytes(16), seen=id)) == Started(4)


async def test_a_second_attempt_does_not_ask_for_the_answers_of_others(asked, begin, fresh):
    """It is made by whoever made the first."""
    await asked.start(begin(1))
    asked.write([fresh(1)])
    assert await asked.start(begin(1, attempt=2)) == Started(3)


async def test_what_stands_before_in_the_same_group_counts(asked, begin, end, answer, fresh):
    """A claim, a ticket and a release, all in one transaction, each seen by the next."""
    other, third = bytes(16), bytes(range(16))
    begun = await asyncio.gather(
        asked.start(begin(1)),
        asked.start(begin(1, holder=other)),
        asked.release(begin(1).key, other),
        asked.start(begin(1, holder=other)),
        asked.release(begin(1).key, begin(1).holder),
        asked.start(begin(1, holder=other)),
        asked.submit([fresh(1, text=b"line 1", holder=other)]),
        asked.start(begin(1, holder=third)),
        asked.start(begin(1, holder=third, seen=3)),
    )
    held = Held(begin(1).expires)
    first = Answered(asked.ticket(3))
    assert begun == [Started(1), held, None, held, None, Started(2), [3], first, Started(4)]
    assert asked.verify().ok


async def test_only_the_holder_can_give_up_a_claim(asked, begin):
    """And only its own."""
    await asked.start(begin(1))
    await asked.release(begin(1).key, bytes(16))
    await asked.release(begin(2).key, begin(1).holder)
    assert type(await asked.start(begin(1, holder=bytes(16)))) is Held
    await asked.release(begin(1).key, begin(1).holder)
    assert type(await asked.start(begin(1, holder=bytes(16)))) is Started


async def test_a_ticket_of_another_holder_leaves_the_claim(asked, begin, fresh):
    """As of a process that was suspended and lost its claim meanwhile."""
    await asked.start(begin(1))
    await asked.submit([fresh(1, holder=bytes(16))])
    assert type(await asked.start(begin(1, holder=bytes(16), seen=2))) is Held


@pytest.mark.parametrize(
    ("caps", "fit"),
    [
        ({}, 9),
        ({"cap_tokens": 300}, 3),
        ({"cap_tokens": 299}, 2),
        ({"cap_nano_usd": 100}, 2),
        ({"cap_tokens": 400, "cap_nano_usd": 50}, 1),
        ({"cap_tokens": 0}, 0),
    ],
)
async def test_a_day_has_room_for_what_its_caps_allow(asked, begin, caps, fit):
    """To the last token, and the last billionth of a dollar."""
    begun = [await asked.start(begin(number, **caps)) for number in range(9)]
    assert begun == [Started(n) for n in range(1, fit + 1)] + [Exhausted()] * (9 - fit)
    assert _spent(asked) == (Spend(0, 0), Spend(100 * fit, 50 * fit))
    assert asked.verify().ok


async def test_an_end_gives_back_what_was_not_spent(asked, begin, end):
    """And charges more than was reserved, where more was reported."""
    for number in (1, 2):
        await asked.start(begin(number, cap_tokens=200))
    assert await asked.start(begin(3, cap_tokens=200)) == Exhausted()
    await asked.submit([], end(1))
    assert _spent(asked) == (Spend(7, 3), Spend(100, 50))
    await asked.submit([], end(2, charge=Spend(150, 70)))
    assert _spent(asked) == (Spend(157, 73), Spend(0, 0))
    assert await asked.start(begin(3, cap_tokens=200)) == Exhausted()
    assert asked.verify().ok


async def test_a_new_day_has_its_budget_to_itself(asked, begin, end, still):
    """A call is charged to the day it started on, whenever it ends."""
    still.now = 1_699_999_999_999_999 // 86_400_000_000 * 86_400_000_000 - 1
    assert await asked.start(begin(1, cap_tokens=100)) == Started(1)
    assert await asked.start(begin(2, cap_tokens=100)) == Exhausted()
    still.now += 1
    assert await asked.start(begin(2, cap_tokens=100)) == Started(2)
    await asked.submit([], end(1))
    assert _spent(asked) == (Spend(0, 0), Spend(100, 50))
    days = {day.day: day.calls for day in asked.summary().by_day}
    assert [calls.charged.tokens for calls in days.values()] == [7, 0]
    assert asked.verify().ok


async def test_the_cap_holds_under_many_at_once_and_after_reopening(
    asked, open_store, begin, still
):
    """200 ask at the same time, in few transactions; those who come after the restart get none."""
    starts = [begin(number, cap_tokens=5_000) for number in range(200)]
    before = asked._writer._appender.proved
    moments = Counter()
    commit = asked._writer._appender._commit
    asked._writer._appender._commit = lambda *given: (moments.update(["commit"]), commit(*given))
    begun = await asyncio.gather(*map(asked.start, starts))
    assert Counter(map(type, begun)) == {Started: 50, Exhausted: 150}
    assert moments["commit"] < 20
    assert asked._writer._appender.proved > before
    assert _spent(asked)[1].tokens == 5_000
    asked.close()
    again = open_store(clock=still)
    assert await again.start(begin(999, cap_tokens=5_000)) == Exhausted()
    assert again.verify().ok


async def test_an_expired_call_is_interrupted_by_the_next_start(asked, begin, still):
    """It is charged all that it had reserved, and its claim is gone."""
    await asked.start(begin(1, cap_tokens=150))
    still.forward(30)
    assert await asked.start(begin(1, holder=bytes(16), cap_tokens=150)) == Exhausted()
    assert _spent(asked) == (Spend(100, 50), Spend(0, 0))
    assert await asked.start(begin(1, holder=bytes(16), cap_tokens=200)) == Started(3)
    interrupted = asked.entries(Query(kind="call_interrupted"))
    assert [entry.detail for entry in interrupted] == [
        {"call": 1, "charge": {"nano_usd": 50, "tokens": 100}}
    ]
    assert asked.verify().ok


async def test_a_sweep_interrupts_what_has_expired_and_nothing_else(asked, begin, end, still):
    """Once each; a claim whose call has finished just expires."""
    for number in range(3):
        await asked.start(begin(number))
    await asked.submit([], end(2))
    assert asked.sweep() == 0
    still.forward(20)
    await asked.start(begin(4))
    still.forward(10)
    assert (asked.sweep(), asked.sweep()) == (2, 0)
    assert _kinds(asked)[-2:] == ["call_interrupted"] * 2
    calls = asked.summary().calls
    assert (calls.started, calls.finished, calls.interrupted, calls.in_flight) == (4, 1, 2, 1)
    assert type(await asked.start(begin(1, holder=bytes(16)))) is Started
    assert asked.verify().ok


async def test_opening_a_ledger_sweeps_it(asked, open_store, begin, still):
    """What a killed process left is told of without a call."""
    await asked.start(begin(1))
    asked.close()
    assert _kinds(open_store(clock=still)) == ["call_started"]
    still.forward(31)
    assert _kinds(open_store(clock=still)) == ["call_started", "call_interrupted"]


async def test_a_late_end_takes_the_place_of_the_interruption(asked, begin, end, answer, still):
    """Of a process that was suspended past its claim: its charge and its ticket count."""
    await asked.start(begin(1))
    still.forward(60)
    assert asked.sweep() == 1
    assert await asked.submit([answer(1, 1)], end(1)) == [4]
    finished = asked.entries(Query(kind="call_finished"))
    assert [entry.detail["late"] for entry in finished] == [True]
    assert _spent(asked) == (Spend(7, 3), Spend(0, 0))
    calls = asked.summary().calls
    assert (calls.finished, calls.interrupted, calls.charged) == (1, 0, Spend(7, 3))
    assert asked.verify().ok


@pytest.mark.parametrize("call", [1, 2, 9])
async def test_an_end_that_cannot_be_is_refused(asked, begin, end, fresh, call):
    """A second one, one of an entry that started no call, and one of no entry; nothing that came
    with it is entered, and others in its group are."""
    await asked.start(begin(1))
    await asked.submit([], end(1))
    refused = asked.submit([fresh(1)], end(call))
    entered = asked.submit([fresh(2)])
    with pytest.raises(ValueError, match=f"{call}"):
        await refused
    assert await entered == [3]
    assert asked.verify().ok


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"calls": (9,)}, "has not ended"),
        ({"calls": (2,)}, "has not ended"),
        ({"calls": (1, 1), "tokens": 14}, "named twice"),
        ({"tokens": 8}, "8 tokens were not reported"),
        ({"calls": (3,), "tokens": 0}, "did not give an answer"),
    ],
)
async def test_a_ticket_that_contradicts_the_calls_is_refused(
    asked, begin, end, answer, changes, why
):
    """Its end stands all the same: call 1 gave an answer, 2 is open, 3 timed out."""
    await asyncio.gather(*(asked.start(begin(number)) for number in (1, 2, 3)))
    await asked.submit([], end(3, status=CallStatus.TIMEOUT, usage=None))
    with pytest.raises(ValueError, match=why):
        await asked.submit([answer(1, 1, **changes)], end(1))
    assert _kinds(asked)[3:] == ["call_finished", "call_finished"]
    assert asked.verify().ok


async def test_a_call_has_one_ticket(asked, begin, end, answer):
    """A second one is refused, in the same order or later; so no token is counted twice."""
    await asked.start(begin(1))
    with pytest.raises(ValueError, match="has its ticket already"):
        await asked.submit([answer(1, 1), answer(2, 1)], end(1))
    await asked.submit([answer(1, 1)])
    with pytest.raises(ValueError, match="has its ticket already"):
        asked.write([answer(2, 1)])
    assert asked.verify().ok


async def test_a_ticket_of_two_attempts_names_both(asked, begin, end, answer):
    """Tokens are the sum of what was reported, for junk too."""
    await asked.start(begin(1))
    await asked.submit([], end(1, status=CallStatus.JUNK, usage=Usage(90, 3)))
    await asked.start(begin(1, attempt=2))
    await asked.submit([answer(1, 1, calls=(1, 3), tokens=100)], end(3))
    (entry,) = asked.entries(Query(limit=1))
    assert (entry.detail["calls"], entry.detail["tokens"]) == ([1, 3], 100)
    assert asked.verify().ok


@pytest.mark.parametrize(
    "changes",
    [
        {"key": b"short"},
        {"holder": b""},
        {"line_hash": bytes(16)},
        {"attempt": 3},
        {"reserve": Spend(-1, 0)},
        {"reserve": Spend(0, 10**16)},
        {"cap_tokens": -1},
        {"cap_nano_usd": 2**63},
        {"expires": 2**64},
    ],
)
async def test_a_start_that_makes_no_sense_is_refused_at_once(asked, begin, changes):
    """It joins no group."""
    with pytest.raises(ValueError, match=r"16 bytes|tried again once|whole number"):
        asked.start(begin(1, **changes))
    assert _kinds(asked) == []


@pytest.mark.parametrize(
    "changes", [{"charge": Spend(-1, 0)}, {"usage": Usage(-1, 0)}, {"ms": 1.5}, {"nano_usd": -1}]
)
async def test_an_end_that_makes_no_sense_is_refused_at_once(asked, begin, end, changes):
    """The call stays open."""
    await asked.start(begin(1))
    with pytest.raises(ValueError, match="whole number"):
        asked.submit([], end(1, **changes))
    assert asked.summary().calls.in_flight == 1


async def test_a_name_in_any_script_can_be_checked_from_an_export(asked, begin):
    """What no JSON reader agrees upon is written out."""
    await asked.start(begin(1, model="größe \udc80\x00,\u2028"))
    (entry,) = asked.entries(Query())
    assert entry.detail["model"] == "größe \\udc80\x00,\u2028"
    assert asked.summary().by_day[0].model == entry.detail["model"]
    assert asked.verify().ok


async def test_without_the_ledger_there_is_no_call(open_store, begin, path):
    """The future says why; and nothing is owed for it."""
    path.mkdir()
    store = open_store()
    with pytest.raises(LedgerUnavailable, match=str(path)):
        await store.start(begin(1))
    with pytest.raises(LedgerUnavailable, match=str(path)):
        store.sweep()
    assert store.unentered == 0


async def test_a_closed_store_starts_nothing(asked, begin):
    """As with tickets, the future fails."""
    asked.close()
    for future in (asked.start(begin(1)), asked.release(bytes(16), bytes(16))):
        with pytest.raises(LedgerUnavailable, match="closed"):
            await future


def test_calls_are_counted_by_status_day_and_model(asked, begin, end, answer, hit, still):
    """Every number of the summary, each from entries of its own."""

    async def day(number: int, model: str) -> None:
        call = (await asked.start(begin(number, model=model))).call
        junk = end(call, status=CallStatus.JUNK, usage=Usage(90, 3), charge=Spend(93, 40))
        await asked.submit([], junk)
        again = (await asked.start(begin(number, model=model, attempt=2))).call
        record = answer(number, again, calls=(call, again), tokens=100)
        (id,) = await asked.submit([record], end(again))
        await asked.submit([hit(number, original=id)] * 2)
        await asked.start(begin(number + 1, model=model))
        unmetered = end(again + 5, status=CallStatus.RATE_LIMITED, usage=None, nano_usd=None)
        await asked.submit([], unmetered)
        await asked.start(begin(number + 2, model=model))

    asyncio.run(day(10, "small"))
    still.forward(86_400)
    asked.sweep()
    asyncio.run(day(20, "large"))
    asyncio.run(day(30, "small"))
    found = asked.summary()
    assert [(day.day, day.model) for day in found.by_day] == [
        ("2023-11-14", "small"),
        ("2023-11-15", "large"),
        ("2023-11-15", "small"),
    ]
    first = found.by_day[0].calls
    assert (first.started, first.finished, first.interrupted, first.in_flight) == (4, 3, 1, 0)
    assert first.by_status == {"junk": 1, "ok": 1, "rate_limited": 1}
    assert (first.retries, first.tokens_in, first.tokens_out) == (1, 95, 5)
    assert (first.nano_usd, first.unreported) == (6, 2)
    assert first.charged == Spend(93 + 7 + 7 + 100, 40 + 3 + 3 + 50)
    assert (found.calls.started, found.calls.in_flight) == (12, 2)
    assert found.calls_avoided == 6
    assert found.budget.day == "2023-11-15"
    assert found.budget.spent == Spend(2 * 107, 2 * 46)
    assert found.budget.reserved == Spend(200, 100)
    only = asked.summary(since=still.now)
    assert (only.calls.started, only.calls_avoided, len(only.by_day)) == (8, 4, 2)
    assert asked.summary(until=still.now).calls == first
    assert asked.verify().ok


async def test_a_summary_can_be_had_of_a_ledger_that_was_tampered_with(
    asked, begin, end, answer, hit, alter
):
    """What no longer says what it repeats is not counted; verification tells of it."""
    await asked.start(begin(1))
    await asked.submit([answer(1, 1), hit(1, original=3), hit(1, original=3)], end(1))
    assert asked.summary().calls_avoided == 2
    alter("UPDATE entry SET detail = 'no JSON' WHERE seq = 4")
    assert asked.summary().calls_avoided == asked.summary(since=1).calls_avoided == 1
    assert asked.verify().bad_seq == 4

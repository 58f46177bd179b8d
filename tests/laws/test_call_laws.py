"""The laws of calls: whoever asks, in whatever order, whoever dies, and whatever time it is."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from hashlib import sha256
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from logdocket.calls import FREE, CallEnd, CallStatus, Spend, Usage
from logdocket.errors import LedgerUnavailable
from logdocket.store import (
    Answered,
    CallStart,
    Exhausted,
    Held,
    SqliteStore,
    Started,
    TicketRecord,
)
from logdocket.ticket import Source

DAY = 86_400_000_000
SPENDS = st.builds(Spend, st.integers(0, 40), st.integers(0, 9))
STARTS = st.fixed_dictionaries(
    {
        "line": st.integers(0, 2),
        "who": st.integers(0, 2),
        "attempt": st.sampled_from([1, 1, 2]),
        "lasts": st.sampled_from([1, 10, 100]),
        "reserve": SPENDS,
        "cap": st.sampled_from([None, None, 50, 120]),
        "seen": st.booleans(),
    }
)
ENDS = st.fixed_dictionaries(
    {
        "place": st.integers(0, 5),
        "status": st.sampled_from([CallStatus.OK, CallStatus.JUNK, CallStatus.TIMEOUT]),
        "charge": SPENDS,
        "usage": st.none() | st.builds(Usage, st.integers(0, 9), st.integers(0, 9)),
        "ticket": st.booleans(),
    }
)
STEPS = st.one_of(
    *[st.tuples(st.just("start"), STARTS)] * 4,
    *[st.tuples(st.just("end"), ENDS)] * 3,
    st.tuples(st.just("release"), st.tuples(st.integers(0, 2), st.integers(0, 2))),
    st.tuples(st.just("wait"), st.sampled_from([5, 20, DAY // 2])),
    st.tuples(st.just("sweep"), st.none()),
    st.tuples(st.just("reopen"), st.none()),
)


class Call(msgspec.Struct):
    """What the model below knows of a call."""

    number: int
    line: int
    who: int
    day: int
    expires: int
    reserve: Spend
    status: str | None = None
    charge: Spend = FREE
    usage: Usage | None = None
    ticket: bool = False


def _line(number: int) -> bytes:
    return sha256(b"line %d" % number).digest()


def _who(number: int) -> bytes:
    return sha256(b"who %d" % number).digest()[:16]


class Plan:
    """A store, and beside it the rules of calls in plain Python."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.now = 1_700_000_000_000_000
        self.calls: list[Call] = []
        self.claims: dict[int, tuple[int, int]] = {}
        self.tickets: dict[int, int] = {}
        self.tokens = 0

    def interrupt(self) -> int:
        """Take what has expired for left behind."""
        self.claims = {line: held for line, held in self.claims.items() if held[1] > self.now}
        left = [call for call in self.calls if call.status is None and call.expires <= self.now]
        for call in left:
            call.status, call.charge = "interrupted", call.reserve
        return len(left)

    def spend(self, day: int) -> tuple[Spend, Spend]:
        """What a day was charged, and what is reserved."""
        calls = [call for call in self.calls if call.day == day]
        charged = [call.charge for call in calls]
        reserved = [call.reserve for call in calls if call.status is None]
        spent, held = (
            Spend(sum(one.tokens for one in each), sum(one.nano_usd for one in each))
            for each in (charged, reserved)
        )
        return spent, held

    async def start(self, given: dict[str, Any]) -> None:
        """Ask, and compare what comes of it."""
        line, who, reserve, cap = given["line"], given["who"], given["reserve"], given["cap"]
        newest = self.tickets.get(line, 0)
        seen = newest if given["seen"] else 0
        expires = self.now + given["lasts"]
        self.interrupt()
        spent, held = self.spend(self.now // DAY)
        claim = self.claims.get(line)
        begun = await self.store.start(
            CallStart(
                key=_line(line)[:16],
                line_hash=_line(line),
                holder=_who(who),
                expires=expires,
                seen=seen,
                attempt=given["attempt"],
                model="small",
                mode="schema",
                prompt=1,
                reserve=reserve,
                cap_tokens=cap,
            )
        )
        if claim is not None and claim[0] != who:
            assert begun == Held(claim[1])
        elif given["attempt"] == 1 and newest > seen:
            assert isinstance(begun, Answered)
            assert begun.ticket.id == newest
        elif cap is not None and spent.tokens + held.tokens + reserve.tokens > cap:
            assert begun == Exhausted()
        else:
            assert isinstance(begun, Started)
            day = self.now // DAY
            self.calls.append(Call(begun.call, line, who, day, expires, reserve))
            self.claims[line] = (who, max(expires, claim[1] if claim else 0))

    async def end(self, given: dict[str, Any]) -> None:
        """End a call, with or without its ticket; one that has ended cannot end again."""
        if not self.calls:
            return
        call = self.calls[-1 - given["place"] % len(self.calls)]
        status, usage = given["status"], given["usage"]
        ended = CallEnd(
            call=call.number, status=status, ms=1, charge=given["charge"], usage=usage, nano_usd=0
        )
        future = self.store.submit(self.records(call, status, usage) * given["ticket"], ended)
        if call.status not in (None, "interrupted"):
            try:
                await future
            except ValueError:
                return
            raise AssertionError("it ended twice")
        ids = await future
        call.status, call.charge, call.usage = status.value, given["charge"], usage
        if ids:
            (self.tickets[call.line],) = ids
            self.tokens += usage.tokens if usage else 0
            if self.claims.get(call.line, (None,))[0] == call.who:
                del self.claims[call.line]

    def records(self, call: Call, status: CallStatus, usage: Usage | None) -> list[TicketRecord]:
        """The ticket of a call."""
        return [
            TicketRecord(
                key=_line(call.line)[:16],
                line_hash=_line(call.line),
                source=Source.MODEL if status is CallStatus.OK else Source.FALLBACK,
                reasons=(),
                body=b"{}",
                calls=(call.number,),
                tokens=usage.tokens if usage else 0,
                holder=_who(call.who),
            )
        ]

    async def step(self, kind: str, given: Any) -> None:
        """One step of whatever kind."""
        if kind == "start":
            await self.start(given)
        elif kind == "end":
            await self.end(given)
        elif kind == "release":
            line, who = given
            await self.store.release(_line(line)[:16], _who(who))
            if self.claims.get(line, (None,))[0] == who:
                del self.claims[line]
        elif kind == "wait":
            self.now += given
        elif kind == "sweep":
            assert self.store.sweep() == self.interrupt()
        else:
            again = SqliteStore(self.store.path, clock=lambda: self.now)
            self.interrupt()
            self.store, folder, self.store._folder = again, self.store._folder, None
            again._folder = folder

    def compare(self) -> None:
        """Every number of the summary, and the walk over the chain."""
        assert self.store.verify().ok, self.store.verify()
        found = self.store.summary()
        states = Counter(call.status for call in self.calls)
        calls = found.calls
        assert calls.started == calls.finished + calls.interrupted + calls.in_flight
        assert calls.started == len(self.calls)
        assert calls.in_flight == states.pop(None, 0)
        assert calls.interrupted == states.pop("interrupted", 0)
        assert calls.by_status == states
        used = [call.usage for call in self.calls if call.usage]
        assert calls.tokens_in == sum(usage.tokens_in for usage in used)
        assert calls.tokens_out == sum(usage.tokens_out for usage in used)
        assert (found.budget.spent, found.budget.reserved) == self.spend(self.now // DAY)
        entered = [entry.detail for entry in self.store.export() if entry.kind == "ticket"]
        assert sum(int(str(detail["tokens"])) for detail in entered) == self.tokens


@given(steps=st.lists(STEPS, min_size=8, max_size=18))
@settings(max_examples=25)
def test_calls_and_budget_add_up_whatever_happens(steps) -> None:
    """Started = finished + interrupted + in flight; tokens are those reported; reserved and spent
    never pass the cap; and who may call is what the rules say."""

    async def run(plan: Plan) -> None:
        for step in steps:
            await plan.step(*step)

    moment: list[Plan] = []
    store = SqliteStore.temporary(clock=lambda: moment[0].now)
    moment.append(Plan(store))
    try:
        asyncio.run(run(moment[0]))
        moment[0].compare()
    finally:
        store.close()
        moment[0].store.close()


@given(steps=st.lists(st.tuples(STEPS, st.booleans()), min_size=1, max_size=10))
@settings(max_examples=12)
def test_no_end_is_lost_while_the_ledger_cannot_be_written(steps) -> None:
    """Whenever another program holds its lock: once it can be written again, every call that was
    told to have ended has its end, once."""

    async def run(store: SqliteStore) -> tuple[int, set[int]]:
        opened: list[int] = []
        ended: set[int] = set()
        blocker = sqlite3.connect(store.path, isolation_level=None)
        for (kind, told), blocked in steps:
            if blocked:
                blocker.execute("BEGIN IMMEDIATE")
                store._writer._appender.hurry()
            try:
                if kind == "start":
                    holder = sha256(b"%d" % len(opened)).digest()
                    begun = await store.start(
                        CallStart(
                            key=holder[16:],
                            line_hash=holder,
                            holder=holder[:16],
                            expires=2**60,
                            seen=0,
                            attempt=1,
                            model="small",
                            mode="text",
                            prompt=1,
                            reserve=told["reserve"],
                        )
                    )
                    assert isinstance(begun, Started)
                    opened.append(begun.call)
                elif kind == "end" and set(opened) - ended:
                    call = min(set(opened) - ended)
                    ended.add(call)
                    done = CallEnd(call=call, status=told["status"], ms=1, charge=told["charge"])
                    await store.submit([], done)
            except LedgerUnavailable:
                assert blocked
            if blocked:
                blocker.execute("ROLLBACK")
        blocker.close()
        store.check()
        return len(opened), ended

    store = SqliteStore.temporary(clock=lambda: 1_700_000_000_000_000)
    store._writer._appender._patience = 0
    try:
        started, ended = asyncio.run(run(store))
        found = store.summary()
        entered = [
            entry.detail["call"] for entry in store.export() if entry.kind == "call_finished"
        ]
        assert store.verify().ok
        assert sorted(int(str(call)) for call in entered) == sorted(ended)
        assert (found.calls.started, found.calls.finished) == (started, len(ended))
        assert found.unledgered == 0
    finally:
        store.close()

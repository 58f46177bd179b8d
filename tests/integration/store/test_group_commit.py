"""Calls from event loops: joined into groups, durable when they resolve."""

from __future__ import annotations

import asyncio
import sqlite3
import threading

import pytest

from logdocket.errors import LedgerUnavailable
from logdocket.store import Query


async def test_concurrent_calls_share_transactions(store, fresh, hit):
    """Each call gets its own entries, and there are far fewer moments of entry than calls."""
    await store.submit([fresh(0)])
    ids = await asyncio.gather(*(store.submit([hit(0, original=1)]) for _ in range(500)))
    assert sorted(id for (id,) in ids) == list(range(2, 502))
    moments = {entry.at for entry in store.export()}
    assert len(moments) < 50
    assert store.verify().ok


async def test_calls_of_several_records_keep_their_order(store, fresh, hit):
    """A hit on a ticket of its own call names it, whoever shares the group."""
    calls = [[fresh(n), fresh(n + 1000), hit(n + 1000, same_as=1)] for n in range(100)]
    ids = await asyncio.gather(*(store.submit(call) for call in calls))
    assert all(group == list(range(group[0], group[0] + 3)) for group in ids)
    for first, second, third in ids:
        assert store.ticket(third).id == second == first + 1
    assert store.verify().ok


async def test_what_is_resolved_is_on_disk(store, fresh, path):
    """Another connection sees the entry as soon as the future is done."""
    (id,) = await store.submit([fresh(1)])
    other = sqlite3.connect(path)
    assert other.execute("SELECT count(*) FROM entry WHERE seq = ?", (id,)).fetchone() == (1,)
    other.close()


async def test_a_cancelled_call_is_entered_all_the_same(store, fresh, caplog):
    """Nobody waits for it, nothing breaks, and what was handed over stands."""
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    futures = [store.submit([fresh(number)]) for number in range(20)]
    for future in futures[::2]:
        future.cancel()
    await asyncio.gather(*futures[1::2])
    await store.submit([fresh(20)])
    assert store.verify().entries == 21
    assert faults == []


async def test_an_empty_call_is_done_at_once(store):
    """It enters nothing."""
    assert await store.submit([]) == []


async def test_a_malformed_record_hurts_nobody_else(store, fresh, hit):
    """It is refused before it could join a group."""
    good = store.submit([fresh(1)])
    with pytest.raises(ValueError, match="record 0"):
        store.submit([hit(1)])
    assert await good == [1]


async def test_every_caller_of_a_failed_group_is_told(store, fresh, path):
    """And the next success begins with a gap that counts them all."""
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    outcomes = await asyncio.gather(
        *(store.submit([fresh(number)]) for number in range(10)), return_exceptions=True
    )
    assert all(isinstance(outcome, LedgerUnavailable) for outcome in outcomes)
    assert len({id(outcome) for outcome in outcomes}) == 10
    blocker.execute("ROLLBACK")
    blocker.close()
    assert await store.submit([fresh(11)]) == [2]
    gap = store.entries(Query())[-1]
    assert (gap.kind, gap.detail["tickets"]) == ("gap", 10)
    assert store.summary().unledgered == 10
    assert store.verify().ok


def test_closing_lets_the_last_group_commit(open_store, fresh):
    """Calls that were made before are entered, and their callers are told."""

    async def last_calls() -> list[list[int]]:
        store = open_store()
        futures = [store.submit([fresh(number)]) for number in range(50)]
        store.close()
        return await asyncio.gather(*futures)

    assert asyncio.run(last_calls()) == [[id] for id in range(1, 51)]
    assert open_store().verify().entries == 50


async def test_a_call_on_a_closed_store_is_refused(store, fresh):
    """The future fails; the call itself does not raise."""
    await store.submit([fresh(1)])
    store.close()
    with pytest.raises(LedgerUnavailable, match="closed"):
        await store.submit([fresh(2)])


def test_several_loops_and_threads_share_one_writer(store, fresh):
    """Two event loops and two blocking threads, one chain."""
    failures = []

    def looping(start: int) -> None:
        async def calls() -> None:
            await asyncio.gather(*(store.submit([fresh(start + n)]) for n in range(100)))

        try:
            asyncio.run(calls())
        except LedgerUnavailable as error:
            failures.append(error)

    def blocking(start: int) -> None:
        for number in range(20):
            store.write([fresh(start + number), fresh(start + 500 + number)])

    threads = [threading.Thread(target=looping, args=(1000 * n,)) for n in range(2)]
    threads += [threading.Thread(target=blocking, args=(1000 * n,)) for n in range(2, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.verify()
    assert failures == []
    assert (found.ok, found.entries) == (True, 280)


def test_a_loop_that_is_gone_does_not_stop_the_writer(store, fresh):
    """Its entries stand, and others go on."""

    async def leave() -> None:
        store.submit([fresh(1)])

    asyncio.run(leave())

    async def stay() -> list[int]:
        return await store.submit([fresh(2)])

    assert asyncio.run(stay()) == [2]
    assert store.verify().ok


async def test_without_a_thread_it_is_entered_all_the_same(store, fresh, monkeypatch):
    """The system may refuse one; the next call tries again."""

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        assert await store.submit([fresh(1)]) == [1]
    assert await store.submit([fresh(2)]) == [2]
    assert any(thread.name == "logdocket-writer" for thread in threading.enumerate())

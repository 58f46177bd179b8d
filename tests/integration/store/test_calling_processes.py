"""Calls of several processes on one ledger, and of processes that were killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter

from logdocket.calls import Spend
from logdocket.store import Exhausted, Query

CALL = """
import asyncio, sys, time
from hashlib import sha256
from logdocket.calls import Spend
from logdocket.store import CallStart, SqliteStore

path, name, lines, cap = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3]), int(sys.argv[4])

def call(number):
    line = sha256(b"line %d" % number).digest()
    return CallStart(
        key=line[:16], line_hash=line, holder=sha256(name + line).digest()[:16],
        expires=now + 10**7,
        seen=0, attempt=1, model="small", mode="schema", prompt=1, reserve=Spend(100, 0),
        cap_tokens=cap)

async def main():
    begun = await asyncio.gather(*(store.start(call(number)) for number in range(lines)))
    print(*(type(one).__name__ for one in begun), flush=True)
    if name == b"killed":
        time.sleep(60)

now = 1_700_000_000_000_000
store = SqliteStore(path, clock=lambda: now, busy_timeout=30)
print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
store.close()
"""


def _caller(path, name: str, lines: int, cap: int) -> subprocess.Popen[str]:
    arguments = [str(path), name, str(lines), str(cap)]
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def _begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("now\n")
    process.stdin.flush()


def test_of_two_processes_one_asks_about_a_line_and_the_budget_is_one(path, asked):
    """Both ask about the same 60 lines at once: each line has one call, while the day has room."""
    callers = [_caller(path, name, 60, 5_000) for name in ("one", "other")]
    for caller in callers:
        _begin(caller)
    said = [caller.communicate(timeout=30)[0].split() for caller in callers]
    pairs = Counter(map(frozenset, zip(*said, strict=True)))
    assert set(pairs) == {frozenset({"Started", "Held"}), frozenset({"Exhausted"})}
    assert pairs[frozenset({"Started", "Held"})] == 50
    assert asked.summary().budget.reserved == Spend(5_000, 0)
    assert asked.verify().ok


async def test_what_a_killed_process_had_asked_is_interrupted_once_it_expires(
    path, asked, begin, end, still
):
    """Its reservations hold until then and are charged after; whoever knows an end can tell it."""
    caller = _caller(path, "killed", 5, 500)
    _begin(caller)
    assert caller.stdout is not None
    assert caller.stdout.readline().split() == ["Started"] * 5
    caller.send_signal(signal.SIGKILL)
    caller.communicate()
    assert asked.sweep() == 0
    assert asked.summary().calls.in_flight == 5
    assert await asked.start(begin(1, cap_tokens=500)) == Exhausted()
    still.forward(10)
    assert asked.sweep() == 5
    assert await asked.start(begin(1, cap_tokens=599)) == Exhausted()
    assert await asked.submit([], end(1)) == []
    (finished,) = asked.entries(Query(kind="call_finished"))
    assert finished.detail["late"] is True
    calls = asked.summary().calls
    assert (calls.started, calls.finished, calls.interrupted, calls.in_flight) == (5, 1, 4, 0)
    assert calls.charged == Spend(407, 3)
    assert asked.verify().ok

"""Several processes folding one ledger, deciding about it, and killed at any moment."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from queued import GROUPING, fold, fresh, rows

from logdocket.store import Grouping, GroupQuery

SUPPORT = str(Path(__file__).parents[2] / "support")

FOLD = """
import sys
import time
sys.path.insert(0, sys.argv[2])
from queued import GROUPING
from logdocket.store import SqliteStore

store = SqliteStore(sys.argv[1], clock=lambda: 1_700_000_000_000_000, busy_timeout=30)
taken, most = 0, int(sys.argv[3])
print("ready", flush=True)
while (folded := store.fold(GROUPING, most)).upto < int(sys.argv[4]):
    taken += folded.entries
    time.sleep(0.005)
print(taken + folded.entries, flush=True)
store.close()
"""

DECIDE = """
import json
import sys
sys.path.insert(0, sys.argv[2])
from queued import GROUPING, ruling
from logdocket.store import Decided, GroupQuery, SqliteStore, VerdictWord

store = SqliteStore(sys.argv[1], clock=lambda: 1_700_000_000_000_000, busy_timeout=30)
who, rounds = sys.argv[3], int(sys.argv[4])
store.fold(GROUPING)
print("ready", flush=True)
for number in range(rounds):
    for group in store.groups(GroupQuery()).groups:
        line = json.loads(store.ticket(group.ticket).body)["line"]
        word = VerdictWord.RIGHT if number % 2 else VerdictWord.REOPENED
        record = ruling(group, word, line, who=who, note=str(number))
        (outcome,) = store.decide([record], GROUPING)
        if isinstance(outcome, Decided):
            print("decided", group.version, outcome.verdict, flush=True)
        else:
            assert outcome.group.version > group.version
            print("stale", flush=True)
store.close()
"""

WRITE = """
import sys
sys.path.insert(0, sys.argv[2])
from queued import fresh, hit
from logdocket.store import SqliteStore

store = SqliteStore(sys.argv[1], clock=lambda: 1_700_000_000_000_000, busy_timeout=30)
start, count = int(sys.argv[3]), int(sys.argv[4])
print("ready", flush=True)
for number in range(start, start + count):
    (id,) = store.write([fresh(number, number % 3)])
    store.write([hit(number, id)] * 2)
store.close()
"""


def _run(script: str, path: Path, *arguments: object) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path), SUPPORT, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_two_processes_fold_while_one_writes_and_two_decide(path, open_store):
    """Every entry counts once, nobody overwrites anybody, and the queue is that of the ledger."""
    store = open_store(busy_timeout=30)
    store.write([fresh(line, line % 3) for line in range(1, 4)])
    writer = _run(WRITE, path, 4, 40)
    folders = [_run(FOLD, path, most, 123) for most in (7, 4096)]
    deciders = [_run(DECIDE, path, who, 8) for who in ("rev-a", "rev-b")]
    said = [process.communicate(timeout=60)[0] for process in (writer, *folders, *deciders)]
    assert [process.returncode for process in (writer, *folders, *deciders)] == [0] * 5
    fold(store)
    groups = store.groups(GroupQuery()).groups
    assert sum(group.count for group in groups) == 3 + 40 * 3
    verdicts = store.verdicts()
    decided = [line.split() for text in said[3:] for line in text.split("\n") if "decided" in line]
    assert sorted(int(number) for _, _, number in decided) == [one.id for one in verdicts]
    # Each names the one before as what it has seen.
    for group in groups:
        history = store.group_verdicts(group.id)[::-1]
        assert [one.version for one in history] == [0, *(one.id for one in history)][:-1]
    assert store.verify().ok
    before = rows(path)
    fold(store, Grouping(GROUPING.describe, 2))
    assert rows(path) == before


def test_processes_killed_amid_folding_and_deciding_leave_a_whole_queue(path, open_store):
    """Killed eight times at some moment: each entry counts once, and each verdict that was
    acknowledged stands."""
    chance = random.Random(12)
    store = open_store(busy_timeout=30)
    store.write([fresh(line, line % 3) for line in range(1, 4)])
    acknowledged: list[int] = []
    for kill in range(8):
        start = 1_000 * (kill + 1)
        store.write([fresh(line, line % 3) for line in range(start, start + 200)])
        head = store.queue_counts().head
        if kill % 2:
            process = _run(FOLD, path, chance.choice([1, 3, 20]), head)
        else:
            process = _run(DECIDE, path, "rev-a", 1_000)
        time.sleep(chance.random() * 0.2)
        process.send_signal(signal.SIGKILL)
        text, _ = process.communicate(timeout=10)
        whole = text[: text.rfind("\n") + 1].split("\n")
        acknowledged += [int(line.split()[2]) for line in whole if line.startswith("decided")]
    assert acknowledged
    fold(store)
    assert sum(group.count for group in store.groups(GroupQuery()).groups) == 3 + 8 * 200
    assert set(acknowledged) <= {verdict.id for verdict in store.verdicts()}
    assert store.verify().ok
    before = rows(path)
    fold(store, Grouping(GROUPING.describe, 2), 100)
    assert rows(path) == before

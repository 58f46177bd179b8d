"""Several processes on one file, and processes killed at any moment."""

from __future__ import annotations

import itertools
import random
import signal
import subprocess
import sys

import pytest

WRITE = """
import sys
from hashlib import sha256
from logdocket.store import SqliteStore, TicketRecord
from logdocket.ticket import Source

path, start, count, size = sys.argv[1], *map(int, sys.argv[2:])
store = SqliteStore(path, clock=lambda: 1_700_000_000_000_000 + start, busy_timeout=30)
for number in range(start, start + count, size):
    records = []
    for n in range(number, number + size):
        line = sha256(str(n).encode()).digest()
        records.append(TicketRecord(key=line[:16], line_hash=line, source=Source.FALLBACK,
                                    reasons=(), body=line))
    print(*store.write(records), flush=True)
store.close()
"""


def _writer(path, start: int, count: int, size: int = 1) -> subprocess.Popen[str]:
    arguments = [str(path), str(start), str(count), str(size)]
    return subprocess.Popen(
        [sys.executable, "-c", WRITE, *arguments], stdout=subprocess.PIPE, text=True
    )


def test_eight_processes_write_one_chain(path, open_store):
    """They open a new file all at once, and none of 1,600 records is lost or entered twice."""
    writers = [_writer(path, 1_000 * place, 200) for place in range(8)]
    said = [writer.communicate(timeout=50)[0] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8
    ids = sorted(int(id) for text in said for id in text.split())
    assert ids == list(range(1, 1_601))
    found = open_store().verify()
    assert (found.ok, found.entries) == (True, 1_600)


def test_a_killed_process_leaves_all_that_it_acknowledged(path, open_store):
    """Killed fifteen times at some moment, in calls of several sizes; each ticket that it said was
    entered is there, whole calls only, and the chain goes on."""
    chance = random.Random(15)
    acknowledged: dict[int, int] = {}
    for kill in range(15):
        start, size = kill * 1_000_000, chance.choice([1, 3, 40])
        writer = _writer(path, start, 999_960 // size * size, size)
        assert writer.stdout is not None
        lines = list(itertools.islice(writer.stdout, chance.randrange(1, 40)))
        writer.send_signal(signal.SIGKILL)
        lines += [line for line in writer.stdout if line.endswith("\n")]
        writer.stdout.close()
        assert writer.wait(timeout=10) == -signal.SIGKILL
        for number, id in enumerate(itertools.chain.from_iterable(map(str.split, lines)), start):
            assert int(id) not in acknowledged
            acknowledged[int(id)] = number
    store = open_store()
    found = store.verify()
    assert found.ok, found
    assert found.entries >= len(acknowledged)
    for id, number in acknowledged.items():
        assert store.ticket(id).line_hash == _line_hash(number)


def _line_hash(number: int) -> bytes:
    from hashlib import sha256

    return sha256(str(number).encode()).digest()


def test_verification_runs_beside_writers(path, open_store):
    """It sees one moment of the file, and that moment is whole."""
    open_store()
    writer = _writer(path, 0, 3_000, 3)
    seen = []
    while writer.poll() is None:
        found = open_store().verify()
        assert found.ok, found
        seen.append(found.entries)
    assert writer.communicate()[0].split()[-1] == "3000"
    assert seen == sorted(seen)
    assert open_store().verify().entries == 3_000


@pytest.mark.parametrize("processes", [2, 6])
def test_processes_that_open_a_new_file_at_once_make_one_schema(path, open_store, processes):
    """Each of them waits for the first."""
    writers = [_writer(path, 1_000 * place, 1) for place in range(processes)]
    said = sorted(writer.communicate(timeout=30)[0] for writer in writers)
    assert said == [f"{id}\n" for id in range(1, processes + 1)]

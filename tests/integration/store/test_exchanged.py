"""Files deleted or exchanged under a store in use: no entry is acknowledged that would be lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256

import pytest

from logdocket.errors import LedgerUnavailable
from logdocket.store.records import Query

COUNT = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())"


def _seen_by_another_process(path) -> int:
    words = [sys.executable, "-c", COUNT, str(path), "SELECT count(*) FROM entry"]
    return int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def _beside(path, suffix):
    return path.with_name(path.name + suffix)


def _back_up(path, to) -> None:
    with closing(sqlite3.connect(path)) as ledger, closing(sqlite3.connect(to)) as backup:
        ledger.backup(backup)


def _checkpoint(path) -> None:
    with closing(sqlite3.connect(path)) as ledger:
        ledger.execute("PRAGMA wal_checkpoint(FULL)")


def _all_connections(store) -> None:
    store.lookup(bytes(16))
    store.entries(Query(limit=1))


@pytest.mark.parametrize("lost", [["-wal"], ["-shm"], ["-wal", "-shm"]])
def test_a_deleted_log_stops_writing_and_loses_nothing(store, fresh, path, lost):
    """What was acknowledged is brought into the file before anyone goes on without the log."""
    for number in range(5):
        store.write([fresh(number)])
    _all_connections(store)
    for suffix in lost:
        _beside(path, suffix).unlink()
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match="lost its -wal or -shm file"):
            store.write([fresh(6)])
    with pytest.raises(LedgerUnavailable, match="lost its -wal or -shm file"):
        store.check()
    assert _seen_by_another_process(path) == 5


def test_a_log_that_another_process_began_is_left_alone(store, fresh, path):
    """To bring the lost one into the file now would overwrite what that process entered."""
    store.write([fresh(1)])
    _checkpoint(path)
    store.write([fresh(2)])
    _beside(path, "-wal").unlink()
    _beside(path, "-shm").unlink()
    assert _seen_by_another_process(path) == 1
    _beside(path, "-wal").touch()
    with pytest.raises(LedgerUnavailable, match="lost its -wal or -shm file"):
        store.write([fresh(3)])
    assert path.stat().st_size > 0
    assert _seen_by_another_process(path) == 1


@pytest.mark.parametrize("put", [lambda backup, path: backup.replace(path), shutil.copyfile])
def test_a_backup_put_in_place_while_in_use_is_refused(open_store, store, fresh, path, put):
    """Beside the log of the file before it, it is a mixture of two ledgers."""
    store.write([fresh(number) for number in range(2_000)])
    backup = path.parent / "backup.db"
    _back_up(path, backup)
    store.write([fresh(number) for number in range(2_000, 4_000)])
    _checkpoint(path)
    store.write([fresh(4_000)])
    _all_connections(store)
    put(backup, path)
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match=r"was exchanged|was cut short"):
            store.write([fresh(4_001)])


@pytest.mark.parametrize("share", [0, 0.5])
def test_a_log_cut_short_while_in_use_is_refused(store, fresh, path, share):
    """What it held is gone; what would be entered behind the hole could not be read."""
    for number in range(20):
        store.write([fresh(number)])
    log = _beside(path, "-wal")
    os.truncate(log, int(log.stat().st_size * share))
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match="lost a part of its -wal file"):
            store.write([fresh(20)])


def test_a_log_that_was_emptied_in_order_goes_on(store, fresh, path):
    """As by a checkpoint that truncates it."""
    for number in range(20):
        store.write([fresh(number)])
    with closing(sqlite3.connect(path)) as ledger:
        assert ledger.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
    assert _beside(path, "-wal").stat().st_size == 0
    assert store.write([fresh(20)]) == [21]
    assert store.verify().ok


def test_the_right_file_put_back_heals(store, fresh, path):
    """The chain goes on, after a gap, and nothing that was acknowledged is missing."""
    store.write([fresh(1)])
    right, wrong = path.parent / "right.db", path.parent / "wrong.db"
    _back_up(path, wrong)
    store.write([fresh(2)])
    path.rename(right)
    wrong.rename(path)
    with pytest.raises(LedgerUnavailable, match="was exchanged"):
        store.write([fresh(3)])
    right.replace(path)
    assert store.write([fresh(4)]) == [4]
    assert (store.verify().entries, store.summary().unledgered) == (4, 1)


def test_a_vacuum_while_in_use_is_no_exchange(store, fresh, path):
    """It leaves a shorter file, after texts were erased, with all entries in it."""
    line = b"x" * 20_000
    for number in range(100):
        store.write([fresh(number, text=line, line_hash=sha256(line).digest())])
    _checkpoint(path)
    before = path.stat().st_size
    store.check()
    with closing(sqlite3.connect(path, isolation_level=None)) as ledger:
        ledger.execute("UPDATE ticket SET text = NULL")
        ledger.execute("VACUUM")
    _checkpoint(path)
    assert path.stat().st_size < before
    assert store.write([fresh(100)]) == [101]
    assert store.verify().ok

"""A commit that fails without saying whether it took effect: the file itself is asked."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest

from logdocket.errors import LedgerUnavailable
from logdocket.store.sqlite import database


class Faults:
    """What goes wrong at the next commit: ``committed`` says whether it takes effect first, and
    ``blind`` whether no connection can be opened afterwards."""

    def __init__(self) -> None:
        self.armed = False
        self.committed = False
        self.blind = False


@pytest.fixture
def faults(monkeypatch) -> Faults:
    """Real connections, whose commits fail on demand the way a disk error does."""
    faults = Faults()

    class Faulty(sqlite3.Connection):
        def execute(self, sql, parameters=()):
            if sql == "COMMIT" and faults.armed:
                faults.armed = False
                super().execute("COMMIT" if faults.committed else "ROLLBACK")
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
                raise error
            return super().execute(sql, parameters)

    def connect(*arguments, **options):
        if faults.blind:
            raise sqlite3.OperationalError("disk I/O error")
        return real(*arguments, factory=Faulty, **options)

    real = sqlite3.connect
    monkeypatch.setattr(database.sqlite3, "connect", connect)
    monkeypatch.setattr(database, "_RETRY", 0)
    return faults


def _arm(faults: Faults, *, committed: bool, blind: bool = False) -> None:
    faults.armed, faults.committed, faults.blind = True, committed, blind


def test_a_failed_commit_that_took_effect_is_a_success(faults, store, fresh):
    """What is recorded is not called unrecorded."""
    store.write([fresh(1)])
    _arm(faults, committed=True)
    assert store.write([fresh(2), fresh(3)]) == [2, 3]
    assert store.write([fresh(4)]) == [4]
    assert (store.verify().entries, store.summary().unledgered) == (4, 0)


def test_a_failed_commit_that_took_no_effect_is_a_failure(faults, store, fresh):
    """What is not recorded is not called recorded, and is counted."""
    store.write([fresh(1)])
    _arm(faults, committed=False)
    with pytest.raises(LedgerUnavailable, match="check its disk"):
        store.write([fresh(2), fresh(3)])
    assert store.write([fresh(4)]) == [3]
    assert (store.verify().ok, store.summary().unledgered) == (True, 2)


@pytest.mark.parametrize(("committed", "missed"), [(True, 0), (False, 2)])
def test_what_cannot_be_found_out_at_once_is_found_out_later(
    faults, store, fresh, committed, missed
):
    """While the disk is out of reach nobody knows; when it is back the gap counts what is not
    there, and only that."""
    store.write([fresh(1)])
    _arm(faults, committed=committed, blind=True)
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(2), fresh(3)])
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(4)])
    faults.blind = False
    store.write([fresh(5)])
    assert store.verify().ok
    assert store.summary().unledgered == missed + 1
    assert (store.lookup(fresh(2).key) is not None) is committed


@pytest.mark.parametrize(("committed", "missed"), [(True, 1), (False, 2)])
def test_a_gap_in_a_doubtful_commit_is_entered_once(faults, store, fresh, path, committed, missed):
    """What was missed before it is not lost with the commit, nor entered again after it."""
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(1)])
    blocker.close()
    _arm(faults, committed=committed, blind=True)
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(2)])
    faults.blind = False
    store.check()
    assert store.summary().unledgered == missed
    assert store.verify().ok


@pytest.fixture
def unsynced(monkeypatch, path):
    """How many of the next commits are written to the log and fail when it is synced.

    What that leaves behind is made as it is: the frames stand in the log, and its index, whose
    head is put back, says nothing of them.
    """
    left = [0]

    class Unsynced(sqlite3.Connection):
        def execute(self, sql, parameters=()):
            if sql != "COMMIT" or not left[0]:
                return super().execute(sql, parameters)
            left[0] -= 1
            with open(f"{path}-shm", "r+b", buffering=0) as index:
                head = index.read(136)
                super().execute("COMMIT")
                index.seek(0)
                index.write(head)
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error

    real = sqlite3.connect
    monkeypatch.setattr(
        database.sqlite3, "connect", lambda *words, **named: real(*words, factory=Unsynced, **named)
    )
    monkeypatch.setattr(database, "_RETRY", 0)
    return left


def _entries_after_a_crash(path) -> int:
    """How many entries whoever reads the log from its start finds."""
    folder = path.parent / "crashed"
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", folder / f"ledger.db{suffix}")
    with closing(sqlite3.connect(folder / "ledger.db")) as ledger:
        (count,) = ledger.execute("SELECT count(*) FROM entry").fetchone()
    shutil.rmtree(folder)
    return count


@pytest.mark.parametrize("failing", [1, 2, 3, 6])
def test_a_commit_that_was_not_synced_does_not_come_back(
    open_store, fresh, path, unsynced, failing
):
    """What was called unrecorded, and counted so, is not found after a crash or a restart."""
    store = open_store()
    store.write([fresh(1)])
    store.lookup(fresh(1).key)  # Another connection keeps the log's index.
    unsynced[0] = failing
    missed = 0
    while unsynced[0]:
        with pytest.raises(LedgerUnavailable):
            store.write([fresh(10 + missed)])
        missed += 1
        assert _entries_after_a_crash(path) == 1
    assert store.write([fresh(2)]) == [3]
    store.close()
    again = open_store()
    found = again.verify()
    assert (found.ok, found.entries, again.summary().unledgered) == (True, 3, missed)

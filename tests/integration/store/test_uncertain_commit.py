"""A commit that fails without saying whether it took effect: the file itself is asked."""

from __future__ import annotations

import sqlite3

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

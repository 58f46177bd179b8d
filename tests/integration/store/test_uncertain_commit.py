"""A commit that fails without saying whether it took effect: the file itself is asked."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest

from logdocket.errors import LedgerUnavailable
from logdocket.store import Query, Started
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


def _ends(store) -> list[object]:
    return [entry.detail["call"] for entry in store.entries(Query(kind="call_finished"))][::-1]


async def test_an_end_that_was_not_entered_is_owed(asked, begin, end, answer, path):
    """The next write that succeeds enters it first; its ticket is counted by the gap before."""
    for number in (1, 2):
        await asked.start(begin(number))
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    for number in (1, 2):
        with pytest.raises(LedgerUnavailable):
            await asked.submit([answer(number, number)], end(number))
    blocker.close()
    assert type(await asked.start(begin(3))) is Started
    kinds = [str(entry.kind) for entry in asked.export()]
    assert kinds[2:] == ["gap", "call_finished", "call_finished", "call_started"]
    assert (_ends(asked), asked.summary().unledgered) == ([1, 2], 2)
    assert asked.summary().budget.spent.tokens == 14
    assert asked.verify().ok


@pytest.mark.parametrize("enter", [lambda store: store.check(), lambda store: store.close()])
async def test_an_end_alone_is_owed_too(asked, open_store, begin, end, path, enter):
    """Without a ticket there is no gap; a check of readiness pays the debt, or the closing."""
    await asked.start(begin(1))
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        await asked.submit([], end(1))
    assert asked.unentered == 0
    blocker.close()
    enter(asked)
    store = open_store()
    assert [str(entry.kind) for entry in store.export()] == ["call_started", "call_finished"]
    assert store.verify().ok


async def test_a_claim_whose_end_was_not_entered_is_owed_too(asked, begin, end, answer, path):
    """Whoever wants the line next need not wait until it expires."""
    await asked.start(begin(1))
    await asked.start(begin(2))
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        await asked.submit([answer(1, 1)], end(1))
    with pytest.raises(LedgerUnavailable):
        await asked.release(begin(2).key, begin(2).holder)
    blocker.close()
    for number in (1, 2):
        assert type(await asked.start(begin(number, holder=bytes(16)))) is Started
    assert asked.verify().ok


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("blind", [True, False])
async def test_an_end_in_a_doubtful_commit_is_entered_once(
    faults, asked, begin, end, answer, committed, blind
):
    """Whether or not it stood, whether that is found out at once or later."""
    for number in (1, 2):
        await asked.start(begin(number))
    _arm(faults, committed=committed, blind=blind)
    if committed and not blind:
        assert await asked.submit([answer(1, 1)], end(1)) == [4]
    else:
        with pytest.raises(LedgerUnavailable):
            await asked.submit([answer(1, 1)], end(1))
    faults.blind = False
    await asked.submit([], end(2))
    assert _ends(asked) == [1, 2]
    assert asked.summary().unledgered == (0 if committed else 1)
    assert asked.verify().ok


@pytest.mark.parametrize("committed", [True, False])
async def test_a_start_of_which_nobody_knows_is_no_permission(
    faults, asked, begin, still, committed
):
    """No request leaves; should the entry stand after all, it is interrupted in time."""
    asked.write([])
    _arm(faults, committed=committed, blind=True)
    with pytest.raises(LedgerUnavailable):
        await asked.start(begin(1))
    faults.blind = False
    still.forward(31)
    asked.check()
    assert asked.sweep() == committed
    assert asked.summary().calls.in_flight == 0
    assert asked.verify().ok


async def test_an_owed_end_of_a_call_that_is_not_there_holds_nothing_up(
    asked, begin, end, path, caplog
):
    """It is told of, and dropped."""
    await asked.start(begin(1))
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        await asked.submit([], end(9))
    blocker.close()
    assert await asked.start(begin(2)) == Started(2)
    assert "entry 9 started no call" in caplog.text
    assert asked.verify().ok


async def test_ends_that_are_never_entered_are_told_at_the_end(asked, begin, end, path, caplog):
    """Their calls will be taken for interrupted."""
    for number in (1, 2):
        await asked.start(begin(number))
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    for number in (1, 2):
        with pytest.raises(LedgerUnavailable):
            await asked.submit([], end(number))
    asked.close()
    blocker.close()
    assert "it does not tell how 2 calls ended" in caplog.text

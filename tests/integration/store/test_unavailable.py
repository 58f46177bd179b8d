"""A file that cannot be used: every method says so, nothing is lost silently, and it heals."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logdocket.errors import LedgerUnavailable, NotALedger, SchemaTooNew
from logdocket.store import Query, SqliteStore

METHODS = {
    "write": lambda store, record: store.write([record]),
    "lookup": lambda store, record: store.lookup(record.key),
    "lookup_many": lambda store, record: store.lookup_many([record.key]),
    "ticket": lambda store, record: store.ticket(1),
    "entries": lambda store, record: store.entries(Query()),
    "export": lambda store, record: list(store.export()),
    "summary": lambda store, record: store.summary(),
    "verify": lambda store, record: store.verify(),
    "check": lambda store, record: store.check(),
}


def _until(ready, seconds: float = 5.0) -> None:
    """Wait until ``ready`` no longer raises LedgerUnavailable."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            ready()
        except LedgerUnavailable:
            assert time.monotonic() < deadline, "it did not heal"
            time.sleep(0.02)
        else:
            return


@pytest.fixture
def lock(path):
    """Another program's connection; ``BEGIN IMMEDIATE`` on it holds the write lock."""
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


def _folder(path: Path) -> None:
    path.mkdir()


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all\n" * 500)


def _short_garbage(path: Path) -> None:
    path.write_bytes(b"?")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere" / "ledger.db")


@pytest.mark.parametrize("obstacle", [_folder, _garbage, _short_garbage, _pipe, _dangling])
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_names_a_file_that_cannot_be_used(open_store, fresh, path, obstacle, method):
    """Opening does not raise; using does, each time, with the file's name."""
    obstacle(path)
    store = open_store()
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match=str(path)):
            method(store, fresh(1))


@pytest.mark.parametrize("obstacle", [_garbage, _short_garbage])
def test_a_file_of_something_else_is_never_overwritten(open_store, fresh, path, obstacle):
    """Whatever was in it is still in it."""
    obstacle(path)
    before = path.read_bytes()
    store = open_store()
    with pytest.raises(LedgerUnavailable, match="not a database"):
        store.write([fresh(1)])
    store.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("place", ["missing/ledger.db", "/proc/ledger.db", "/dev/null"])
def test_a_place_where_no_file_can_be_is_named(open_store, fresh, path, place):
    """A missing folder is not made, and a device is no file."""
    store = open_store(path.parent / place)
    with pytest.raises(LedgerUnavailable, match=place):
        store.write([fresh(1)])


def test_a_folder_that_appears_later_heals_the_store(open_store, fresh, path):
    """What could not be entered meanwhile is the first entry: a gap."""
    late = path.parent / "late" / "ledger.db"
    store = open_store(late)
    for _ in range(3):
        with pytest.raises(LedgerUnavailable):
            store.write([fresh(1), fresh(2)])
    late.parent.mkdir()
    _until(lambda: store.check())
    assert store.write([fresh(3)]) == [2]
    newest, gap = store.entries(Query())
    assert (newest.kind, gap.kind, gap.detail["tickets"]) == ("ticket", "gap", 6)
    assert gap.source is None
    assert store.verify().ok


def test_a_locked_ledger_fails_writes_and_not_reads(store, fresh, lock):
    """Readers never wait for a writer."""
    store.write([fresh(1)])
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable, match="locked"):
        store.write([fresh(2)])
    assert store.lookup(fresh(1).key).id == 1
    assert store.verify().ok


def test_after_one_long_wait_for_a_lock_the_next_waits_are_short(open_store, fresh, lock):
    """A stuck lock must not hold up every caller in full."""
    store = open_store(busy_timeout=0.6)
    lock.execute("BEGIN IMMEDIATE")
    waits = []
    for number in range(3):
        start = time.monotonic()
        with pytest.raises(LedgerUnavailable):
            store.write([fresh(number)])
        waits.append(time.monotonic() - start)
    assert waits[0] > 0.5
    assert max(waits[1:]) < 0.4


def test_a_lock_that_goes_heals_the_store_with_a_gap(store, fresh, lock):
    """The gap says how many and since when, stands before the next ticket, and is entered once."""
    store.write([fresh(1)])
    lock.execute("BEGIN IMMEDIATE")
    for number in (2, 3):
        with pytest.raises(LedgerUnavailable):
            store.write([fresh(number)])
    lock.execute("ROLLBACK")
    assert store.write([fresh(4)]) == [3]
    assert store.write([fresh(5)]) == [4]
    kinds = [(entry.kind, entry.detail.get("tickets")) for entry in store.export()]
    assert kinds == [("ticket", None), ("gap", 2), ("ticket", None), ("ticket", None)]
    assert 1_700_000_000_000_000 < list(store.export())[1].detail["since"] < 1_700_000_100_000_000
    assert store.ticket(2) is None
    assert (store.summary().tickets, store.summary().unledgered) == (3, 2)


def test_closing_enters_a_gap_that_is_still_open(open_store, fresh, lock):
    """No later write is needed for it."""
    store = open_store()
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(1)])
    lock.execute("ROLLBACK")
    store.close()
    assert open_store().summary().unledgered == 1


def test_closing_tells_of_tickets_that_no_entry_tells_of(open_store, fresh, lock, caplog):
    """Once, with their number: nothing else holds it after that."""
    store = open_store()
    lock.execute("BEGIN IMMEDIATE")
    for number in range(3):
        with pytest.raises(LedgerUnavailable):
            store.write([fresh(number)])
    caplog.clear()
    store.close()
    store.close()
    assert store.unentered == 3
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.endswith("to the end: no entry tells of 3 tickets that were given")


def test_check_fails_while_the_lock_is_held_and_no_longer(open_store, lock):
    """Readiness follows the file, within a moment, without a write by anyone."""
    store = open_store()
    store.check()
    time.sleep(1.1)
    lock.execute("BEGIN IMMEDIATE")
    start = time.monotonic()
    with pytest.raises(LedgerUnavailable, match="locked"):
        store.check()
    assert time.monotonic() - start < 0.5
    lock.execute("ROLLBACK")
    store.check()
    assert store.verify().entries == 0


def test_check_after_a_failed_write_enters_the_gap(store, fresh, lock):
    """A check that says yes has written."""
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(1)])
    lock.execute("ROLLBACK")
    store.check()
    (gap,) = store.entries(Query())
    assert (gap.kind, gap.detail["tickets"]) == ("gap", 1)


def test_a_full_disk_fails_the_call_whole_and_heals(path, open_store, fresh):
    """Nothing of a call that did not fit is entered; once there is room again a gap is."""
    script = """
import resource, sys
from logdocket.errors import LedgerUnavailable
from logdocket.store import SqliteStore, TicketRecord
from logdocket.ticket import Source
store = SqliteStore(sys.argv[1], clock=lambda: 1_700_000_000_000_000)
def call(number, size):
    line = number.to_bytes(32, "big")
    return [TicketRecord(key=line[16:], line_hash=line, source=Source.FALLBACK, reasons=(),
                         body=bytes(size))]
limit = resource.getrlimit(resource.RLIMIT_FSIZE)
print(store.write(call(1, 100)))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limit[1]))
for number in (2, 3):
    try:
        print(store.write(call(number, 400_000)))
    except LedgerUnavailable as error:
        print("unavailable:", error)
try:
    print(store.verify().entries)
finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
print(store.write(call(4, 400_000)))
store.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, text=True, timeout=30
    )
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert said[0] == "[1]"
    assert [line.startswith("unavailable:") for line in said[1:3]] == [True, True]
    assert said[3:] == ["1", "[3]"]
    found = open_store()
    assert found.verify().ok
    assert found.summary().unledgered == 2


def test_a_database_that_may_not_grow_is_said_to_be_full(store, fresh, monkeypatch):
    """SQLite's own answer to a full disk, from its own limit on pages."""
    store.write([fresh(1)])
    connection = store._writer._appender.handle.open()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerUnavailable, match="free space"):
        store.write([fresh(2, body=bytes(100_000))])
    with pytest.raises(LedgerUnavailable, match="free space"):
        store.write([fresh(3, body=bytes(100_000))])
    connection.execute("PRAGMA max_page_count = 1000000")
    assert store.write([fresh(4)]) == [3]
    assert store.summary().unledgered == 2
    assert store.verify().ok


READ_ONLY = """
import os, tempfile
from logdocket.errors import LedgerUnavailable
from logdocket.store import SqliteStore, TicketRecord
from logdocket.ticket import Source
def call(number):
    line = number.to_bytes(32, "big")
    return [TicketRecord(key=line[16:], line_hash=line, source=Source.FALLBACK, reasons=(),
                         body=b"{}")]
with tempfile.TemporaryDirectory() as folder:
    if os.geteuid() == 0:  # who may write to everything
        os.chown(folder, 65534, 65534)
        os.setegid(65534)
        os.seteuid(65534)
    path = os.path.join(folder, "ledger.db")
    first = SqliteStore(path, clock=lambda: 1)
    first.write(call(1))
    first.close()
    os.chmod(path, 0o400)
    store = SqliteStore(path, clock=lambda: 1)
    print(store.verify().ok, store.lookup(call(1)[0].key).id)
    try:
        store.write(call(2))
    except LedgerUnavailable as error:
        print(error)
    for name in os.listdir(folder):
        os.chmod(os.path.join(folder, name), 0o600)
    store.lookup(bytes(16))
    print(store.write(call(3)))
    store.close()
    os.chmod(folder, 0o500)
    store = SqliteStore(path, clock=lambda: 1)
    try:
        store.write(call(4))
    except LedgerUnavailable as error:
        print(error)
    os.chmod(folder, 0o700)
    store.close()
"""


def test_a_read_only_file_is_read_and_verified_and_says_what_to_do(tmp_path):
    """Writing fails until it is writable again; in a folder that is read-only too, all does."""
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    read, refused, entered, folder = done.stdout.splitlines()
    assert (read, entered) == ("True 1", "[3]")
    assert "is read-only" in refused
    assert "make its folder writable" in refused
    assert "ledger.db" in folder
    assert "folder" in folder.partition(": ")[2]


def test_a_file_deleted_while_in_use_is_not_made_anew(store, fresh, path):
    """Entries must not go to a file that nobody can find, nor to one that forgot the others."""
    store.write([fresh(1)])
    for file in path.parent.glob("ledger.db*"):
        file.unlink()
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match="moved or deleted"):
            store.write([fresh(2)])
    assert not path.exists()


def test_a_file_that_is_put_back_heals(store, fresh, path):
    """The chain goes on, after a gap."""
    store.write([fresh(1)])
    away = path.parent / "away"
    away.mkdir()
    files = list(path.parent.glob("ledger.db*"))
    for file in files:
        file.rename(away / file.name)
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(2)])
    for file in files:
        (away / file.name).rename(file)
    _until(lambda: store.check())
    assert store.write([fresh(3)]) == [3]
    assert store.verify().ok


def test_another_ledger_in_the_same_place_is_refused(open_store, store, fresh, path):
    """This process' cache repeats entries that the other one does not have."""
    store.write([fresh(1)])
    store.write([fresh(2)])
    other = open_store(path.parent / "other.db")
    other.write([fresh(1)])
    other.close()
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    (path.parent / "other.db").rename(path)
    with pytest.raises(LedgerUnavailable, match="no longer holds entry 2"):
        store.write([fresh(3)])


def test_a_ledger_cut_short_by_another_program_is_refused(store, fresh, alter):
    """A process that saw the entries does not go on as if they had never been."""
    store.write([fresh(1)])
    store.write([fresh(2)])
    alter("DELETE FROM entry WHERE seq = 2")
    with pytest.raises(LedgerUnavailable, match="no longer holds entry 2"):
        store.write([fresh(3)])


def test_a_damaged_page_is_reported_by_reads_and_by_verify(open_store, fresh, path):
    """Verification names where it can no longer read; nothing is made up."""
    first = open_store()
    first.write([fresh(number, body=bytes(500)) for number in range(400)])
    first.close()
    raw = bytearray(path.read_bytes())
    middle = len(raw) // 4096 // 2
    for page in range(middle, middle + 40):
        raw[page * 4096 : (page + 1) * 4096] = b"\xa5" * 4096
    path.write_bytes(raw)
    found = open_store().verify()
    assert not found.ok
    assert found.problem
    assert "malformed" in found.problem or "damaged" in found.problem


def test_a_damaged_index_is_found_by_verify(open_store, fresh, path, alter):
    """An index that disagrees with its table would make look-ups lie."""
    store = open_store()
    store.write([fresh(number) for number in range(50)])
    store.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("DELETE FROM sqlite_master WHERE name = 'ticket_key'")
    connection.execute("PRAGMA writable_schema = RESET")
    connection.commit()
    connection.close()
    found = open_store().verify()
    assert (found.ok, found.bad_seq) == (False, None)
    assert "the file is damaged" in found.problem


def _someone_elses(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("statement", ["CREATE TABLE theirs (x)", "PRAGMA application_id = 99"])
def test_another_programs_database_is_refused_at_opening(open_store, path, statement):
    """And left as it was."""
    _someone_elses(path, statement)
    before = path.read_bytes()
    with pytest.raises(NotALedger, match=str(path)):
        open_store()
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused_at_opening(open_store, path):
    """The message names both versions and the mend."""
    open_store().close()
    _someone_elses(path, "PRAGMA user_version = 99")
    with pytest.raises(SchemaTooNew, match=r"schema 99.*upgrade Logdocket"):
        open_store()


@pytest.mark.parametrize("entries", [0, 1])
def test_a_schema_that_becomes_newer_while_in_use_stops_writing(store, fresh, path, entries):
    """A server that is up answers without the ledger rather than harm it."""
    store.write([fresh(number) for number in range(entries)])
    _someone_elses(path, "PRAGMA user_version = 99")
    with pytest.raises(LedgerUnavailable, match="changed to schema 99"):
        store.write([fresh(2)])
    with pytest.raises(LedgerUnavailable, match="changed to schema 99"):
        store.check()
    store.close()
    with pytest.raises(SchemaTooNew):
        SqliteStore(path, clock=lambda: 1)


def test_a_newer_file_that_appears_while_degraded_is_unavailable(open_store, path, fresh):
    """After opening, only LedgerUnavailable is raised, which callers know how to answer."""
    path.mkdir()
    store = open_store()
    path.rmdir()
    _someone_elses(path, "PRAGMA user_version = 99")
    time.sleep(0.25)
    for method in METHODS.values():
        with pytest.raises(LedgerUnavailable):
            method(store, fresh(1))


def test_a_store_opened_before_a_fork_refuses_the_child(store, fresh):
    """Two processes on one connection would break SQLite's locks."""
    script = """
import os, sys
from logdocket.errors import LedgerUnavailable
from logdocket.store import SqliteStore
store = SqliteStore(sys.argv[1], clock=lambda: 1)
if os.fork() == 0:
    try:
        store.lookup(bytes(16))
    except LedgerUnavailable as error:
        os._exit(7 if "fork" in str(error) else 1)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    done = subprocess.run([sys.executable, "-c", script, store.path], timeout=30, check=False)
    assert done.returncode == 7


def test_resource_limits_are_as_before():
    """The disk-full test limits a process of its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    assert soft == hard

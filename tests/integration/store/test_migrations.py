"""A file of an earlier schema is brought forward, once, whole or not at all."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from logdocket.errors import LedgerUnavailable, SchemaTooNew
from logdocket.store.sqlite.chain import EMPTY, chain, drafts, gap_detail
from logdocket.store.sqlite.migrate import APPLICATION_ID, Migrations
from logdocket.store.sqlite.statements import put


@pytest.fixture
def folder(tmp_path):
    """The schema that is shipped, and one step more."""
    shipped = Migrations()
    folder = tmp_path / "steps"
    folder.mkdir()
    for number, script in enumerate(shipped._scripts, 1):
        (folder / f"{number:04}_shipped.sql").write_text(script)
    (folder / f"{shipped.latest + 1:04}_notes.sql").write_text(
        "-- A step; its comment holds one too.\n"
        "CREATE TABLE note (seq INTEGER PRIMARY KEY, text TEXT DEFAULT 'a;b');\n"
        "CREATE TRIGGER note_delete BEFORE DELETE ON note\nBEGIN\n"
        "    SELECT RAISE(ABORT, 'no');\n    SELECT 1;\nEND;\n"
        "INSERT INTO note (seq) SELECT seq FROM entry;\n"
    )
    return folder


def _read(path, statement: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


def test_a_new_file_carries_our_name_and_the_latest_version(store, path):
    """Any program can tell whose file it is."""
    assert _read(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert _read(path, "PRAGMA user_version") == [(Migrations().latest,)]


def test_an_empty_file_becomes_a_ledger(path, open_store, fresh):
    """As one that was touched beforehand to give it an owner."""
    path.touch()
    assert open_store().write([fresh(1)]) == [1]


def test_an_earlier_schema_is_brought_forward_with_its_entries(path, folder, open_store, fresh):
    """The new step sees what was entered before, and the chain goes on."""
    old = open_store()
    old.write([fresh(1), fresh(2)])
    old.close()
    store = open_store(migrations=Migrations(folder))
    assert store.write([fresh(3)]) == [3]
    assert store.verify().ok
    assert _read(path, "SELECT seq, text FROM note") == [(1, "a;b"), (2, "a;b")]
    assert _read(path, "PRAGMA user_version") == [(Migrations().latest + 1,)]


def test_the_earlier_version_then_refuses_the_file(folder, open_store):
    """Forward only."""
    open_store(migrations=Migrations(folder)).close()
    with pytest.raises(SchemaTooNew):
        open_store()


def test_a_running_earlier_version_stops_writing(folder, open_store, fresh):
    """It was open before the upgrade."""
    old = open_store()
    old.write([fresh(1)])
    open_store(migrations=Migrations(folder))
    with pytest.raises(LedgerUnavailable, match="restart with the version"):
        old.write([fresh(2)])


def test_a_step_that_fails_changes_nothing(path, folder, open_store, fresh):
    """The file stays as it was, and the earlier version can still use it."""
    old = open_store()
    old.write([fresh(1)])
    old.close()
    (folder / f"{Migrations().latest + 2:04}_wrong.sql").write_text(
        "CREATE TABLE fine (x);\nINSERT INTO nowhere VALUES (1);\n"
    )
    broken = open_store(migrations=Migrations(folder))
    with pytest.raises(LedgerUnavailable, match="nowhere"):
        broken.write([fresh(2)])
    assert _read(path, "SELECT name FROM sqlite_master WHERE name IN ('fine', 'note')") == []
    assert open_store().write([fresh(2)]) == [2]


def test_several_processes_migrate_once(path, folder, open_store, fresh):
    """Each of four finds the file either old or new, never between."""
    old = open_store()
    old.write([fresh(1)])
    old.close()
    script = (
        "import pathlib, sys\n"
        "from logdocket.store import SqliteStore\n"
        "from logdocket.store.sqlite.migrate import Migrations\n"
        "store = SqliteStore(sys.argv[1], clock=lambda: 1, busy_timeout=10,\n"
        "                    migrations=Migrations(pathlib.Path(sys.argv[2])))\n"
        "store.check()\n"
        "store.close()\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(path), str(folder)]) for _ in range(4)
    ]
    assert [process.wait(timeout=30) for process in processes] == [0] * 4
    assert _read(path, "SELECT count(*) FROM note") == [(1,)]


@pytest.mark.parametrize("names", [["0002_second.sql"], ["0001_a.sql", "0001_b.sql"]])
def test_steps_with_a_hole_or_a_double_are_refused(tmp_path, names):
    """A package built wrong does not touch a ledger."""
    for name in names:
        (tmp_path / name).write_text("SELECT 1;")
    with pytest.raises(AssertionError):
        Migrations(tmp_path)


def test_a_ledger_from_before_there_were_calls_goes_on(path, tmp_path, open_store, fresh, hit, ask):
    """Its entries stay as they were hashed, its chain verifies, and calls can be entered."""
    first = tmp_path / "first"
    first.mkdir()
    (first / "0001_ledger.sql").write_text(Migrations()._scripts[0])
    made = sqlite3.connect(path, isolation_level=None)
    Migrations(first).run(made, 0)
    drafted = chain([drafts([fresh(1), fresh(2), hit(2, same_as=1)])], EMPTY, 5, gap_detail(4, 9))
    put(made, "insert_entry", 7, drafted.entries)
    put(made, "insert_ticket", 3, drafted.tickets)
    before = made.execute("SELECT * FROM entry").fetchall()
    made.close()
    store = open_store()
    assert ask(store, 3) == 7
    assert _read(path, "SELECT * FROM entry WHERE seq <= 4") == before
    found = store.verify()
    assert (found.ok, found.entries) == (True, 7)
    assert store.ticket(4).id == 3

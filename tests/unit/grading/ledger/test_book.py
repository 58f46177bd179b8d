"""Reads ledgers over real HTTP, from real files and databases, and from those that mean harm."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias

import pytest

from logdocket.grading.bench import Bench, Session
from logdocket.grading.client import Client
from logdocket.grading.desk import Desk
from logdocket.grading.finding import Unanswerable
from logdocket.grading.ledger import Book, Entered
from logdocket.grading.ledger import book as book_module
from logdocket.grading.ledger.files import named_ledger, read
from logdocket.grading.manifest import Ledger, Manifest
from logdocket.grading.sandbox import End, Ended
from logdocket.testing import ModelServer

Get: TypeAlias = Callable[[str], bytes | None]
CALL, HIT, FALLBACK = ({"event": event} for event in ("model_call", "cache_hit", "fallback"))
ALL = (CALL, CALL, HIT, FALLBACK)


class Beside(Bench):
    """A bench of a folder, with ``printed`` for what its commands print."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        super().__init__(Manifest(ledger=ledger), seed=1)
        self.folder = folder
        self.printed = b""

    @property
    def checkout(self) -> Path:
        """The folder as it is."""
        return self.folder

    def run(self, command: str, *, seconds: float, env: dict[str, str] | None = None) -> Ended:
        """As if the command had printed that."""
        return Ended(End.EXITED, 0, self.printed, b"", False, 0.0)


@contextlib.contextmanager
def session(get: Get = lambda path: None) -> Iterator[Session]:
    """A session with a service that answers ``get`` of a path, 404 where that is None."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = get(self.path)
            with contextlib.suppress(ConnectionError):
                self.send_response(200 if body is not None else 404)
                self.end_headers()
                self.wfile.write(body or b"")

        def log_message(self, *said: object) -> None:
            pass

    service = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.daemon_threads = True
    thread = threading.Thread(target=service.serve_forever, args=(0.02,))
    thread.start()
    client = Client(service.server_address[1], Manifest().service)
    desk = Desk()
    try:
        yield Session(client, ModelServer(desk.act), desk, None)
    finally:
        client.close()
        service.shutdown()
        thread.join()
        service.server_close()


def counts(entered: Entered) -> tuple[int | None, ...]:
    """Calls, hits and fallbacks."""
    return entered.counts.calls, entered.counts.hits, entered.counts.fallbacks


def lines(*entries: object) -> bytes:
    """JSON, one on a line."""
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


@pytest.mark.parametrize("path", ["/ledger", "/api/ledger", "/v1/ledger", "/ledger.json"])
def test_it_is_found_where_one_would_look(path: str, tmp_path: Path) -> None:
    """Without a word in the manifest, and told where."""
    entries = [CALL]
    with session(lambda asked: lines(*entries) if asked == path else None) as running:
        book = Book(Beside(tmp_path, Ledger()), running)
        entries += ALL
        entered = book.since()
    assert (entered.origin, entered.grew, counts(entered)) == (f"GET {path}", True, (2, 1, 1))


@pytest.mark.parametrize("name", ["ledger.jsonl", "data/my-ledger.log", "var/lib/Ledger.ndjson"])
def test_a_file_is_found_that_came_later(name: str, tmp_path: Path) -> None:
    """Even if there was none at first; other files named so are passed by."""
    (tmp_path / "a-ledger.json").write_bytes(lines(*ALL))
    with session() as running:
        book = Book(Beside(tmp_path, Ledger()), running)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(lines(*ALL))
        entered = book.since()
    assert (entered.origin, counts(entered)) == (f"the file {name}", (2, 1, 1))


def test_a_service_that_answers_anything_hides_no_file(tmp_path: Path) -> None:
    """A page that is no ledger is not taken for one."""
    with session(lambda path: b'{"uptime": %d}' % time.monotonic_ns()) as running:
        book = Book(Beside(tmp_path, Ledger()), running)
        (tmp_path / "ledger.jsonl").write_bytes(lines(*ALL))
        assert book.since().origin == "the file ledger.jsonl"


def test_counters_are_the_last_that_is_looked_at(tmp_path: Path) -> None:
    """And only if they count two of the kinds."""
    text = "model_calls_total 5\ncache_hits_total 2\n"
    with session(lambda path: text.encode() if path == "/metrics" else None) as running:
        book = Book(Beside(tmp_path, Ledger()), running)
        text = "model_calls_total 7\ncache_hits_total 3\n"
        assert (book.since().origin, counts(book.since())) == ("GET /metrics", (2, 1, None))
        text = "http_requests_total 9\n"
        with pytest.raises(Unanswerable, match="no ledger was found"):
            book.since()


@pytest.mark.parametrize("form", ["address", "query", "cursor", "far"])
def test_it_is_read_to_its_end(form: str, tmp_path: Path) -> None:
    """Whether it tells the next page as an address, a query or a value; an address elsewhere is
    asked for here.
    """
    told = {
        "address": "/ledger?limit=2&cursor=p%202",
        "query": "?cursor=p%202",
        "cursor": "p 2",
        "far": "http://web-1.example//ledger?limit=2&cursor=p%202",
    }
    pages = {
        "/ledger?limit=2": {"entries": [CALL, HIT], "next": told[form]},
        "/ledger?limit=2&cursor=p%202": {"entries": [FALLBACK, CALL], "next": None},
    }

    def get(path: str) -> bytes | None:
        return json.dumps(pages[path]).encode() if path in pages and entered else b"[]"

    entered = False
    with session(get) as running:
        book = Book(Beside(tmp_path, Ledger(url="/ledger?limit=2")), running)
        entered = True
        assert counts(book.since()) == (2, 1, 1)


def test_a_page_that_comes_again_counts_once(tmp_path: Path) -> None:
    """As with a service that does not know what it calls next."""
    entries: list[object] = []
    with session(lambda path: json.dumps({"entries": entries, "next": 7}).encode()) as running:
        book = Book(Beside(tmp_path, Ledger(url="/ledger")), running)
        entries += ALL
        assert counts(book.since()) == (2, 1, 1)


def test_the_latest_entries_are_enough(tmp_path: Path) -> None:
    """Old ones may leave the page meanwhile."""
    entries = [CALL | {"at": at} for at in range(100)]
    with session(lambda path: lines(*entries[-100:])) as running:
        book = Book(Beside(tmp_path, Ledger(url="/ledger")), running)
        entries += [CALL | {"at": 100}, HIT | {"at": 101}]
        assert counts(book.since()) == (1, 1, 0)


def test_pages_without_end_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """However many there are, in the time that a reading may take."""
    monkeypatch.setattr(book_module, "_SECONDS", 0.3)
    numbers = iter(range(1, 1_000_000))

    def get(path: str) -> bytes:
        return json.dumps({"entries": [CALL | {"n": next(numbers)}], "next": path}).encode()

    def another(path: str) -> bytes:
        number = next(numbers)
        return json.dumps({"entries": [CALL | {"n": number}], "next": f"/{number}"}).encode()

    began = time.monotonic()
    for endless in (get, another):
        with session(endless) as running:
            Book(Beside(tmp_path, Ledger(url="/ledger")), running).since()
    assert time.monotonic() - began < 5


def test_an_endless_response_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is no ledger, after the time that a reading may take."""
    monkeypatch.setattr(book_module, "_SECONDS", 0.2)
    over = threading.Event()

    def get(path: str) -> bytes:
        over.wait(5)
        return b""

    with session(get) as running:
        began = time.monotonic()
        with pytest.raises(Unanswerable):
            Book(Beside(tmp_path, Ledger(url="/ledger")), running).since()
        over.set()
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "told",
    ["//127.0.0.1:1/ledger", "http://[", "/\0\n\x7f", "/\udfff", "/" + "a" * 100_000, "/%%%"],
    ids=["elsewhere", "no address", "control", "half a pair", "long", "percent"],
)
def test_an_odd_next_page_does_no_harm(told: str, tmp_path: Path) -> None:
    """It is asked of the service itself, or not at all."""
    entries: list[object] = []

    def get(path: str) -> bytes | None:
        body = json.dumps({"entries": entries, "next": told}).encode()
        return body if path == "/ledger?limit=9" else None

    with session(get) as running:
        book = Book(Beside(tmp_path, Ledger(url="/ledger?limit=9")), running)
        entries += ALL
        assert counts(book.since()) == (2, 1, 1)


def test_what_a_command_prints_is_read(tmp_path: Path) -> None:
    """As it is now."""
    with session() as running:
        bench = Beside(tmp_path, Ledger(command="make ledger"))
        book = Book(bench, running)
        bench.printed = lines(*ALL)
        assert counts(book.since()) == (2, 1, 1)


def _database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE answers (line TEXT, ticket TEXT)")
    database.execute("CREATE TABLE happened (id INTEGER PRIMARY KEY, event TEXT)")
    return database


def test_a_database_is_read_with_what_it_keeps_aside(tmp_path: Path) -> None:
    """The table that looks like a ledger, while the service still writes to it."""
    path = tmp_path / "ledger.db"
    with contextlib.closing(_database(path)) as database, session() as running:
        database.execute("INSERT INTO answers VALUES ('a', 'b')")
        database.execute("INSERT INTO happened (event) VALUES ('model_call')")
        book = Book(Beside(tmp_path, Ledger(file="ledger.db")), running)
        rows = [(entry["event"],) for entry in ALL]
        database.executemany("INSERT INTO happened (event) VALUES (?)", rows)
        assert (tmp_path / "ledger.db-wal").stat().st_size > 0
        assert counts(book.since()) == (2, 1, 1)
        assert database.execute("SELECT count(*) FROM happened").fetchone() == (5,)


def test_a_database_that_means_harm_is_bounded(tmp_path: Path) -> None:
    """Columns that are computed without end, and names that are statements."""
    path = tmp_path / "ledger.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute('CREATE TABLE "x""; DROP TABLE ledger" (event TEXT)')
        database.execute(
            "CREATE TABLE ledger (event TEXT, much AS (hex(zeroblob(9000000))) VIRTUAL)"
        )
        database.execute("INSERT INTO ledger VALUES ('model_call')")
        database.commit()
    began = time.monotonic()
    with session() as running, pytest.raises(Unanswerable):
        Book(Beside(tmp_path, Ledger(file="ledger.db")), running).since()
    assert time.monotonic() - began < 5


def test_a_broken_database_is_none(tmp_path: Path) -> None:
    """Whatever its first bytes say."""
    (tmp_path / "ledger.db").write_bytes(b"SQLite format 3\0" + os.urandom(4_096))
    with session() as running, pytest.raises(Unanswerable, match=r"ledger\.db"):
        Book(Beside(tmp_path, Ledger(file="ledger.db")), running).since()


def test_what_is_larger_than_a_ledger_is_not_read(tmp_path: Path) -> None:
    """Nor the beginning of it."""
    with (tmp_path / "ledger.jsonl").open("wb") as file:
        file.truncate(33 * 1024 * 1024)
    assert read(tmp_path, "ledger.jsonl") is None


def test_few_files_are_tried(tmp_path: Path) -> None:
    """Not deep, not what is installed, and not all of very many."""
    for name in ("a/b/c/ledger.json", ".venv/ledger.json", "node_modules/ledger.json", "ledger.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert named_ledger(tmp_path) == []
    for number in range(100):
        (tmp_path / f"ledger-{number:03}.json").touch()
    assert named_ledger(tmp_path) == [f"ledger-{number:03}.json" for number in range(8)]

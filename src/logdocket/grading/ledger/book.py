"""Finds an answer's ledger and reads all of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from logdocket.grading import manifest
from logdocket.grading.bench import Bench, Session
from logdocket.grading.finding import NotJudged, Unanswerable
from logdocket.grading.ledger.form import Page, Record, page
from logdocket.grading.ledger.kinds import Counts, counted

__all__ = ["Book"]

_URLS: Final = ("/ledger", "/ledger.json", "/api/ledger", "/v1/ledger", "/ledger/summary")
"""Where a ledger is looked for that nobody told of."""
_ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".log", ".db", ".sqlite", ".sqlite3")
_MOST: Final = 32 * 1024 * 1024
"""Bytes of a ledger that are read."""
_PAGES: Final = 500
_SECONDS: Final = 10.0
"""How long one reading may take."""
_SQLITE: Final = b"SQLite format 3\0"
_ASIDE: Final = frozenset("node_modules venv site-packages __pycache__ tests test".split())


class Book:
    """The ledger of the answer that ``session`` runs, where the manifest or a guess finds it.

    ``origin`` is where it was found, as a report says it.
    """

    def __init__(self, bench: Bench, session: Session) -> None:
        self._bench = bench
        self._session = session
        self._told = bench.manifest.ledger
        self.origin, self._turn = self._found()

    def page(self) -> Page:
        """All that the ledger says now; raises Unanswerable where it can no longer be read."""
        found = self._turn()
        if found is None:
            raise Unanswerable(f"the ledger at {self.origin} cannot be read any more")
        return found

    def counts(self) -> Counts:
        """The entries of each kind that it holds now."""
        return counted(self.page(), self._told)

    def _found(self) -> tuple[str, Callable[[], Page | None]]:
        for origin, turn in self._places():
            if turn() is not None:
                return origin, turn
        told = self._told.url or self._told.file or self._told.command
        where = f"none could be read at {told}" if told else "none was found"
        raise Unanswerable(
            f"{where}: put ledger.url, ledger.file or ledger.command into grade.toml"
        )

    def _places(self) -> Iterator[tuple[str, Callable[[], Page | None]]]:
        """Where it is by the manifest, else where it may be."""
        told = self._told
        if told.url is not None:
            yield told.url, lambda: self._of_url(told.url or "")
        elif told.file is not None:
            yield told.file, lambda: self._of_file(told.file or "")
        elif told.command is not None:
            yield "its command", lambda: self._of_command(told.command or "")
        else:
            yield from self._guessed()

    def _guessed(self) -> Iterator[tuple[str, Callable[[], Page | None]]]:
        for url in _URLS:
            yield url, lambda url=url: self._of_url(url)  # type: ignore[misc]
        try:
            files = sorted(_ledgers(self._bench.checkout))
        except NotJudged:
            return
        for file in files:
            yield file, lambda file=file: self._of_file(file)  # type: ignore[misc]

    # The three ways to it.

    def _of_url(self, url: str) -> Page | None:
        records: list[Record] = []
        at: str | None = url
        for _ in range(_PAGES):
            assert at is not None
            reply = self._session.client.get(at, seconds=_SECONDS)
            found = page(reply.body) if reply.ok else None
            if found is None:
                return None
            if found.sums:
                return found
            records += found.records
            at = _after(url, found.next)
            if at is None or not found.records:
                break
        return Page(tuple(records))

    def _of_file(self, name: str) -> Page | None:
        path = _inside(self._bench.checkout, name)
        if path is None:
            # A ledger without entries may not have been made yet.
            return Page() if self._told.file is not None and self._nothing(name) else None
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
            if head == _SQLITE:
                return _of_sqlite(path)
            return page(head + file.read(_MOST))

    def _nothing(self, name: str) -> bool:
        return not os.path.lexists(self._bench.checkout / name)

    def _of_command(self, command: str) -> Page | None:
        ended = self._bench.run(command, seconds=_SECONDS)
        return page(ended.out) if ended.ok else None


def _after(url: str, told: str | None) -> str | None:
    """The address of the page after one whose ``next`` is ``told``."""
    if told is None:
        return None
    parts = urlsplit(told)
    if parts.path.startswith("/") or parts.scheme:
        return f"{parts.path}{'?' if parts.query else ''}{parts.query}"
    return f"{url}{'&' if '?' in url else '?'}cursor={quote(told, safe='')}"


def _inside(root: Path, name: str) -> Path | None:
    """The plain file ``name`` of the checkout, None where it leads out of it or is none."""
    try:
        path = (root / name).resolve()
        plain = path.is_relative_to(root.resolve()) and stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError, RuntimeError):
        return None
    return path if plain else None


def _ledgers(root: Path) -> Iterator[str]:
    """Files near the root whose names say that they are a ledger."""
    for at, folders, names in os.walk(root):
        inside = Path(at).relative_to(root)
        near = len(inside.parts) < 2
        folders[:] = sorted(
            name for name in folders if near and name not in _ASIDE and not name.startswith(".")
        )
        for name in names:
            if "ledger" in name.lower() and name.lower().endswith(_ENDINGS):
                yield (inside / name).as_posix()


def _of_sqlite(path: Path) -> Page | None:
    """The rows of the table whose name or columns are most like a ledger's."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "ledger.db")
        shutil.copyfile(path, copy)
        wal = path.with_name(path.name + "-wal")
        # The latest entries stand there until somebody tidies up.
        if wal.is_file() and not wal.is_symlink():
            shutil.copyfile(wal, copy.with_name(copy.name + "-wal"))
        try:
            with closing(sqlite3.connect(copy)) as database:
                return _rows(database)
        except sqlite3.Error:
            return None


def _rows(database: sqlite3.Connection) -> Page | None:
    database.row_factory = sqlite3.Row
    tables = [
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    likely = [name for name in tables if "ledger" in name.lower() or "entr" in name.lower()]
    pages = [_table(database, name) for name in likely or tables]
    return max(pages, key=_like_a_ledger, default=None)


def _table(database: sqlite3.Connection, name: str) -> Page:
    quoted = '"' + name.replace('"', '""') + '"'
    rows = database.execute(f"SELECT * FROM {quoted} LIMIT 200000")
    return Page(tuple(dict(row) for row in rows))


def _like_a_ledger(found: Page) -> int:
    counts = counted(found, manifest.Ledger())
    return sum(filter(None, (counts.calls, counts.hits, counts.fallbacks)))

from __future__ import annotations

import contextlib
import io
import itertools
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from logdocket.cli.pipeline import Pipeline
from logdocket.cli.pool import Pool
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.line import NO_CONTEXT
from logdocket.store import SqliteStore

LONGEST = 200
LINES = [
    b"2031-05-06T07:08:%02dZ ERROR pay: card %d refused" % (number % 60, number)
    for number in range(40)
]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty ledger which hardly waits for locks; each transaction has a µs of its own."""
    clock = itertools.count(1_700_000_000_000_000).__next__
    store = SqliteStore(tmp_path / "ledger.db", clock=clock, busy_timeout=0.05)
    yield store
    store.close()


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several groups in a few lines."""
    for size in ("_BATCH", "_SHARED_BATCH", "_GROUP"):
        monkeypatch.setattr(f"logdocket.cli.pipeline.{size}", 7)


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the file's write lock, as another program would."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


def bring_up(pool: Pool) -> Pool:
    """The same, when there is a process that judges."""
    while not pool.ready():
        time.sleep(0.01)
    return pool


Start = Callable[..., tuple[Pipeline, io.BytesIO]]


@pytest.fixture
def start(ledger: SqliteStore) -> Start:
    """Makes a pipeline over the ledger, and what it writes to."""

    def make(pool: Pool | None = None) -> tuple[Pipeline, io.BytesIO]:
        extractor = Extractor(Policy(), shipped(), ledger, lambda: 1_700_000_000_000_000)
        out = io.BytesIO()
        return Pipeline(extractor, pool, LONGEST, out), out

    return make


def rows(out: io.BytesIO) -> list[dict[str, object]]:
    """What was written, row by row."""
    return [json.loads(row) for row in out.getvalue().splitlines()]


def test_each_line_gets_a_row_in_order(start, small_groups):
    """Over several groups."""
    pipeline, out = start()
    pipeline.feed(LINES, NO_CONTEXT)
    pipeline.flush()
    assert [row["evidence"] for row in rows(out)] == [f"card {n} refused" for n in range(40)]
    assert (pipeline.tally.lines, pipeline.tally.refused, pipeline.tally.unledgered) == (40, 0, 0)


def test_a_line_without_a_ticket_has_its_error_in_its_place(start, small_groups):
    """The others go on; the row's number counts from the first line of all."""
    pipeline, out = start()
    pipeline.feed([LINES[0], b"", None, LINES[1]], NO_CONTEXT)
    pipeline.feed([b" \t ", LINES[2]], NO_CONTEXT)
    pipeline.flush()
    told = rows(out)
    assert [row.get("error", {}).get("row") for row in told] == [None, 2, 3, None, 5, None]
    assert told[1]["error"]["type"] == "urn:logdocket:problem:line-blank"
    assert told[2]["error"]["type"] == "urn:logdocket:problem:line-too-long"
    assert (pipeline.tally.lines, pipeline.tally.refused) == (6, 3)


def test_errors_alone_are_rows_too(start):
    """A group may hold no line that can be answered."""
    pipeline, out = start()
    pipeline.feed([b"", None], NO_CONTEXT)
    pipeline.flush()
    assert len(rows(out)) == 2


def test_nothing_makes_no_row(start):
    """Not even an empty one."""
    pipeline, out = start()
    pipeline.feed([], NO_CONTEXT)
    pipeline.flush()
    assert out.getvalue() == b""


def test_a_group_is_one_transaction(start, ledger, small_groups):
    """Forty lines in groups of seven are entered at six moments."""
    pipeline, _ = start()
    pipeline.feed(LINES, NO_CONTEXT)
    pipeline.flush()
    moments = [entry.at for entry in ledger.export()]
    assert (len(moments), len(set(moments))) == (40, 6)
    assert ledger.verify().ok


def test_lines_are_answered_when_a_group_is_full(start, small_groups):
    """However many come at once, and lines that get no ticket count as well."""
    pipeline, out = start()
    pipeline.feed(LINES[:3], NO_CONTEXT)
    assert rows(out) == []
    pipeline.feed([b""] * 4, NO_CONTEXT)
    assert len(rows(out)) == 7


def test_tickets_that_are_not_in_the_ledger_are_counted(start, ledger, small_groups):
    """And marked in their rows."""
    pipeline, out = start()
    pipeline.feed(LINES[:3], NO_CONTEXT)
    pipeline.flush()
    with lock(ledger.path):
        pipeline.feed(LINES[3:5], NO_CONTEXT)
        pipeline.flush()
    pipeline.feed(LINES[5:6], NO_CONTEXT)
    pipeline.flush()
    marked = ["ledger_unavailable" in row["review_reasons"] for row in rows(out)]
    assert marked == [False, False, False, True, True, False]
    assert pipeline.tally.unledgered == 2
    assert ledger.summary().unledgered == 2


def test_two_processes_write_what_one_writes(start, tmp_path, small_groups):
    """The same bytes, for lines fresh and repeated, bad and not UTF-8."""
    lines = [
        *LINES,
        *LINES[:9],
        b"",
        None,
        b"caf\xe9 ERROR: \xff\xfe",
        "żółć ERROR".encode(),
        *LINES,
    ]
    alone, expected = start()
    alone.feed(lines, NO_CONTEXT)
    alone.flush()
    store = SqliteStore(tmp_path / "other.db", clock=lambda: 1_700_000_000_000_000)
    extractor = Extractor(Policy(), shipped(), store, lambda: 1_700_000_000_000_000)
    out = io.BytesIO()
    with Pool(2, shipped(), 0.02) as pool:
        shared = Pipeline(extractor, bring_up(pool), LONGEST, out)
        for first in range(0, len(lines), 25):
            shared.feed(lines[first : first + 25], NO_CONTEXT)
        shared.flush()
    assert out.getvalue() == expected.getvalue()
    assert shared.tally.refused == alone.tally.refused == 2
    assert store.verify().ok
    store.close()


def test_a_locked_ledger_in_the_middle_of_a_flight_loses_no_row(start, ledger, small_groups):
    """With several groups under way: each line has its row, and the ledger is told of the gap."""
    with Pool(1, shipped(), 0.02) as pool:
        pipeline, out = start(bring_up(pool))
        pipeline.feed(LINES[:20], NO_CONTEXT)
        with lock(ledger.path):
            pipeline.feed(LINES[20:] + LINES[:5], NO_CONTEXT)
            pipeline.flush()
        pipeline.feed(LINES[:2], NO_CONTEXT)
        pipeline.flush()
    assert [row["evidence"] for row in rows(out)] == [
        f"card {n} refused" for n in (*range(40), *range(5), 0, 1)
    ]
    counted = ledger.summary()
    assert counted.tickets + counted.unledgered == 47
    assert counted.unledgered == pipeline.tally.unledgered > 0
    assert ledger.verify().ok

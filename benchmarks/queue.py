"""The review queue: what it costs requests, how fast a long one is listed, how fast it tells.

*Paired*: two services, one that folds in the background and one that does not, loaded in turns.
*Listing*: a queue of 100,000 groups, each call beside the bare SELECT of the same rows, which the
sqlite3 module fetches and nobody reads. *Streams*: 200 open streams of changes; how long after the
answer to a request each of them has been told of its ticket.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import httpx

from benchmarks.http import CONNECTIONS, check
from benchmarks.load import apart
from benchmarks.serving import serving
from benchmarks.table import Row, grid, markdown
from logdocket.bootstrap import microseconds
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.docket.review import GROUPING
from logdocket.line import NO_CONTEXT, Line, Severity
from logdocket.store import GroupQuery, GroupState, SqliteStore
from logdocket.ticket import ReviewReason

GROUPS: Final = 100_000
STREAMS: Final = 200
_TURNS: Final = 7
_SECONDS: Final = 2.0
_REPEATS: Final = 30
_SYLLABLES: Final = ("ka", "lo", "mi", "nu", "po", "ri", "so", "ta", "vu", "wy")
_LEVELS: Final = ("INFO", "WARN", "ERROR", "FATAL")


def report() -> str:
    """The three tables."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        db = home / "long.db"
        fill(db, GROUPS)
        return "\n\n".join(
            (
                markdown(paired(home)),
                grid(
                    ("a page of 50 out of 100,000 groups", "ours", "bare SELECT", "ratio", "goal"),
                    listing(db),
                ),
                grid(("an open stream is told after", "median", "slowest"), [streams(home)]),
            )
        )


def paired(home: Path) -> list[Row]:
    """Requests per second with the queue over those without."""
    with ExitStack() as servers:
        ports = {
            queue: servers.enter_context(
                serving(
                    ("-m", "logdocket", "serve", "--port"),
                    {
                        "LOGDOCKET_DB": str(home / f"{queue}.db"),
                        "LOGDOCKET_QUEUE": queue,
                        "LOGDOCKET_LOG_LEVEL": "warning",
                        "LOGDOCKET_FALLBACK_TTL": "3600",
                    },
                )
            )
            for queue in ("true", "false")
        }
        for port in ports.values():
            apart(port, CONNECTIONS, 1.5, "cached", 0)
        rows = [_paired(ports, kind) for kind in ("cached", "distinct")]
    check(home / "true.db")
    return rows


def _paired(ports: dict[str, int], kind: str) -> Row:
    ratios, rates = [], []
    for turn in range(_TURNS):
        seen = {}
        for queue in ("true", "false") if turn % 2 else ("false", "true"):
            load = apart(
                ports[queue], CONNECTIONS, _SECONDS, kind, turn + 1 if kind != "cached" else 0
            )
            assert not load["bad"], load
            seen[queue] = load["per_second"]
        ratios.append(seen["true"] / seen["false"])
        rates.append(seen["false"])
    without = statistics.median(rates)
    name = f"{kind} /extract, with the queue over without"
    return Row(name, without * statistics.median(ratios), without, "req/s", 0.9)


def fill(db: Path, groups: int) -> None:
    """A ledger of so many tickets, no two of one group, all of them in the queue."""
    store = SqliteStore(db, clock=microseconds)
    extractor = Extractor(Policy(keep_text=True), shipped(), store, microseconds)
    lines = (Line(text) for text in itertools.islice(_lines(), groups))
    for batch in _batched(lines):
        extractor.finish(extractor.begin([(line, NO_CONTEXT) for line in batch]))
    while not store.fold(GROUPING).done:
        pass
    made = store.queue_counts().by_state[GroupState.OPEN]
    assert made == groups, made
    store.close()


def _batched(lines: Iterator[Line]) -> Iterator[tuple[Line, ...]]:
    while batch := tuple(itertools.islice(lines, 4096)):
        yield batch


def _lines() -> Iterator[str]:
    """Lines whose messages differ in a word, which no template masks."""
    for number, word in enumerate(map("".join, itertools.product(_SYLLABLES, repeat=6))):
        level, service = _LEVELS[number % 4], f"svc-{_SYLLABLES[number // 4 % 10]}"
        moment = f"2026-01-02T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}Z"
        yield f"{moment} {level} {service}: the {word} could not be reached by its keeper"


def listing(db: Path) -> list[list[str]]:
    """Milliseconds for a page, by kind of question, ours and the bare SELECT's."""
    store = SqliteStore(db, clock=microseconds, tends=False)
    bare = sqlite3.connect(f"{db.as_uri()}?mode=ro", uri=True)
    open_only = (GroupState.OPEN,)
    questions: list[tuple[str, GroupQuery, str, str]] = [
        ("first page", GroupQuery(states=open_only), "TRUE", "< 30 ms"),
        (
            "severity",
            GroupQuery(states=open_only, severities=(Severity.HIGH,)),
            "severity = 2",
            "< 100 ms",
        ),
        (
            "service",
            GroupQuery(states=open_only, service="svc-vu"),
            "service = 'svc-vu'",
            "< 100 ms",
        ),
        (
            "reason that none has",
            GroupQuery(states=open_only, reason=ReviewReason.DISPUTED),
            "instr(all_reasons, 'disputed')",
            "< 100 ms",
        ),
        (
            "text that one has",
            GroupQuery(states=open_only, text="KAKALOLOMIMI could"),
            "instr(lower(evidence), 'kakalolomimi could')",
            "< 100 ms",
        ),
    ]
    rows = []
    for name, query, condition, goal in questions:
        statement = (
            "SELECT * FROM queue_group WHERE state = 'open' AND "
            + condition
            + " ORDER BY severity DESC, last_at DESC, id DESC LIMIT 51"
        )
        ours = _milliseconds(lambda query=query: store.groups(query))
        theirs = _milliseconds(lambda text=statement: bare.execute(text).fetchall())
        rows.append([name, f"{ours:.2f} ms", f"{theirs:.2f} ms", f"{ours / theirs:.1f}", goal])
    bare.close()
    store.close()
    return rows


def _milliseconds(call: Callable[[], object]) -> float:
    call()
    took = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1000


def streams(home: Path) -> list[str]:
    """How long 200 open streams take to be told of a ticket: the median and the slowest of all."""
    environment = {
        "LOGDOCKET_DB": str(home / "streams.db"),
        "LOGDOCKET_LOG_LEVEL": "warning",
        "LOGDOCKET_KEEP_TEXT": "true",
    }
    with serving(("-m", "logdocket", "serve", "--port"), environment) as port:
        took = asyncio.run(_listen(port))
    return [
        f"{STREAMS} at once",
        f"{statistics.median(took) * 1000:.0f} ms",
        f"{max(took) * 1000:.0f} ms",
    ]


async def _listen(port: int) -> list[float]:
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(STREAMS)]
    for _, writer in connections:
        writer.write(b"GET /queue/changes HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
    for reader, _ in connections:
        await reader.readuntil(b"\r\n\r\n")
    took: list[float] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        for turn in range(5):
            mark = f"keeper{os.getpid()}turn{'abcde'[turn]}"
            told = [
                asyncio.create_task(reader.readuntil(mark.encode())) for reader, _ in connections
            ]
            line = f"2026-01-02T15:04:05Z ERROR pay: the {mark} is gone"
            (
                await http.post(
                    "/extract",
                    content=json.dumps({"line": line}),
                    headers={"content-type": "application/json"},
                )
            ).raise_for_status()
            began = time.perf_counter()

            async def noted(task: asyncio.Task[bytes], began: float = began) -> None:
                await asyncio.wait_for(asyncio.shield(task), 20)
                took.append(time.perf_counter() - began)

            await asyncio.gather(*map(noted, told))
            await asyncio.sleep(0.2)
    for _, writer in connections:
        writer.close()
    return took


if __name__ == "__main__":
    print(report())

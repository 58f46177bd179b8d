"""What Logdocket costs beside a model: the latency that it adds, and the paths on which none is
asked.

The model is the server of :mod:`logdocket.testing` in a process of its own, which gives good
answers after a set time. It is asked by way of ``logdocket serve``, one process; and beside that,
by turns, straight, with the very bodies that the service sends. Bare connections in this process
do both, so what is added is all that the service does: HTTP twice over, the reading, the prompt,
the provider's library, the check of the answer, and two entries that are on the disk.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx2
import uvloop

from benchmarks.http import check
from benchmarks.load import REPEATED, apart, bodies
from benchmarks.load import Client as Sender
from benchmarks.serving import serving
from benchmarks.table import Row, grid, markdown
from logdocket.model import Client, Permit, Question, redact
from logdocket.model.exchange import Exchange
from logdocket.testing import closed_port

TURNS = 3
PARTS = 10
"""In which the lines of a load are sent, straight and served by turns."""
SECONDS = 1.5
CONNECTIONS = 32
CROWD = 200
SLOW = 1.0
"""Seconds that the model of a crowd takes."""
GOAL_MS = 5
"""Added at the median, to one request at a time."""
_HOST = "127.0.0.1"
_COMPLETIONS = "/v1/chat/completions"


class Load(NamedTuple):
    """``lines`` about which ``at_once`` ask a model that takes ``latency`` seconds."""

    latency: float
    at_once: int
    lines: int


LOADS = (Load(0.05, 1, 120), Load(0, 1, 400), Load(0.05, 20, 800), Load(0, 20, 600))


def report() -> str:
    """Three tables: latency, a crowd at a slow model, and what is as fast as without a model."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as servers:
        home = Path(folder)
        models = {
            latency: _Model(servers, home, latency)
            for latency in {SLOW, *(load.latency for load in LOADS)}
        }
        dead = {
            "MODEL_URL": f"http://{_HOST}:{closed_port()}/v1",
            "LOGDOCKET_BREAKER_FAILURES": "1",
            "LOGDOCKET_BREAKER_SECONDS": "3600",
        }
        alone = _service(servers, home / "alone.db", {})
        spared = _service(servers, home / "spared.db", dead)
        parts = [uvloop.run(_latencies(models, home)), uvloop.run(_crowds(models[SLOW]))]
        uvloop.run(models[0].remember(alone))
        parts.append(markdown([_spared(spared, alone), _cached(models[0].service, alone)]))
        servers.close()
        for ledger in home.glob("*.db"):
            check(ledger)
        for model in models.values():
            model.check()
    return "\n\n".join(parts)


class Took(NamedTuple):
    """Seconds for each request, and from the first connection to the last answer."""

    each: list[float]
    wall: float


class _Model:
    """A model that takes ``latency`` seconds, a service before it, and how often it was asked."""

    def __init__(self, servers: ExitStack, home: Path, latency: float) -> None:
        self._out = home / f"model-{latency}.txt"
        command = ("-m", "logdocket.testing", "--latency", str(latency), "--port")
        self._port = servers.enter_context(serving(command, {}, self._out))
        url = f"http://{_HOST}:{self._port}/v1"
        self.service = _service(servers, home / f"model-{latency}.db", {"MODEL_URL": url})
        self._lines = bodies("distinct", 0)
        self._asked = 0

    async def straight(self, lines: int, at_once: int) -> Took:
        """What ``lines`` new ones took without the service."""
        asked = await _as_asked(itertools.islice(self._lines, lines))
        self._asked += lines
        return await _seconds(self._port, _COMPLETIONS, asked, at_once, b'"finish_reason"')

    async def served(self, lines: int, at_once: int) -> Took:
        """The same with it."""
        asked = list(itertools.islice(self._lines, lines))
        self._asked += lines
        return await _seconds(self.service, "/extract", asked, at_once, b'"source":"model"')

    async def remember(self, alone: int) -> None:
        """Fill the caches of the service, and of the one ``alone``, with what is repeated."""
        repeated = list(itertools.islice(bodies("cached", 1), REPEATED))
        self._asked += REPEATED
        for port, source in ((self.service, "model"), (alone, "fallback")):
            good = f'"source":"{source}"'.encode()
            await _seconds(port, "/extract", repeated, CONNECTIONS, good)

    def check(self) -> None:
        """Once it has ended: it was asked once for each line, and not once more."""
        seen = json.loads(self._out.read_text().splitlines()[-1])
        assert seen["requests"] == self._asked, (seen["requests"], self._asked)


def _service(servers: ExitStack, db: Path, environment: dict[str, str]) -> int:
    common = {"LOGDOCKET_DB": str(db), "LOGDOCKET_LOG_LEVEL": "error", "MODEL_KEY": "none"}
    # Every line costs a call: what is measured is the way to the model, not around it.
    common["LOGDOCKET_CACHE_SCOPE"] = "line"
    # What the last part repeats must not grow old in between.
    common["LOGDOCKET_FALLBACK_TTL"] = "3600"
    command = ("-m", "logdocket", "serve", "--port")
    return servers.enter_context(serving(command, common | environment))


async def _as_asked(asked: Iterator[bytes]) -> list[bytes]:
    """The bodies that the service would send to a model for these of its own."""
    seen: list[Exchange] = []
    client = Client(
        base_url="http://127.0.0.1/v1",
        provider=None,
        name="default",
        key="none",
        max_output=512,
        transport=httpx2.MockTransport(lambda _: httpx2.Response(503)),
        record=seen.append,
    )
    for number, body in enumerate(asked):
        question = Question.about(redact(json.loads(body)["line"]).text)
        await client.ask(question, (), Permit(number), 5)
    await client.close()
    return [exchange.request for exchange in seen]


async def _seconds(port: int, path: str, asked: list[bytes], at_once: int, mark: bytes) -> Took:
    """What the requests took; each answer must be good and hold ``mark``."""
    loop, source = asyncio.get_running_loop(), iter(asked)
    began = time.perf_counter()

    def sender() -> Sender:
        return Sender(source, math.inf, path, mark)

    senders = [(await loop.create_connection(sender, _HOST, port))[1] for _ in range(at_once)]
    await asyncio.gather(*(each.done for each in senders))
    wall = time.perf_counter() - began
    assert sum(each.marked for each in senders) == len(asked), f"{path}: not all were answered"
    return Took(list(itertools.chain.from_iterable(each.latencies for each in senders)), wall)


async def _latencies(models: dict[float, _Model], home: Path) -> str:
    synced, rows = _quantiles(_syncs(home)), []
    for load in LOADS:
        rows.append(await _latency(models[load.latency], load))
    head = "the model takes|at once|lines|straight, p50|p99|served, p50|p99|added, p50|p99|goal"
    return (
        f"{grid(head.split('|'), rows)}\n\n"
        "Two writes to the disk, one after the other, are part of what is added; one of 8 KB took "
        f"{synced[0]:.1f} ms (p50) and {synced[1]:.1f} ms (p99) before this began."
    )


def _syncs(home: Path) -> list[float]:
    """Seconds that each of some writes took until it was on the disk."""
    took = []
    with (home / "synced").open("wb", buffering=0) as file:
        for _ in range(300):
            began = time.perf_counter()
            file.write(bytes(8192))
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    return took


async def _latency(model: _Model, load: Load) -> tuple[str, ...]:
    straight: list[float] = []
    served: list[float] = []
    # Connections and all that is made once.
    await model.served(load.at_once, load.at_once)
    for _ in range(PARTS):
        straight += (await model.straight(load.lines // PARTS, load.at_once)).each
        served += (await model.served(load.lines // PARTS, load.at_once)).each
    before, after = _quantiles(straight), _quantiles(served)
    added = [with_us - without for with_us, without in zip(after, before, strict=True)]
    print(f"  {load}: {added[0]:.1f} ms added, p99 {added[1]:.1f} ms", file=sys.stderr)
    return (
        f"{load.latency * 1000:g} ms",
        str(load.at_once),
        f"{load.lines:,}",
        *(f"{value:.1f} ms" for value in (*before, *after, *added)),
        f"p50 ≤ {GOAL_MS} ms" if load.at_once == 1 else "",
    )


def _quantiles(seconds: list[float]) -> tuple[float, float]:
    """Milliseconds within which a half, and 99 of 100, are done."""
    ordered = sorted(seconds)
    return ordered[len(ordered) // 2] * 1000, ordered[len(ordered) * 99 // 100] * 1000


async def _crowds(model: _Model) -> str:
    """How long it takes until the last of a crowd that comes at once has its answer."""
    straight, served = [], []
    await model.served(1, 1)
    for _ in range(TURNS):
        straight.append((await model.straight(CROWD, CROWD)).wall)
        served.append((await model.served(CROWD, CROWD)).wall)
    without, with_us = statistics.median(straight), statistics.median(served)
    print(f"  {CROWD} at once: {without:.2f} s straight, {with_us:.2f} s served", file=sys.stderr)
    head = ("at once", "the model takes", "straight", "served", "added", "added for each")
    row = (
        str(CROWD),
        f"{SLOW:.2f} s",
        f"{without:.2f} s",
        f"{with_us:.2f} s",
        f"{with_us - without:.2f} s",
        f"{(with_us - without) / CROWD * 1000:.2f} ms",
    )
    return grid(head, [row])


def _spared(spared: int, alone: int) -> Row:
    """A model that is not asked because its breaker is open, over none at all."""
    _expect(spared, "model_unreachable")
    _expect(spared, "circuit_open")
    with_model, without = _by_turns(spared, alone, "distinct")
    _expect(spared, "circuit_open")
    return Row("breaker open, over no model", with_model, without, "req/s", 0.95)


def _expect(port: int, reason: str) -> None:
    line = {"line": f"ERROR billing: gave up for the reason {reason} at {time.time_ns()}"}
    answer = httpx2.post(f"http://{_HOST}:{port}/extract", json=line, trust_env=False)
    assert reason in answer.json()["review_reasons"], answer.text


def _cached(with_model: int, alone: int) -> Row:
    """Cached tickets of a model, over those of none."""
    ours, baseline = _by_turns(with_model, alone, "cached")
    return Row("cached with a model, over no model", ours, baseline, "req/s", 0.95)


def _by_turns(ours: int, baseline: int, kind: str) -> tuple[float, float]:
    """Requests per second of both, the median of some turns."""
    rates: dict[int, list[float]] = {ours: [], baseline: []}
    for turn in range(TURNS):
        for port, seen in rates.items():
            took = apart(port, CONNECTIONS, SECONDS, kind, 1 if kind == "cached" else turn + 2)
            assert not took["bad"], took
            assert took["cached"] == (took["good"] if kind == "cached" else 0), took
            seen.append(took["per_second"])
    return statistics.median(rates[ours]), statistics.median(rates[baseline])

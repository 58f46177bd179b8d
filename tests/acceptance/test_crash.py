"""What was acknowledged is in the ledger, whenever the process is killed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from logdocket.store import SqliteStore

NURSERY = Path(__file__).parents[1] / "support" / "nursery.py"
ROUNDS = 50
SENDERS = 4


class Acknowledged(NamedTuple):
    """A ticket that a sender holds in its hands."""

    id: int
    line: str
    ticket: bytes


class Nursery:
    """Starts services on one database and one port, and kills them."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self.db = folder / "crash.db"
        self.log_path = folder / "crash.log"
        with self.log_path.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, NURSERY, self.db, str(self.port)],
                env={**os.environ, "LOGDOCKET_LOG_LEVEL": "warning"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def _hear(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def start(self) -> int:
        """A running service; its process number."""
        assert self._process.stdin is not None
        self._process.stdin.write("start\n")
        self._process.stdin.flush()
        pid = self._hear()
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
            except OSError:
                time.sleep(0.005)
            else:
                return pid
        raise AssertionError(f"no service came up: {self.log_path.read_text()}")

    def wait(self) -> int:
        """The exit code of the service, once it has ended."""
        return self._hear()

    def close(self) -> None:
        """Start no more."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    """Where services are started from."""
    made = Nursery(tmp_path)
    yield made
    made.close()


class Load:
    """Senders that go on until the service is gone."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._name = name
        self._begun = asyncio.Event()
        self.acknowledged: list[Acknowledged] = []

    async def kill(self, pid: int, seconds: float) -> None:
        """Kill the service ``seconds`` after its first answer."""
        senders = [asyncio.create_task(self._connect(number)) for number in range(SENDERS)]
        await self._begun.wait()
        await asyncio.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        await asyncio.gather(*senders)

    async def _connect(self, sender: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await self._send(sender, reader, writer)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def _send(
        self, sender: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        for number in itertools.count():
            # Every fourth line is a repetition.
            text = f"refusal {self._name}.{sender}.{number - (number % 4 == 3)}"
            line = f"2026-01-02T15:04:05Z ERROR pay: {text}"
            body = json.dumps({"line": line}).encode()
            writer.write(
                b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
            )
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            assert head.startswith("http/1.1 200"), head
            ticket = await reader.readexactly(_number(head, "content-length: "))
            id = _number(head, "content-location: /tickets/")
            self.acknowledged.append(Acknowledged(id, line, ticket))
            self._begun.set()


def _number(head: str, before: str) -> int:
    return int(head.partition(before)[2].partition("\r\n")[0])


@pytest.mark.timeout(180)
def test_every_acknowledged_ticket_survives_fifty_kills(nursery: Nursery) -> None:
    """``kill -9`` under load, fifty times on the same ledger, each time at another moment."""
    chance = random.Random(50)
    acknowledged: list[Acknowledged] = []
    for number in range(ROUNDS):
        pid = nursery.start()
        load = Load(nursery.port, str(number))
        asyncio.run(load.kill(pid, chance.uniform(0.02, 0.35)))
        assert nursery.wait() == -signal.SIGKILL
        acknowledged += load.acknowledged
    assert nursery.log_path.read_text() == ""
    _check(nursery.db, acknowledged)


def _check(db: Path, acknowledged: list[Acknowledged]) -> None:
    store = SqliteStore(db, clock=lambda: 0)
    try:
        verified = store.verify()
        assert verified.ok, verified
        for id, line, ticket in acknowledged:
            stored = store.ticket(id)
            assert stored is not None, f"ticket {id} was acknowledged and is lost"
            assert stored.id == id
            assert stored.line_hash == sha256(line.encode()).digest()
            entered = json.loads(stored.body)["ticket"]
            assert json.loads(ticket) == {**entered, "source": json.loads(ticket)["source"]}
        summary = store.summary()
    finally:
        store.close()
    given = Counter(json.loads(ticket)["source"] for _, _, ticket in acknowledged)
    assert set(given) == {"fallback", "cache"}
    assert all(summary.by_source[source] >= number for source, number in given.items())
    # Each sender may have had one more answer under way when the service was killed.
    assert summary.tickets <= len(acknowledged) + ROUNDS * SENDERS
    assert summary.unledgered == 0

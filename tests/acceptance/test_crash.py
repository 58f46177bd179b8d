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
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import processes
import pytest
from processes import Process

from logdocket.store import SqliteStore

ROUNDS = 50
SENDERS = 4


class Acknowledged(NamedTuple):
    """A ticket that a sender holds in its hands."""

    id: int
    line: str
    ticket: bytes


class Victims:
    """Services on one database and one port, each started to be killed."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self.folder = folder
        self.db = folder / "crash.db"
        self.log = folder / "crash.log"

    def start(self) -> Process:
        """A service that listens."""
        settings = {"DB": str(self.db), "PORT": str(self.port), "LOG_LEVEL": "warning"}
        environment = {
            **os.environ,
            **{f"LOGDOCKET_{name}": value for name, value in settings.items()},
        }
        process = processes.start(self.folder, self.log, ["serve"], environment, fast=True)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
            except OSError:
                time.sleep(0.005)
            else:
                return process
        raise AssertionError(f"no service came up: {self.log.read_text()}")


class Load:
    """Senders that go on until the service is gone."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._name = name
        self._begun = asyncio.Event()
        self.acknowledged: list[Acknowledged] = []

    async def kill(self, process: Process, seconds: float) -> None:
        """Kill the service ``seconds`` after its first answer."""
        senders = [asyncio.create_task(self._connect(number)) for number in range(SENDERS)]
        await self._begun.wait()
        await asyncio.sleep(seconds)
        process.send_signal(signal.SIGKILL)
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
def test_every_acknowledged_ticket_survives_fifty_kills(tmp_path: Path) -> None:
    """``kill -9`` under load, fifty times on the same ledger, each time at another moment."""
    chance = random.Random(50)
    victims = Victims(tmp_path)
    acknowledged: list[Acknowledged] = []
    for number in range(ROUNDS):
        process = victims.start()
        load = Load(victims.port, str(number))
        asyncio.run(load.kill(process, chance.uniform(0.02, 0.35)))
        assert process.wait(20) == -signal.SIGKILL
        acknowledged += load.acknowledged
    assert victims.log.read_text() == ""
    _check(victims.db, acknowledged)


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

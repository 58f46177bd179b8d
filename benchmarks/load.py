"""A load generator that costs little: one process, prebuilt requests, keep-alive connections.

Run as ``python -m benchmarks.load PORT CONNECTIONS SECONDS KIND``; prints one JSON object. It stops
sending after ``SECONDS`` and counts only answers with status 200.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import cast

import uvloop

REPEATED = 500
CACHED = b'"source":"cache"'


def bodies(kind: str, seed: int) -> Iterator[bytes]:
    """Bodies of requests: ``cached`` ones repeat after 500, ``distinct`` ones never."""
    numbers = itertools.count() if kind == "distinct" else itertools.cycle(range(REPEATED))
    for number in numbers:
        line = (
            f"2026-01-02T15:{number // 60 % 60:02d}:{number % 60:02d}Z ERROR payments: "
            f"card network timed out after {number} ms, run {seed}"
        )
        yield json.dumps({"line": line}).encode()


class Client(asyncio.Protocol):
    """One connection: sends, waits for the whole answer, sends again, while there is something to
    send and time to. Counts answers with status 200 as ``good``, and those of them that hold
    ``mark`` as ``marked``; ``latencies`` are in seconds.
    """

    def __init__(
        self, source: Iterator[bytes], until: float, path: str = "/extract", mark: bytes = CACHED
    ) -> None:
        self._source = source
        self._until = until
        self._head = f"POST {path} HTTP/1.1\r\nhost: x\r\n".encode()
        self._mark = mark
        self._buffer = b""
        self.good = 0
        self.bad = 0
        self.marked = 0
        self.latencies: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        # uvloop's transports are not registered as asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        if not self.done.done():
            self.done.set_result(None)

    def _send(self) -> None:
        self._sent = time.perf_counter()
        body = next(self._source, None) if self._sent < self._until else None
        if body is None:
            self._transport.close()
            return
        self._transport.write(
            b"%bcontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
            % (self._head, len(body), body)
        )

    def data_received(self, data: bytes) -> None:
        """Take an answer, or a part of one."""
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        _, _, length = head.lower().partition(b"content-length: ")
        if len(body) < int(length.split(b"\r\n", 1)[0]):
            return
        self._buffer = b""
        self.latencies.append(time.perf_counter() - self._sent)
        if head.startswith(b"HTTP/1.1 200"):
            self.good += 1
            self.marked += self._mark in body
        else:
            self.bad += 1
        self._send()


async def run(
    port: int, connections: int, seconds: float, kind: str, seed: int
) -> dict[str, float]:
    """Load the server on ``port``; what was seen."""
    loop = asyncio.get_running_loop()
    source = bodies(kind, seed)
    began = time.perf_counter()
    clients = [
        (await loop.create_connection(lambda: Client(source, began + seconds), "127.0.0.1", port))[
            1
        ]
        for _ in range(connections)
    ]
    await asyncio.gather(*(client.done for client in clients))
    took = time.perf_counter() - began
    latencies = sorted(itertools.chain.from_iterable(client.latencies for client in clients))
    good = sum(client.good for client in clients)
    return {
        "good": good,
        "bad": sum(client.bad for client in clients),
        "cached": sum(client.marked for client in clients),
        "per_second": good / took,
        "p50_ms": latencies[len(latencies) // 2] * 1000,
        "p99_ms": latencies[len(latencies) * 99 // 100] * 1000,
    }


def apart(port: int, connections: int, seconds: float, kind: str, seed: int) -> dict[str, float]:
    """The same from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.load", str(port), str(connections)]
    command += [str(seconds), kind, str(seed)]
    done = subprocess.run(command, check=True, capture_output=True, timeout=60)
    seen: dict[str, float] = json.loads(done.stdout)
    print(f"  {kind:<9} port {port}: {seen['per_second']:>9,.0f}/s", file=sys.stderr)
    return seen


if __name__ == "__main__":
    port, connections, seconds, kind, seed = sys.argv[1:]
    seen = uvloop.run(run(int(port), int(connections), float(seconds), kind, int(seed)))
    print(json.dumps(seen))

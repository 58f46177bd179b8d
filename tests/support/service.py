"""The service as a process of its own on loopback, and raw connections to it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import processes

from logdocket.settings import variable

_LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")
LINE = "2026-01-02T15:04:05Z ERROR payments: card network timed out"


def problem(response: httpx.Response) -> str:
    """The word of a problem document, after a look at its form."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    document = response.json()
    assert document["status"] == response.status_code
    assert document["title"]
    assert document["detail"]
    assert "\n" not in document["detail"]
    prefix, _, word = document["type"].rpartition(":")
    assert prefix == "urn:logdocket:problem"
    return str(word)


class Service:
    """``logdocket serve`` on a free port with a database of its own.

    Use as a context manager: leaving it stops the service with SIGTERM and fails if it did not end
    well, or if its log holds a fault.
    """

    def __init__(self, folder: Path, *arguments: str, fast: bool = True, **settings: str) -> None:
        """``settings`` are the service's own, by their names, as the environment has them.

        ``fast``: start by a fork, rather than as a user would; several workers cannot be.
        """
        self.folder = folder
        self.db = Path(settings.get("db", folder / "service.db"))
        self.log_path = folder / "service.log"
        self.expected_code = 0
        chosen = {"db": str(self.db), "host": "127.0.0.1", "port": "0", **settings}
        environment = {
            **os.environ,
            **{variable(name): value for name, value in chosen.items()},
        }
        self.log_path.write_bytes(b"")
        self.process = processes.start(
            folder, self.log_path, ["serve", *arguments], environment, fast=fast and not arguments
        )
        try:
            self.port = self._find_port()
            self.http = httpx.Client(
                base_url=f"http://127.0.0.1:{self.port}", timeout=30, trust_env=False
            )
            # Connections wait until the application is up.
            self.http.get("/healthz").raise_for_status()
        except BaseException:
            processes.end(self.process, signal.SIGKILL)
            raise

    def _find_port(self) -> int:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            found = _LISTENING.search(self.log())
            if found is not None:
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"the service did not start: {self.log()}")

    def __enter__(self) -> Service:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.http.close()
        code = self.stop()
        if error is None:
            assert code == self.expected_code, self.log()
            assert not self.faults(), self.faults()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; the exit code."""
        try:
            return processes.end(self.process, number)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the service did not stop: {self.log()}") from None

    def log(self) -> str:
        """All that the service has written so far."""
        return self.log_path.read_text("utf-8", "replace")

    def messages(self) -> list[dict[str, Any]]:
        """The log line by line; each must be a JSON object."""
        return [json.loads(line) for line in self.log().split("\n") if line]

    def faults(self) -> list[dict[str, Any]]:
        """Log messages that tell of a fault in the program."""
        return [
            message
            for message in self.messages()
            if "exception" in message or message["level"] in ("error", "critical")
        ]

    def extract(self, line: str, **options: Any) -> httpx.Response:
        """The answer to ``POST /extract``."""
        return self.http.post("/extract", json={"line": line}, **options)

    def connect(self, timeout: float = 20) -> socket.socket:
        """A raw connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def resident(self) -> int:
        """Bytes of memory that the process holds now."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


def exchange(connection: socket.socket, *pieces: bytes) -> httpx.Response:
    """Send raw bytes and read one answer, whether or not the connection then closes."""
    for piece in pieces:
        connection.sendall(piece)
    return read_answer(connection)


def read_answer(connection: socket.socket) -> httpx.Response:
    """One answer with a Content-Length, off a raw connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection, data)
    head, _, body = data.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines]
    length = int(httpx.Headers(headers).get("content-length", "0"))
    while len(body) < length:
        body += _some(connection, body)
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)


def _some(connection: socket.socket, so_far: bytes) -> bytes:
    data = connection.recv(65_536)
    assert data, f"the connection closed after {so_far!r}"
    return data


def head(path: str, *headers: str, method: str = "POST") -> bytes:
    """A request line and headers as they go over the wire."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def wait_for(condition: Callable[[], object], seconds: float = 10) -> None:
    """Wait until ``condition()`` holds; fails when it does not within ``seconds``."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)

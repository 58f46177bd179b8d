"""Ways to ask the server, with a client's library and with bare sockets."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from logdocket.testing import ModelServer

LINE = "2026-01-02T03:04:05Z web-1.example nginx[12]: ERROR upstream timed out"


@pytest.fixture
def line() -> str:
    """The line that is asked about."""
    return LINE


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A server that answers well until it is told otherwise."""
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="session")
def _client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=5) as client:
        yield client


@pytest.fixture
def ask(server: ModelServer, _client: httpx.Client) -> Callable[..., httpx.Response]:
    """Asks about the line; keywords go into the body, ``path`` stands after the base URL."""

    def asking(path: str = "/chat/completions", **more: Any) -> httpx.Response:
        prompt = f"Read it.\n<<<\n{json.dumps({'line': LINE})}\n>>>"
        body = {"model": "small", "messages": [{"role": "user", "content": prompt}]} | more
        return _client.post(server.url + path, json=body, follow_redirects=False)

    return asking


@pytest.fixture
def wire(server: ModelServer) -> Callable[[], bytes]:
    """Asks about the line and gives every byte that came before the end of the connection."""

    def asking() -> bytes:
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as caller:
            caller.sendall(request())
            return drained(caller)

    return asking


def request(path: str = "/v1/chat/completions", *headers: str) -> bytes:
    """A request about the line, byte for byte."""
    prompt = {"role": "user", "content": json.dumps({"line": LINE})}
    body = json.dumps({"messages": [prompt]}).encode()
    lines = [f"POST {path} HTTP/1.1", "host: model", f"content-length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def drained(caller: socket.socket) -> bytes:
    """All that comes until the other side ends the connection in good order."""
    parts = []
    while part := caller.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from logdocket.grading.client import Client
from logdocket.grading.manifest import Service
from logdocket.grading.reply import Reply, Silence
from logdocket.testing import closed_port


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that does ``serve`` with its first connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            connection, _ = listener.accept()
            with connection:
                serve(connection)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(5)


def saying(*parts: bytes) -> Callable[[socket.socket], None]:
    """Read a request, then write these bytes and close."""

    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        for part in parts:
            connection.sendall(part)

    return serve


def ask(port: int, seconds: float = 5.0) -> Reply:
    """What one line gets from there."""
    client = Client(port, Service(field="text", path="/tickets"))
    try:
        return client.ask("a line", {"service": "pay"}, seconds=seconds)
    finally:
        client.close()


def test_a_line_is_asked_about_as_the_manifest_says() -> None:
    """Path, key of the line and key of the context."""
    got: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        # Head and body may come in pieces.
        got.append(b"")
        while not got[0].endswith(b"}}"):
            got[0] += connection.recv(65536)
        connection.sendall(b'HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{"a": [1]}')

    with listening(serve) as port:
        reply = ask(port)
    head, _, body = got[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /tickets HTTP/1.1")
    assert body == b'{"text": "a line", "context": {"service": "pay"}}'
    assert reply.ticket == {"a": [1]}
    assert reply.said == "status 201"


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort",
        b"SSH-2.0-synthetic\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ],
    ids=["nothing", "half", "other protocol", "no gzip"],
)
def test_what_is_no_response_is_told_as_such(said: bytes) -> None:
    """With the reason, and never as an error of ours."""
    with listening(saying(said)) as port:
        reply = ask(port)
    assert reply.silence is Silence.BROKEN
    assert not reply.ok
    assert reply.ticket is None


def test_a_closed_port_refuses() -> None:
    """Nobody listens."""
    assert ask(closed_port()).silence is Silence.REFUSED


def test_a_service_that_says_nothing_is_late() -> None:
    """After the time, not before."""
    done = threading.Event()

    def wait(connection: socket.socket) -> None:
        done.wait(5)

    with listening(wait) as port:
        reply = ask(port, 0.2)
        done.set()
    assert reply.silence is Silence.LATE
    assert reply.seconds >= 0.2


def test_a_response_that_drips_is_late_as_a_whole() -> None:
    """Bytes that come now and then do not extend the time."""
    stop = threading.Event()

    def drip(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not stop.wait(0.05):
            connection.sendall(b" ")

    with listening(drip) as port:
        reply = ask(port, 0.3)
        stop.set()
    assert reply.silence is Silence.LATE
    assert reply.seconds < 3


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"HTTP/1.1 200 OK\r\nX-Drip: ", b"a"),
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
    ],
    ids=["header", "hints", "chunk size"],
)
def test_a_head_that_never_ends_is_late(first: bytes, then: bytes) -> None:
    """The time is for all of the response, not for the silence between two of its bytes."""
    stop = threading.Event()

    def drip(connection: socket.socket) -> None:
        connection.recv(65536)
        with contextlib.suppress(OSError):
            connection.sendall(first)
            while not stop.wait(0.05):
                connection.sendall(then)

    with listening(drip) as port:
        reply = ask(port, 0.3)
        stop.set()
    assert reply.silence is Silence.LATE
    assert reply.seconds < 3


def test_what_is_packed_is_not_unpacked() -> None:
    """Nobody asked for it, and a few kilobytes can stand for gigabytes."""
    packed = gzip.compress(b'{"service": "pay"}')
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    with listening(saying(head + packed)) as port:
        reply = ask(port)
    assert reply.silence is Silence.BROKEN
    assert reply.body == b""


@pytest.mark.parametrize("body", [b"", b"[1]", b"\xff", b"[" * 100_000, b'"text"'])
def test_what_is_no_object_is_no_ticket(body: bytes) -> None:
    """Whatever stands there."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    with listening(saying(head + body)) as port:
        reply = ask(port)
    assert reply.status == 200
    assert reply.ticket is None

from __future__ import annotations

import json
import re
import socket

import pytest

from logdocket.testing import Fault, ModelServer


def post(body: bytes, *headers: bytes) -> bytes:
    """A request for an answer."""
    lines = (b"POST /v1/chat/completions HTTP/1.1", b"content-length: %d" % len(body), *headers)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def connected(server: ModelServer) -> socket.socket:
    """A connection to the server."""
    return socket.create_connection(("127.0.0.1", server.port), timeout=5)


def rest(caller: socket.socket) -> bytes:
    """All that comes until the end."""
    got = b""
    while piece := caller.recv(1 << 16):
        got += piece
    return got


def test_requests_sent_at_once_are_answered_in_their_order(server: ModelServer) -> None:
    """One after the other, on one connection."""
    server.script = [Fault.HTTP_500, Fault.GOOD, Fault.HTTP_404]
    with connected(server) as caller:
        caller.sendall(post(b"{}") + post(b"{}") + post(b"{}", b"connection: close"))
        statuses = re.findall(rb"HTTP/1\.1 (\d+)", rest(caller))
    assert statuses == [b"500", b"200", b"404"]
    assert server.peak == 1


def test_a_request_may_come_in_pieces(server: ModelServer) -> None:
    """Cut anywhere."""
    whole = post(b'{"prompt": "api: gone"}', b"connection: close")
    with connected(server) as caller:
        for at in range(len(whole)):
            caller.sendall(whole[at : at + 1])
        assert b"200 OK" in rest(caller)
    assert server.seen[0].json == {"prompt": "api: gone"}


def test_a_body_may_come_in_chunks(server: ModelServer) -> None:
    """Without a length."""
    head = b"POST /v1/chat/completions HTTP/1.1\r\ntransfer-encoding: chunked\r\n"
    with connected(server) as caller:
        caller.sendall(head + b"connection: close\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
        assert b"200 OK" in rest(caller)
    assert server.seen[0].body == b"{}"


def test_a_client_that_waits_to_be_told_to_send_is_told(server: ModelServer) -> None:
    """100 comes before the body does."""
    whole = post(b"{}", b"expect: 100-continue", b"connection: close")
    with connected(server) as caller:
        caller.sendall(whole[:-2])
        assert caller.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        caller.sendall(whole[-2:])
        assert b"200 OK" in rest(caller)


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00", b"nonsense\r\n\r\n"])
def test_a_client_that_speaks_no_http_is_reset(server: ModelServer, sent: bytes) -> None:
    """And nothing is seen of it."""
    with connected(server) as caller:
        caller.sendall(sent)
        with pytest.raises(ConnectionResetError):
            caller.recv(1)
    assert server.count == 0


@pytest.mark.parametrize("name", ["Authorization", "X-API-Key", "api-key"])
def test_a_key_is_not_kept(server: ModelServer, name: str) -> None:
    """Only that there was one; other headers are kept as they came."""
    with connected(server) as caller:
        secret = f"{name}: Bearer made-up-word".encode()
        caller.sendall(post(b"{}", secret, b"X-Other: Kept", b"connection: close"))
        rest(caller)
    (seen,) = server.seen
    assert seen.headers[name.lower()] == "present"
    assert seen.headers["x-other"] == "Kept"
    assert "made-up-word" not in json.dumps(seen.headers)

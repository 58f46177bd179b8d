from __future__ import annotations

import contextlib
import gzip
import json
import socket
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from logdocket.testing import Act, Fault, ModelServer
from logdocket.testing.delivery import DELIVERY


@contextlib.contextmanager
def asked(server: ModelServer, act: Fault | Act) -> Iterator[socket.socket]:
    """A connection on which a request was sent that ``act`` is the answer to."""
    server.script = act
    body = b'{"messages": [{"role": "user", "content": "api: gone"}]}'
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: model\r\ncontent-length: %d\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as caller:
        caller.sendall(head % len(body) + body)
        yield caller


def until(caller: socket.socket, mark: bytes) -> bytes:
    """What comes up to and with ``mark``."""
    got = b""
    while not got.endswith(mark):
        piece = caller.recv(1)
        assert piece, got
        got += piece
    return got


def declared(head: bytes) -> int:
    """The Content-Length."""
    return int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])


def pieces(caller: socket.socket, length: int) -> Iterator[bytes]:
    """So many bytes, as they come."""
    while length:
        piece = caller.recv(min(1 << 20, length))
        assert piece, f"{length} bytes are missing"
        length -= len(piece)
        yield piece


def silent(caller: socket.socket, seconds: float = 0.03) -> bool:
    """Whether nothing at all comes for so long, not even an end."""
    caller.settimeout(seconds)
    try:
        caller.recv(1)
    except TimeoutError:
        return True
    finally:
        caller.settimeout(5)
    return False


def ended(caller: socket.socket) -> bool:
    """Whether the other side ends the connection in good order, with nothing more to say."""
    return caller.recv(1) == b""


def finished(server: ModelServer) -> bool:
    """Whether the request was handed its whole answer."""
    assert server.wait_idle()
    return server.seen[0].whole


def test_a_good_answer_comes_whole_and_the_connection_stays(server: ModelServer) -> None:
    """Head, then the whole body, then nothing."""
    with asked(server, Fault.GOOD) as caller:
        head = until(caller, b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert json.loads(b"".join(pieces(caller, declared(head))))["choices"]
        assert silent(caller)
    assert finished(server)


def test_a_slow_answer_comes_after_its_seconds(server: ModelServer) -> None:
    """Not a byte before."""
    begun = time.monotonic()
    with asked(server, Act(Fault.SLOW, seconds=0.1)) as caller:
        assert caller.recv(1) == b"H"
        assert time.monotonic() - begun >= 0.1
        assert until(caller, b"\r\n\r\n").startswith(b"TTP/1.1 200 OK")
    assert finished(server)


def test_any_fault_can_be_slow(server: ModelServer) -> None:
    """Seconds given with another fault are waited for as well."""
    begun = time.monotonic()
    with asked(server, Act(Fault.HTTP_500, seconds=0.1)) as caller:
        assert until(caller, b"\r\n\r\n").startswith(b"HTTP/1.1 500 ")
    assert time.monotonic() - begun >= 0.1


def test_a_hanging_answer_never_comes(server: ModelServer) -> None:
    """Not a byte, and no end, until the client goes."""
    with asked(server, Fault.HANG) as caller:
        assert silent(caller, 0.1)
        assert server.seen[0].ended is None
    assert not finished(server)


def test_an_answer_that_hangs_amid_stops_after_half(server: ModelServer) -> None:
    """The head, half the body, no end."""
    with asked(server, Fault.HANG_AMID) as caller:
        length = declared(until(caller, b"\r\n\r\n"))
        assert len(b"".join(pieces(caller, length // 2))) == length // 2
        assert silent(caller)
    assert not finished(server)


def test_a_drip_sends_the_body_byte_by_byte(server: ModelServer) -> None:
    """The head at once; between two bytes of the body lie the seconds."""
    begun = time.monotonic()
    with asked(server, Act(Fault.DRIP, seconds=0.04)) as caller:
        until(caller, b"\r\n\r\n")
        assert b"".join(pieces(caller, 4)) == b'{"id'
        assert time.monotonic() - begun >= 0.12
    assert not finished(server)


def test_a_drip_ends_with_the_whole_answer(server: ModelServer) -> None:
    """Who waits long enough has all of it, and its tokens count."""
    with asked(server, Act(Fault.DRIP, seconds=0)) as caller:
        length = declared(until(caller, b"\r\n\r\n"))
        assert json.loads(b"".join(pieces(caller, length)))["usage"]["prompt_tokens"] == 2
    assert finished(server)
    assert server.tokens > 0


def test_a_drip_of_the_head_begins_with_its_first_byte(server: ModelServer) -> None:
    """Even the status line takes its time."""
    begun = time.monotonic()
    with asked(server, Act(Fault.DRIP_HEAD, seconds=0.02)) as caller:
        assert b"".join(pieces(caller, 4)) == b"HTTP"
        assert time.monotonic() - begun >= 0.06


def test_a_reset_comes_in_place_of_an_answer(server: ModelServer) -> None:
    """An RST, and not a byte before it."""
    with asked(server, Fault.RESET) as caller, pytest.raises(ConnectionResetError):
        caller.recv(1)
    assert not finished(server)


def test_a_reset_amid_comes_after_half_the_body(server: ModelServer) -> None:
    """Half the body can be read, then the connection is gone."""
    with asked(server, Fault.RESET_AMID) as caller:
        length = declared(until(caller, b"\r\n\r\n"))
        assert len(b"".join(pieces(caller, length // 2))) == length // 2
        with pytest.raises(ConnectionResetError):
            caller.recv(1)
    assert not finished(server)


def test_a_close_comes_in_place_of_an_answer(server: ModelServer) -> None:
    """An end in good order, and not a byte before it."""
    with asked(server, Fault.CLOSE) as caller:
        assert ended(caller)
    assert not finished(server)


def test_a_short_body_ends_before_its_length(server: ModelServer) -> None:
    """The head promises the whole, half of it comes, the connection ends."""
    with asked(server, Fault.SHORT) as caller:
        length = declared(until(caller, b"\r\n\r\n"))
        assert len(b"".join(pieces(caller, length // 2))) == length // 2
        assert ended(caller)
    assert not finished(server)
    assert server.tokens == 0


def test_another_protocol_greets_and_ends(server: ModelServer) -> None:
    """What comes is no status line."""
    with asked(server, Fault.NOT_HTTP) as caller:
        assert until(caller, b"\n") == b"SSH-2.0-example\r\n"
        assert ended(caller)


def test_a_big_head_holds_a_header_of_1_mb(server: ModelServer) -> None:
    """And a good answer after it."""
    with asked(server, Fault.BIG_HEAD) as caller:
        got = b""
        while b"\r\n\r\n" not in got:
            got += caller.recv(1 << 20)
        head, _, body = got.partition(b"\r\n\r\n")
        body += b"".join(pieces(caller, declared(head) - len(body)))
    assert 1 << 20 < len(head) < (1 << 20) + 1000
    assert json.loads(body)["choices"]


def test_a_declared_big_body_has_50_mb(server: ModelServer) -> None:
    """As many as its Content-Length says."""
    with asked(server, Fault.BIG_DECLARED) as caller:
        length = declared(until(caller, b"\r\n\r\n"))
        assert length > 50_000_000
        assert sum(map(len, pieces(caller, length))) == length
        assert silent(caller)
    assert finished(server)
    assert server.tokens == 0


def test_a_big_body_comes_in_chunks_of_untold_number(server: ModelServer) -> None:
    """No Content-Length; the chunks are 50 MB and a proper end."""
    with asked(server, Fault.BIG_BODY) as caller:
        head = until(caller, b"\r\n\r\n")
        assert b"content-length" not in head
        assert b"transfer-encoding: chunked" in head
        total = 0
        while length := int(until(caller, b"\r\n"), 16):
            total += sum(map(len, pieces(caller, length)))
            until(caller, b"\r\n")
        assert until(caller, b"\r\n") == b"\r\n"
    assert total > 50_000_000
    assert finished(server)


@pytest.mark.parametrize("fault", [Fault.BIG_BODY, Fault.BIG_DECLARED])
def test_a_big_body_ends_when_the_client_goes(server: ModelServer, fault: Fault) -> None:
    """Nothing is sent to nobody, and the server does not hold what nobody reads."""
    with asked(server, fault) as caller:
        until(caller, b"\r\n\r\n")
    assert not finished(server)


def test_a_gzip_bomb_is_small_on_the_wire_and_1_gb_decoded(server: ModelServer) -> None:
    """It comes under Content-Encoding gzip to a request that did not ask for it."""
    with asked(server, Fault.GZIP_BOMB) as caller:
        head = until(caller, b"\r\n\r\n")
        assert b"content-encoding: gzip\r\n" in head
        body = b"".join(pieces(caller, declared(head)))
    assert len(body) < 2_000_000
    # The last four bytes of a gzip member are the length of what it decodes to.
    assert int.from_bytes(body[-4:], "little") > 1_000_000_000
    decoder = zlib.decompressobj(wbits=31)
    assert json.loads(decoder.decompress(body, 1 << 20) + b'"}}]}')["choices"]


def test_a_gzipped_answer_is_the_good_one(server: ModelServer) -> None:
    """It comes under Content-Encoding gzip to a request that did not ask for it."""
    with asked(server, Fault.GZIPPED) as caller:
        head = until(caller, b"\r\n\r\n")
        assert b"content-encoding: gzip\r\n" in head
        body = b"".join(pieces(caller, declared(head)))
    assert json.loads(gzip.decompress(body))["choices"]
    assert finished(server)
    assert server.tokens > 0


def test_every_fault_of_delivery_is_tested_here() -> None:
    """One that is added is tested."""
    source = Path(__file__).read_text(encoding="utf-8")
    assert [fault for fault in DELIVERY if f"Fault.{fault.name}" not in source] == []

"""A connection waits for a request's head for a while only, and lets the gone be gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from logdocket.http import protocol
from logdocket.http.protocol import Connection

Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Gives the body back, or what it is told to wait for."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(0.3)
    headers = [(b"content-length", str(len(body) + 2).encode())]
    if scope["path"] == "/headers":
        headers += [(b"x-given", name) for name, _ in scope["headers"]]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok" + body})


@pytest.fixture
async def connect(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Connect]:
    """Opens connections to a server that waits 0.2 s for a head."""
    monkeypatch.setattr(protocol, "_HEAD_SECONDS", 0.2)
    config = uvicorn.Config(echo, http=Connection, ws="none", log_config=None, lifespan="off")
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(config, state, {}), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    writers = []

    async def open_one() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        return reader, writer

    yield open_one
    for writer in writers:
        writer.close()
    server.close()
    for connection in list(state.connections):
        connection.transport.close()
    await asyncio.sleep(0)


async def elapsed(waiting: Awaitable[bytes]) -> tuple[bytes, float]:
    """What came, and after how many seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    return await waiting, loop.time() - began


async def test_one_who_says_nothing_is_let_go(connect: Connect) -> None:
    """Without a word, for nothing was asked."""
    reader, _ = await connect()
    said, seconds = await elapsed(reader.read())
    assert said == b""
    assert 0.15 < seconds < 2


async def test_one_who_stops_within_a_head_is_told(connect: Connect) -> None:
    """408, with the reason."""
    reader, writer = await connect()
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Lat")
    said, seconds = await elapsed(reader.read())
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"headers-too-slow" in said
    assert 0.15 < seconds < 2


async def test_one_who_drips_a_head_is_told(connect: Connect) -> None:
    """However steadily the drops fall."""
    reader, writer = await connect()
    reading = asyncio.create_task(elapsed(reader.read()))
    writer.write(b"GET / HTTP/1.1\r\n")
    while not reading.done():
        writer.write(b"X: y\r\n")
        await asyncio.sleep(0.02)
    said, seconds = reading.result()
    assert said.startswith(b"HTTP/1.1 408 ")
    assert seconds < 2


async def test_each_head_has_the_whole_time(connect: Connect) -> None:
    """A connection that is used stays."""
    reader, writer = await connect()
    for _ in range(4):
        writer.write(GET[:10])
        await asyncio.sleep(0.1)
        writer.write(GET[10:])
        said = await reader.readuntil(b"ok")
        assert said.startswith(b"HTTP/1.1 200 ")


async def test_a_long_answer_is_waited_for(connect: Connect) -> None:
    """The time for a head does not run while a request is answered."""
    reader, writer = await connect()
    writer.write(GET.replace(b"/ ", b"/slow "))
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 ")


async def test_line_feeds_without_end_are_no_head(connect: Connect) -> None:
    """Empty lines before a request are passed over, but not for ever."""
    reader, writer = await connect()
    writer.write(b"\r\n" * 40_000)
    assert b"headers-too-large" in await reader.read()


async def test_bytes_behind_the_last_answer_close_the_connection(connect: Connect) -> None:
    """A body that was not waited for is not swallowed without end."""
    reader, writer = await connect()
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 ")
    writer.write(b"rubbish\r\n\r\n")
    assert b"http-invalid" in await reader.read()


async def test_a_request_that_ends_with_its_sender_is_answered(connect: Connect) -> None:
    """The sender has closed its half, and reads on."""
    reader, writer = await connect()
    writer.write(GET.replace(b"/ ", b"/slow "))
    writer.write_eof()
    said = await reader.read()
    assert said.startswith(b"HTTP/1.1 200 ")
    assert said.endswith(b"ok")


async def test_half_a_request_ends_with_its_sender(connect: Connect) -> None:
    """Nothing more can come of it."""
    reader, writer = await connect()
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
    await asyncio.sleep(0.05)
    writer.write_eof()
    assert await reader.read() == b""


@pytest.mark.parametrize("asked", [1, 3])
@pytest.mark.parametrize(
    "rubbish", [b"rubbish\r\n\r\n", GET[:20], b"GET / HTTP/1.1\r\nX: " * 9_000]
)
async def test_rubbish_behind_requests_is_not_their_answer(
    connect: Connect, asked: int, rubbish: bytes
) -> None:
    """What was asked rightly is answered, in turn; then the connection ends."""
    reader, writer = await connect()
    writer.write(GET.replace(b"/ ", b"/slow ") * asked + rubbish)
    said = await reader.read()
    assert said.count(b"HTTP/1.1 200 ") == said.count(b"HTTP/1.1 ") == asked


CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n.\r\n"


@pytest.mark.parametrize(
    ("before", "unit"),
    [
        (CHUNKED + b"0\r\n", b"X: y\r\n" * 1_000),
        (CHUNKED + b"0\r\nX: ", b"y" * 9_000),
        (CHUNKED + b"1;", b"x" * 9_000),
    ],
    ids=["trailers", "a long trailer", "a long extension"],
)
async def test_what_belongs_to_no_body_has_an_end(
    connect: Connect, before: bytes, unit: bytes
) -> None:
    """A parser would keep it all."""
    reader, writer = await connect()
    writer.write(before)
    reading = asyncio.create_task(reader.read())
    sent = 0
    while not reading.done() and sent < 10_000_000:
        writer.write(unit)
        sent += len(unit)
        await asyncio.sleep(0.001)
    assert b"headers-too-large" in await reading
    assert sent < 2_000_000


async def test_empty_lines_behind_an_answer_have_an_end(connect: Connect) -> None:
    """They ask for nothing."""
    reader, writer = await connect()
    writer.write(GET)
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 ")
    writer.write(b"\r\n" * 40_000)
    assert b"headers-too-large" in await reader.read()


async def test_a_long_body_in_small_chunks_is_taken(connect: Connect) -> None:
    """However much of it is the sizes of the chunks."""
    reader, writer = await connect()
    writer.write(CHUNKED + b"1\r\n.\r\n" * 30_000 + b"0\r\nX: y\r\n\r\n")
    said = await reader.readuntil(b"ok" + b"." * 30_001)
    assert said.startswith(b"HTTP/1.1 200 ")


async def test_a_trailer_is_no_header(connect: Connect) -> None:
    """What stands behind a body cannot open a door that was shut before it."""
    reader, writer = await connect()
    asked = CHUNKED.replace(b"POST / ", b"POST /headers ")
    writer.write(asked + b"0\r\nAuthorization: Bearer x\r\n\r\n")
    said = await reader.readuntil(b"ok")
    assert b"authorization" not in said
    assert b"transfer-encoding" in said

"""Bodies are bounded, decompressed piece by piece, and left unread where they are refused."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.http.body import (
    Disconnected,
    Inflater,
    charset,
    joined_header,
    linger,
    media_type,
    read_body,
    unread,
)
from logdocket.http.guard import Guard
from logdocket.http.inflow import Backlog
from logdocket.http.problem import Problem, Refusal


def scope(**headers: str) -> dict[str, Any]:
    """A request with these headers; ``_`` in a name stands for ``-``."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "headers": pairs}


def source(*pieces: bytes) -> Callable[[], Any]:
    """A body that comes in these pieces and then the client is gone."""
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    if messages:
        messages[-1]["more_body"] = False
    waiting = iter(messages)

    async def receive() -> dict[str, Any]:
        return next(waiting, {"type": "http.disconnect"})

    return receive


def inflated(packed: bytes, step: int) -> bytes:
    """``packed``, undone ``step`` bytes at a time."""
    inflater = Inflater()
    out = b"".join(
        piece
        for start in range(0, len(packed), step)
        for piece in inflater.feed(packed[start : start + step])
    )
    inflater.finish()
    return out


@given(st.lists(st.binary(), min_size=1), st.integers(1, 100))
def test_members_cut_anywhere_are_one_body(parts: list[bytes], step: int) -> None:
    """However the pieces fall."""
    packed = b"".join(map(gzip.compress, parts))
    assert inflated(packed, step) == b"".join(parts)


@given(st.binary(min_size=1), st.data())
def test_a_body_cut_anywhere_is_not_whole(plain: bytes, data: st.DataObject) -> None:
    """Save between two members, where it cannot be told."""
    packed = gzip.compress(plain)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(Refusal) as refused:
        inflated(packed[:cut], 7)
    assert refused.value.problem is Problem.ENCODING_INVALID


@given(st.binary(max_size=200))
def test_no_bytes_break_the_inflater(data: bytes) -> None:
    """They are gzip, or refused."""
    for packed in (data, gzip.compress(b"whole") + data, b"\x1f\x8b\x08\x00" + data):
        with contextlib.suppress(Refusal):
            inflated(packed, 16)


def test_much_from_little_comes_in_small_pieces() -> None:
    """A bomb never stands in memory as a whole."""
    packed = gzip.compress(b"\0" * 5_000_000, 9)
    sizes = [len(piece) for piece in Inflater().feed(packed)]
    assert sum(sizes) == 5_000_000
    assert max(sizes) <= 65_536


async def test_a_body_is_read_to_its_end() -> None:
    """And noted as read, so that the connection can be used again."""
    request = scope(content_length="5")
    assert unread(request)
    assert await read_body(request, source(b"he", b"", b"llo"), Guard()) == b"hello"
    assert not unread(request)


@pytest.mark.parametrize(
    ("headers", "has_body"),
    [
        ({}, False),
        ({"content_length": "0"}, False),
        ({"content_length": "7"}, True),
        ({"transfer_encoding": "chunked"}, True),
    ],
)
def test_headers_tell_whether_there_is_a_body(headers: dict[str, str], has_body: bool) -> None:
    """A request without one has nothing that could still come."""
    assert unread(scope(**headers)) is has_body


async def test_a_client_that_goes_away_is_told_from_one_that_is_done() -> None:
    """Half a body is no body."""
    request = scope(content_length="9")

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    with pytest.raises(Disconnected):
        await read_body(request, receive, Guard())


async def test_a_refused_body_is_left_to_pass_by_only_for_a_while() -> None:
    """To the end, to a pause, or to the end of patience."""
    loop = asyncio.get_running_loop()
    await linger(source(b"a", b"b", b"c"))
    began = loop.time()

    async def silent() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    await linger(silent)
    assert loop.time() - began < 1


@pytest.mark.parametrize(
    ("value", "kind", "characters"),
    [
        ("text/plain", b"text/plain", b""),
        ("Text/Plain ; Charset=UTF-8", b"text/plain", b"utf-8"),
        ('text/plain;charset="latin1"', b"text/plain", b"latin1"),
        ("text/plain; a=b; charset=x; c", b"text/plain", b"x"),
        ("", b"", b""),
        (";", b"", b""),
    ],
)
def test_a_media_type_is_taken_apart(value: str, kind: bytes, characters: bytes) -> None:
    """In any letter case, with parameters in any order."""
    request = scope(content_type=value)
    assert (media_type(request), charset(request)) == (kind, characters)


def test_a_repeated_header_is_one_list() -> None:
    """As RFC 9110 has it."""
    request = {"headers": [(b"prefer", b"a"), (b"x", b"y"), (b"prefer", b"b")]}
    assert joined_header(request, b"prefer") == b"a, b"


@given(st.lists(st.binary(max_size=200) | st.none()))
def test_a_backlog_gives_back_what_was_put(steps: list[bytes | None]) -> None:
    """In order, in pieces, whatever is put and taken in turns."""
    backlog = Backlog()
    put = taken = b""
    for step in steps:
        if step is None:
            taken += backlog.take()
        else:
            backlog.put(step)
            put += step
    while data := backlog.take():
        taken += data
    backlog.close()
    assert taken == put


def test_a_backlog_beyond_memory_is_on_disk_and_shrinks_again() -> None:
    """Its pieces stay small."""
    backlog = Backlog()
    for number in range(300):
        backlog.put(bytes([number % 256]) * 10_000)
    pieces = []
    while data := backlog.take():
        pieces.append(data)
    assert b"".join(pieces) == b"".join(bytes([n % 256]) * 10_000 for n in range(300))
    assert max(map(len, pieces)) <= 65_536
    backlog.put(b"anew")
    assert backlog.take() == b"anew"
    backlog.close()

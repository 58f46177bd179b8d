"""Long answers, sent piece by piece."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from logdocket.http.pieces import in_pieces
from logdocket.http.threads import Threads

ROW = b"x" * 1_023 + b"\n"


async def test_rows_go_out_in_order_as_few_pieces() -> None:
    """None is lost where one piece ends and the next begins."""
    rows = [b"%04d" % number + ROW for number in range(200)]
    pieces = [piece async for piece in await in_pieces(rows, Threads(1))]
    assert b"".join(pieces) == b"".join(rows)
    assert len(pieces) == 4


async def test_no_rows_are_no_pieces() -> None:
    """An empty file is an answer too."""
    assert [piece async for piece in await in_pieces([], Threads(1))] == []


async def test_a_piece_is_made_once_the_one_before_was_taken() -> None:
    """A slow reader holds no more than a piece in memory."""
    made = 0

    def rows() -> Iterator[bytes]:
        nonlocal made
        for _ in range(1_000):
            made += 1
            yield ROW

    pieces = await in_pieces(rows(), Threads(1))
    assert made == 64
    await anext(pieces)
    assert made == 64
    await anext(pieces)
    assert made == 128


async def test_what_cannot_be_read_at_all_is_raised_before_the_answer() -> None:
    """So that it can still be told as a problem."""

    def rows() -> Iterator[bytes]:
        raise OSError("gone")
        yield ROW

    with pytest.raises(OSError, match="gone"):
        await in_pieces(rows(), Threads(1))

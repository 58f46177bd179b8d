"""Long answers, sent piece by piece."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from logdocket.http.threads import Threads

_PIECE: Final = 65_536
"""Bytes of a piece, about: a change of threads for each row would cost more than the rows."""


async def in_pieces(rows: Iterable[bytes], threads: Threads) -> AsyncIterator[bytes]:
    """The rows in pieces, each made on one of ``threads`` when the one before has been sent.

    The first is made before this returns: what cannot be read at all is raised here, and can
    still be told as a problem.
    """
    pieces = _joined(rows)
    return _sent(await threads.run(next, pieces, None), pieces, threads)


async def _sent(
    first: bytes | None, pieces: Iterator[bytes], threads: Threads
) -> AsyncIterator[bytes]:
    piece = first
    while piece is not None:
        yield piece
        piece = await threads.run(next, pieces, None)


def _joined(rows: Iterable[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for row in rows:
        held.append(row)
        size += len(row)
        if size >= _PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)

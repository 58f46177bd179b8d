"""A batch's body as it comes in: bounded memory, and the sender is never kept waiting.

A client that reads no answer before it has sent everything would wait for ever on a server that
reads no more before its answers are taken. So the body is read as fast as it comes, and what is
not yet answered waits in memory up to 1 MiB and on disk beyond.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from typing import Final

from starlette.types import Receive, Scope

from logdocket.http.body import (
    Disconnected,
    check_length,
    inflater,
    mark_read,
    too_large,
    too_slow,
)
from logdocket.http.guard import Guard
from logdocket.http.problem import Problem, Refusal

_IN_MEMORY: Final = 1_048_576
_PIECE: Final = 65_536


class Backlog:
    """Bytes in, the same bytes out later; on disk past 1 MiB. Empty again, it starts over."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed below
        self._read = 0
        self._written = 0

    def put(self, data: bytes) -> None:
        """Append; raises OSError when the disk is full."""
        self._file.seek(self._written)
        self._file.write(data)
        self._written += len(data)

    def take(self) -> bytes:
        """Up to 64 KiB of the oldest bytes; empty when there are none."""
        if self._read == self._written:
            return b""
        self._file.seek(self._read)
        data = self._file.read(min(_PIECE, self._written - self._read))
        self._read += len(data)
        if self._read == self._written:
            self._file.seek(0)
            self._file.truncate()
            self._read = self._written = 0
        return data

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


class Inflow:
    """The pieces of a request's body, in order. Use as an asynchronous context manager."""

    def __init__(self, scope: Scope, receive: Receive, guard: Guard) -> None:
        """Take the request; raises Refusal for what its headers already tell."""
        check_length(scope, guard.max_batch, "LOGDOCKET_MAX_BATCH")
        self._inflater = inflater(scope)
        self._scope = scope
        self._receive = receive
        self._guard = guard
        self._backlog = Backlog()
        self._news = asyncio.Event()
        self._ended = self._gone = False
        self._fault: Exception | None = None
        self._pump: asyncio.Task[None] | None = None
        self._size = 0

    async def __aenter__(self) -> Inflow:
        self._pump = asyncio.create_task(self._take_in())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._pump is not None
        self._pump.cancel()
        await asyncio.gather(self._pump, return_exceptions=True)
        self._backlog.close()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body piece by piece, each at most 64 KiB.

        Raises:
            Refusal: too large, too slow, wrongly encoded, or more than the disk can hold; all that
                came before has been given.
            Disconnected: the client went away; what it has sent is not looked at any more.
        """
        while True:
            self._news.clear()
            ended = self._ended
            while not self._gone and (data := self._backlog.take()):
                yield data
            if self._gone:
                raise Disconnected
            if ended:
                if self._fault is not None:
                    raise self._fault
                return
            await self._news.wait()

    async def _take_in(self) -> None:
        try:
            await self._take_all()
        except Disconnected:
            self._gone = True
        except OSError as error:
            self._fault = Refusal(
                Problem.BODY_NOT_HELD,
                f"the temporary disk cannot hold the batch ({error.strerror}): send less at once",
            )
        except Exception as error:  # noqa: BLE001 - raised again where the pieces are taken
            self._fault = error
        finally:
            self._ended = True
            self._news.set()
        if self._fault is None:
            # All is here; what may still come is the news that nobody waits for the answer.
            await self._receive()
            self._gone = True
            self._news.set()

    async def _take_all(self) -> None:
        more = True
        while more:
            try:
                async with asyncio.timeout(self._guard.body_timeout):
                    message = await self._receive()
            except TimeoutError:
                raise too_slow(self._guard.body_timeout) from None
            if message["type"] == "http.disconnect":
                raise Disconnected
            more = message.get("more_body", False)
            if not more:
                mark_read(self._scope)
            await self._hold(message.get("body", b""))
        if self._inflater is not None:
            self._inflater.finish()

    async def _hold(self, data: bytes) -> None:
        if self._inflater is None:
            self._put(data)
            return
        for piece in self._inflater.feed(data):
            self._put(piece)
            # A little data may hold very many pieces: others have their turn between them.
            await asyncio.sleep(0)

    def _put(self, piece: bytes) -> None:
        room = self._guard.max_batch - self._size
        taken = piece[:room]
        if taken:
            self._size += len(taken)
            self._backlog.put(taken)
            self._news.set()
        if len(piece) > room:
            raise too_large(self._guard.max_batch, "LOGDOCKET_MAX_BATCH")

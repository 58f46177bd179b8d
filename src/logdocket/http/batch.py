"""``POST /extract/batch``: rows in, tickets out in the same order, while the rows still come.

Each row gets exactly one line of the answer: a ticket, or ``{"error": …}`` with a problem document
and the row's number. A fault that ends the batch early is the last line, with ``row`` null.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from logdocket.docket import Extractor, Item
from logdocket.http.body import charset, linger, mark_read, media_type, unread
from logdocket.http.guard import Guard
from logdocket.http.inflow import Inflow
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal, encode_ascii
from logdocket.http.rows import json_row, text_row
from logdocket.splitter import Splitter
from logdocket.ticket import Extraction

# Rows of one transaction: large enough to share its cost, small enough not to hold up other
# requests on the event loop.
_GROUP: Final = 64
_UTF_8: Final = frozenset({b"", b"utf-8", b"utf8", b"us-ascii"})
_Row = Item | Refusal
_Parse = Callable[[bytes, int], Item]


class Batch:
    """The endpoint."""

    path = "/extract/batch"

    def __init__(self, extractor: Extractor, guard: Guard, metrics: Metrics) -> None:
        self._extractor = extractor
        self._guard = guard
        self._metrics = metrics
        self._kinds: dict[bytes, tuple[_Parse, int]] = {
            b"application/x-ndjson": (json_row, guard.max_body),
            b"application/ndjson": (json_row, guard.max_body),
            b"application/jsonl": (json_row, guard.max_body),
            b"text/plain": (text_row, guard.max_line),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with one line of NDJSON for each row."""
        scope["route"] = self
        kind = self._kind(scope)
        async with Inflow(scope, receive, self._guard) as inflow:
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [(b"content-type", b"application/x-ndjson")],
                }
            )
            try:
                await self._answer(inflow, *kind, send)
            except Refusal as refusal:
                await _end_early(send, refusal)
            except asyncio.CancelledError:
                # Only a server that has been told to stop, and has waited for long, does this.
                await _end_early(send, Refusal(Problem.STOPPING, "send the other rows again"))
                mark_read(scope)
        if unread(scope):
            await linger(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _kind(self, scope: Scope) -> tuple[_Parse, int]:
        """How a row of this batch is read, and how long one may be; raises Refusal."""
        declared = media_type(scope)
        kind = self._kinds.get(declared)
        if kind is None:
            raise Refusal(
                Problem.MEDIA_TYPE_UNSUPPORTED,
                "a batch is Content-Type: application/x-ndjson (objects) or text/plain (lines)",
            )
        if declared == b"text/plain" and charset(scope) not in _UTF_8:
            raise Refusal(Problem.MEDIA_TYPE_UNSUPPORTED, "lines are UTF-8: send them as such")
        return kind

    async def _answer(self, inflow: Inflow, parse: _Parse, longest: int, send: Send) -> None:
        splitter = Splitter(longest)
        number = 0
        async for piece in inflow.pieces():
            number = await self._give(splitter.feed(piece), parse, longest, number, send)
        await self._give(splitter.finish(), parse, longest, number, send)

    async def _give(
        self, raws: list[bytes | None], parse: _Parse, longest: int, number: int, send: Send
    ) -> int:
        """Answer these rows, the first of which is row ``number + 1``; the last one's number."""
        for start in range(0, len(raws), _GROUP):
            rows = [self._parse(raw, parse, longest) for raw in raws[start : start + _GROUP]]
            items = [row for row in rows if not isinstance(row, Refusal)]
            tickets: Iterator[Extraction] = iter(())
            if items:
                tickets = iter(await self._extractor.extract_many(items))
            else:
                # Nothing is waited for, and others must have their turn.
                await asyncio.sleep(0)
            lines = []
            for row in rows:
                number += 1
                lines.append(
                    self._error(row, number)
                    if isinstance(row, Refusal)
                    else self._ticket(next(tickets))
                )
            await _send(send, b"\n".join(lines) + b"\n")
        return number

    def _parse(self, raw: bytes | None, parse: _Parse, longest: int) -> _Row:
        if raw is None:
            detail = f"the row has more than {longest:,} bytes: send a shorter one"
            return Refusal(Problem.LINE_TOO_LONG, detail)
        try:
            return parse(raw, self._guard.max_line)
        except Refusal as refusal:
            return refusal

    def _ticket(self, extraction: Extraction) -> bytes:
        self._metrics.ticket(extraction)
        return extraction.json

    def _error(self, refusal: Refusal, number: int) -> bytes:
        self._metrics.row_refused(refusal.problem.word)
        document: dict[str, Any] = {"error": refusal.document(row=number)}
        return encode_ascii(document)


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _end_early(send: Send, refusal: Refusal) -> None:
    await _send(send, encode_ascii({"error": refusal.document(row=None)}) + b"\n")

"""The service's pages in this process, and a person with a browser's habits who asks for them."""

from __future__ import annotations

import re
import time
from hashlib import sha256
from html import unescape
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from logdocket.calls import CallEnd, CallStatus, Spend, Usage
from logdocket.confidence import shipped
from logdocket.docket import Caps, Extractor, Judge, Policy
from logdocket.docket.review import ReviewDesk
from logdocket.http import Guard, create_app
from logdocket.http.roles import Token
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import CallStart, SqliteStore, Started, TicketRecord
from logdocket.ticket import ReviewReason, Source

BASE = "http://127.0.0.1"
LONGEST = 2000
_CSRF = re.compile(r'name="csrf" value="([^"]*)"')


def now() -> int:
    """The time, in µs since 1970 UTC."""
    return time.time_ns() // 1000


class Pages:
    """The application over a ledger of its own; use as an asynchronous context manager."""

    def __init__(
        self,
        folder: Path,
        *,
        caps: Caps | None = None,
        tokens: tuple[Token, ...] = (),
        longest: int = LONGEST,
    ) -> None:
        """``caps``: what a day may cost; ``tokens``: of whoever may ask; ``longest``: of a line,
        in bytes."""
        self.store = SqliteStore(folder / "pages.db", clock=now)
        policy = Policy(keep_text=True, caps=caps or Caps())
        self.extractor = Extractor(policy, shipped(), self.store, now)
        self.desk = ReviewDesk(self.store, clock=now, max_line=longest)
        guard = Guard(tokens=tokens, max_line=longest)
        transport = httpx.ASGITransport(
            create_app(self.extractor, self.store, guard, self.desk), raise_app_exceptions=False
        )
        self.http = httpx.AsyncClient(
            transport=transport, base_url=BASE, headers={"Accept": "text/html"}
        )

    async def __aenter__(self) -> Pages:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.http.aclose()
        self.store.close()

    async def get(self, path: str, status: int = 200) -> str:
        """A page's HTML; ``status`` is what it must answer."""
        answer = await self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.text

    async def post(self, path: str, on: str, **fields: str) -> httpx.Response:
        """What a form on page ``on`` leads to when it is sent."""
        found = _CSRF.search((await self.http.get(on)).text)
        assert found is not None, "the page has no form"
        data = {"csrf": found[1], **fields}
        return await self.http.post(path, data=data, headers={"Origin": BASE})

    async def extract(self, *lines: str) -> None:
        """Enter a ticket for each line."""
        for line in lines:
            await self.extractor.extract(Line(line))

    async def call(
        self, number: int, status: CallStatus, *, kept: bool = True, **ended: Any
    ) -> None:
        """Enter a call of a model, and the fallback that came of it; ``kept``: with its line."""
        line = Line(f"2026-01-02T15:04:05Z ERROR payments: card {number} refused")
        key, holder = number.to_bytes(16), b"h" * 16
        begun = await self.store.start(
            CallStart(
                key=key,
                line_hash=sha256(line.raw).digest(),
                holder=holder,
                expires=now() + 60_000_000,
                seen=0,
                attempt=1,
                model="example:tiny",
                mode="schema",
                prompt=1,
                reserve=Spend(900, 2_000),
            )
        )
        assert isinstance(begun, Started)
        judged = Judge(shipped(), 0.02, ReviewReason.MODEL_TIMEOUT)(line, NO_CONTEXT)
        usage: Usage | None = ended.get("usage")
        await self.store.submit(
            [
                TicketRecord(
                    key=key,
                    line_hash=sha256(line.raw).digest(),
                    source=Source.FALLBACK,
                    reasons=judged.reasons,
                    body=judged.body,
                    text=line.raw if kept else None,
                    calls=(begun.call,),
                    tokens=0 if usage is None else usage.tokens,
                    holder=holder,
                )
            ],
            CallEnd(call=begun.call, status=status, ms=12, **ended),
        )


def words(html: str) -> str:
    """What a page says, its tags left out."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))

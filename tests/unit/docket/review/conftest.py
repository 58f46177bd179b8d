"""A desk over a ledger, and stored tickets about lines, as the rules write them."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import msgspec
import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Judge, ReviewDesk, decode_judgement
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.store import SqliteStore, StoredTicket
from logdocket.ticket import encode

from ..conftest import Make, SetClock

Enter = Callable[..., StoredTicket]


@pytest.fixture
def desk(ledger: SqliteStore, at: SetClock) -> ReviewDesk:
    """The desk over the ledger."""
    return ReviewDesk(ledger, clock=at, max_line=1 << 16)


@pytest.fixture
def docket(make: Make) -> Extractor:
    """Answers every line anew, and keeps its text."""
    return make(keep_text=True, fallback_ttl=0)


@pytest.fixture(scope="session")
def entered() -> Enter:
    """Makes the rules' ticket for a line: ``entered("ERROR …", keep_text=False)``."""
    judge = Judge(shipped(), 0.05)

    def make(
        text: str | bytes,
        context: Context = NO_CONTEXT,
        *,
        keep_text: bool = True,
        **ticket: object,
    ) -> StoredTicket:
        line = Line(text) if isinstance(text, str) else Line.from_bytes(text)
        judged = judge(line, context)
        judgement = decode_judgement(judged.body)
        if keep_text and context != NO_CONTEXT:
            judgement = msgspec.structs.replace(judgement, context=context)
        said = msgspec.structs.replace(judgement.ticket, **ticket)
        return StoredTicket(
            id=1,
            at=1_700_000_000_000_000,
            key=b"k" * 16,
            line_hash=sha256(line.raw).digest(),
            source=judged.source,
            reasons=judged.reasons,
            body=encode(msgspec.structs.replace(judgement, ticket=said)),
            text=line.raw if keep_text else None,
        )

    return make

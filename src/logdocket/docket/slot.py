"""One line on its way through the docket."""

from __future__ import annotations

import msgspec

from logdocket.docket.judge import Judgement
from logdocket.line import Context, Line
from logdocket.ticket import Ticket


class Remembered(msgspec.Struct, frozen=True, gc=False):
    """A ticket that may be given again until ``expires_at`` (µs since 1970 UTC), as a cache hit."""

    expires_at: int
    id: int | None
    ticket: Ticket


class Slot:
    """One line, and where its answer comes from: a hit, a judgement, or a twin before it.

    ``kept`` is what later twins may repeat once this slot's own ticket is in the ledger;
    ``failed`` says that it could not be entered, so a twin must not claim to repeat it.
    """

    __slots__ = (
        "context",
        "failed",
        "hit",
        "judgement",
        "kept",
        "key",
        "line",
        "line_hash",
        "twin",
    )

    def __init__(self, line: Line, context: Context, key: bytes, line_hash: bytes) -> None:
        self.line = line
        self.context = context
        self.key = key
        self.line_hash = line_hash
        self.hit: Remembered | None = None
        self.twin: Slot | None = None
        self.judgement: Judgement | None = None
        self.kept: Remembered | None = None
        self.failed = False

    @property
    def undecided(self) -> bool:
        """Whether nothing answers it yet: it is to be judged."""
        return self.hit is None and self.twin is None and self.judgement is None

    def ticket(self) -> Ticket:
        """The answer, once settled."""
        if self.hit is not None:
            return self.hit.ticket
        if self.judgement is not None:
            return self.judgement.ticket
        assert self.twin is not None, "a settled slot has a hit, a judgement or a twin"
        return self.twin.ticket().cached()

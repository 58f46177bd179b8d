"""The desk where people decide about groups of tickets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import msgspec

from logdocket.docket.judgement import Judgement
from logdocket.errors import BadVerdict
from logdocket.line import Line
from logdocket.store import StoredTicket
from logdocket.store.review import (
    DayTickets,
    Decided,
    Folded,
    Group,
    GroupPage,
    GroupQuery,
    PastCall,
    QueueCounts,
    ReviewStore,
    Stale,
    Verdict,
    VerdictWord,
)

Outcome: TypeAlias = "Decided | Stale | BadVerdict"
"""What became of an ask: entered, overtaken by someone else's decision, or refused."""


class DeskStore(ReviewStore, Protocol):
    """What the desk needs of a store."""

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated."""
        ...


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wants decided about a group.

    ``version``: the group's, as the person saw it. ``service``, ``severity``, ``first_seen``,
    ``evidence``: what the ticket should say, None keeps what it says; ``first_seen`` may be the
    time as the line has it, or as ISO 8601. ``line``: the person's copy of the line, where its text
    is not kept. ``until``: of SNOOZED, µs since 1970 UTC. ``undoes``: of UNDONE, the verdict to
    take back; None is the latest that stands. ``note``: a remark. ``ticket``: the entry of the
    ticket that was judged; None is the group's newest.
    """

    group: int
    version: int
    verdict: VerdictWord
    service: str | None = None
    severity: str | None = None
    first_seen: str | None = None
    evidence: str | None = None
    line: str | None = None
    until: int | None = None
    undoes: int | None = None
    note: str | None = None
    ticket: int | None = None


class GroupDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A group and all that one may want to see before deciding.

    ``ticket`` is its newest ticket that needs a person, ``judgement`` what that one stands on,
    ``line`` its line where the text is kept. ``tickets``: the newest, newest first; ``verdicts``:
    newest first; ``calls``: those that were made for ``ticket``, oldest first.
    """

    group: Group
    ticket: StoredTicket
    judgement: Judgement
    line: Line | None
    tickets: list[StoredTicket]
    verdicts: list[Verdict]
    calls: list[PastCall]


class ReviewDesk:
    """Shows the queue and takes decisions. Every method blocks, and may raise LedgerUnavailable.

    ``clock`` gives µs since 1970 UTC; ``max_line`` is the most bytes that a pasted line may have.
    """

    def __init__(self, store: DeskStore, *, clock: Callable[[], int], max_line: int) -> None:
        self._store = store
        self._clock = clock
        self._max_line = max_line

    def catch_up(self, seconds: float = 0.25) -> Folded:
        """Bring the ledger's newest entries into the queue, for ``seconds`` at most."""
        raise NotImplementedError

    def page(self, query: GroupQuery) -> GroupPage:
        """A page of groups; catches up first. Raises ValueError for a foreign cursor."""
        raise NotImplementedError

    def counts(self) -> QueueCounts:
        """Groups by state."""
        raise NotImplementedError

    def changes(self, after: int, limit: int = 500) -> list[Group]:
        """Groups changed by entries after ``after``, in the order of the changes."""
        raise NotImplementedError

    def days(self, since: str, until: str) -> list[DayTickets]:
        """Tickets by UTC day (``YYYY-MM-DD``, both inclusive) and source."""
        raise NotImplementedError

    def detail(self, id: int) -> GroupDetail | None:
        """All about one group; catches up first. None where there is no such group."""
        raise NotImplementedError

    def decide(self, asks: Sequence[Ask], who: str) -> list[Outcome]:
        """What becomes of each ask, in order; all that hold are entered in one transaction."""
        raise NotImplementedError

"""What a store promises about the review queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from logdocket.store.records import StoredTicket
from logdocket.store.review import (
    DayTickets,
    DecideOutcome,
    Folded,
    Group,
    Grouping,
    GroupPage,
    GroupQuery,
    PastCall,
    Pending,
    PendingCounts,
    QueueCounts,
    Verdict,
    VerdictRecord,
)


class ReviewStore(Protocol):
    """Where the review queue lives. Every method blocks, and may raise LedgerUnavailable."""

    def fold(self, grouping: Grouping, most: int = 4096) -> Folded:
        """Bring at most ``most`` further entries of the ledger into the queue, and wake groups
        whose time has come. Several processes may do so at once: each entry counts once."""
        ...

    def groups(self, query: GroupQuery) -> GroupPage:
        """A page of groups, as far as the queue follows the ledger; raises ValueError for a cursor
        that is none of this query's."""
        ...

    def group(self, id: int) -> Group | None:
        """One group."""
        ...

    def group_of(self, ticket: int) -> Group | None:
        """The group that the ticket of entry ``ticket``, or what it repeats, belongs to."""
        ...

    def queue_counts(self) -> QueueCounts:
        """Groups by state, and how far the queue follows the ledger."""
        ...

    def changes(self, after: int, limit: int = 500) -> list[Group]:
        """Groups with ``changed`` above ``after``, in its order. A page never ends between groups
        of one ``changed``, so it may be longer than ``limit``."""
        ...

    def group_tickets(self, id: int, limit: int = 5) -> list[StoredTicket]:
        """The newest tickets of a group that have a body of their own, newest first."""
        ...

    def group_verdicts(self, id: int) -> list[Verdict]:
        """Every verdict about a group, newest first."""
        ...

    def verdicts_about(self, ids: Sequence[int]) -> dict[int, list[Verdict]]:
        """The same of several groups, by their numbers; without those that have none."""
        ...

    def verdicts(self, after: int = 0) -> list[Verdict]:
        """Every verdict with a number above ``after``, oldest first."""
        ...

    def decide(self, records: Sequence[VerdictRecord], grouping: Grouping) -> list[DecideOutcome]:
        """Enter verdicts in one transaction, durable on return; each only if its group still has
        the version that the record names. Folds what is left of the ledger first, so that what came
        before a verdict does not count as coming after it. Raises ValueError for a record that
        contradicts itself; nothing is entered then."""
        ...

    def taught_version(self) -> int:
        """The number of the newest verdict of any kind, 0 before the first; costs microseconds."""
        ...

    def taught(self) -> list[Verdict]:
        """The verdicts that stand and answer other lines: of those about one template, or one line,
        the newest."""
        ...

    def calls_of(self, ticket: int) -> list[PastCall]:
        """The calls that were made for the ticket of entry ``ticket``, or for the one that it
        repeats, oldest first."""
        ...

    def pending(self, limit: int) -> list[Pending]:
        """Tickets with a line's text that wait for a second look, most severe first, of those the
        oldest; of each key the first alone, and at most ``limit``. No person has decided about
        them: they are newer than what stands about their group, and nobody has put that off."""
        ...

    def is_pending(self, ticket: int) -> bool:
        """Whether the ticket of entry ``ticket`` still waits for a second look."""
        ...

    def pending_counts(self) -> PendingCounts:
        """How many there are."""
        ...

    def days(self, since: str, until: str) -> list[DayTickets]:
        """Tickets by day and source, from day ``since`` to day ``until`` (both ``YYYY-MM-DD`` and
        inclusive)."""
        ...

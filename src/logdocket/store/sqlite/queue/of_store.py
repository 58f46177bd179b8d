"""The queue's part of a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from logdocket.store.sqlite.database import Database
from logdocket.store.sqlite.queue.folding import Folder
from logdocket.store.sqlite.queue.lessons import Taughts
from logdocket.store.sqlite.queue.reading import QueueReader
from logdocket.store.sqlite.queue.verdicts import check
from logdocket.store.sqlite.writer import Writer


class Queue:
    """What the queue of one store works with."""

    def __init__(
        self, database: Database, writer: Writer, patience: float, clock: Callable[[], int]
    ) -> None:
        self.folder = Folder(database, patience, writer.lock, clock)
        self.reader = QueueReader(database, patience)
        self.taughts = Taughts()

    def close(self) -> None:
        """Release the file."""
        self.folder.close()
        self.reader.close()


class QueueOfStore:
    """The methods of a store that are about the review queue; each blocks."""

    _writer: Writer
    _queue: Queue

    def fold(self, grouping: Grouping, most: int = 4096) -> Folded:
        """Bring at most ``most`` further entries of the ledger into the queue, and wake groups
        whose time has come. Several processes may do so at once: each entry counts once. Where
        there is nothing to fold, nothing is written."""
        return self._queue.folder.fold(grouping, most)

    def groups(self, query: GroupQuery) -> GroupPage:
        """A page of groups, as far as the queue follows the ledger; raises ValueError for a cursor
        that is none of this query's."""
        return self._queue.reader.groups(query)

    def group(self, id: int) -> Group | None:
        """One group."""
        return self._queue.reader.group(id)

    def group_of(self, ticket: int) -> Group | None:
        """The group that the ticket of entry ``ticket``, or what it repeats, belongs to."""
        return self._queue.reader.group_of(ticket)

    def queue_counts(self) -> QueueCounts:
        """Groups by state, and how far the queue follows the ledger."""
        return self._queue.reader.counts()

    def changes(self, after: int, limit: int = 500) -> list[Group]:
        """Groups with ``changed`` above ``after``, in its order. A page never ends between groups
        of one ``changed``, so it may be longer than ``limit``."""
        return self._queue.reader.changes(after, limit)

    def group_tickets(self, id: int, limit: int = 5) -> list[StoredTicket]:
        """The newest tickets of a group that have a body of their own, newest first."""
        return self._queue.reader.group_tickets(id, limit)

    def group_verdicts(self, id: int) -> list[Verdict]:
        """Every verdict about a group, newest first."""
        return self._queue.reader.group_verdicts(id)

    def verdicts_about(self, ids: Sequence[int]) -> dict[int, list[Verdict]]:
        """The same of several groups, by their numbers; without those that have none."""
        return self._queue.reader.verdicts_about(ids)

    def verdicts(self, after: int = 0) -> list[Verdict]:
        """Every verdict with a number above ``after``, oldest first."""
        return self._queue.reader.verdicts(after)

    def decide(self, records: Sequence[VerdictRecord], grouping: Grouping) -> list[DecideOutcome]:
        """Enter verdicts in one transaction, durable on return; each only if its group still has
        the version that the record names. Folds what is left of the ledger first.

        Raises ValueError for a record that contradicts itself or the ledger; nothing is entered
        then.
        """
        for record in records:
            check(record)
        if not records:
            return []
        # All there is by now without the write lock; under it only what comes meanwhile.
        head = (folded := self.fold(grouping)).head
        while folded.upto < head:
            folded = self.fold(grouping)
        return self._writer.decide(records, grouping)

    def taught_version(self) -> int:
        """The number of the newest verdict of any kind, 0 before the first."""
        return self._queue.reader.taught_version()

    def taught(self) -> list[Verdict]:
        """The verdicts that stand and answer other lines, oldest first: of those about one
        template, or one line, the newest. One whose template another answers has none."""
        taughts = self._queue.taughts
        with taughts.lock:
            taughts.take(self._queue.reader.verdicts(taughts.upto))
            return taughts.standing(self._queue.reader.groups_of_verdicts())

    def calls_of(self, ticket: int) -> list[PastCall]:
        """The calls that were made for the ticket of entry ``ticket``, or for the one that it
        repeats, oldest first."""
        return self._queue.reader.calls_of(ticket)

    def pending(self, limit: int) -> list[Pending]:
        """Tickets with a line's text that wait for a second look, most severe first, of those the
        oldest; of each key the first alone, and at most ``limit``. No person has decided about
        them: they are newer than what stands about their group, and nobody has put that off."""
        return self._queue.reader.pending(limit)

    def is_pending(self, ticket: int) -> bool:
        """Whether the ticket of entry ``ticket`` still waits for a second look."""
        return self._queue.reader.is_pending(ticket)

    def pending_counts(self) -> PendingCounts:
        """How many there are."""
        return self._queue.reader.pending_counts()

    def days(self, since: str, until: str) -> list[DayTickets]:
        """Tickets by day and source, from day ``since`` to day ``until`` (both ``YYYY-MM-DD`` and
        inclusive), as far as the queue follows the ledger; raises ValueError for what is no day."""
        return self._queue.reader.days(since, until)

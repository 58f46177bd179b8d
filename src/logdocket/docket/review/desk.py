"""The desk where people decide about groups of tickets."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec

from logdocket.docket.explained import judgement_of
from logdocket.docket.judgement import Judgement
from logdocket.docket.review.asks import About, Ask, checked_name, record_of
from logdocket.docket.review.describing import GROUPING
from logdocket.docket.review.lawful import stored_line
from logdocket.docket.review.standing import Answers, answering, corrected, latest
from logdocket.errors import BadVerdict, LedgerUnavailable
from logdocket.line import Line
from logdocket.store import StoredTicket
from logdocket.store.review import (
    DayTickets,
    Decided,
    Fields,
    Folded,
    Group,
    GroupPage,
    GroupQuery,
    PastCall,
    QueueCounts,
    Stale,
    Verdict,
    VerdictRecord,
    VerdictWord,
)
from logdocket.store.review_store import ReviewStore

_log = logging.getLogger("logdocket.docket")
Outcome: TypeAlias = "Decided | Stale | BadVerdict"
"""What became of an ask: entered, overtaken by someone else's decision, or refused."""


_FEW: Final = 64
_MANY: Final = 4096
"""Entries that are folded at a time: few at first, so that a short while is not overrun."""
_PARTS: Final = 8


class DeskStore(ReviewStore, Protocol):
    """What the desk needs of a store."""

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated."""
        ...


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

    @property
    def standing(self) -> Verdict | None:
        """The latest verdict that stands and says what a ticket should."""
        return latest(self.verdicts)

    @property
    def corrected(self) -> Fields | None:
        """What ``ticket`` should say, where :attr:`standing` corrects that very ticket."""
        return corrected(self.verdicts, self.ticket.id)

    @property
    def answers(self) -> dict[int, Answers]:
        """Which later lines verdicts answer, by the numbers of those that answer any."""
        return answering(self.verdicts)


class ReviewDesk:
    """Shows the queue and takes decisions. Every method blocks, and may raise LedgerUnavailable.

    ``clock`` gives µs since 1970 UTC; ``max_line`` is the most bytes that a pasted line may have.
    """

    def __init__(self, store: DeskStore, *, clock: Callable[[], int], max_line: int) -> None:
        self._store = store
        self._clock = clock
        self._max_line = max_line

    def catch_up(self, seconds: float = 0.25) -> Folded:
        """Bring the ledger's newest entries into the queue, for about ``seconds`` at most."""
        began = time.monotonic()
        ends = began + seconds
        entries, most = 0, _FEW
        while True:
            folded = self._store.fold(GROUPING, most)
            entries += folded.entries
            now = time.monotonic()
            if folded.done or now >= ends:
                return msgspec.structs.replace(folded, entries=entries)
            # Entries differ in what they cost a hundredfold.
            if now - began < seconds / _PARTS:
                most = min(2 * most, _MANY)
            began = now

    def page(self, query: GroupQuery) -> GroupPage:
        """A page of groups; catches up first. Raises ValueError for a foreign cursor."""
        self._follow()
        return self._store.groups(query)

    def counts(self) -> QueueCounts:
        """Groups by state, and how far the queue follows the ledger."""
        return self._store.queue_counts()

    def changes(self, after: int, limit: int = 500) -> list[Group]:
        """Groups changed by entries after ``after``, in the order of the changes; of one entry's
        all, so it may be more than ``limit``."""
        return self._store.changes(after, limit)

    def days(self, since: str, until: str) -> list[DayTickets]:
        """Tickets by UTC day (``YYYY-MM-DD``, both inclusive) and source; catches up first."""
        self._follow()
        return self._store.days(since, until)

    def detail(self, id: int) -> GroupDetail | None:
        """All about one group; catches up first. None where there is no such group."""
        self._follow()
        group = self._group(id)
        if group is None:
            return None
        stored, judgement = self._ticket(group.ticket)
        return GroupDetail(
            group=group,
            ticket=stored,
            judgement=judgement,
            line=stored_line(stored),
            tickets=self._store.group_tickets(id),
            verdicts=self._store.group_verdicts(id),
            calls=self._store.calls_of(group.ticket),
        )

    def decisions(self, groups: Sequence[Group]) -> dict[int, Verdict]:
        """By the number of a group, the latest verdict about it that stands and says what a ticket
        should: one read for all. Groups without one are left out."""
        decided = [group.id for group in groups if group.version]
        found = self._store.verdicts_about(decided)
        standing = {id: latest(verdicts) for id, verdicts in found.items()}
        return {id: verdict for id, verdict in standing.items() if verdict is not None}

    def decide(self, asks: Sequence[Ask], who: str) -> list[Outcome]:
        """What becomes of each ask, in order; all that hold are entered in one transaction.

        Of several about one group the first that holds is entered, and those after it are stale.
        An ask whose group has another version by now is stale, whatever else is wrong with it.
        """
        try:
            checked_name(who)
        except BadVerdict as refused:
            return [refused for _ in asks]
        self._follow()
        outcomes: list[Outcome | None] = []
        records: list[VerdictRecord] = []
        for ask in asks:
            made = self._record(ask, who, {record.group for record in records})
            if isinstance(made, VerdictRecord):
                records.append(made)
                outcomes.append(None)
            else:
                outcomes.append(made)
        entered = iter(self._enter(records))
        settled = [next(entered) if outcome is None else outcome for outcome in outcomes]
        return [self._renewed(outcome, records) for outcome in settled]

    def _enter(self, records: Sequence[VerdictRecord]) -> list[Outcome]:
        """What becomes of records that hold as far as this desk could see.

        Between that look and the write lock a ticket may have gone to another group, and the store
        takes all or nothing: then each is tried by itself.
        """
        if not records:
            return []
        try:
            return list(self._store.decide(records, GROUPING))
        except ValueError as error:
            _log.warning("a verdict contradicts the ledger: %s", error)
            if len(records) == 1:
                told = str(error).removeprefix("a verdict ")
                return [BadVerdict("verdict", told, "look at the group again, then decide")]
        return [self._enter([record])[0] for record in records]

    def _group(self, id: int) -> Group | None:
        return self._store.group(id) if _may_be(id) else None

    def _record(self, ask: Ask, who: str, taken: set[int]) -> VerdictRecord | Stale | BadVerdict:
        """The record to be entered of an ask, or why there is none; ``taken``: the groups that an
        ask before it decides about."""
        group = self._group(ask.group)
        if group is None or group.version != ask.version or ask.group in taken:
            return Stale(group=group)
        try:
            stored, judgement = self._judged(ask, group)
            verdicts = self._store.group_verdicts(group.id)
            about = About(
                group, _undoable(verdicts), stored, judgement, corrected(verdicts, stored.id)
            )
            return record_of(ask, who, about, self._clock(), self._max_line)
        except BadVerdict as refused:
            return refused

    def _judged(self, ask: Ask, group: Group) -> tuple[StoredTicket, Judgement]:
        """The ticket that is judged; raises BadVerdict where it is none of the group's."""
        if ask.ticket is not None and ask.ticket != group.ticket:
            owner = self._store.group_of(ask.ticket) if _may_be(ask.ticket) else None
            if owner is None or owner.id != group.id:
                raise BadVerdict(
                    "ticket",
                    f"{ask.ticket} is none of group {group.id}",
                    "name one of its tickets, or leave it out",
                )
            return self._ticket(ask.ticket)
        return self._ticket(group.ticket)

    def _ticket(self, id: int) -> tuple[StoredTicket, Judgement]:
        stored = self._store.ticket(id)
        if stored is None:
            raise LedgerUnavailable(f"there is no ticket {id} in the ledger: verify it")
        return stored, judgement_of(stored)

    def _renewed(self, outcome: Outcome, records: Sequence[VerdictRecord]) -> Outcome:
        """A stale outcome with its group as these records left it."""
        if not isinstance(outcome, Stale) or outcome.group is None:
            return outcome
        if all(record.group != outcome.group.id for record in records):
            return outcome
        return Stale(group=self._store.group(outcome.group.id))

    def _follow(self) -> None:
        """Catch up where the ledger can be written now; what is there can be read either way, and
        :meth:`counts` tells how far it goes."""
        with contextlib.suppress(LedgerUnavailable):
            self.catch_up()


def _undoable(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Of a group's verdicts, newest first, the latest that can be undone."""
    for verdict in verdicts:
        if verdict.undone_by is None and verdict.verdict is not VerdictWord.UNDONE:
            return verdict
    return None


def _may_be(id: int) -> bool:
    """Whether a ledger can have such a number at all."""
    return 0 < id < 1 << 63

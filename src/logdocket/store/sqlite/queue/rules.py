"""What each entry does to the queue. All of it follows from entries in their order, and from the
rows that those before have left: nothing here knows what time it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from logdocket.store.records import StoredTicket
from logdocket.store.review import Described, GroupState, VerdictWord
from logdocket.store.sqlite.queue.rows import (
    SEVERITIES,
    GroupRow,
    TicketRow,
    VerdictRow,
    joined,
    raw,
)
from logdocket.store.sqlite.queue.shelf import Shelf
from logdocket.store.sqlite.queue.verdicts import VerdictDetail
from logdocket.ticket import ReviewReason, Source, needs_person

_OPEN: Final = GroupState.OPEN.value
_RESOLVED: Final = GroupState.RESOLVED.value
_SNOOZED: Final = GroupState.SNOOZED.value

_SETTLING: Final = (VerdictWord.RIGHT, VerdictWord.CORRECTED, VerdictWord.NOT_A_PROBLEM)
"""After these nobody need decide about the tickets so far."""

_LEFT_ALONE: Final = (VerdictWord.SNOOZED.value, VerdictWord.NOT_A_PROBLEM.value)
"""While one of these stands, a group is not for a model to settle. Of what is snoozed that must not
depend on whether its time has come: whoever looks at the clock first tells."""


class Fresh(NamedTuple):
    """A ticket with a body, and what it says of itself. ``verdict`` answered it; it ``revises`` the
    ticket of that entry."""

    ticket: StoredTicket
    described: Described | None
    verdict: int | None
    revises: int | None


class Hits(NamedTuple):
    """Cache hits on the ticket of entry ``original``: how many, from when to when, the last of
    them, and the last that no verdict answered, 0 for none."""

    original: int
    times: int
    first_at: int
    last_at: int
    last: int
    fresh: int


class Ruled(NamedTuple):
    """A verdict, as entry ``seq`` has it."""

    seq: int
    at: int
    detail: VerdictDetail


class Decision(NamedTuple):
    """Who decided what, and when: what stands of a verdict on its group."""

    verdict: str
    who: str
    at: int


class Rules:
    """Applies entries to the rows on ``shelf``.

    ``describe`` gives what the ticket of an entry says of itself, ``decision`` what the verdict of
    an entry does: they are asked only where an earlier entry matters again.
    """

    def __init__(
        self,
        shelf: Shelf,
        describe: Callable[[int], tuple[str, Described] | None],
        decision: Callable[[int], Decision | None],
    ) -> None:
        self._shelf = shelf
        self._describe = describe
        self._decision = decision

    def ticket(self, fresh: Fresh) -> None:
        """A ticket with a body was given."""
        if fresh.revises is not None:
            first = self._shelf.ticket(fresh.revises)
            if first is not None:
                self._revise(fresh, first)
                return
        if fresh.verdict is not None:
            self._answered(fresh, fresh.verdict)
        elif fresh.described is not None and needs_person(fresh.ticket.reasons):
            self._occur(fresh.ticket, fresh.described)

    def _occur(self, ticket: StoredTicket, described: Described) -> None:
        """One that needs a person."""
        seq, shelf = ticket.id, self._shelf
        group = shelf.group_of_key(described.group)
        if group is None:
            group = GroupRow.begun(seq, ticket.at, described)
        reasons = ",".join(ticket.reasons)
        group.count_in(ticket.source, 1, ticket.at, ticket.at)
        group.all_reasons = joined(group.all_reasons, reasons)
        group.time(described)
        group.show(seq, reasons, described)
        self._reopen(group, seq)
        if not group.settles:
            group.waiting += 1
        shelf.put_group(group, seq, shown=True)
        fault = None
        if _faulty(ticket):
            fault = described.fields.severity.rank - (len(SEVERITIES) if ticket.text is None else 0)
        shelf.put_ticket(TicketRow(seq, group.id, 0, fault, 0, seq))

    def _answered(self, fresh: Fresh, verdict: int) -> None:
        """One that says what a person had decided: it counts where that was decided."""
        ticket, shelf = fresh.ticket, self._shelf
        row = shelf.verdict(verdict)
        group = None if row is None else shelf.group(row.grp)
        if group is None:
            return
        group.count_in(ticket.source, 1, ticket.at, ticket.at)
        group.all_reasons = joined(group.all_reasons, ",".join(ticket.reasons))
        if fresh.described is not None:
            group.time(fresh.described)
        shelf.put_group(group, ticket.id)
        shelf.put_ticket(TicketRow(ticket.id, group.id, 1, None, 0, ticket.id))

    def hits(self, hits: Hits) -> None:
        """Tickets were given again."""
        group = self._shelf.group_of_ticket(hits.original)
        if group is None:
            return
        group.count_in(Source.CACHE, hits.times, hits.first_at, hits.last_at)
        if hits.fresh and self._reopen(group, hits.fresh):
            self._shelf.put_group(group, hits.last)
        else:
            self._shelf.count_group(group, hits.last)

    def _reopen(self, group: GroupRow, seq: int) -> bool:
        """Something came that no verdict has answered; whether that opens the group again."""
        group.fresh = max(group.fresh, seq)
        if group.state != _RESOLVED:
            return False
        group.state, group.reopened = _OPEN, 1
        return True

    def _revise(self, fresh: Fresh, first: TicketRow) -> None:
        """A second look at a ticket; it is one at every other for the same line as well."""
        seq, reasons = fresh.ticket.id, fresh.ticket.reasons
        group = self._shelf.group(first.grp)
        if group is None:
            return
        twins = [
            twin
            for twin in self._shelf.twins(first.seq, seq)
            if twin.grp == group.id and not twin.done
        ]
        open_to = [twin for twin in twins if _may_be_looked_at(twin, group)]
        replaced = [twin.latest for twin in open_to]
        for twin in twins:
            twin.looks += 1
            self._shelf.put_ticket(twin)
        for twin in open_to:
            twin.latest = seq
            twin.fault = twin.fault if _faulty(fresh.ticket) else None
            twin.done = 0 if needs_person(reasons) else 1
        self._shelf.put_ticket(TicketRow(seq, group.id, 1, None, 0, seq))
        if open_to:
            for source, count in self._shelf.sources(replaced).items():
                group.count_as(source, fresh.ticket.source, count)
            shown = group.ticket in {*replaced, *(twin.seq for twin in open_to)}
            self._look(group, fresh, shown=shown)

    def _look(self, group: GroupRow, fresh: Fresh, *, shown: bool) -> None:
        """What a second look changes about a group; ``shown``: at the ticket that stands for it."""
        ticket, described = fresh.ticket, fresh.described
        reasons = ",".join(ticket.reasons)
        group.all_reasons = joined(group.all_reasons, reasons)
        group.waiting = self._shelf.waiting(group)
        resolved = group.waiting == 0 and group.state == _OPEN
        if resolved:
            group.state, group.reopened = _RESOLVED, 0
            group.base = group.count
        if described is not None:
            group.time(described)
            if resolved or needs_person(ticket.reasons):
                group.show(ticket.id, reasons, described)
            elif shown:
                self._show_another(group)
        group.version = ticket.id
        self._shelf.put_group(group, ticket.id, shown=True)

    def _show_another(self, group: GroupRow) -> None:
        """Have the newest ticket that still waits stand for the group."""
        seq = self._shelf.newest_waiting(group)
        row = None if seq is None else self._shelf.ticket(seq)
        found = None if row is None else self._describe(row.latest)
        if row is not None and found is not None:
            group.show(row.latest, *found)

    def verdict(self, ruled: Ruled) -> GroupRow | None:
        """A person has decided; the group as it then stands, None where it is gone."""
        seq, at, detail = ruled
        group = self._shelf.group_of_ticket(detail.ticket)
        if group is None:
            group = self._shelf.group_of_key(bytes.fromhex(detail.group))
        if group is None:
            self._shelf.put_verdict(VerdictRow(seq, 0, _OPEN, None, 0, 0, 0, 0, None))
            return None
        self._shelf.put_verdict(_left(group, seq, at))
        if detail.verdict is VerdictWord.UNDONE:
            self._undo(group, seq, detail.undoes or 0)
        else:
            self._decide(group, ruled)
        group.version = seq
        group.waiting = self._shelf.waiting(group)
        self._shelf.put_group(group, seq)
        return group

    def _decide(self, group: GroupRow, ruled: Ruled) -> None:
        seq, at, detail = ruled
        state = detail.verdict.state
        assert state is not None, "what has no state is an undoing"
        group.state, group.reopened, group.until = state.value, 0, detail.until
        group.base, group.standing = group.count, seq
        if detail.verdict in _SETTLING:
            group.settled = seq
        elif state is GroupState.OPEN:
            group.settled = 0
        group.verdict, group.decided_by = detail.verdict.value, raw(detail.who)
        group.decided_at = at

    def _undo(self, group: GroupRow, seq: int, undoes: int) -> None:
        """Lead back to what was before a verdict, but for what has come since."""
        row = self._shelf.verdict(undoes)
        if row is None or row.undone_by is not None:
            return
        row.undone_by = seq
        self._shelf.put_verdict(row)
        group.state, group.until, group.reopened = row.was, row.was_until, row.was_reopened
        group.base, group.standing, group.settled = row.was_base, row.was_standing, row.was_settled
        if group.state == _RESOLVED and group.fresh > undoes:
            group.state, group.reopened = _OPEN, 1
        stands = self._decision(group.standing) if group.standing else None
        group.verdict = None if stands is None else stands.verdict
        group.decided_by = None if stands is None else raw(stands.who)
        group.decided_at = None if stands is None else stands.at


def _left(group: GroupRow, seq: int, at: int) -> VerdictRow:
    """What an undoing of verdict ``seq`` leads back to. A snoozed group is woken by whoever looks
    at the clock first; what it leads back to must not depend on that."""
    was = group.state
    if group.until is not None and was in (_OPEN, _SNOOZED) and group.verdict == _SNOOZED:
        was = _SNOOZED if at < group.until else _OPEN
    return VerdictRow(
        seq,
        group.id,
        was,
        group.until,
        group.reopened,
        group.base,
        group.standing,
        group.settled,
        None,
    )


def _may_be_looked_at(twin: TicketRow, group: GroupRow) -> bool:
    """Whether nobody has decided about the ticket, nor put the group off."""
    return twin.seq > group.standing and group.verdict not in _LEFT_ALONE


def _faulty(ticket: StoredTicket) -> bool:
    """Whether a model may do better when it is asked again."""
    return ticket.source is Source.FALLBACK and any(map(_is_models_fault, ticket.reasons))


def _is_models_fault(reason: ReviewReason) -> bool:
    return reason.is_models_fault

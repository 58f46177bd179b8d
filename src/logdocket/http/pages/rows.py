"""Groups as rows of the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
from markupsafe import Markup

from logdocket.docket import decode_judgement, explanation
from logdocket.docket.review import ReviewDesk
from logdocket.http.pages import visible, words
from logdocket.http.pages.changes import Change, changes
from logdocket.http.roles import Caller, Role
from logdocket.line import Line, Span
from logdocket.store import StoredTicket
from logdocket.store.review import Group, GroupState, Verdict, VerdictWord
from logdocket.ticket import ReviewReason


class Tickets(Protocol):
    """Where tickets are looked up."""

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated."""
        ...


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A group as the queue shows it.

    ``line``: its newest evidence, marked within its line where the text is kept. ``why``: the
    reason that tells most, and ``others``. ``stands``: who decided what, ``said``: what was
    corrected. ``can_undo``: whoever looks may take the last decision back.
    """

    group: Group
    line: Markup
    why: ReviewReason | None
    others: list[ReviewReason]
    stands: str
    said: list[Change]
    can_undo: bool

    @property
    def is_open(self) -> bool:
        """Whether it waits for a person."""
        return self.group.state is GroupState.OPEN

    @property
    def pick(self) -> str:
        """What stands for the group, as it is seen now, in a form."""
        return f"{self.group.id}:{self.group.version}"


def rows(
    desk: ReviewDesk, tickets: Tickets, groups: Sequence[Group], caller: Caller | None, now: int
) -> list[Row]:
    """The rows of ``groups``, in order. Blocks."""
    said = desk.decisions([one for one in groups if one.verdict is VerdictWord.CORRECTED])
    return [_row(tickets, group, said.get(group.id), caller, now) for group in groups]


def _row(
    tickets: Tickets, group: Group, said: Verdict | None, caller: Caller | None, now: int
) -> Row:
    reasons = words.ordered(group.reasons)
    return Row(
        group=group,
        line=_line(tickets.ticket(group.ticket), group.evidence),
        why=reasons[0] if reasons else None,
        others=reasons[1:],
        stands=words.standing(group, now),
        said=[] if said is None else changes(said.before, said.after),
        can_undo=can_undo(group, caller),
    )


def can_undo(group: Group, caller: Caller | None) -> bool:
    """Whether ``caller`` may take the group's last decision back."""
    if caller is None or group.verdict is None or not caller.may(Role.REVIEW):
        return False
    return group.decided_by == caller.name or caller.may(Role.ADMIN)


def _line(stored: StoredTicket | None, evidence: str) -> Markup:
    """The evidence within its line; alone where the line's text is not kept."""
    if stored is not None and stored.text:
        _, span = evidence_in(stored)
        if span is not None:
            line = Line.from_bytes(stored.text)
            return visible.excerpt(line, visible.Mark("evidence", span))
    return Markup('<mark class="of-evidence">{}</mark>').format(visible.shortened(evidence))


def evidence_in(stored: StoredTicket) -> tuple[str, Span | None]:
    """A ticket's evidence, and where it stands in the line; None where the text is not kept."""
    try:
        judgement = decode_judgement(stored.body)
    except msgspec.MsgspecError:
        return "", None
    text = judgement.ticket.evidence
    if not stored.text:
        return text, None
    span: Span | None = explanation(judgement)["fields"]["evidence"]["span"]
    return text, span or Line.from_bytes(stored.text).find(text)

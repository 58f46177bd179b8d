"""What passes between the review queue and a store.

The queue is a projection of the ledger: groups of tickets that need a person, made of its entries
in their order and of nothing else. A person's verdict is an entry too.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from logdocket.line import Severity
from logdocket.store.records import StoredTicket
from logdocket.ticket import ReviewReason, Source

MOST_LOOKS: Final = 3
"""After so many second looks a ticket is left to people."""


class GroupState(enum.StrEnum):
    """Where a group of tickets stands."""

    OPEN = "open"
    """It waits for a person."""
    RESOLVED = "resolved"
    """A person has said what its tickets should say, or a second look left nothing to decide."""
    DISMISSED = "dismissed"
    """A person has said that it is not a problem."""
    SNOOZED = "snoozed"
    """It comes back at a moment that a person chose."""


class VerdictWord(enum.StrEnum):
    """What a person decides about a group."""

    RIGHT = "right"
    """The ticket says what it should."""
    CORRECTED = "corrected"
    """It should say something else."""
    NOT_A_PROBLEM = "not_a_problem"
    """Nobody need look at such tickets."""
    SNOOZED = "snoozed"
    """Not now."""
    REOPENED = "reopened"
    """It is to be decided again."""
    UNDONE = "undone"
    """An earlier verdict was a mistake."""

    @property
    def state(self) -> GroupState | None:
        """The state that it leads to; None for UNDONE, which leads back."""
        return _STATES.get(self)


_STATES = {
    VerdictWord.RIGHT: GroupState.RESOLVED,
    VerdictWord.CORRECTED: GroupState.RESOLVED,
    VerdictWord.NOT_A_PROBLEM: GroupState.DISMISSED,
    VerdictWord.SNOOZED: GroupState.SNOOZED,
    VerdictWord.REOPENED: GroupState.OPEN,
}


class Fields(msgspec.Struct, frozen=True, gc=False):
    """What a person judges of a ticket."""

    service: str
    severity: Severity
    first_seen: str
    evidence: str


class Described(msgspec.Struct, frozen=True, gc=False):
    """A ticket as the queue groups it.

    ``group``: 16 bytes that stand for service, severity family and template. ``template``: that
    template, as people read it. ``moment``: ``fields.first_seen`` in µs since 1970 UTC, a time
    without a zone taken for UTC; None where it is unknown.
    """

    group: bytes
    template: str
    fields: Fields
    moment: int | None


class Group(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Tickets that one decision is about. Moments are µs since 1970 UTC.

    ``id``: its number in the queue, that of its first ticket's entry. ``key``: as in
    :class:`Described`.
    ``service``, ``severity``, ``evidence``, ``ticket``: of its newest ticket that needs a person
    (``ticket`` is the number of that one's entry), ``reasons`` the review reasons of that ticket.
    ``count``: how often such tickets were given, cache hits among them; ``by_source`` the same by
    source. ``since``: how many of them after the last decision.
    ``first_at`` and ``last_at``: when the first and the last of them was entered. ``first_seen``
    and ``last_seen``: the earliest and the latest of the lines' own times as the tickets have them,
    ``"unknown"`` where none has one.
    ``all_reasons``: every reason that any of its tickets had.
    ``version``: the number of the entry that last decided about it, or that a second look made; 0
    before the first. A verdict names the version that it stands on.
    ``verdict``, ``decided_by``, ``decided_at``: of the last decision; None before the first.
    ``reopened``: it was resolved, and new tickets have come since.
    ``until``: when a snoozed group comes back. ``waiting``: how many of its tickets (cache hits not
    counted) nobody has decided about.
    ``changed``: the number of the last entry that changed it, plus how many snoozed groups had come
    back by then, so that it grows with each change.
    """

    id: int
    key: bytes
    state: GroupState
    service: str
    severity: Severity
    template: str
    evidence: str
    ticket: int
    reasons: tuple[ReviewReason, ...]
    all_reasons: tuple[ReviewReason, ...]
    count: int
    since: int
    by_source: dict[str, int]
    first_at: int
    last_at: int
    first_seen: str
    last_seen: str
    version: int = 0
    verdict: VerdictWord | None = None
    decided_by: str | None = None
    decided_at: int | None = None
    reopened: bool = False
    until: int | None = None
    waiting: int = 0
    changed: int = 0


class GroupSort(enum.StrEnum):
    """The order of a list of groups."""

    SEVERITY = "severity"
    """Most severe first, of those the newest."""
    NEWEST = "newest"
    OLDEST = "oldest"
    """By when the first ticket came."""
    COUNT = "count"
    """Most frequent first."""


class GroupQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which groups, and in what order; an empty tuple or None filters nothing.

    ``text`` is looked for in service, evidence and template, without regard to case. ``reason``:
    any ticket of the group had it; ``source``: any came from there. ``cursor`` is ``next`` of the
    page before.
    """

    states: tuple[GroupState, ...] = ()
    severities: tuple[Severity, ...] = ()
    service: str | None = None
    reason: ReviewReason | None = None
    source: Source | None = None
    text: str | None = None
    sort: GroupSort = GroupSort.SEVERITY
    cursor: str | None = None
    limit: int = 50


class GroupPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of groups; ``next`` is the cursor of the next one, None on the last."""

    groups: list[Group]
    next: str | None


class QueueCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Groups by state, over all; ``upto`` is the last entry that they tell of, ``head`` the last
    there is, ``changed`` the newest :attr:`Group.changed`."""

    by_state: dict[str, int]
    upto: int
    head: int
    changed: int


class Taught(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a verdict teaches about other lines of a template, or about the same line.

    ``template``: 16 bytes that stand for the line's template; None where the line's text was not
    known, and then only the same line is answered. ``evidence``: where the evidence stands in any
    line of the template; ``first_seen``: where the time does, None where the ticket's time is the
    rules' own or unknown. Both are a :class:`logdocket.reading.Place`, field by field.
    ``own_time``: the time is whatever the rules read in the line.
    """

    template: bytes | None = None
    evidence: tuple[int, ...] | None = None
    first_seen: tuple[int, ...] | None = None
    own_time: bool = True


class VerdictRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A decision about to be entered.

    ``group``: the group's number; ``version``: the version that whoever decided has seen.
    ``ticket``: the entry of the ticket that was judged; ``line_hash``: of its line.
    ``before``: what it says; ``after``: what it should say, equal for RIGHT, None where the verdict
    says nothing of that. ``who``: the name of whoever decided. ``until``: for SNOOZED alone.
    ``undoes``: for UNDONE alone, the number of the verdict that is taken back. ``note``: a remark.
    """

    group: int
    version: int
    verdict: VerdictWord
    ticket: int
    line_hash: bytes
    who: str
    before: Fields
    after: Fields | None = None
    taught: Taught | None = None
    until: int | None = None
    undoes: int | None = None
    note: str | None = None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as the ledger has it: entry ``id``, entered ``at`` (µs since 1970 UTC).

    ``undone_by``: the number of the verdict that took it back. ``withdrawn_by``: that of the
    verdict REOPENED, itself not taken back, by which its group was to be decided again. Both None
    while it stands. ``group`` is the group's key.
    """

    id: int
    at: int
    group: bytes
    verdict: VerdictWord
    ticket: int
    line_hash: bytes
    who: str
    version: int
    before: Fields
    after: Fields | None = None
    taught: Taught | None = None
    until: int | None = None
    undoes: int | None = None
    undone_by: int | None = None
    withdrawn_by: int | None = None
    note: str | None = None

    @property
    def stands(self) -> bool:
        """Whether it is a decision that nobody has taken back or withdrawn."""
        decides = self.verdict not in (VerdictWord.UNDONE, VerdictWord.REOPENED)
        return decides and self.undone_by is None and self.withdrawn_by is None


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict was entered as entry ``verdict``; ``group`` as it now stands."""

    verdict: int
    group: Group


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """Someone else has decided meanwhile: nothing was entered. ``group`` as it now stands; None
    where there is no such group."""

    group: Group | None


DecideOutcome: TypeAlias = "Decided | Stale"


class Folded(msgspec.Struct, frozen=True, kw_only=True):
    """How far the queue follows the ledger: entries up to ``upto`` of ``head`` are in it;
    ``entries`` of them by this call."""

    upto: int
    head: int
    entries: int

    @property
    def done(self) -> bool:
        """Whether nothing is left to fold."""
        return self.upto >= self.head


class PastCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a model that was made for a ticket: how it ended, in milliseconds and tokens; None
    where it is not known."""

    id: int
    at: int
    model: str
    attempt: int
    mode: str
    status: str | None
    http: int | None
    ms: int | None
    tokens_in: int | None
    tokens_out: int | None
    nano_usd: int | None
    wrong: tuple[str, ...] = ()


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket that fell back for a model's fault and may be asked about again. ``looks``: how
    often it was already, less than :data:`MOST_LOOKS`."""

    ticket: StoredTicket
    looks: int


class PendingCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Tickets that wait for a second look: ``askable`` of them with their line's text."""

    waiting: int
    askable: int


class DayTickets(msgspec.Struct, frozen=True, kw_only=True):
    """Tickets of one UTC day (``YYYY-MM-DD``) by source; days without any are left out."""

    day: str
    by_source: dict[str, int]


Describe: TypeAlias = "Callable[[StoredTicket], Described | None]"
"""How a ticket is grouped; None for one that cannot be understood, which is in no group."""


class Grouping(msgspec.Struct, frozen=True):
    """How tickets are grouped. Where ``version`` is another than the one that the queue was made
    with, the queue is made anew."""

    describe: Describe
    version: int

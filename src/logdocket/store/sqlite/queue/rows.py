"""Rows of the queue's tables; the fields of each are its columns in order."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Final

import msgspec

from logdocket.line import Severity
from logdocket.store.review import Described, Group, GroupState, VerdictWord
from logdocket.ticket import UNKNOWN, ReviewReason, Source

SEVERITIES: Final = tuple(Severity)
"""By rank."""

_PLACES: Final = {reason.value: place for place, reason in enumerate(ReviewReason)}


def raw(text: str) -> bytes:
    """``text`` as it is stored: what was not UTF-8 in a line is so again."""
    return text.encode("utf-8", "surrogateescape")


def read(stored: bytes) -> str:
    """What :func:`raw` made ``stored`` of."""
    return stored.decode("utf-8", "surrogateescape")


def folded(text: str) -> str:
    """``text`` without regard to case."""
    return text.casefold()


@functools.lru_cache(4096)
def joined(*lists: str) -> str:
    """Every reason of the ``lists`` once, in the order of the enumeration."""
    words = {word for words in lists for word in words.split(",") if word}
    return ",".join(sorted(words, key=lambda word: _PLACES.get(word, len(_PLACES))))


class GroupRow(msgspec.Struct, gc=False):
    """A row of ``queue_group``."""

    id: int
    key: bytes
    state: str
    severity: int
    service: bytes
    all_reasons: str
    count: int
    base: int
    from_model: int
    from_cache: int
    from_fallback: int
    first_at: int
    last_at: int
    fresh: int
    version: int
    standing: int
    settled: int
    verdict: str | None
    decided_by: bytes | None
    decided_at: int | None
    reopened: int
    until: int | None
    waiting: int
    changed: int
    ticket: int
    reasons: str
    first_moment: int | None
    first_seen: bytes
    last_moment: int | None
    last_seen: bytes
    template: bytes
    evidence: bytes

    @classmethod
    def begun(cls, seq: int, at: int, described: Described) -> GroupRow:
        """The row of a group whose first ticket is that of entry ``seq``, not yet counted."""
        return msgspec.structs.replace(_EMPTY, id=seq, key=described.group, first_at=at, last_at=at)

    def count_in(self, source: str, count: int, first_at: int, last_at: int) -> None:
        """So many more tickets of a source, entered from ``first_at`` to ``last_at``."""
        self.count += count
        self._add(source, count)
        self.first_at, self.last_at = min(self.first_at, first_at), max(self.last_at, last_at)

    def count_as(self, was: str, now: str, count: int) -> None:
        """So many tickets of the source ``was`` have given their place to tickets of ``now``."""
        self._add(was, -count)
        self._add(now, count)

    def _add(self, source: str, count: int) -> None:
        match source:
            case Source.MODEL:
                self.from_model += count
            case Source.CACHE:
                self.from_cache += count
            case _:
                self.from_fallback += count

    def time(self, described: Described) -> None:
        """One of its lines has this time of its own."""
        moment = described.moment
        if moment is None:
            return
        if self.first_moment is None or moment < self.first_moment:
            self.first_moment, self.first_seen = moment, raw(described.fields.first_seen)
        if self.last_moment is None or moment > self.last_moment:
            self.last_moment, self.last_seen = moment, raw(described.fields.first_seen)

    def show(self, seq: int, reasons: str, described: Described) -> None:
        """Have the ticket of entry ``seq`` stand for the group."""
        fields = described.fields
        self.ticket, self.reasons = seq, reasons
        self.severity = fields.severity.rank
        self.service, self.evidence = raw(fields.service), raw(fields.evidence)
        self.template = raw(described.template)

    @property
    def search(self) -> bytes:
        """What a text is looked for in."""
        return raw(folded("\n".join(map(read, (self.service, self.evidence, self.template)))))

    @property
    def settles(self) -> bool:
        """Whether tickets that come in this state wait for nobody."""
        return self.state in (GroupState.RESOLVED, GroupState.DISMISSED)

    def shown(self) -> Group:
        """The group that it tells of; raises ValueError for words that this version does not
        know."""
        state = GroupState(self.state)
        return Group(
            id=self.id,
            key=self.key,
            state=state,
            service=read(self.service),
            severity=SEVERITIES[self.severity],
            template=read(self.template),
            evidence=read(self.evidence),
            ticket=self.ticket,
            reasons=_reasons(self.reasons),
            all_reasons=_reasons(self.all_reasons),
            count=self.count,
            since=self.count - self.base,
            by_source={
                Source.MODEL.value: self.from_model,
                Source.CACHE.value: self.from_cache,
                Source.FALLBACK.value: self.from_fallback,
            },
            first_at=self.first_at,
            last_at=self.last_at,
            first_seen=read(self.first_seen),
            last_seen=read(self.last_seen),
            version=self.version,
            verdict=None if self.verdict is None else VerdictWord(self.verdict),
            decided_by=None if self.decided_by is None else read(self.decided_by),
            decided_at=self.decided_at,
            reopened=bool(self.reopened),
            until=self.until if state is GroupState.SNOOZED else None,
            waiting=self.waiting,
            changed=self.changed,
        )


_EMPTY: Final = GroupRow(
    id=0,
    key=b"",
    state=GroupState.OPEN.value,
    severity=0,
    service=b"",
    all_reasons="",
    count=0,
    base=0,
    from_model=0,
    from_cache=0,
    from_fallback=0,
    first_at=0,
    last_at=0,
    fresh=0,
    version=0,
    standing=0,
    settled=0,
    verdict=None,
    decided_by=None,
    decided_at=None,
    reopened=0,
    until=None,
    waiting=0,
    changed=0,
    ticket=0,
    reasons="",
    first_moment=None,
    first_seen=UNKNOWN.encode(),
    last_moment=None,
    last_seen=UNKNOWN.encode(),
    template=b"",
    evidence=b"",
)


def _reasons(text: str) -> tuple[ReviewReason, ...]:
    return tuple(map(ReviewReason, text.split(","))) if text else ()


class TicketRow(msgspec.Struct, gc=False):
    """A row of ``queue_ticket``."""

    seq: int
    grp: int
    done: int
    fault: int | None
    looks: int
    latest: int


class VerdictRow(msgspec.Struct, gc=False):
    """A row of ``queue_verdict``."""

    seq: int
    grp: int
    was: str
    was_until: int | None
    was_reopened: int
    was_base: int
    was_standing: int
    was_settled: int
    undone_by: int | None


def flat(rows: Iterable[msgspec.Struct]) -> list[object]:
    """The values of all ``rows``, one after the other."""
    return [value for row in rows for value in msgspec.structs.astuple(row)]

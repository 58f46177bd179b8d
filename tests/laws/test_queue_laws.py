"""The laws of the review queue: whatever is entered, in any order, and however it is folded."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from queued import GROUPING, describe, fields, fold, fresh, hit, line_hash, reviewed, rows, ruling

from logdocket.line import Severity
from logdocket.store import (
    Decided,
    Group,
    Grouping,
    GroupQuery,
    GroupSort,
    GroupState,
    SqliteStore,
    Stale,
    VerdictWord,
)
from logdocket.store.sqlite.queue.rows import GroupRow
from logdocket.ticket import ReviewReason, Source, needs_person

START = 1_700_000_000_000_000
REASONS = st.sampled_from(
    [
        (),
        (ReviewReason.MODEL_TIMEOUT,),
        (ReviewReason.SERVICE_UNKNOWN,),
        (ReviewReason.MODEL_JUNK, ReviewReason.LOW_CONFIDENCE),
    ]
)
LINE = st.integers(0, 3)
FRESH = st.tuples(
    st.just("fresh"),
    LINE,
    REASONS,
    st.sampled_from(["low", "critical"]),
    st.none() | st.integers(0, 5),
)
STEP = st.one_of(
    FRESH,
    st.tuples(st.just("hit"), st.integers(0, 30)),
    st.tuples(st.just("reviewed"), LINE, st.integers(0, 30)),
    st.tuples(st.just("look"), st.integers(0, 30), REASONS, st.booleans()),
    st.tuples(st.just("look"), st.integers(0, 30), st.just(()), st.booleans()),
    st.tuples(st.just("decide"), st.integers(0, 30), st.sampled_from(VerdictWord), st.booleans()),
    st.tuples(st.just("decide"), st.integers(0, 30), st.just(VerdictWord.SNOOZED), st.just(False)),
    st.tuples(st.just("wait"), st.integers(1, 4)),
    st.tuples(st.just("fold"), st.integers(1, 5)),
)
STEPS = st.tuples(
    st.lists(FRESH, min_size=2, max_size=6), st.lists(STEP, min_size=10, max_size=40)
).map(lambda parts: parts[0] + parts[1])


class Desk:
    """Carries out steps on a store, and keeps what it has been told of each group."""

    def __init__(self, store: SqliteStore) -> None:
        self.now = START
        self.store = store
        self.tickets: list[tuple[int, int, tuple[ReviewReason, ...]]] = []
        self.answers: list[tuple[int, int]] = []
        self.decided: dict[int, list[int]] = {}
        self.given: Counter[int] = Counter()

    def clock(self) -> int:
        """The time, which only ``wait`` moves."""
        return self.now

    def take(self, step: tuple[Any, ...]) -> None:
        """Carry out one step, if there is anything that it can be about."""
        kind, *rest = step
        getattr(self, f"_{kind}")(*rest)

    def _fresh(self, line: int, reasons: Any, severity: str, moment: int | None) -> None:
        group = None if line == 3 else line % 2
        record = fresh(line, group, reasons=reasons, severity=severity, moment=moment)
        (id,) = self.store.write([record])
        self.tickets.append((id, line, reasons))
        if group is not None and needs_person(reasons):
            self.given[group] += 1

    def _hit(self, place: int) -> None:
        if self.tickets:
            id, line, reasons = self.tickets[place % len(self.tickets)]
            self.store.write([hit(line, id, reasons=reasons)])
            group = self.store_group(id)
            if group is not None and reasons:
                self.given[group] += 1

    def _reviewed(self, line: int, place: int) -> None:
        if self.answers:
            verdict, group = self.answers[place % len(self.answers)]
            (id,) = self.store.write([reviewed(line, verdict, line % 2)])
            self.tickets.append((id, line, (ReviewReason.REVIEWED,)))
            self.given[group] += 1

    def _look(self, place: int, reasons: Any, settled: bool) -> None:
        if self.tickets:
            id, line, _ = self.tickets[place % len(self.tickets)]
            known = self.store_group(id) is not None
            counts = line % 2 if needs_person(reasons) else None
            said = {}
            if settled and self.answers:
                # A person has said meanwhile what the model would be asked.
                said["verdict"], counts = self.answers[place % len(self.answers)]
                said["source"], reasons = Source.CACHE, (ReviewReason.REVIEWED, *reasons)
            record = fresh(line, line % 2, reasons=reasons, revises=id, **said)
            (look,) = self.store.write([record])
            self.tickets.append((look, line, reasons))
            if not known and counts is not None:
                self.given[counts] += 1

    def _decide(self, place: int, word: VerdictWord, stale: bool) -> None:
        fold(self.store, most=3)
        groups = self.groups()
        if not groups:
            return
        group = groups[place % len(groups)]
        known = self.decided.setdefault(group.id, [])
        changes: dict[str, Any] = {}
        if word is VerdictWord.UNDONE:
            if not known:
                return
            changes["undoes"] = known[-1]
        elif word is VerdictWord.SNOOZED:
            changes["until"] = self.now + 2
        line = next(line for id, line, _ in self.tickets if id == group.ticket)
        version = group.version - 1 if stale and group.version else None
        record = ruling(group, word, line, version=version, **changes)
        (outcome,) = self.store.decide([record], GROUPING)
        if version is not None:
            event("stale")
            assert outcome == Stale(group=group)
            return
        assert isinstance(outcome, Decided)
        assert outcome.group == self.store.group(group.id)
        if word is VerdictWord.UNDONE:
            known.pop()
            return
        known.append(outcome.verdict)
        if word in (VerdictWord.RIGHT, VerdictWord.CORRECTED):
            self.answers.append((outcome.verdict, number(group)))

    def _wait(self, moments: int) -> None:
        self.now += moments

    def _fold(self, most: int) -> None:
        before = self.store.queue_counts().upto
        folded = self.store.fold(GROUPING, most)
        assert folded.upto == min(before + most, folded.head)

    def groups(self) -> list[Group]:
        """Every group there is."""
        return self.store.groups(GroupQuery(sort=GroupSort.OLDEST, limit=100)).groups

    def store_group(self, id: int) -> int | None:
        """Which group the ticket of an entry is in."""
        fold(self.store)
        group = self.store.group_of(id)
        return None if group is None else number(group)


def number(group: Group) -> int:
    """The number that its tickets say."""
    return int(group.template.rsplit(" ", 1)[1])


@contextlib.contextmanager
def _desk(steps: list[tuple[Any, ...]]) -> Iterator[Desk]:
    now: list[Desk] = []
    store = SqliteStore.temporary(clock=lambda: now[0].now if now else START)
    now.append(Desk(store))
    try:
        for step in steps:
            now[0].take(step)
        fold(store)
        yield now[0]
    finally:
        store.close()


@settings(max_examples=40)
@given(STEPS, st.integers(1, 40))
def test_the_queue_is_the_queue_made_anew(steps, most):
    """Whatever came when, and in whatever pieces it was folded: made of the ledger alone, all of
    it is the same."""
    with _desk(steps) as desk:
        before = rows(desk.store.path)
        groups = desk.groups()
        fold(desk.store, Grouping(describe, 2), most)
        after = rows(desk.store.path)
        # How many snoozes have ended is no entry, and moves what tells of changes.
        if any(step[0] == "decide" and step[2] is VerdictWord.SNOOZED for step in steps):
            changed = GroupRow.__struct_fields__.index("changed")
            for table in (before, after):
                table["queue_group"] = [
                    (*row[:changed], *row[changed + 1 :]) for row in table["queue_group"]
                ]
        assert after == before
        assert len(desk.groups()) == len(groups)


@settings(max_examples=40)
@given(STEPS)
def test_each_ticket_counts_once_in_one_group(steps):
    """The counts by source add up; what is counted is what was given; what waits is in no group
    that is decided; the chain that it follows from is good."""
    with _desk(steps) as desk:
        groups = desk.groups()
        assert {number(group): group.count for group in groups} == dict(+desk.given)
        for group in groups:
            assert sum(group.by_source.values()) == group.count >= group.since >= 0
            assert group.first_at <= group.last_at
            assert set(group.reasons) <= set(group.all_reasons)
            if group.state in (GroupState.RESOLVED, GroupState.DISMISSED):
                assert group.waiting == 0
        assert sum(desk.store.queue_counts().by_state.values()) == len(groups)
        found = desk.store.verify()
        assert found.ok, found


@settings(max_examples=40)
@given(STEPS)
def test_sources_are_those_of_the_tickets_that_stand(steps):
    """Each ticket counts with the source of the newest second look that took its place, and each
    hit as one from the cache."""
    with _desk(steps) as desk, closing(sqlite3.connect(desk.store.path)) as connection:
        expected: dict[int, Counter[str]] = {}
        for group, source, times in connection.execute(STANDING):
            expected.setdefault(group, Counter())[source] += times
        for group in desk.groups():
            assert Counter(group.by_source) == +expected[group.id]


STANDING = """
WITH place AS (
    -- A second look at a ticket that the queue had counts as none.
    SELECT q.seq, q.grp, q.latest FROM queue_ticket AS q JOIN entry AS e USING (seq)
    WHERE coalesce(json_extract(e.detail, '$.revises') NOT IN (
        SELECT seq FROM queue_ticket WHERE seq < q.seq
    ), 1)
)
SELECT grp, source, count(*) FROM place JOIN entry AS e ON e.seq = place.latest GROUP BY 1, 2
UNION ALL
SELECT q.grp, 'cache', count(*) FROM entry AS e
JOIN queue_ticket AS q ON q.seq = json_extract(e.detail, '$.original')
WHERE e.reasons <> '' AND e.seq NOT IN (SELECT seq FROM ticket) GROUP BY 1
"""


@settings(max_examples=40)
@given(STEPS)
def test_undoing_every_verdict_leaves_every_group_to_be_decided(steps):
    """Taken back one by one, last first, verdicts leave no trace but in the history: no group is
    decided by a person, and nothing is taught."""
    with _desk(steps) as desk:
        for group in desk.groups():
            for verdict in reversed(desk.decided.get(group.id, [])):
                current = desk.store.group(group.id)
                line = next(line for id, line, _ in desk.tickets if id == current.ticket)
                record = ruling(current, VerdictWord.UNDONE, line, undoes=verdict)
                (outcome,) = desk.store.decide([record], GROUPING)
                assert isinstance(outcome, Decided)
        for group in desk.groups():
            assert (group.verdict, group.decided_by, group.decided_at) == (None, None, None)
            if group.state is not GroupState.OPEN:
                assert group.state is GroupState.RESOLVED
                assert group.waiting == 0
        assert desk.store.taught() == []
        assert desk.store.verify().ok


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 40),
            st.sampled_from([severity.value for severity in Severity]),
            st.integers(0, 3),
        ),
        max_size=40,
    ),
    st.sampled_from(GroupSort),
    st.integers(1, 9),
    st.sampled_from([(), (Severity.LOW,), (Severity.HIGH, Severity.MEDIUM)]),
    st.sampled_from([None, "ON 1", "pay", "nothing"]),
)
def test_pages_hold_each_group_once_in_order(tickets, sort, limit, severities, text):
    """However long a page is, and whatever is filtered: page after page there is every group that
    fits, once, in the order that was asked for."""
    with _desk([]) as desk:
        for line, severity, seconds in tickets:
            desk.now += seconds
            desk.store.write([fresh(line, line, severity=severity)])
        fold(desk.store)
        everything = desk.groups()
        query = GroupQuery(sort=sort, limit=limit, severities=severities, text=text)
        found: list[Group] = []
        while True:
            page = desk.store.groups(query)
            found += page.groups
            assert len(page.groups) <= limit
            if page.next is None:
                break
            query = GroupQuery(
                sort=sort, limit=limit, severities=severities, text=text, cursor=page.next
            )
        expected = [
            group
            for group in everything
            if (not severities or group.severity in severities)
            and (text is None or text.casefold() in _told(group).casefold())
        ]
        assert found == sorted(expected, key=ORDERS[sort])


ORDERS: dict[GroupSort, Any] = {
    GroupSort.SEVERITY: lambda group: (-group.severity.rank, -group.last_at, -group.id),
    GroupSort.NEWEST: lambda group: (-group.last_at, -group.id),
    GroupSort.OLDEST: lambda group: (group.first_at, group.id),
    GroupSort.COUNT: lambda group: (-group.count, -group.id),
}


def _told(group: Group) -> str:
    return f"{group.service}\n{group.evidence}\n{group.template}"


def test_what_a_line_says_is_kept_byte_for_byte():
    """A byte that is no text comes back as it was, in the group and in the verdict."""
    with _desk([("fresh", 1, (ReviewReason.DISPUTED,), "low", None)]) as desk:
        (group,) = desk.groups()
        assert group.evidence == fields(1).evidence == "failed on 1 \udcff"
        (outcome,) = desk.store.decide([ruling(group, VerdictWord.RIGHT, 1)], GROUPING)
        (verdict,) = desk.store.verdicts()
        assert isinstance(outcome, Decided)
        assert (verdict.after, verdict.line_hash) == (fields(1), line_hash(1))

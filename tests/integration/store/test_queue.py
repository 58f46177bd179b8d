"""The review queue on a real file: what joins it, what people decide, and what comes of that."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from queued import GROUPING, describe, fields, fold, fresh, group_key, hit, reviewed, rows, ruling

from logdocket.errors import LedgerUnavailable
from logdocket.line import Severity
from logdocket.store import (
    DayTickets,
    Decided,
    Group,
    Grouping,
    GroupQuery,
    GroupSort,
    GroupState,
    PendingCounts,
    Query,
    SqliteStore,
    Stale,
    Taught,
    TicketRecord,
    VerdictWord,
)
from logdocket.store.sqlite.chain import EMPTY, chain, drafts
from logdocket.store.sqlite.migrate import Migrations
from logdocket.store.sqlite.statements import put
from logdocket.ticket import ReviewReason, Source

START = 1_700_000_000_000_000
DAY = 86_400_000_000
RIGHT, CORRECTED, UNDONE = VerdictWord.RIGHT, VerdictWord.CORRECTED, VerdictWord.UNDONE


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        """The time that it shows."""
        return self.now


@pytest.fixture
def time() -> Clock:
    """The time of day, which stands still."""
    return Clock()


@pytest.fixture
def store(open_store: Callable[..., SqliteStore], time: Clock) -> SqliteStore:
    """An empty store."""
    return open_store(clock=time)


def only(store: SqliteStore) -> Group:
    """The one group there is, once everything is folded."""
    fold(store)
    (group,) = store.groups(GroupQuery()).groups
    return group


def decide(store: SqliteStore, group: Group, word: VerdictWord, line: int, **changes: Any) -> int:
    """Enter a verdict, which must be taken; gives its number."""
    (outcome,) = store.decide([ruling(group, word, line, **changes)], GROUPING)
    assert isinstance(outcome, Decided), outcome
    return outcome.verdict


# What joins


def test_tickets_alike_are_one_group(store, time):
    """The group counts them, and shows the newest."""
    store.write([fresh(1, 7, moment=20), fresh(2, 7, severity="critical", moment=10)])
    time.now += 5
    store.write([fresh(3, 7, reasons=(ReviewReason.DISPUTED,), source=Source.FALLBACK)])
    group = only(store)
    assert group.key == group_key(7)
    assert (group.state, group.count, group.waiting) == (GroupState.OPEN, 3, 3)
    assert (group.severity, group.ticket, group.evidence) == (Severity.HIGH, 3, fields(3).evidence)
    assert group.reasons == (ReviewReason.DISPUTED,)
    assert group.all_reasons == (ReviewReason.MODEL_TIMEOUT, ReviewReason.DISPUTED)
    assert (group.first_at, group.last_at) == (START, START + 5)
    assert (group.first_seen, group.last_seen) == ("moment 10", "moment 20")


def test_a_cache_hit_counts_where_its_original_does(store, time):
    """It says when it was given, and nothing else about the group changes."""
    store.write([fresh(1)])
    time.now += 9
    store.write([hit(1, 1), hit(1, 1)])
    group = only(store)
    assert (group.count, group.waiting, group.ticket) == (3, 1, 1)
    assert group.by_source == {"model": 0, "cache": 2, "fallback": 1}
    assert (group.first_at, group.last_at, group.changed) == (START, START + 9, 3)


def test_what_needs_nobody_is_in_no_group(store):
    """Neither the ticket nor what repeats it."""
    store.write([fresh(1, reasons=())])
    store.write([hit(1, 1, reasons=())])
    fold(store)
    assert store.groups(GroupQuery()).groups == []
    assert store.group_of(2) is None


def test_what_cannot_be_described_is_in_no_group(store):
    """The rest of the ledger is folded all the same."""
    store.write([fresh(1, None), fresh(2, 1)])
    store.write([hit(1, 1)])
    group = only(store)
    assert (group.ticket, group.count) == (2, 1)


def test_the_group_of_a_hit_is_that_of_its_original(store):
    """By whichever number a caller was given."""
    store.write([fresh(1), fresh(2, 5)])
    store.write([hit(2, 2)])
    fold(store)
    assert store.group_of(3) == store.group_of(2) == store.group(2)
    assert store.group_of(9) is None


def test_the_newest_tickets_of_a_group(store):
    """Those with a body of their own, newest first."""
    store.write([fresh(1), fresh(2), fresh(3)])
    store.write([hit(1, 1)])
    assert [ticket.id for ticket in store.group_tickets(only(store).id, 2)] == [3, 2]


def test_days_tell_of_all_tickets(store, time):
    """Also of those that need nobody; entries of other kinds are none."""
    store.write([fresh(1), fresh(2, reasons=())])
    time.now += DAY
    store.write([hit(1, 1)])
    decide(store, only(store), RIGHT, 1)
    fold(store)
    assert store.days("2023-11-14", "2023-11-15") == [
        DayTickets(day="2023-11-14", by_source={"fallback": 2}),
        DayTickets(day="2023-11-15", by_source={"cache": 1}),
    ]
    assert store.days("2023-11-15", "2023-11-15")[0].day == "2023-11-15"
    with pytest.raises(ValueError, match="day"):
        store.days("today", "2023-11-15")


# What people decide


def test_a_verdict_is_an_entry_and_settles_its_group(store, time):
    """Who, when, before and after: all of it is in the ledger."""
    store.write([fresh(1), fresh(2)])
    group = only(store)
    number = decide(store, group, CORRECTED, 2, note="it was the disk", taught=Taught())
    after = only(store)
    assert (after.state, after.waiting, after.since) == (GroupState.RESOLVED, 0, 0)
    assert (after.version, after.verdict, after.decided_by) == (number, CORRECTED, "rev-a")
    assert (after.decided_at, after.changed) == (time.now, number)
    (verdict,) = store.group_verdicts(group.id)
    assert (verdict.id, verdict.version, verdict.note) == (number, 0, "it was the disk")
    assert (verdict.before, verdict.after) == (fields(2), fields(2, Severity.CRITICAL))
    (entry,) = store.entries(Query(kind="verdict"))
    assert entry.detail["after"] == {
        "evidence": "failed on 2 \udcff",
        "first_seen": "unknown",
        "service": "pay",
        "severity": "critical",
    }
    assert list(entry.detail) == sorted(entry.detail)
    assert store.verify().ok


def test_a_second_reviewer_does_not_overwrite_the_first(store):
    """Whoever has seen an older version gets the group as it stands, and nothing is entered."""
    store.write([fresh(1)])
    group = only(store)
    first = decide(store, group, RIGHT, 1)
    (outcome,) = store.decide([ruling(group, CORRECTED, 1, who="rev-b")], GROUPING)
    assert outcome == Stale(group=store.group(group.id))
    assert [verdict.id for verdict in store.verdicts()] == [first]


def test_a_verdict_about_no_group_is_stale(store):
    """There is nothing that it could have been about."""
    store.write([fresh(1)])
    group = only(store)
    record = ruling(group, RIGHT, 1)
    (outcome,) = store.decide([ruling(group, RIGHT, 1, group=99)], GROUPING)
    assert outcome == Stale(group=None)
    assert record.group == group.id


def test_each_of_many_verdicts_is_taken_or_not_by_itself(store):
    """One that is stale holds up no other; the second about a group has not seen the first."""
    store.write([fresh(1, 1), fresh(2, 2)])
    fold(store)
    one, two = store.groups(GroupQuery(sort=GroupSort.OLDEST)).groups
    outcomes = store.decide(
        [ruling(one, RIGHT, 1), ruling(one, CORRECTED, 1), ruling(two, RIGHT, 2)], GROUPING
    )
    assert [type(outcome) for outcome in outcomes] == [Decided, Stale, Decided]
    assert [verdict.id for verdict in store.verdicts()] == [3, 4]
    assert store.decide([], GROUPING) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"who": ""}, "name"),
        ({"after": None}, "does not fit"),
        ({"after": fields(9)}, "does not fit"),
        ({"until": START}, "come back"),
        ({"undoes": 1}, "undone"),
        ({"line_hash": b"short"}, "32 bytes"),
        ({"line_hash": bytes(32)}, "another line"),
        ({"ticket": 2}, "no ticket of that group"),
        ({"ticket": -1}, "not negative"),
        ({"taught": Taught(template=b"short")}, "16 bytes"),
        ({"verdict": VerdictWord.SNOOZED, "after": None}, "come back"),
        ({"verdict": UNDONE, "after": None}, "undone"),
        ({"verdict": UNDONE, "after": None, "undoes": 1}, "stands"),
        ({"verdict": CORRECTED}, "does not fit"),
        ({"verdict": VerdictWord.NOT_A_PROBLEM}, "says nothing"),
        ({"who": "\ud800"}, "no text"),
    ],
)
def test_a_verdict_that_contradicts_itself_is_refused(store, changes, problem):
    """And with it all that were handed over beside it."""
    store.write([fresh(1, 1), fresh(2, 2)])
    fold(store)
    group = store.group(1)
    before = rows(store.path)
    other = ruling(store.group(2), RIGHT, 2)
    with pytest.raises(ValueError, match=problem):
        store.decide([other, ruling(group, RIGHT, 1, **changes)], GROUPING)
    assert rows(store.path) == before
    assert store.verdicts() == []
    assert store.write([fresh(3, 1)]) == [3]


def test_what_comes_after_a_resolution_opens_the_group_again(store):
    """With the count since; a hit does so as well as a fresh ticket."""
    store.write([fresh(1)])
    number = decide(store, only(store), RIGHT, 1)
    store.write([hit(1, 1)])
    group = only(store)
    assert (group.state, group.reopened, group.since) == (GroupState.OPEN, True, 1)
    assert (group.waiting, group.version) == (0, number)
    store.write([fresh(2)])
    assert only(store).waiting == 1


@pytest.mark.parametrize(
    ("word", "changes"),
    [(VerdictWord.NOT_A_PROBLEM, {}), (VerdictWord.SNOOZED, {"until": START + 10})],
)
def test_what_is_dismissed_or_asleep_only_counts(store, word, changes):
    """New tickets change no state."""
    store.write([fresh(1)])
    decide(store, only(store), word, 1, **changes)
    store.write([fresh(2), hit(1, 1)])
    group = only(store)
    assert (group.state, group.since, group.reopened) == (word.state, 2, False)


def test_a_snoozed_group_comes_back_when_its_time_has_come(store, time):
    """By whoever folds next, also where nothing was entered; those who follow changes see it."""
    store.write([fresh(1)])
    decide(store, only(store), VerdictWord.SNOOZED, 1, until=START + 10)
    asleep = only(store)
    assert (asleep.state, asleep.until) == (GroupState.SNOOZED, START + 10)
    time.now = START + 10
    (awake,) = store.changes(asleep.changed) or [only(store)]
    assert (awake.state, awake.until, awake.waiting) == (GroupState.OPEN, None, 1)
    assert store.changes(asleep.changed) == [awake]
    store.write([fresh(2, 5)])
    fold(store)
    assert [group.ticket for group in store.changes(awake.changed)] == [3]


def test_a_reopened_group_waits_with_all_its_tickets(store):
    """Also with those that had been decided about."""
    store.write([fresh(1), fresh(2)])
    decide(store, only(store), RIGHT, 2)
    decide(store, only(store), VerdictWord.REOPENED, 2)
    group = only(store)
    assert (group.state, group.waiting, group.since) == (GroupState.OPEN, 2, 0)


def test_what_is_undone_leads_back(store, time):
    """To the decision before, and then to none; what is undone says by what."""
    store.write([fresh(1)])
    first = decide(store, only(store), VerdictWord.SNOOZED, 1, until=START + 100)
    time.now += 1
    second = decide(store, only(store), RIGHT, 1, who="rev-b")
    undone = decide(store, only(store), UNDONE, 1, undoes=second)
    group = only(store)
    assert (group.state, group.until, group.version) == (GroupState.SNOOZED, START + 100, undone)
    assert (group.verdict, group.decided_by, group.decided_at) == (
        VerdictWord.SNOOZED,
        "rev-a",
        START,
    )
    decide(store, group, UNDONE, 1, undoes=first)
    group = only(store)
    assert (group.state, group.verdict, group.decided_by) == (GroupState.OPEN, None, None)
    assert (group.count, group.since, group.waiting) == (1, 1, 1)
    taken_back = [verdict.undone_by for verdict in store.verdicts()]
    assert taken_back == [5, undone, None, None]
    assert [v.undone_by for v in reversed(store.group_verdicts(group.id))] == taken_back
    assert store.verify().ok


def test_what_an_undoing_leads_back_to_does_not_depend_on_who_looked_at_the_clock(store, time):
    """A group had come back before it was decided about: it does not go to sleep again, also where
    all of that is folded later, at one moment."""
    store.write([fresh(1)])
    decide(store, only(store), VerdictWord.SNOOZED, 1, until=START + 10)
    time.now = START + 10
    number = decide(store, only(store), RIGHT, 1)
    decide(store, only(store), UNDONE, 1, undoes=number)
    assert only(store).state is GroupState.OPEN
    before = rows(store.path)["queue_verdict"]
    fold(store, Grouping(describe, 2))
    assert rows(store.path)["queue_verdict"] == before


def test_undoing_does_not_hide_what_came_meanwhile(store):
    """A resolution that it leads back to would have been opened again by then."""
    store.write([fresh(1)])
    decide(store, only(store), RIGHT, 1)
    second = decide(store, only(store), VerdictWord.NOT_A_PROBLEM, 1)
    store.write([fresh(2)])
    decide(store, only(store), UNDONE, 2, undoes=second)
    group = only(store)
    assert (group.state, group.reopened, group.waiting) == (GroupState.OPEN, True, 1)


def test_only_the_last_verdict_that_stands_can_be_undone(store):
    """Not one before it, nor one twice."""
    store.write([fresh(1)])
    first = decide(store, only(store), RIGHT, 1)
    second = decide(store, only(store), VerdictWord.REOPENED, 1)
    for wrong in (first, second + 1, 1):
        with pytest.raises(ValueError, match="stands"):
            store.decide([ruling(only(store), UNDONE, 1, undoes=wrong)], GROUPING)
    decide(store, only(store), UNDONE, 1, undoes=second)
    with pytest.raises(ValueError, match="stands"):
        store.decide([ruling(only(store), UNDONE, 1, undoes=second)], GROUPING)


# What verdicts answer


def test_a_ticket_that_a_verdict_answers_counts_in_its_group(store):
    """It neither opens the group nor waits, nor does what repeats it; whatever it is about."""
    store.write([fresh(1, 1)])
    number = decide(store, only(store), RIGHT, 1, taught=Taught())
    ids = store.write([reviewed(2, number, 8)])
    store.write([hit(2, *ids, reasons=(ReviewReason.REVIEWED,))])
    standing = (ReviewReason.SERVICE_UNKNOWN, ReviewReason.REVIEWED)
    store.write([reviewed(3, number, 9, reasons=standing)])
    group = only(store)
    assert (group.state, group.count, group.since, group.waiting) == (GroupState.RESOLVED, 4, 3, 0)
    assert (group.ticket, group.by_source["cache"]) == (1, 3)
    assert store.group_of(4) == group
    assert store.verify().ok
    assert (store.summary().calls_avoided, store.summary().shared) == (0, 0)


def test_what_verdicts_teach(store):
    """The newest about a template and about a line, until it is undone."""
    one, two = bytes([1]) * 16, bytes([2]) * 16
    store.write([fresh(1, 1), fresh(2, 2)])
    fold(store)
    assert store.taught_version() == 0
    first = decide(store, store.group(1), RIGHT, 1, taught=Taught(template=one))
    second = decide(store, store.group(2), RIGHT, 2, taught=Taught(template=one, evidence=(0, 6)))
    assert [verdict.id for verdict in store.taught()] == [first, second]
    old, new = store.taught()
    assert (old.taught.template, new.taught.template) == (None, one)
    assert new.taught == Taught(template=one, evidence=(0, 6))
    third = decide(store, store.group(2), CORRECTED, 2, taught=Taught(template=two))
    assert [verdict.taught.template for verdict in store.taught()] == [one, two]
    undone = decide(store, store.group(2), UNDONE, 2, undoes=third)
    assert [verdict.id for verdict in store.taught()] == [first, second]
    assert store.taught_version() == undone
    decide(store, store.group(2), VerdictWord.REOPENED, 2)
    assert [(v.id, v.taught.template) for v in store.taught()] == [(first, one)]


def test_a_correction_ends_what_its_group_taught_before(store):
    """Also where it knows the line alone: what was said of the template is known to be wrong."""
    template = bytes([1]) * 16
    store.write([fresh(1), fresh(2)])
    first = decide(store, only(store), RIGHT, 2, taught=Taught(template=template))
    record = ruling(only(store), CORRECTED, 1, ticket=1, taught=Taught())
    (outcome,) = store.decide([record], GROUPING)
    assert isinstance(outcome, Decided)
    assert [(v.id, v.taught.template) for v in store.taught()] == [
        (first, None),
        (outcome.verdict, None),
    ]


def test_another_store_learns_what_this_one_was_taught(open_store, store, time):
    """Each asks the file."""
    store.write([fresh(1)])
    other = open_store(clock=time)
    assert other.taught() == []
    number = decide(store, only(store), RIGHT, 1, taught=Taught())
    assert [verdict.id for verdict in other.taught()] == [number]


# Second looks


def look(line: int, first: int, **changes: Any) -> TicketRecord:
    """The ticket of a second look, which is nobody's business unless told otherwise."""
    return fresh(line, **{"reasons": (), "revises": first, **changes})


def test_a_second_look_that_leaves_nothing_to_decide_resolves_its_group(store):
    """Without a verdict: the version is its entry, and it shows what the model says."""
    store.write([fresh(1), fresh(2)])
    store.write([look(1, 1, severity="low")])
    group = only(store)
    assert (group.state, group.waiting, group.count) == (GroupState.OPEN, 1, 2)
    assert group.ticket == 2
    store.write([look(2, 2, severity="low")])
    group = only(store)
    assert (group.state, group.waiting, group.version) == (GroupState.RESOLVED, 0, 4)
    assert (group.verdict, group.decided_by, group.since) == (None, None, 0)
    assert (group.ticket, group.severity, group.reasons) == (4, Severity.LOW, ())
    assert store.verify().ok


def test_what_came_before_a_second_look_opens_nothing_and_what_comes_after_does(store):
    """Also where all of it is folded at once."""
    store.write([fresh(1)])
    store.write([hit(1, 1)])
    store.write([look(1, 1)])
    fold(store)
    assert (only(store).state, only(store).since) == (GroupState.RESOLVED, 0)
    store.write([fresh(2, 5)])
    store.write([look(2, 4), hit(2, 4)])
    fold(store)
    assert (store.group(4).state, store.group(4).since) == (GroupState.OPEN, 1)


def test_a_group_never_shows_what_a_second_look_has_settled(store):
    """It shows the newest ticket that still waits."""
    store.write([fresh(1), fresh(2)])
    store.write([look(2, 2)])
    group = only(store)
    assert (group.ticket, group.evidence) == (1, fields(1).evidence)


def test_a_second_look_that_needs_a_person_is_shown(store):
    """It takes the place of the first ticket, and counts as none."""
    store.write([fresh(1)])
    store.write([look(1, 1, reasons=(ReviewReason.DISPUTED,), severity="low")])
    group = only(store)
    assert (group.state, group.count, group.waiting) == (GroupState.OPEN, 1, 1)
    assert (group.ticket, group.severity, group.version) == (2, Severity.LOW, 2)
    assert group.reasons == (ReviewReason.DISPUTED,)
    assert store.group_of(2) == group


def test_a_second_look_answers_every_ticket_for_the_line(store):
    """The same line fell back three times: one call will do."""
    store.write([fresh(1), fresh(1), fresh(1)])
    store.write([look(1, 1)])
    assert only(store).state is GroupState.RESOLVED


def test_a_second_look_never_touches_what_a_person_has_decided(store):
    """Even where the group is open again."""
    store.write([fresh(1, text=b"line 1")])
    decide(store, only(store), RIGHT, 1)
    store.write([fresh(2)])
    before = only(store)
    assert store.pending(10) == []
    assert not store.is_pending(1)
    store.write([look(1, 1)])
    assert only(store) == before


def test_what_came_after_a_decision_is_looked_at_again(store):
    """Nobody has judged it: a look may settle it, and what a person said stands."""
    store.write([fresh(1, text=b"line 1")])
    decide(store, only(store), RIGHT, 1)
    store.write([fresh(2, text=b"line 2"), fresh(1, text=b"line 1")])
    fold(store)
    assert [one.ticket.id for one in store.pending(10)] == [3, 4]
    assert [store.is_pending(number) for number in (1, 2, 3, 4)] == [False, False, True, True]
    assert store.pending_counts() == PendingCounts(waiting=2, askable=2)
    store.write([look(2, 3, source=Source.CACHE, original=3)])
    group = only(store)
    assert (group.state, group.reopened, group.waiting) == (GroupState.OPEN, True, 1)
    store.write([look(1, 4, source=Source.CACHE, original=3)])
    group = only(store)
    assert (group.state, group.reopened, group.waiting) == (GroupState.RESOLVED, False, 0)
    assert (group.verdict, group.decided_by, group.version) == (RIGHT, "rev-a", 6)
    assert group.by_source == {"model": 0, "cache": 2, "fallback": 1}
    (verdict,) = store.verdicts()
    assert verdict.stands


def test_a_person_who_reopens_a_group_is_asked_about_what_it_had(store):
    """A ticket that is older than what stands is never looked at again; later ones are."""
    store.write([fresh(1, text=b"line 1")])
    decide(store, only(store), RIGHT, 1)
    decide(store, only(store), VerdictWord.REOPENED, 1)
    store.write([fresh(2, text=b"line 2")])
    fold(store)
    assert [one.ticket.id for one in store.pending(10)] == [4]
    store.write([look(2, 4)])
    group = only(store)
    assert (group.state, group.waiting, group.version) == (GroupState.OPEN, 1, 5)


@pytest.mark.parametrize("word", [VerdictWord.NOT_A_PROBLEM, VerdictWord.SNOOZED])
def test_what_a_person_has_put_off_is_not_looked_at_again(store, time, word):
    """Whatever comes meanwhile."""
    store.write([fresh(1, text=b"line 1")])
    until = {"until": time() + 1_000_000} if word is VerdictWord.SNOOZED else {}
    decide(store, only(store), word, 1, **until)
    store.write([fresh(2, text=b"line 2")])
    before = only(store)
    assert (store.pending(10), store.pending_counts().waiting) == ([], 0)
    store.write([look(2, 3)])
    assert only(store) == before


def test_a_second_look_takes_the_place_of_the_first_in_the_counts_by_source(store):
    """Of every ticket for the line; hits on it stay what they were."""
    store.write([fresh(1), fresh(1), fresh(2)])
    store.write([hit(1, 1)])
    shared = {"source": Source.CACHE, "original": 3}
    store.write([look(1, 1, reasons=(ReviewReason.DISPUTED,), **shared)])
    assert only(store).by_source == {"model": 0, "cache": 3, "fallback": 1}
    found = store.groups(GroupQuery(source=Source.CACHE)).groups
    assert [group.count for group in found] == [4]
    store.write([look(1, 1)])
    assert only(store).by_source == {"model": 0, "cache": 1, "fallback": 3}


def test_the_hit_on_a_second_look_that_needs_nobody_opens_nothing(store):
    """What the model said is given again, and no person need see it."""
    store.write([fresh(1)])
    store.write([look(1, 1)])
    store.write([hit(1, 2, reasons=())])
    assert only(store).state is GroupState.RESOLVED


def test_what_waits_for_a_second_look(store):
    """A model's fault, a line whose text is there, a group that nobody has decided about: most
    severe first, of those the oldest, each line once."""
    line = b"line %d"
    store.write(
        [
            fresh(1, 1, text=line % 1),
            fresh(2, 2, text=line % 2, severity="critical"),
            fresh(3, 3),
            fresh(4, 4, text=line % 4, reasons=(ReviewReason.SERVICE_UNKNOWN,)),
            fresh(5, 5, text=line % 5),
            fresh(6, 6, text=line % 6),
            fresh(1, 1, text=line % 1),
        ]
    )
    fold(store)
    decide(store, store.group(5), RIGHT, 5)
    assert [(one.ticket.id, one.looks) for one in store.pending(10)] == [(2, 0), (1, 0), (6, 0)]
    assert [one.ticket.text for one in store.pending(1)] == [line % 2]
    counts = store.pending_counts()
    assert (counts.waiting, counts.askable) == (5, 4)
    store.write([look(1, 1, reasons=(ReviewReason.MODEL_JUNK,)), look(2, 2)])
    fold(store)
    assert [(one.ticket.id, one.looks) for one in store.pending(10)] == [(1, 1), (6, 0)]


# The queue follows the ledger


def test_a_new_grouping_makes_the_queue_anew(store):
    """Groups are others then; what was decided is decided about the ticket's group."""
    store.write([fresh(1, 1), fresh(2, 2)])
    fold(store)
    number = decide(store, store.group(2), RIGHT, 2)

    def together(ticket: Any) -> Any:
        found = describe(ticket)
        return (
            None if found is None else type(found)(group_key(0), found.template, found.fields, None)
        )

    other = Grouping(together, 2)
    fold(store, other)
    (group,) = store.groups(GroupQuery()).groups
    assert (group.id, group.count, group.version) == (1, 2, number)
    (outcome,) = store.decide([ruling(group, UNDONE, 2, undoes=number)], other)
    assert isinstance(outcome, Decided)
    assert (outcome.group.state, outcome.group.waiting) == (GroupState.OPEN, 2)
    assert store.verify().ok


def test_what_is_folded_already_is_not_written_again(open_store, store, time):
    """Whoever only looks takes no lock: a second store lists while another writes."""
    store.write([fresh(1)])
    fold(store)
    looking = open_store(clock=time, tends=False, busy_timeout=0)
    blocker = sqlite3.connect(store.path, isolation_level=None)
    try:
        blocker.execute("BEGIN IMMEDIATE")
        assert looking.fold(GROUPING).entries == 0
        assert [group.count for group in looking.groups(GroupQuery()).groups] == [1]
    finally:
        blocker.close()


def test_counts_tell_how_far_the_queue_follows(store):
    """Groups by state, all of them named."""
    store.write([fresh(1, 1), fresh(2, 2), fresh(3, 1)])
    assert store.queue_counts().by_state == dict.fromkeys(GroupState, 0)
    store.fold(GROUPING, 2)
    counts = store.queue_counts()
    assert (counts.upto, counts.head, counts.changed) == (2, 3, 2)
    decide(store, store.group(1), RIGHT, 3, ticket=3)
    assert store.queue_counts().by_state == {
        "open": 1,
        "resolved": 1,
        "dismissed": 0,
        "snoozed": 0,
    }


def test_changes_come_in_their_order_and_none_twice(store):
    """Page after page, each group as it now stands."""
    store.write([fresh(1, 1), fresh(2, 2), fresh(3, 3), fresh(4, 1)])
    fold(store)
    assert [group.changed for group in store.changes(0)] == [2, 3, 4]
    assert [group.changed for group in store.changes(2, 1)] == [3]
    assert store.changes(4) == []


# Lists


@pytest.fixture
def many(store: SqliteStore) -> SqliteStore:
    """Groups of several kinds."""
    store.write(
        [
            fresh(1, 1, severity="low"),
            fresh(2, 2, severity="critical", reasons=(ReviewReason.DISPUTED,)),
            fresh(3, 3, severity="high"),
            fresh(4, 4, severity="high", reasons=(ReviewReason.SERVICE_UNKNOWN,)),
        ]
    )
    store.write([hit(1, 1), hit(1, 1), hit(3, 3)])
    fold(store)
    decide(store, store.group(4), RIGHT, 4)
    return store


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({}, [2, 4, 3, 1]),
        ({"sort": GroupSort.COUNT}, [1, 3, 4, 2]),
        ({"sort": GroupSort.OLDEST}, [1, 2, 3, 4]),
        ({"states": (GroupState.OPEN,)}, [2, 3, 1]),
        ({"states": (GroupState.RESOLVED, GroupState.SNOOZED)}, [4]),
        ({"severities": (Severity.HIGH,)}, [4, 3]),
        ({"severities": (Severity.HIGH, Severity.LOW), "sort": GroupSort.OLDEST}, [1, 3, 4]),
        ({"service": "pay", "limit": 1}, [2]),
        ({"service": "pa"}, []),
        ({"reason": ReviewReason.DISPUTED}, [2]),
        ({"source": Source.CACHE}, [3, 1]),
        ({"source": Source.MODEL}, []),
        ({"text": "FAILED ON 3"}, [3]),
        ({"text": "in 4"}, [4]),
        ({"text": "failed", "source": Source.CACHE, "severities": (Severity.LOW,)}, [1]),
    ],
)
def test_groups_by_filter(many, query, ids):
    """Every filter, and every order."""
    assert [group.id for group in many.groups(GroupQuery(**query)).groups] == ids


def test_what_fits_is_found_behind_much_that_does_not(store):
    """In its place before what fits less, however far the index must be followed for it."""
    store.write([fresh(line, line, severity="critical") for line in range(1, 521)])
    store.write([fresh(line, line, severity="low") for line in (9_001, 9_002, 9_003)])
    fold(store)
    for id in (522, 523):
        decide(store, store.group(id), RIGHT, 8_480 + id)
    found = store.groups(GroupQuery(text="failed on 900", limit=1, sort=GroupSort.OLDEST))
    assert [group.id for group in found.groups] == [521]
    following = GroupQuery(text="failed on 900", limit=2, sort=GroupSort.OLDEST, cursor=found.next)
    with pytest.raises(ValueError, match="cursor"):
        store.groups(GroupQuery(text="failed on 9", cursor=found.next))
    assert [group.id for group in store.groups(following).groups] == [522, 523]


@pytest.mark.parametrize("cursor", ["", "x", "W10", "WyJ4IixbMSwyLDNdXQ", "\ud800", "é"])
def test_a_cursor_that_is_none_is_refused(many, cursor):
    """Whatever it says."""
    with pytest.raises(ValueError, match="cursor"):
        many.groups(GroupQuery(cursor=cursor))


def test_the_cursor_of_another_query_is_refused(many):
    """It would leave groups out."""
    cursor = many.groups(GroupQuery(limit=1)).next
    assert [group.id for group in many.groups(GroupQuery(limit=2, cursor=cursor)).groups] == [4, 3]
    with pytest.raises(ValueError, match="another query"):
        many.groups(GroupQuery(limit=1, cursor=cursor, text="failed"))


# When the file is not ours


def test_who_folds_does_not_keep_who_writes_waiting(open_store, time):
    """Another program holds the lock: tickets are refused as soon as they would be without."""
    store = open_store(clock=time, busy_timeout=0.3)
    store.write([fresh(1)])
    blocker = sqlite3.connect(store.path, isolation_level=None)
    failed: list[str] = []

    def folding() -> None:
        try:
            store.fold(GROUPING)
        except LedgerUnavailable as error:
            failed.append(str(error))

    try:
        blocker.execute("BEGIN IMMEDIATE")
        folder = threading.Thread(target=folding)
        folder.start()
        began = monotonic()
        with pytest.raises(LedgerUnavailable, match="locked"):
            store.write([fresh(2)])
        # Its own patience, and no more than a turn of the other's besides.
        assert monotonic() - began < 0.55
        folder.join(5)
        assert "locked" in failed[0]
    finally:
        blocker.close()
    assert only(store).count == 1


def test_a_file_that_cannot_be_written_is_listed_as_far_as_it_is_folded(open_store, time, path):
    """Folding fails, and says so; reading does not."""
    store = open_store(clock=time)
    store.write([fresh(1)])
    fold(store)
    store.write([fresh(2)])
    reader = open_store(clock=time, tends=False)
    writable = reader._queue.folder._handle
    with writable.use() as connection:
        connection.execute("PRAGMA query_only = 1")
    with pytest.raises(LedgerUnavailable):
        reader.fold(GROUPING)
    assert [group.count for group in reader.groups(GroupQuery()).groups] == [1]
    assert reader.queue_counts().head == 2


def test_a_later_schema_is_not_folded(store):
    """A newer Logdocket has changed the file meanwhile."""
    store.write([fresh(1)])
    fold(store)
    store.write([fresh(2)])
    other = sqlite3.connect(store.path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(LedgerUnavailable, match="restart with the version"):
        store.fold(GROUPING)


def test_a_ledger_of_the_schema_before_is_folded_when_it_is_first_looked_at(
    path, tmp_path, open_store, time
):
    """Bringing it forward makes empty tables; what it holds joins the queue later."""
    folder = tmp_path / "steps"
    folder.mkdir()
    for number, script in enumerate(Migrations()._scripts[:4], 1):
        (folder / f"{number:04}_shipped.sql").write_text(script)
    old = sqlite3.connect(path, isolation_level=None)
    Migrations(folder).run(old, 0)
    linked = chain([drafts([fresh(1), fresh(2)])], EMPTY, START, None)
    put(old, "insert_entry", 7, linked.entries)
    put(old, "insert_ticket", 3, linked.tickets)
    old.close()
    store = open_store(clock=time)
    assert store.queue_counts().upto == 0
    assert only(store).count == 2
    assert store.verify().ok

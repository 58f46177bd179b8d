"""Lives of groups of tickets, over a real ledger."""

from __future__ import annotations

import msgspec
import pytest

from logdocket.docket import Ask, ReviewDesk
from logdocket.docket.entering import fresh_record
from logdocket.errors import BadVerdict, LedgerUnavailable
from logdocket.line import Context, Line, Severity
from logdocket.store import Query, SqliteStore
from logdocket.store.review import (
    Decided,
    Fields,
    GroupQuery,
    GroupSort,
    GroupState,
    Stale,
    VerdictWord,
)

from ..conftest import answer

SECOND = 1_000_000
DAY = 86_400 * SECOND
FAILED = "2026-01-02T15:04:05Z ERROR payments: order 81 gave up in 12 ms"
AGAIN = "2026-01-02T15:09:05Z ERROR payments: order 82 gave up in 15 ms"
"""Of the same group, and of another template where every number counts."""
FULL = "2026-01-02T15:04:05Z WARN store: volume is nearly full"


def groups(desk, **query):
    """The groups that are listed, oldest first."""
    return desk.page(GroupQuery(sort=GroupSort.OLDEST, **query)).groups


def only(desk):
    """The one group there is."""
    (group,) = groups(desk)
    return group


def ask(group, word, **asked):
    """An ask by someone who has just looked at the group."""
    return Ask(group=group.id, version=group.version, verdict=VerdictWord(word), **asked)


def say(desk, word, **asked):
    """What becomes of the one group when a person says ``word``; it must hold."""
    (outcome,) = desk.decide([ask(only(desk), word, **asked)], "rev-a")
    assert isinstance(outcome, Decided), outcome
    return outcome.group


def refused(desk, word, **asked):
    """Why it does not hold."""
    (outcome,) = desk.decide([ask(only(desk), word, **asked)], "rev-a")
    assert isinstance(outcome, BadVerdict), outcome
    return str(outcome)


def test_tickets_that_need_a_person_wait_in_groups(desk, docket, at):
    """With how many there are, and when the lines say that it was."""
    answer(docket, FAILED, FULL)
    at.sleep(60)
    answer(docket, AGAIN)
    failed, full = groups(desk)
    assert (failed.state, failed.count, full.count) == (GroupState.OPEN, 2, 1)
    assert (failed.first_seen, failed.last_seen) == ("2026-01-02T15:04:05Z", "2026-01-02T15:09:05Z")
    assert failed.last_at - failed.first_at == 60 * SECOND
    assert failed.evidence == "order 82 gave up in 15 ms"
    assert desk.counts().by_state["open"] == 2


def test_a_group_shows_its_newest_ticket_and_its_line(desk, docket):
    """And the tickets before it, newest first."""
    first, second = (answer(docket, line)[0] for line in (FAILED, AGAIN))
    detail = desk.detail(only(desk).id)
    assert detail is not None
    assert detail.ticket.id == second.id
    assert detail.line is not None
    assert detail.line.text == AGAIN
    assert detail.judgement.ticket == second.ticket
    assert [stored.id for stored in detail.tickets] == [second.id, first.id]
    assert (detail.verdicts, detail.calls) == ([], [])


def test_what_the_caller_knew_is_shown_where_the_text_is_kept(desk, docket):
    """Nobody could judge the ticket without."""
    answer(docket, "volume is nearly full", context=Context(service="store"))
    detail = desk.detail(only(desk).id)
    assert detail is not None
    assert detail.judgement.context == Context(service="store")


def test_right_resolves(desk, docket, ledger):
    """And stands in the ledger, which holds."""
    answer(docket, FAILED)
    group = say(desk, "right", note="as always")
    assert (group.state, group.verdict, group.decided_by) == ("resolved", "right", "rev-a")
    detail = desk.detail(group.id)
    assert detail is not None
    (verdict,) = detail.verdicts
    assert verdict.id == group.version
    assert verdict.before == verdict.after
    assert (verdict.who, verdict.note, verdict.ticket) == ("rev-a", "as always", detail.ticket.id)
    assert ledger.verify().ok


def test_corrected_says_what_it_should_say(desk, docket):
    """Before and after."""
    answer(docket, FAILED)
    group = say(desk, "corrected", severity="critical", evidence="order 81 gave up")
    detail = desk.detail(group.id)
    assert detail is not None
    (verdict,) = detail.verdicts
    assert verdict.before == Fields(
        "payments", Severity.HIGH, "2026-01-02T15:04:05Z", "order 81 gave up in 12 ms"
    )
    assert verdict.after == Fields(
        "payments", Severity.CRITICAL, "2026-01-02T15:04:05Z", "order 81 gave up"
    )
    assert group.state is GroupState.RESOLVED


def test_a_second_correction_keeps_what_the_first_said(desk, docket):
    """Of the same ticket, while the first stands: what is left out is no change of mind."""
    answer(docket, FAILED)
    say(desk, "corrected", severity="low")
    say(desk, "corrected", first_seen="unknown")
    detail = desk.detail(only(desk).id)
    assert (detail.corrected.severity, detail.corrected.first_seen) == (Severity.LOW, "unknown")
    assert desk.decisions([detail.group]) == {detail.group.id: detail.standing}
    say(desk, "reopened")
    detail = desk.detail(only(desk).id)
    assert (detail.corrected, detail.standing, detail.answers) == (None, None, {})
    assert desk.decisions([detail.group]) == {}
    say(desk, "corrected", first_seen="unknown")
    assert desk.detail(only(desk).id).corrected.severity is detail.judgement.ticket.severity


def test_a_new_ticket_reopens_what_was_resolved(desk, docket):
    """With the count since."""
    answer(docket, FAILED)
    say(desk, "right")
    answer(docket, AGAIN)
    group = only(desk)
    assert (group.state, group.reopened, group.since, group.count) == ("open", True, 1, 2)
    assert say(desk, "right").reopened is False


def test_what_is_dismissed_only_counts(desk, docket):
    """Nobody is bothered again."""
    answer(docket, FAILED)
    assert say(desk, "not_a_problem").state is GroupState.DISMISSED
    answer(docket, AGAIN)
    group = only(desk)
    assert (group.state, group.since, group.count) == (GroupState.DISMISSED, 1, 2)


def test_what_is_snoozed_comes_back(desk, docket, at):
    """At its moment, not with a new ticket."""
    answer(docket, FAILED)
    until = at.now + 3600 * SECOND
    group = say(desk, "snoozed", until=until)
    assert (group.state, group.until) == (GroupState.SNOOZED, until)
    answer(docket, AGAIN)
    assert only(desk).state is GroupState.SNOOZED
    at.sleep(3601)
    assert only(desk).state is GroupState.OPEN


def test_a_person_reopens(desk, docket):
    """What is not open."""
    answer(docket, FAILED)
    assert refused(desk, "reopened").startswith("verdict reopened: the group is open already")
    say(desk, "not_a_problem")
    assert say(desk, "reopened").state is GroupState.OPEN


def test_a_verdict_can_be_undone(desk, docket, ledger):
    """All is as before it, and both stand in the ledger."""
    answer(docket, FAILED)
    right = say(desk, "right")
    group = say(desk, "undone", undoes=right.version)
    assert group.state is GroupState.OPEN
    assert ledger.taught() == []
    detail = desk.detail(group.id)
    assert detail is not None
    undone, verdict = detail.verdicts
    assert (undone.undoes, verdict.undone_by) == (verdict.id, undone.id)
    assert group.version == undone.id
    assert refused(desk, "undone").startswith("verdict undone: no verdict about the group stands")
    assert ledger.verify().ok


def test_undoing_the_second_verdict_leads_back_to_the_first(desk, docket):
    """Which can be undone then."""
    answer(docket, FAILED)
    first = say(desk, "right")
    second = say(desk, "not_a_problem")
    assert refused(desk, "undone", undoes=first.version).startswith(
        f"undoes {first.version} is not the latest verdict that stands: undo {second.version}"
    )
    group = say(desk, "undone")
    assert (group.state, group.verdict) == (GroupState.RESOLVED, VerdictWord.RIGHT)
    assert say(desk, "undone", undoes=first.version).state is GroupState.OPEN


def test_of_two_people_at_one_group_the_second_sees_what_the_first_did(desk, docket, ledger, at):
    """Nothing of the second's is entered."""
    answer(docket, FAILED)
    other = SqliteStore(ledger.path, clock=at)
    seen = only(desk)
    try:
        elsewhere = ReviewDesk(other, clock=at, max_line=1 << 16)
        (first,) = elsewhere.decide([ask(seen, "not_a_problem")], "rev-b")
        (second,) = desk.decide([ask(seen, "corrected", severity="low")], "rev-a")
    finally:
        other.close()
    assert isinstance(first, Decided)
    assert isinstance(second, Stale)
    assert second.group == first.group
    assert second.group.decided_by == "rev-b"
    detail = desk.detail(seen.id)
    assert detail is not None
    assert [verdict.who for verdict in detail.verdicts] == ["rev-b"]


def test_a_new_ticket_overtakes_nobody(desk, docket):
    """What was judged is the ticket that the person saw."""
    answer(docket, FAILED)
    seen = only(desk)
    answer(docket, AGAIN)
    (outcome,) = desk.decide([ask(seen, "right", ticket=seen.ticket)], "rev-a")
    assert isinstance(outcome, Decided)
    detail = desk.detail(seen.id)
    assert detail is not None
    assert detail.verdicts[0].ticket == seen.ticket
    assert detail.verdicts[0].before.evidence == "order 81 gave up in 12 ms"
    assert outcome.group.state is GroupState.RESOLVED


def test_many_are_decided_at_once_in_their_order(desk, docket, ledger):
    """Those that hold are entered, the others say why not."""
    answer(docket, FAILED, FULL)
    failed, full = groups(desk)
    stale = msgspec.structs.replace(failed, version=99)
    entries = ledger.verify().entries
    asked = [
        ask(failed, "right", severity="low"),
        ask(stale, "right", until=1),
        ask(full, "not_a_problem"),
        Ask(group=4711, version=0, verdict=VerdictWord.RIGHT),
        ask(failed, "corrected", severity="critical"),
        ask(full, "reopened"),
    ]
    bad, old, dismissed, nowhere, corrected, second = desk.decide(asked, "rev-a")
    assert isinstance(bad, BadVerdict)
    assert isinstance(old, Stale)
    assert isinstance(dismissed, Decided)
    assert nowhere == Stale(group=None)
    assert isinstance(corrected, Decided)
    assert second == Stale(group=dismissed.group)
    assert old.group == corrected.group
    assert (dismissed.group.id, corrected.group.id) == (full.id, failed.id)
    assert ledger.verify().entries == entries + 2


def test_an_earlier_ticket_of_the_group_can_be_judged(desk, docket):
    """One of another group cannot."""
    first, _, other = answer(docket, FAILED, AGAIN, FULL)
    failed, _ = groups(desk)
    (wrong,) = desk.decide([ask(failed, "right", ticket=other.id)], "rev-a")
    assert str(wrong).startswith(f"ticket {other.id} is none of group {failed.id}: name one of")
    (nowhere,) = desk.decide([ask(failed, "right", ticket=4711)], "rev-a")
    assert str(nowhere).startswith(f"ticket 4711 is none of group {failed.id}: name one of")
    asked = ask(failed, "corrected", ticket=first.id, evidence="order 81 gave up")
    (outcome,) = desk.decide([asked], "rev-a")
    assert isinstance(outcome, Decided)


@pytest.mark.parametrize("huge", [1 << 63, -(1 << 63) - 1, 1 << 200])
def test_numbers_that_no_ledger_has_name_nothing(desk, docket, huge):
    """And break nothing."""
    answer(docket, FAILED)
    group = only(desk)
    assert desk.detail(huge) is None
    ask_nobody = Ask(group=huge, version=0, verdict=VerdictWord.RIGHT)
    ask_nothing = ask(group, "right", ticket=huge)
    ask_later = msgspec.structs.replace(ask(group, "right"), version=huge)
    nobody, nothing, later = desk.decide([ask_nobody, ask_nothing, ask_later], "rev-a")
    assert nobody == Stale(group=None)
    assert isinstance(nothing, BadVerdict)
    assert later == Stale(group=group)


def test_without_the_text_the_evidence_bears_out_a_correction(desk, make):
    """And nothing is taught of the template."""
    answer(make(fallback_ttl=0), FAILED)
    assert desk.detail(only(desk).id).line is None
    assert "send" in refused(desk, "corrected", evidence="payments: order 81")
    group = say(desk, "corrected", evidence="order 81 gave up")
    (verdict,) = desk.detail(group.id).verdicts
    assert verdict.taught is not None
    assert verdict.taught.template is None


def test_a_pasted_line_bears_out_what_the_text_would(desk, make):
    """It is that line, byte for byte; its template is taught, its text is not kept."""
    answer(make(fallback_ttl=0), FAILED)
    assert refused(desk, "right", line=AGAIN).startswith("line is not the line of the judged")
    group = say(desk, "corrected", evidence="payments: order 81", line=FAILED + "\n")
    detail = desk.detail(group.id)
    assert detail.verdicts[0].taught.template is not None
    assert detail.line is None


def test_evidence_that_is_not_utf_8_is_judged_byte_for_byte(desk, docket, ledger):
    """Through the ledger and back."""
    line = Line.from_bytes(b"ERROR shelf: caf\xe9 \xff is closed")
    docket.finish(docket.begin([(line, Context())]))
    assert only(desk).evidence == "caf\udce9 \udcff is closed"
    group = say(desk, "corrected", evidence="caf\udce9 \udcff", severity="low", note="größe")
    (verdict,) = desk.detail(group.id).verdicts
    assert verdict.after.evidence == "caf\udce9 \udcff"
    assert verdict.note == "größe"
    assert ledger.verify().ok


def test_nobody_decides_without_a_name(desk, docket, ledger):
    """Each ask is refused, and nothing is entered."""
    answer(docket, FAILED, FULL)
    entries = ledger.verify().entries
    outcomes = desk.decide([ask(group, "right") for group in groups(desk)], " ")
    assert [str(outcome) for outcome in outcomes] == ["who is blank: say who decides"] * 2
    assert ledger.verify().entries == entries


def test_while_the_ledger_is_locked_the_queue_can_be_read(desk, docket, locked):
    """As far as it goes; deciding must wait."""
    answer(docket, FAILED)
    group = only(desk)
    with locked():
        assert only(desk) == group
        assert desk.detail(group.id) is not None
        with pytest.raises(LedgerUnavailable):
            desk.decide([ask(group, "right")], "rev-a")
    assert say(desk, "right").state is GroupState.RESOLVED


def test_changes_are_told_in_their_order(desk, docket):
    """Of a group the newest alone."""
    answer(docket, FAILED, FULL)
    failed, full = groups(desk)
    assert desk.changes(0) == [failed, full]
    assert desk.changes(full.changed) == []
    (decided,) = desk.decide([ask(failed, "right")], "rev-a")
    assert isinstance(decided, Decided)
    assert desk.changes(full.changed) == [decided.group]


async def test_what_was_said_answers_lines_of_the_template(desk, docket, ledger):
    """They count, and nobody is asked again; until it is undone."""
    await docket.extract(Line(FAILED))
    group = say(desk, "corrected", severity="low", evidence="order 81 gave up")
    await docket.verdicts_changed()
    later = await docket.extract(Line(FAILED.replace("15:04:05", "15:08:00")))
    assert later.ticket.source == "cache"
    assert (later.ticket.severity, later.ticket.evidence) == ("low", "order 81 gave up")
    assert later.ticket.first_seen == "2026-01-02T15:08:00Z"
    assert "reviewed" in later.ticket.review_reasons
    answered = only(desk)
    assert (answered.state, answered.count, answered.waiting) == (GroupState.RESOLVED, 2, 0)
    assert answered.version == group.version
    say(desk, "undone")
    await docket.verdicts_changed()
    again = await docket.extract(Line(FAILED.replace("15:04:05", "15:09:00")))
    assert (again.ticket.source, again.ticket.severity) == ("fallback", "high")
    assert only(desk).state is GroupState.OPEN
    assert ledger.verify().ok


class Overtaken:
    """A real store to which the second of two tickets is given over just before a decision."""

    def __init__(self, store, lost):
        self._store, self._lost = store, lost

    def __getattr__(self, name):
        return getattr(self._store, name)

    def decide(self, records, grouping):
        """As the store, but that one ticket is of no group by now."""
        lost = [
            msgspec.structs.replace(record, ticket=4711) if record.ticket == self._lost else record
            for record in records
        ]
        return self._store.decide(lost, grouping)


def test_a_ticket_that_went_elsewhere_meanwhile_takes_no_other_with_it(desk, docket, ledger, at):
    """Its own verdict is refused, the others are entered."""
    _, full = answer(docket, FAILED, FULL)
    torn = ReviewDesk(Overtaken(ledger, full.id), clock=at, max_line=1 << 16)
    failed, lost = torn.decide([ask(group, "right") for group in groups(desk)], "rev-a")
    assert isinstance(failed, Decided)
    assert isinstance(lost, BadVerdict)
    assert str(lost).endswith("is no ticket of that group: look at the group again, then decide")


def test_catching_up_stops_at_its_time(desk, docket, ledger):
    """What is left is folded by the next one."""
    (slot,) = docket.begin([(Line(FAILED), Context())])
    docket.settle([slot])
    ledger.write([fresh_record(slot, slot.judged, keep_text=False)] * 5000)
    some = desk.catch_up(0)
    assert (some.done, some.upto < some.head) == (False, True)
    rest = desk.catch_up(60)
    assert rest.done
    assert some.entries + rest.entries == 5000
    assert only(desk).count == 5000


def test_what_a_second_look_made_can_be_judged(desk, docket, ledger):
    """Whoever saw the ticket before it has to look again."""
    (first,) = answer(docket, FAILED)
    seen = only(desk)
    (slot,) = docket.begin([(Line(FAILED), Context())])
    docket.settle([slot])
    (second,) = ledger.write([fresh_record(slot, slot.judged, True, revises=first.id)])
    (overtaken,) = desk.decide([ask(seen, "right")], "rev-a")
    assert isinstance(overtaken, Stale)
    assert overtaken.group.ticket == second
    say(desk, "right")
    assert ledger.verdicts()[0].ticket == second
    assert ledger.verify().ok


def test_a_cache_hit_is_judged_as_the_ticket_that_it_repeats(desk, make, ledger):
    """There is no other."""
    docket = make(keep_text=True)
    first, _ = (answer(docket, FAILED)[0] for _ in range(2))
    group = only(desk)
    assert group.count == 2
    (hit,) = ledger.entries(Query(limit=1))
    (outcome,) = desk.decide([ask(group, "right", ticket=hit.seq)], "rev-a")
    assert isinstance(outcome, Decided)
    assert ledger.verdicts()[0].ticket == first.id != hit.seq

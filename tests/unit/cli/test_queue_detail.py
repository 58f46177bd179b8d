from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from logdocket.cli.queue_detail import Marks, lines, marks, standing
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.docket.review import GroupDetail, ReviewDesk
from logdocket.line import NO_CONTEXT, Line, Severity
from logdocket.store import SqliteStore
from logdocket.store.review import (
    Fields,
    GroupState,
    PastCall,
    Taught,
    Verdict,
    VerdictWord,
)
from logdocket.ticket import ReviewReason

# 2026-01-02T15:04:05Z, in µs.
START = 1_767_366_245_000_000
MARKS: Marks = ("[", "]")
Detail = Callable[[str], GroupDetail]
changed = msgspec.structs.replace


@pytest.fixture
def detail(tmp_path: Path) -> Detail:
    """Gives the group of a line, in a ledger that keeps its text."""

    def shown(line: str) -> GroupDetail:
        clock = itertools.repeat(START).__next__
        with closing(SqliteStore(tmp_path / "ledger.db", clock=clock)) as store:
            extractor = Extractor(Policy(keep_text=True), shipped(), store, clock)
            extractor.finish(extractor.begin([(Line(line), NO_CONTEXT)]))
            found = ReviewDesk(store, clock=clock, max_line=65_536).detail(1)
            assert found is not None
            return found

    return shown


def row(detail: GroupDetail, name: str) -> str:
    """What stands beside ``name``."""
    (found,) = [line for line in lines(detail, MARKS) if line.startswith(f"  {name} ")]
    return found[len("  first_seen  ") :]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("ERROR pay: card refused", "ERROR pay: [card refused]"),
        ("ERROR pay: \x1b[2Jcard\udcff refused", "ERROR pay: \\x1b[2J[card\\udcff refused]"),
        ("ERROR pay: größer als \u202eerlaubt", "ERROR pay: [größer als \\u202eerlaubt]"),
    ],
)
def test_the_evidence_is_marked_inside_its_line(line: str, shown: str, detail: Detail) -> None:
    """To the byte; what could move a cursor is escaped, and nothing else."""
    assert row(detail(line), "line") == shown


def test_evidence_that_is_told_to_stand_elsewhere_is_looked_for(detail: Detail) -> None:
    """A place that does not have it marks nothing wrong."""
    found = detail("ERROR pay: card refused")
    ticket = changed(found.judgement.ticket, evidence="pay")
    moved = changed(found, judgement=changed(found.judgement, ticket=ticket))
    assert row(moved, "line") == "ERROR [pay]: card refused"


def test_evidence_that_the_line_does_not_have_is_not_marked(detail: Detail) -> None:
    """As in a ledger that was tampered with."""
    found = detail("ERROR pay: card refused")
    ticket = changed(found.judgement.ticket, evidence="accepted")
    moved = changed(found, judgement=changed(found.judgement, ticket=ticket))
    assert row(moved, "line") == "ERROR pay: card refused"


def test_calls_are_told_with_status_time_and_tokens(detail: Detail) -> None:
    """As far as each is known; a model's name moves no cursor."""
    call = PastCall(
        id=7,
        at=START,
        model="small\x1b[2J",
        attempt=1,
        mode="schema",
        status="junk",
        http=200,
        ms=1_234,
        tokens_in=1_200,
        tokens_out=50,
        nano_usd=24_600_000,
        wrong=("evidence",),
    )
    begun = PastCall(
        id=8,
        at=START,
        model="small",
        attempt=2,
        mode="schema",
        status=None,
        http=None,
        ms=None,
        tokens_in=None,
        tokens_out=None,
        nano_usd=None,
    )
    told = list(lines(changed(detail("ERROR pay: x failed"), calls=[call, begun]), MARKS))
    assert told[told.index("calls of models, oldest first:") + 1 :] == [
        "  entry 7  2026-01-02T15:04:05.000000Z  small\\x1b[2J, attempt 1: "
        "junk, HTTP 200, 1,234 ms, 1,200 + 50 tokens, 0.0246 USD; wrong: evidence",
        "  entry 8  2026-01-02T15:04:05.000000Z  small, attempt 2: open",
    ]


def test_reasons_of_earlier_tickets_are_named(detail: Detail) -> None:
    """Those that the newest does not have; that a person has looked is no reason to look."""
    found = detail("2026-01-02T15:04:05Z ERROR pay: card refused")
    every = (*found.group.reasons, ReviewReason.MODEL_TIMEOUT, ReviewReason.REVIEWED)
    told = list(lines(changed(found, group=changed(found.group, all_reasons=every)), MARKS))
    assert told[-1] == "  earlier tickets of the group also had: model_timeout"


def test_what_a_second_look_settled_needs_nobody(detail: Detail) -> None:
    """Only what earlier tickets had is named."""
    found = detail("2026-01-02T15:04:05Z ERROR pay: card refused")
    every = (ReviewReason.MODEL_TIMEOUT,)
    group = changed(found.group, reasons=(), all_reasons=every, ticket=9)
    assert list(lines(changed(found, group=group), MARKS))[-2:] == [
        "needs nobody now: a second look, ticket 9, settled what was left",
        "  earlier tickets of the group also had: model_timeout",
    ]


def test_what_was_withdrawn_answers_nothing(detail: Detail) -> None:
    """And says by what; the one after it does."""
    fields = Fields("pay", Severity.HIGH, "unknown", "card refused")
    verdict = Verdict(
        id=2,
        at=START,
        group=b"g",
        verdict=VerdictWord.RIGHT,
        ticket=1,
        line_hash=b"l",
        who="rev-a",
        version=0,
        before=fields,
        after=fields,
        taught=Taught(),
    )
    at = "2026-01-02T15:04:05.000000Z"
    verdicts = [changed(verdict, id=4), changed(verdict, withdrawn_by=3)]
    assert list(lines(changed(detail("ERROR x: failed"), verdicts=verdicts), MARKS))[-3:] == [
        f"  entry 4  {at}  right by rev-a, of ticket 1",
        "      it answers the same line",
        f"  entry 2  {at}  right by rev-a, of ticket 1, withdrawn by entry 3",
    ]


def test_how_a_group_stands_is_told_in_a_few_words(detail: Detail) -> None:
    """State, who decided, when it comes back, and the version to name."""
    group = detail("ERROR pay: card refused").group
    assert standing(group) == "open, version 0"
    again = changed(
        group,
        reopened=True,
        version=9,
        verdict=VerdictWord.RIGHT,
        decided_by="rev-a",
        decided_at=START,
    )
    at = "2026-01-02T15:04:05.000000Z"
    assert standing(again) == f"open again, right by rev-a at {at}, version 9"
    snoozed = changed(
        again, state=GroupState.SNOOZED, verdict=VerdictWord.SNOOZED, until=START + 1_000_000
    )
    assert standing(snoozed) == (
        f"snoozed until 2026-01-02T15:04:06.000000Z, snoozed by rev-a at {at}, version 9"
    )
    looked_at_again = changed(group, state=GroupState.RESOLVED, version=12)
    assert standing(looked_at_again) == "resolved, version 12"


def test_marks_are_plain_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Into a file or a pipe no escape is written."""
    monkeypatch.setenv("TERM", "xterm-256color")
    assert marks() == (">>", "<<")

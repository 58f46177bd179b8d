"""Verdicts as labels."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from logdocket.confidence import Signals, fit
from logdocket.docket import (
    Ask,
    fixture_row,
    fixture_rows,
    labelled_reviews,
    labelled_rows,
)
from logdocket.evaluation import read_set
from logdocket.line import Context, Line, Severity
from logdocket.replay import load, replay
from logdocket.store.review import Decided, GroupQuery, GroupSort, VerdictWord
from logdocket.ticket import encode

from ..conftest import answer

FAILED = "2026-01-02T15:04:05Z ERROR payments: order 81 gave up in 12 ms"
AGAIN = "2026-01-02T15:09:05Z ERROR payments: order 82 gave up in 15 ms"
FULL = "2026-01-02T15:04:05Z WARN store: volume is nearly full"
STATED = Signals("level", "logger", "read")


def say(desk, number, word, **asked):
    """Have a person say ``word`` about the group of this number, oldest first."""
    group = desk.page(GroupQuery(sort=GroupSort.OLDEST)).groups[number]
    decided = Ask(group=group.id, version=group.version, verdict=VerdictWord(word), **asked)
    (outcome,) = desk.decide([decided], "rev-a")
    assert isinstance(outcome, Decided), outcome
    return outcome.verdict


def test_what_people_found_right_counts_as_right(desk, docket, ledger):
    """One label for each group."""
    answer(docket, FAILED, FULL)
    say(desk, 0, "right")
    say(desk, 1, "right")
    assert labelled_reviews(ledger) == [(STATED, True), (STATED, True)]


@pytest.mark.parametrize(
    "corrected", [{"severity": "low"}, {"evidence": "gave up"}, {"first_seen": "unknown"}]
)
def test_a_ticket_with_one_field_corrected_was_not_right(desk, docket, ledger, corrected):
    """Whichever it was."""
    answer(docket, FAILED)
    say(desk, 0, "corrected", **corrected)
    assert labelled_reviews(ledger) == [(STATED, False)]


def test_a_group_read_in_one_way_is_one_label(desk, docket, ledger):
    """Right where all of its judged tickets are: many of one kind prove little more than one."""
    answer(docket, FAILED)
    say(desk, 0, "right")
    answer(docket, AGAIN)
    say(desk, 0, "corrected", severity="low")
    assert labelled_reviews(ledger) == [(STATED, False)]


def test_a_group_read_in_two_ways_is_two_labels(desk, docket, ledger):
    """Each way of reading has a record of its own."""
    answer(docket, FAILED)
    say(desk, 0, "right")
    answer(docket, FAILED.replace("2026-01-02T15:04:05Z ", ""))
    say(desk, 0, "right")
    undated = Signals("level", "logger", "absent")
    assert labelled_reviews(ledger) == [(STATED, True), (undated, True)]


def test_the_latest_word_about_a_ticket_counts(desk, docket, ledger):
    """Though both verdicts stand."""
    answer(docket, FAILED)
    say(desk, 0, "corrected", severity="low")
    say(desk, 0, "right")
    assert labelled_reviews(ledger) == [(STATED, True)]


def test_what_was_undone_counts_for_nothing(desk, docket, ledger):
    """What it replaced counts again."""
    answer(docket, FAILED)
    say(desk, 0, "right")
    say(desk, 0, "corrected", severity="low")
    say(desk, 0, "undone")
    assert labelled_reviews(ledger) == [(STATED, True)]
    say(desk, 0, "undone")
    assert labelled_reviews(ledger) == []


def test_what_was_withdrawn_counts_for_nothing(desk, docket, ledger):
    """A person who reopens a group says that it is to be decided again: what was said of it is no
    truth, until that is undone or something else is said."""
    answer(docket, FAILED)
    say(desk, 0, "right")
    say(desk, 0, "reopened")
    assert labelled_reviews(ledger) == []
    assert list(fixture_rows(ledger)) == list(labelled_rows(ledger)) == []
    say(desk, 0, "undone")
    assert labelled_reviews(ledger) == [(STATED, True)]
    say(desk, 0, "reopened")
    say(desk, 0, "corrected", severity="low")
    assert labelled_reviews(ledger) == [(STATED, False)]
    assert [row["expect"]["severity"] for row in fixture_rows(ledger)] == ["low"]


def test_of_several_verdicts_about_a_group_each_ticket_is_a_row(desk, docket, ledger):
    """Nobody has said that what was judged of another line was wrong; what is undone is no row."""
    answer(docket, FAILED)
    say(desk, 0, "right")
    answer(docket, AGAIN)
    say(desk, 0, "corrected", severity="low")
    assert [row["line"] for row in fixture_rows(ledger)] == [FAILED, AGAIN]
    assert [row["severity"] for row in labelled_rows(ledger)] == ["high", "low"]
    say(desk, 0, "undone")
    assert [row["line"] for row in fixture_rows(ledger)] == [FAILED]


def test_other_verdicts_are_no_labels(desk, docket, ledger, at):
    """They say nothing of the fields."""
    answer(docket, FAILED, FULL)
    say(desk, 0, "not_a_problem")
    say(desk, 1, "snoozed", until=at.now + 1)
    say(desk, 1, "reopened")
    assert labelled_reviews(ledger) == []
    assert list(fixture_rows(ledger)) == list(labelled_rows(ledger)) == []


def test_labels_make_a_table(desk, docket, ledger):
    """As the labels of the shipped sets do."""
    answer(docket, FAILED, FULL)
    say(desk, 0, "right")
    say(desk, 1, "corrected", severity="high")
    assert fit(labelled_reviews(ledger)).cells["level/logger/read"] == (1, 2)


def test_labels_need_no_text(desk, make, ledger):
    """But rows do."""
    answer(make(fallback_ttl=0), FAILED)
    say(desk, 0, "right", line=FAILED)
    assert labelled_reviews(ledger) == [(STATED, True)]
    assert list(fixture_rows(ledger)) == list(labelled_rows(ledger)) == []


def write(path, rows):
    """A file of these rows."""
    path.write_bytes(b"".join(encode(row) + b"\n" for row in rows))
    return path


def test_a_correction_becomes_a_row_of_a_fixture(desk, docket, ledger, at):
    """That expects what the person said."""
    told = Context(received_at=datetime(2026, 3, 1, tzinfo=UTC), timezone="Europe/Paris")
    answer(docket, FAILED, context=told)
    number = say(desk, 0, "corrected", severity="medium", note="no harm done")
    (row,) = fixture_rows(ledger)
    assert row == {
        "id": f"verdict-{number}",
        "at": "2023-11-14T22:13:20.000000Z",
        "line": FAILED,
        "context": {"received_at": "2026-03-01T00:00:00+00:00", "timezone": "Europe/Paris"},
        "expect": {
            "service": "payments",
            "severity": "medium",
            "first_seen": "2026-01-02T15:04:05Z",
            "evidence_contains": "order 81 gave up in 12 ms",
        },
        "note": "no harm done",
    }


def test_a_replay_takes_the_rows(desk, docket, ledger, at, tmp_path):
    """Lines that are not UTF-8 and a clock that was set back among them."""
    context = Context(service="store", labels={"rack": "7"})
    answer(docket, FAILED, FULL)
    shelf = Line.from_bytes(b"ERROR shelf: caf\xe9 is closed")
    docket.finish(docket.begin([(shelf, context)]))
    say(desk, 2, "corrected", evidence="caf\udce9", severity="medium")
    at.sleep(-3600)
    say(desk, 0, "right")
    say(desk, 1, "corrected", first_seen="unknown")
    path = write(tmp_path / "reviews.jsonl", fixture_rows(ledger))
    rows = load(path)
    assert [row.line.raw for row in rows] == [shelf.raw, FAILED.encode(), FULL.encode()]
    assert rows[0].context == context
    assert rows[0].expect.evidence_contains == "caf\udce9"
    assert rows[2].expect.first_seen == "unknown"
    found = [given.ticket for _, given in replay(path).pairs]
    assert [ticket.severity for ticket in found] == ["high", "high", "medium"]
    assert found[1].evidence == rows[1].expect.evidence_contains


def test_a_verdict_on_a_line_without_text_is_no_row(desk, make, ledger):
    """There is nothing to replay."""
    answer(make(fallback_ttl=0), FAILED)
    say(desk, 0, "right")
    (verdict,) = ledger.verdicts()
    stored = ledger.ticket(verdict.ticket)
    assert stored is not None
    assert fixture_row(verdict, stored) is None


def test_rows_can_be_those_of_some_groups(desk, docket, ledger):
    """By their keys."""
    answer(docket, FAILED, FULL)
    say(desk, 0, "right")
    say(desk, 1, "right")
    _, full = desk.page(GroupQuery(sort=GroupSort.OLDEST)).groups
    (row,) = fixture_rows(ledger, {full.key})
    (labelled,) = labelled_rows(ledger, {full.key})
    assert row["line"] == labelled["line"] == FULL


def test_a_set_of_labelled_lines_is_made_of_verdicts(desk, docket, ledger, tmp_path):
    """As the shipped sets are read."""
    context = Context(service="billing", timezone="+02:00")
    answer(docket, "2026-01-02 15:04:05 WARN disk is nearly full", FAILED, context=context)
    say(desk, 0, "right")
    say(desk, 1, "corrected", severity="critical", first_seen="unknown")
    path = write(tmp_path / "reviews.jsonl", labelled_rows(ledger))
    disk, failed = read_set(path)
    assert (disk.severity, disk.service) == (Severity.MEDIUM, "billing")
    assert disk.first_seen == ("2026-01-02T15:04:05+02:00",)
    assert disk.context == context
    assert (failed.line, failed.severity, failed.first_seen) == (
        FAILED,
        Severity.CRITICAL,
        ("unknown",),
    )
    assert json.loads(path.read_bytes().split(b"\n")[1])["service"] == "payments"

"""What a person may ask for, word by word."""

from __future__ import annotations

import pytest

from logdocket.docket import Ask, decode_judgement
from logdocket.docket.review.asks import About, checked_name, record_of
from logdocket.errors import BadVerdict
from logdocket.line import Severity
from logdocket.store.review import Fields, Group, GroupState, Taught, Verdict, VerdictWord

NOW = 1_767_366_245_000_000
DAY = 86_400_000_000
LINE = "2026-01-02T15:04:05Z ERROR payments: charge 81 failed at 2026-01-02T15:04:01Z"
BEFORE = Fields(
    "payments",
    Severity.HIGH,
    "2026-01-02T15:04:05Z",
    "charge 81 failed at 2026-01-02T15:04:01Z",
)
UNDOABLE = Verdict(
    id=40,
    at=NOW,
    group=b"g" * 16,
    verdict=VerdictWord.RIGHT,
    ticket=1,
    line_hash=b"h" * 32,
    who="rev-a",
    version=0,
    before=BEFORE,
    after=BEFORE,
)


@pytest.fixture
def record(entered):
    """The record of an ask about the ticket for the line: ``record("right", note="…")``."""

    def make(word, *, state=GroupState.OPEN, standing=None, keep_text=True, **asked):
        stored = entered(LINE, keep_text=keep_text)
        group = Group(
            id=7,
            key=b"g" * 16,
            state=state,
            service="payments",
            severity=Severity.HIGH,
            template="charge <n> failed at <t>",
            evidence=BEFORE.evidence,
            ticket=1,
            reasons=stored.reasons,
            all_reasons=stored.reasons,
            count=1,
            since=0,
            by_source={"fallback": 1},
            first_at=NOW,
            last_at=NOW,
            first_seen=BEFORE.first_seen,
            last_seen=BEFORE.first_seen,
        )
        ask = Ask(group=7, version=3, verdict=VerdictWord(word), **asked)
        about = About(group, standing, stored, decode_judgement(stored.body))
        return record_of(ask, "rev-a", about, NOW, 1 << 16)

    return make


def test_right_says_again_what_the_ticket_says(record, entered):
    """And teaches the line's template."""
    made = record("right")
    assert (made.group, made.version, made.ticket, made.who) == (7, 3, 1, "rev-a")
    assert made.line_hash == entered(LINE).line_hash
    assert made.before == made.after == BEFORE
    assert made.taught is not None
    assert made.taught.template is not None


def test_corrected_says_what_it_should_say(record):
    """What is not told stands."""
    made = record("corrected", severity="low", evidence="charge 81 failed")
    assert made.before == BEFORE
    assert made.after == Fields("payments", Severity.LOW, BEFORE.first_seen, "charge 81 failed")


def test_where_the_text_is_not_known_nothing_is_taught_of_the_template(record):
    """Only that line is answered, with the time that was said."""
    assert record("right", keep_text=False).taught == Taught(own_time=True)
    other = record("corrected", keep_text=False, first_seen="2026-01-02T15:04:01Z")
    assert other.taught == Taught(own_time=False)


def test_a_pasted_line_teaches_its_template(record):
    """As if its text had been kept."""
    pasted = record("right", keep_text=False, line=LINE + "\n")
    assert pasted.taught == record("right").taught


def test_a_form_may_send_what_is_not_changed(record):
    """Equal values are no correction."""
    assert record("right", service="payments", severity="high").after == BEFORE


@pytest.mark.parametrize("word", ["not_a_problem", "snoozed", "reopened", "undone"])
def test_other_verdicts_say_nothing_of_the_fields(record, word):
    """So they teach nothing."""
    asked = {"until": NOW + DAY} if word == "snoozed" else {}
    made = record(word, state=GroupState.SNOOZED, standing=UNDOABLE, **asked)
    assert (made.before, made.after, made.taught) == (BEFORE, None, None)


@pytest.mark.parametrize("until", [NOW + 1, NOW + DAY, NOW + 366 * DAY])
def test_a_snooze_ends_within_a_year(record, until):
    """At a moment to come."""
    assert record("snoozed", until=until).until == until


@pytest.mark.parametrize("undoes", [None, 40])
def test_the_latest_verdict_that_stands_is_undone(record, undoes):
    """Whether it is named or not."""
    assert record("undone", standing=UNDOABLE, undoes=undoes).undoes == 40


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (" seen before \r\n twice\t", "seen before \n twice"),
        ("größe 本\u3000番 👩\u200d🔧", "größe 本\u3000番 👩\u200d🔧"),
        ("x" * 1000 + "\n", "x" * 1000),
        (" \n", None),
        ("", None),
        (None, None),
    ],
)
def test_a_note_is_kept_without_what_is_blank_around_it(record, told, kept):
    """In any script; none where nothing is left."""
    assert record("right", note=told).note == kept


@pytest.mark.parametrize(
    ("word", "asked", "message"),
    [
        ("right", {"severity": "low"}, "severity is changed by a verdict that is right: say corr"),
        ("right", {"evidence": "charge"}, "evidence is changed by a verdict that is right"),
        (
            "not_a_problem",
            {"service": "x"},
            "service is changed by a verdict that is not_a_problem",
        ),
        ("corrected", {}, "verdict corrected: nothing is changed, so say right"),
        ("corrected", {"severity": "high"}, "verdict corrected: nothing is changed, so say right"),
        ("corrected", {"service": "nope"}, "service 'nope' stands neither in the line nor"),
        ("right", {"line": "another line"}, "line is not the line of the judged ticket"),
        (
            "snoozed",
            {"line": "another line", "until": NOW + 1},
            "line is not the line of the judged",
        ),
        ("snoozed", {}, "until is missing: say until when"),
        ("snoozed", {"until": NOW}, "until 2026-01-02T15:04:05.000000Z is past: send a moment"),
        ("snoozed", {"until": -(10**30)}, "until -1000000000000000000000000000000 is past"),
        (
            "snoozed",
            {"until": NOW + 366 * DAY + 1},
            "until 2027-01-03T15:04:05.000001Z is more than",
        ),
        ("snoozed", {"until": 10**30}, "until 1000000000000000000000000000000 is more than a year"),
        ("right", {"until": NOW + 1}, "until belongs to snoozed alone: leave it out of right"),
        ("right", {"undoes": 40}, "undoes belongs to undone alone: leave it out of right"),
        ("undone", {}, "verdict undone: no verdict about the group stands"),
        (
            "undone",
            {"standing": UNDOABLE, "undoes": 39},
            "undoes 39 is not the latest verdict that",
        ),
        ("reopened", {}, "verdict reopened: the group is open already"),
        ("right", {"note": "x" * 1001}, "note has 1,001 characters and the most is 1,000: shorten"),
        ("right", {"note": "red \x1b[31m"}, "note holds U+001B at character 4: send printable"),
        ("right", {"note": "a\u202eb"}, "note holds U+202E at character 1: send printable"),
        ("right", {"note": "\udce9"}, "note holds U+DCE9 at character 0: send printable"),
    ],
)
def test_what_cannot_be_decided_is_refused(record, word, asked, message):
    """In one line that names the field and the mend."""
    with pytest.raises(BadVerdict) as refused:
        record(word, **asked)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("word", ["right", "corrected", "not_a_problem"])
def test_a_group_that_is_decided_can_be_decided_again(record, word):
    """By whoever has seen its version."""
    asked = {"severity": "low"} if word == "corrected" else {}
    assert record(word, state=GroupState.DISMISSED, **asked).verdict == word


@pytest.mark.parametrize("who", ["on-call", "rev-a", "größe 本番", "x" * 200])
def test_whoever_decides_has_a_name(who):
    """In any script."""
    assert checked_name(who) == who


@pytest.mark.parametrize(
    ("who", "message"),
    [
        ("", "who is blank"),
        ("  ", "who is blank"),
        ("x" * 201, "who has 201 characters"),
        ("a\nb", "who holds U+000A at character 1"),
    ],
)
def test_nobody_decides_without_a_name(who, message):
    """That one can read."""
    with pytest.raises(BadVerdict) as refused:
        checked_name(who)
    assert str(refused.value).startswith(message)

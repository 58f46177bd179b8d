"""What answers about some lines prove for others of the same template."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.store.lessons import LONG, Known, Lesson, Sharing, Slot, learn, magnitude

WIDE, NARROW = b"w" * 16, b"n" * 16
LOW, HIGH = b"l" * 16, b"h" * 16


def lesson(*numbers: str, says: bytes | None = LOW) -> Lesson:
    """What a line with these numbers teaches."""
    return Lesson(wide=WIDE, narrow=NARROW, numbers=numbers, says=says, place=(0, 0, 0, 9))


def taught(*lessons: Lesson) -> tuple[Known, Known | None]:
    """What is known after these, entered as 1, 2 and so on."""
    wide: Known | None = None
    narrow: Known | None = None
    for ticket, each in enumerate(lessons, 1):
        wide, learnt = learn(wide, narrow, each, ticket)
        narrow = learnt or narrow
    assert wide is not None
    return wide, narrow


@pytest.mark.parametrize(
    ("number", "size"),
    [
        ("0", 0),
        ("00", 0),
        ("0.0", 0),
        ("7", 1),
        ("99", 1),
        ("100", 2),
        ("0100", 2),
        ("24.8", 1),
        ("9999.5", 2),
        ("10000", 3),
        ("1000000", 4),
        ("100000000", 5),
        (LONG, 5),
        ("-7", -1),
        ("/srv/data/0/x.db", 1),
        ("", 1),
    ],
)
def test_a_number_has_a_magnitude(number, size):
    """By the digits before its point; zero is none of the others."""
    assert magnitude(number) == size


def test_one_answer_holds_for_its_own_numbers_alone():
    """Nothing is proved about others."""
    known, _ = taught(lesson("7", "20"))
    assert known.covers(["7", "20"])
    assert not known.covers(["8", "20"])
    assert not known.covers(["7"])


def test_two_equal_answers_prove_what_they_differ_in():
    """And leave the other number as it is."""
    known, _ = taught(lesson("7", "20"), lesson("9", "20"))
    assert known.covers(["55", "20"])
    assert not known.covers(["55", "21"])
    assert known.ticket == 2


@pytest.mark.parametrize("number", ["0", "100", LONG, "-7"])
def test_numbers_of_another_magnitude_are_asked_about(number):
    """A hundred times as much, or none at all, may be another matter."""
    known, _ = taught(lesson("7"), lesson("9"))
    assert not known.covers([number])


def test_what_lies_between_two_magnitudes_is_proved_with_them():
    """Of the same sign, and never zero."""
    known, _ = taught(lesson("7"), lesson(LONG))
    assert known.covers(["512"])
    assert not known.covers(["0"])
    known, _ = taught(lesson("-7"), lesson("7"))
    assert not known.covers(["0"])


def test_a_number_that_changes_the_answer_splits_the_wide_form():
    """From then on only lines with equal numbers share."""
    wide, narrow = taught(lesson("0"), lesson("7", says=HIGH))
    assert wide.sharing is Sharing.SPLIT
    assert narrow is not None
    assert (narrow.key, narrow.sharing, narrow.ticket) == (NARROW, Sharing.SPLIT, 2)
    assert narrow.covers([])


def test_two_answers_to_one_template_drop_it():
    """If not even its own numbers make the answer, nothing is shared."""
    _, narrow = taught(lesson("0"), lesson("7", says=HIGH), lesson("7", says=LOW))
    assert narrow is not None
    assert narrow.sharing is Sharing.DROPPED
    _, narrow = taught(
        lesson("0"), lesson("7", says=HIGH), lesson("7", says=LOW), lesson("7", says=HIGH)
    )
    assert narrow is not None
    assert narrow.sharing is Sharing.DROPPED


def test_a_disputed_answer_is_never_shared():
    """Nor anything else about its template."""
    wide, narrow = taught(lesson("7", says=None))
    assert wide.sharing is Sharing.SPLIT
    assert narrow is not None
    assert narrow.sharing is Sharing.DROPPED


def test_a_dispute_splits_what_was_shared():
    """The line that it is about is dropped."""
    wide, narrow = taught(lesson("7"), lesson("9"), lesson("8", says=None))
    assert wide.sharing is Sharing.SPLIT
    assert narrow is not None
    assert narrow.sharing is Sharing.DROPPED


numbers = st.sampled_from(["0", "1", "7", "99", "100", "4321", LONG, "-3"])


@given(st.lists(numbers, min_size=1, max_size=6), numbers)
def test_what_was_seen_is_covered_and_more_proof_never_covers_less(seen, other):
    """Law: every value that had the answer is covered, and stays so."""
    slot = Slot(seen[0], (magnitude(seen[0]),))
    for number in seen[1:]:
        slot = slot.with_(number)
    assert all(slot.covers(number) for number in seen)
    before = slot.covers(other)
    after = slot.with_(seen[0])
    assert after.covers(other) or not before


@given(st.lists(numbers, min_size=1, max_size=6))
def test_zero_is_covered_only_where_it_was_seen(seen):
    """Law: none at all is never proved by some."""
    slot = Slot(seen[0], (magnitude(seen[0]),))
    for number in seen[1:]:
        slot = slot.with_(number)
    assert slot.covers("0") is ("0" in seen)

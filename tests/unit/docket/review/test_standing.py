"""Which of a group's verdicts stand, and what they answer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from logdocket.docket.review.standing import Answers, answering, corrected, latest
from logdocket.line import Severity
from logdocket.store.review import Fields, Taught, Verdict, VerdictWord

WAS = Fields("pay", Severity.HIGH, "unknown", "card refused")
IS = Fields("pay", Severity.LOW, "unknown", "card refused")
ONE, TWO = Taught(template=b"1" * 16), Taught(template=b"2" * 16)


def verdict(id: int, word: str, **changes: Any) -> Verdict:
    """A verdict about ticket 1 and its line."""
    says = VerdictWord(word)
    after = {VerdictWord.RIGHT: WAS, VerdictWord.CORRECTED: IS}.get(says)
    made = Verdict(
        id=id,
        at=id,
        group=b"g",
        verdict=says,
        ticket=1,
        line_hash=b"line 1",
        who="rev-a",
        version=0,
        before=WAS,
        after=after,
        taught=None if after is None else ONE,
    )
    return msgspec.structs.replace(made, **changes)


@pytest.mark.parametrize(
    ("verdicts", "found"),
    [
        ([], None),
        ([verdict(2, "not_a_problem")], None),
        ([verdict(3, "snoozed"), verdict(2, "right")], 2),
        ([verdict(3, "corrected"), verdict(2, "right")], 3),
        ([verdict(4, "undone"), verdict(3, "corrected", undone_by=4), verdict(2, "right")], 2),
        ([verdict(3, "reopened"), verdict(2, "right", withdrawn_by=3)], None),
    ],
)
def test_the_latest_that_stands_and_says_something_counts(verdicts, found):
    """Not what was undone, nor what was withdrawn."""
    standing = latest(verdicts)
    assert (None if standing is None else standing.id) == found


def test_a_correction_is_about_one_ticket():
    """Of another it says nothing, and neither does what found a ticket right."""
    assert corrected([verdict(2, "corrected")], 1) == IS
    assert corrected([verdict(2, "corrected")], 7) is None
    assert corrected([verdict(3, "right"), verdict(2, "corrected")], 1) is None


@pytest.mark.parametrize(
    ("verdicts", "answers"),
    [
        ([verdict(2, "not_a_problem")], {}),
        ([verdict(2, "right")], {2: Answers.TEMPLATE}),
        ([verdict(2, "right", taught=Taught())], {2: Answers.LINE}),
        ([verdict(3, "undone"), verdict(2, "right", undone_by=3)], {}),
        ([verdict(3, "reopened"), verdict(2, "right", withdrawn_by=3)], {}),
        ([verdict(3, "right"), verdict(2, "right")], {3: Answers.TEMPLATE}),
        (
            [verdict(3, "right", line_hash=b"line 2"), verdict(2, "right")],
            {3: Answers.TEMPLATE, 2: Answers.LINE},
        ),
        (
            [verdict(3, "corrected", line_hash=b"line 2", taught=TWO), verdict(2, "right")],
            {3: Answers.TEMPLATE, 2: Answers.LINE},
        ),
        (
            [verdict(3, "right", line_hash=b"line 2", taught=TWO), verdict(2, "right")],
            {3: Answers.TEMPLATE, 2: Answers.TEMPLATE},
        ),
    ],
)
def test_a_verdict_answers_until_another_does(verdicts, answers):
    """About the same line or template; after a correction what others say of templates is wrong."""
    assert answering(verdicts) == answers

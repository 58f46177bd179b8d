"""What is told of the next second look."""

from __future__ import annotations

import logging

import pytest

from logdocket.docket.flights import Look, Looked
from logdocket.docket.review.outlook import Awaits, Outlook, Spell
from logdocket.ticket import ReviewReason

DONE = Outlook(Awaits.TURN, 0)


@pytest.mark.parametrize(
    ("outlook", "told"),
    [
        (Outlook(Awaits.TURN, 0), "The next is due now."),
        (Outlook(Awaits.TURN, 1.2), "The next is due in 2 s."),
        (Outlook(Awaits.REST, 1_200), "the next is due in 1,200 s."),
        (Outlook(Awaits.BREAKER, 30), "the next is due in 30 s, or as soon as a request"),
        (Outlook(Awaits.REQUESTS, None), "the next begins as it has some."),
        (Outlook(Awaits.LINES, 0.1), "each line that waits: the next is due in 1 s."),
    ],
)
def test_an_outlook_says_when_and_why(outlook: Outlook, told: str) -> None:
    """In whole seconds, never too few."""
    assert told in outlook.sentence


def test_nothing_is_told_of_looks_that_never_began(caplog: pytest.LogCaptureFixture) -> None:
    """Nor of the same looks twice."""
    caplog.set_level(logging.INFO, "logdocket.docket")
    spell = Spell()
    spell.end(DONE)
    assert caplog.messages == []
    spell.begin()
    spell.hear(None)
    spell.end(DONE)
    spell.end(DONE)
    assert len(caplog.messages) == 2


def test_the_end_is_told_when_all_have_ended(caplog: pytest.LogCaptureFixture) -> None:
    """With what came of each."""
    caplog.set_level(logging.INFO, "logdocket.docket")
    spell = Spell()
    for _ in range(3):
        spell.begin()
    spell.hear(Looked(Look.ANSWERED))
    spell.hear(Looked(Look.ANSWERED, shared=True))
    spell.end(DONE)
    assert len(caplog.messages) == 1
    spell.hear(Looked(Look.FAILING, ReviewReason.MODEL_TIMEOUT))
    spell.end(DONE)
    assert caplog.messages[1] == (
        "second looks end: 2 of 3 lines answered, 1 of them without a call, 1 failing. "
        "No line waits any more."
    )

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from logdocket.grading.finding import Verdict
from logdocket.grading.probes.failure.case import Case, Watched
from logdocket.grading.probes.failure.timeout import Hung, falls_back, in_time
from logdocket.grading.reply import Reply, Silence

Make = Callable[..., Case]
Session = Callable[..., Watched]


def test_tickets_for_a_person_are_what_is_wanted(case: Make, watched: Session) -> None:
    """About every line."""
    hung = Hung(watched(case(), case(), case()), 30)
    assert falls_back(hung).verdict is in_time(hung).verdict is Verdict.PASS


def test_a_service_that_takes_one_line_at_a_time_is_given_the_time_of_all(
    case: Make, watched: Session
) -> None:
    """The second answer may take twice as long."""
    cases = [case(seconds=seconds) for seconds in (85, 28, 58)]
    assert in_time(Hung(watched(*cases), 30)).verdict is Verdict.PASS


def test_an_answer_after_that_is_late(case: Make, watched: Session) -> None:
    """Even where it is a good one; it does fall back."""
    hung = Hung(watched(case(seconds=45), case(seconds=45), case(seconds=45)), 30)
    assert falls_back(hung).verdict is Verdict.PASS
    assert in_time(hung).share == Fraction(2, 3)


def test_silence_is_neither(case: Make, watched: Session) -> None:
    """A service that hangs with its model loses both."""
    hung = Hung(watched(*(case(silence=Silence.LATE) for _ in range(3))), 30)
    assert falls_back(hung).verdict is in_time(hung).verdict is Verdict.FAIL
    assert "0 of 3 answers came within 30 s each" in in_time(hung).seen


def test_an_error_in_time_is_in_time(case: Make, watched: Session) -> None:
    """That it is no ticket is told elsewhere."""
    hung = Hung(watched(case(reply=Reply(504, b"", 1.0))), 30)
    assert falls_back(hung).verdict is Verdict.FAIL
    assert in_time(hung).verdict is Verdict.PASS

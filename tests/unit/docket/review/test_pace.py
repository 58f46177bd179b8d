"""How fast second looks follow one another: by a clock that is only a number."""

from __future__ import annotations

import pytest

from logdocket.docket.flights import Look, Looked
from logdocket.docket.review.pace import SPACE, Pace
from logdocket.ticket import ReviewReason

LINE, OTHER = b"a" * 32, b"b" * 32
ANSWERED = Looked(Look.ANSWERED)
SHARED = Looked(Look.ANSWERED, shared=True)


def failing(why: ReviewReason = ReviewReason.MODEL_TIMEOUT) -> Looked:
    """A look for which the model was asked in vain."""
    return Looked(Look.FAILING, why)


def blocked(why: ReviewReason) -> Looked:
    """A look for which it could not be asked."""
    return Looked(Look.BLOCKED, why)


def test_calls_are_spaced_evenly() -> None:
    """Nothing is made up for: a pause is no credit."""
    pace = Pace(2.0)
    assert pace.wait(100.0) == 0
    pace.begin(100.0)
    assert pace.wait(100.5) == 1.5
    assert pace.wait(102.0) == 0
    pace.begin(500.0)
    assert pace.wait(500.0) == 2.0


def test_in_any_minute_there_are_no_more_calls_than_allowed() -> None:
    """However quickly they are answered."""
    pace, now, begun = Pace(60 / 7), 0.0, list[float]()
    while now < 600:
        if pace.wait(now) == 0:
            pace.begin(now)
            begun.append(now)
            pace.hear(LINE, now, ANSWERED, now + 0.01)
        now += 0.05
    most = max(sum(start <= each < start + 60 for each in begun) for start in begun)
    assert 6 <= most <= 7


def test_a_look_that_took_no_call_leaves_its_turn_to_the_next() -> None:
    """After a moment: nothing runs hot."""
    pace = Pace(2.0)
    pace.begin(100.0)
    pace.hear(LINE, 100.0, SHARED, 100.001)
    assert pace.wait(100.001) == pytest.approx(SPACE - 0.001)
    assert pace.wait(100.0 + SPACE) == 0


def test_a_look_that_took_none_gives_no_later_turn_back() -> None:
    """Else two calls could follow one another at once."""
    pace = Pace(2.0)
    pace.begin(100.0)
    pace.begin(102.0)
    pace.hear(LINE, 100.0, SHARED, 102.1)
    assert pace.wait(102.1) == pytest.approx(1.9)


def test_a_failing_model_is_left_alone_for_longer_each_time() -> None:
    """Until it answers; and no longer than five minutes."""
    pace, now, rests = Pace(0.1), 0.0, list[float]()
    for number in range(7):
        pace.begin(now)
        pace.hear(bytes([number]) * 32, now, failing(), now)
        rests.append(pace.wait(now))
        now += pace.wait(now)
    assert rests == [15, 30, 60, 120, 240, 300, 300]
    pace.begin(now)
    pace.hear(LINE, now, ANSWERED, now)
    now += 0.1
    pace.begin(now)
    pace.hear(OTHER, now, failing(), now)
    assert pace.wait(now) == 15


def test_looks_that_fail_together_are_one_failure() -> None:
    """They had begun before anything was known."""
    pace = Pace(0.1)
    for number in range(5):
        pace.begin(number / 10)
    for number in range(5):
        pace.hear(bytes([number]) * 32, number / 10, failing(), 1.0)
    assert pace.wait(1.0) == 15


def test_a_line_about_which_the_model_failed_is_set_aside() -> None:
    """For ten minutes; others come first."""
    pace = Pace(1.0)
    pace.hear(LINE, 0.0, failing(), 0.0)
    assert pace.is_aside(LINE, 599.0)
    assert not pace.is_aside(OTHER, 1.0)
    assert not pace.is_aside(LINE, 600.0)


def test_an_unusable_answer_is_the_lines_until_there_are_three() -> None:
    """In a row: an answer in between says that the model works."""
    pace = Pace(1.0)
    junk = failing(ReviewReason.MODEL_JUNK)
    for number, looked in enumerate([junk, junk, ANSWERED, junk, junk]):
        pace.hear(bytes([number]) * 32, 0.0, looked, 0.0)
        assert pace.wait(0.0) == 0
    pace.hear(LINE, 0.0, junk, 0.0)
    assert pace.wait(0.0) == 15


@pytest.mark.parametrize(
    ("why", "rest", "aside"),
    [
        (ReviewReason.BUDGET_EXHAUSTED, 60, False),
        (ReviewReason.LEDGER_UNAVAILABLE, 15, False),
        (ReviewReason.MODEL_BUSY, 0, True),
        (ReviewReason.CIRCUIT_OPEN, 0, False),
        (ReviewReason.MODEL_STOPPED, 0, False),
    ],
)
def test_what_stands_against_asking_tells_how_long_to_rest(
    why: ReviewReason, rest: float, aside: bool
) -> None:
    """The budget until the next minute; of the breaker, the breaker itself tells."""
    pace = Pace(1.0)
    pace.hear(LINE, 0.0, blocked(why), 0.0)
    assert pace.wait(0.0) == rest
    assert pace.is_aside(LINE, 1.0) is aside


def test_a_line_that_someone_else_asked_about_costs_no_turn() -> None:
    """Several processes take different lines so, and each its own turns."""
    pace = Pace(30.0)
    pace.begin(0.0)
    pace.hear(LINE, 0.0, Looked(Look.ELSEWHERE), 0.5)
    assert pace.wait(0.5) == 0
    assert pace.is_aside(LINE, 10.0)
    assert not pace.is_aside(LINE, 11.0)


def test_a_line_that_cannot_be_asked_about_costs_no_turn() -> None:
    """And is not tried again soon."""
    pace = Pace(30.0)
    pace.begin(0.0)
    pace.hear(LINE, 0.0, None, 0.0)
    assert pace.wait(0.0) == pytest.approx(SPACE)
    assert pace.is_aside(LINE, 3_000.0)


def test_only_so_many_lines_are_kept_in_mind() -> None:
    """The one that was set aside first is forgotten first."""
    pace = Pace(1.0)
    for number in range(4_097):
        pace.hear(number.to_bytes(32), 0.0, None, 0.0)
    assert pace.aside(1.0) == 4_096
    assert not pace.is_aside((0).to_bytes(32), 1.0)
    assert pace.is_aside((4_096).to_bytes(32), 1.0)
    assert pace.aside(3_600.0) == 0

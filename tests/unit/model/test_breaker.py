from __future__ import annotations

import asyncio
import gc
import math

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from logdocket.model.breaker import LONGEST, Breaker, Pass


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own."""
    return Clock()


def admitted(breaker: Breaker) -> Pass:
    """A pass, which must be there."""
    leave = breaker.admit()
    assert leave is not None
    return leave


def opened(clock: Clock, failures: int = 3, seconds: float = 30.0) -> Breaker:
    """A breaker that has just opened."""
    breaker = Breaker(failures, seconds, clock)
    for _ in range(failures):
        admitted(breaker).failed()
    assert breaker.state == "open"
    return breaker


def test_a_working_model_is_always_called(clock: Clock) -> None:
    """A thousand calls, none turned away."""
    breaker = Breaker(1, 30, clock)
    for _ in range(1000):
        admitted(breaker).succeeded()
    assert (breaker.state, breaker.turned_away, breaker.opened_until) == ("closed", 0, None)


def test_failures_in_a_row_open_it(clock: Clock) -> None:
    """Not before the last of them, and for the time that was set."""
    breaker = Breaker(3, 30, clock)
    for _ in range(2):
        admitted(breaker).failed()
    assert breaker.state == "closed"
    assert breaker.failed_in_a_row == 2
    admitted(breaker).failed()
    assert breaker.state == "open"
    assert breaker.opened_until == clock.now + 30
    assert breaker.openings == 1


def test_a_success_between_begins_the_count_anew(clock: Clock) -> None:
    """Failures count only in a row."""
    breaker = Breaker(2, 30, clock)
    for _ in range(5):
        admitted(breaker).failed()
        admitted(breaker).succeeded()
    assert breaker.state == "closed"


def test_what_tells_nothing_does_not_count(clock: Clock) -> None:
    """A call given up neither fails nor succeeds."""
    breaker = Breaker(2, 30, clock)
    admitted(breaker).failed()
    admitted(breaker).void()
    assert breaker.failed_in_a_row == 1
    admitted(breaker).failed()
    assert breaker.state == "open"


def test_nothing_is_admitted_while_open(clock: Clock) -> None:
    """Up to the last moment, and each one turned away is counted."""
    breaker = opened(clock, seconds=30)
    clock.now += 29.999
    assert breaker.admit() is None
    assert breaker.admit() is None
    assert breaker.turned_away == 2


def test_half_open_lets_one_through(clock: Clock) -> None:
    """The others are turned away until it is back."""
    breaker = opened(clock)
    clock.now += 30
    assert breaker.state == "half_open"
    probe = admitted(breaker)
    assert probe.probe
    assert [breaker.admit() for _ in range(10)] == [None] * 10
    assert breaker.state == "half_open"
    assert breaker.probes == 1


def test_it_is_shut_where_a_call_would_be_turned_away(clock: Clock) -> None:
    """Open, or half open with the probe away; looking takes no place and counts for nothing."""
    breaker = Breaker(1, 30, clock)
    assert not breaker.shut
    admitted(breaker).failed()
    assert breaker.shut
    clock.now += 30
    assert not breaker.shut
    probe = admitted(breaker)
    assert breaker.shut
    probe.void()
    assert not breaker.shut
    assert breaker.turned_away == 0


def test_a_probe_that_succeeds_closes_it(clock: Clock) -> None:
    """And failures count from nothing again."""
    breaker = opened(clock, failures=2)
    clock.now += 30
    admitted(breaker).succeeded()
    assert breaker.state == "closed"
    admitted(breaker).failed()
    assert breaker.state == "closed"


def test_a_probe_that_fails_opens_it_again(clock: Clock) -> None:
    """One is enough, and for the whole time."""
    breaker = opened(clock, seconds=30)
    clock.now += 31
    admitted(breaker).failed()
    assert breaker.state == "open"
    assert breaker.opened_until == clock.now + 30
    assert breaker.openings == 2


def test_a_void_probe_lets_the_next_one_probe(clock: Clock) -> None:
    """As often as need be."""
    breaker = opened(clock)
    clock.now += 30
    for _ in range(3):
        admitted(breaker).void()
    assert admitted(breaker).probe


def test_a_probe_left_by_an_error_is_void(clock: Clock) -> None:
    """A pass is given back when its block is left."""
    breaker = opened(clock)
    clock.now += 30
    with pytest.raises(RuntimeError), admitted(breaker):
        raise RuntimeError
    assert admitted(breaker).probe


def test_a_forgotten_probe_is_void(clock: Clock) -> None:
    """Nobody said how it went, and it is not waited for."""
    breaker = opened(clock)
    clock.now += 30
    admitted(breaker)
    gc.collect()
    assert admitted(breaker).probe


async def test_a_cancelled_probe_is_void(clock: Clock) -> None:
    """As when its caller has gone."""
    breaker = opened(clock)
    clock.now += 30

    async def call() -> None:
        with admitted(breaker):
            await asyncio.sleep(60)

    task = asyncio.create_task(call())
    await asyncio.sleep(0)
    assert breaker.admit() is None
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert admitted(breaker).probe


async def test_of_many_tasks_at_once_one_probes(clock: Clock) -> None:
    """All the others are turned away, and after it all are admitted."""
    breaker = opened(clock)
    clock.now += 30
    calls = 0

    async def call() -> bool:
        nonlocal calls
        leave = breaker.admit()
        if leave is None:
            return False
        with leave:
            calls += 1
            await asyncio.sleep(0)
            leave.succeeded()
        return True

    assert sum(await asyncio.gather(*(call() for _ in range(200)))) == 1
    assert calls == 1
    assert all(await asyncio.gather(*(call() for _ in range(200))))


@pytest.mark.parametrize(
    ("asked", "kept"),
    [(5, 5), (0, 0), (-3, 0), (LONGEST, LONGEST), (86_400, LONGEST), (math.inf, LONGEST)],
)
def test_an_upstream_that_asks_for_it_is_left_alone_at_once(
    clock: Clock, asked: float, kept: float
) -> None:
    """For as long as it asks, from nothing to an hour, whatever was set."""
    breaker = Breaker(3, 30, clock)
    admitted(breaker).failed(asked)
    assert breaker.opened_until == clock.now + kept
    clock.now += kept
    assert admitted(breaker).probe


def test_a_time_that_is_no_number_is_a_plain_failure(clock: Clock) -> None:
    """It neither opens at once nor is lost."""
    breaker = Breaker(2, 30, clock)
    admitted(breaker).failed(math.nan)
    assert (breaker.state, breaker.failed_in_a_row) == ("closed", 1)


def test_a_late_success_does_not_close_it(clock: Clock) -> None:
    """The call was admitted before it opened, and tells of the time before."""
    breaker = Breaker(1, 30, clock)
    early = admitted(breaker)
    admitted(breaker).failed()
    early.succeeded()
    assert breaker.state == "open"


def test_a_late_success_does_not_stand_in_for_the_probe(clock: Clock) -> None:
    """Half open, only the probe decides."""
    breaker = Breaker(1, 30, clock)
    early = admitted(breaker)
    admitted(breaker).failed()
    clock.now += 30
    probe = admitted(breaker)
    early.succeeded()
    assert breaker.state == "half_open"
    assert breaker.admit() is None
    probe.succeeded()
    assert breaker.state == "closed"


def test_late_failures_do_not_keep_it_open(clock: Clock) -> None:
    """Sixty-four calls that fail one by one are one outage."""
    breaker = Breaker(1, 30, clock)
    early = [admitted(breaker) for _ in range(64)]
    until = clock.now + 30
    for leave in early:
        leave.failed()
        clock.now += 0.1
    assert breaker.opened_until == until
    assert breaker.openings == 1


def test_late_failures_do_not_open_what_has_closed(clock: Clock) -> None:
    """The probe has told of a later time."""
    breaker = Breaker(1, 30, clock)
    early, later = admitted(breaker), admitted(breaker)
    admitted(breaker).failed()
    clock.now += 30
    admitted(breaker).succeeded()
    early.failed()
    later.failed(60)
    assert (breaker.state, breaker.failed_in_a_row) == ("closed", 0)


def test_the_longest_of_many_requests_to_stay_away_is_kept(clock: Clock) -> None:
    """A burst that meets a rate limit is answered with more than one time."""
    breaker = Breaker(3, 30, clock)
    first, second, third = (admitted(breaker) for _ in range(3))
    first.failed(5)
    second.failed(20)
    third.failed(1)
    assert breaker.opened_until == clock.now + 20
    assert breaker.openings == 1


def test_a_probe_under_way_is_not_outdone_by_a_late_result(clock: Clock) -> None:
    """What was asked for before it left does not undo what it finds."""
    breaker = Breaker(1, 30, clock)
    early = admitted(breaker)
    admitted(breaker).failed()
    clock.now += 30
    probe = admitted(breaker)
    early.failed(60)
    assert breaker.state == "half_open"
    probe.succeeded()
    assert breaker.state == "closed"


def test_a_late_void_does_not_free_the_place_of_another_probe(clock: Clock) -> None:
    """A pass of an earlier time of probing has nothing to give back."""
    breaker = opened(clock)
    clock.now += 30
    first = admitted(breaker)
    first.failed()
    clock.now += 30
    admitted_now = admitted(breaker)
    first.void()
    assert breaker.admit() is None
    admitted_now.succeeded()


def test_the_first_word_counts(clock: Clock) -> None:
    """A call that failed cannot then succeed."""
    breaker = Breaker(1, 30, clock)
    leave = admitted(breaker)
    leave.failed()
    leave.succeeded()
    leave.void()
    assert breaker.state == "open"
    assert breaker.openings == 1


@pytest.mark.parametrize(("failures", "seconds"), [(0, 1), (1, -1), (1, math.nan), (1, math.inf)])
def test_a_breaker_that_makes_no_sense_is_refused(failures: int, seconds: float) -> None:
    """Rather than one that never opens, or never closes."""
    with pytest.raises(ValueError, match="at least 1 failure"):
        Breaker(failures, seconds)


class AnyOrder(RuleBasedStateMachine):
    """Calls that begin and end in any order, and time that passes between."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.breaker = Breaker(2, 10, self.clock)
        self.out: list[Pass] = []

    def take(self, data: st.DataObject) -> Pass:
        """One of the passes that are out."""
        return self.out.pop(data.draw(st.integers(0, len(self.out) - 1)))

    @rule()
    def begin(self) -> None:
        """A call begins where it may, and is turned away exactly where it may not."""
        state, probing = self.breaker.state, any(self.live_probes())
        leave = self.breaker.admit()
        assert (leave is None) == (state == "open" or (state == "half_open" and probing))
        if leave is not None:
            assert leave.probe == (state == "half_open")
            self.out.append(leave)

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def succeed(self, data: st.DataObject) -> None:
        """A success of its own time leaves it closed."""
        leave = self.take(data)
        counts = leave._era == self.breaker._era
        before = self.breaker.state
        leave.succeeded()
        assert self.breaker.state == ("closed" if counts else before)

    @precondition(lambda self: self.out)
    @rule(data=st.data(), after=st.none() | st.floats(-10, 8000))
    def fail(self, data: st.DataObject, after: float | None) -> None:
        """A failure never closes it."""
        before = self.breaker.state
        self.take(data).failed(after)
        assert self.breaker.state != "closed" or before == "closed"

    @precondition(lambda self: self.out)
    @rule(data=st.data(), forget=st.booleans())
    def give_up(self, data: st.DataObject, forget: bool) -> None:
        """Giving up does not change the state."""
        before = self.breaker.state
        leave = self.take(data)
        if not forget:
            leave.void()
        del leave
        assert self.breaker.state == before

    @rule(seconds=st.floats(0, 4000))
    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.clock.now += seconds

    def live_probes(self) -> list[Pass]:
        """Probes that are out and will be heard."""
        return [one for one in self.out if one.probe and one._era == self.breaker._era]

    @invariant()
    def one_probe_at_most(self) -> None:
        """However calls end."""
        assert len(self.live_probes()) <= 1

    @invariant()
    def never_open_for_longer_than_an_hour(self) -> None:
        """So it is never open for ever."""
        until = self.breaker.opened_until
        assert until is None or until <= self.clock.now + LONGEST

    def teardown(self) -> None:
        """Once all calls have ended and an hour has passed, one success closes it."""
        for leave in self.out:
            leave.void()
        self.clock.now += LONGEST
        last = self.breaker.admit()
        assert last is not None
        last.succeeded()
        assert self.breaker.state == "closed"


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


def test_an_outage_and_its_end_are_told_once_each(caplog: pytest.LogCaptureFixture) -> None:
    """Not for each call, nor for each probe that fails."""
    now = [0.0]
    breaker = Breaker(2, 10.0, lambda: now[0])

    def call(well: bool) -> None:
        way = breaker.admit()
        assert way is not None
        way.succeeded() if well else way.failed()

    for _ in range(2):
        call(False)
    for _ in range(3):
        now[0] += 10
        call(False)
    now[0] += 10
    call(True)
    assert caplog.messages == [
        "the model fails: left alone for 10 s, then one call tries",
        "the model answers again",
    ]


def test_what_remains_runs_down_to_nothing(clock: Clock) -> None:
    """From the moment it opens; closed, there is nothing to wait for."""
    breaker = opened(clock, seconds=30)
    clock.now += 12
    assert breaker.remaining == 18
    clock.now += 100
    assert breaker.remaining == 0
    admitted(breaker).succeeded()
    assert breaker.remaining == 0

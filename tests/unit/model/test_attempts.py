"""The attempt policy alone: scripted replies, a clock that only waiting moves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from logdocket.calls import CallEnd, CallStatus, Spend, Usage
from logdocket.model.attempts import Attempts, Bad, Outcome
from logdocket.model.breaker import Breaker
from logdocket.model.client import Reply
from logdocket.model.prompt import Question
from logdocket.ticket import ReviewReason

QUESTION = Question(text="2026-01-02T15:04:05Z ERROR pay: card refused", cut=False, service=None)
RESERVE = Spend(700, 9)


class Clock:
    """Seconds that pass only where someone waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """The time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.slept.append(seconds)
        self.now += seconds


class Scripted:
    """What a client would give, reply by reply; each takes ``seconds`` of the clock."""

    identity, output, max_output, mode = "model.example/small", "auto", 100, "schema"

    def __init__(self, clock: Clock, replies: Sequence[Reply | type[BaseException]]) -> None:
        self._clock = clock
        self._replies = list(replies)
        self.bounds: list[float] = []
        self.told: list[tuple[str, ...]] = []
        self.permits: list[int] = []
        self.modes: list[str] = []

    def most(self, question: Question, wrong: Sequence[str]) -> Spend:
        """Always the same."""
        return RESERVE

    def price(self, usage: Usage) -> int | None:
        """Two billionths a token."""
        return usage.tokens * 2

    async def ask(self, question, wrong, permit, seconds, mode) -> Reply:
        """The next reply."""
        permit.take()
        self.permits.append(permit.call)
        self.modes.append(mode)
        self.bounds.append(seconds)
        self.told.append(tuple(wrong))
        given = self._replies.pop(0)
        if isinstance(given, type):
            raise given
        self._clock.now += min(given.ms / 1000, seconds)
        return given


class Ledger:
    """Notes what is entered, and numbers the calls."""

    def __init__(self, *blocks: object) -> None:
        self.entered: list[tuple[str, int]] = []
        self.ended: list[CallEnd] = []
        self._blocks = list(blocks)

    async def begin(self, attempt: int, mode: str, reserve: Spend, seconds: float) -> object:
        """Number 11 for the first attempt, 12 for the second."""
        assert reserve == RESERVE
        if self._blocks and (block := self._blocks.pop(0)) is not None:
            return block
        self.entered.append(("begin", attempt))
        return 10 + attempt

    async def end(self, ended: CallEnd) -> None:
        """Entered."""
        self.entered.append(("end", ended.call))
        self.ended.append(ended)


def reply(status: CallStatus, text: str | None = None, **more: object) -> Reply:
    """A reply, with what is usual for its status unless told."""
    given: dict = {
        "status": status,
        "text": text,
        "usage": None,
        "http": 200,
        "retry_after": None,
        "ms": 1000,
        "sent": True,
        "detail": "",
    }
    return Reply(**(given | more))


GOOD = reply(CallStatus.OK, "good", usage=Usage(90, 10))
JUNK = reply(CallStatus.OK, "junk", usage=Usage(80, 20))


def judge(text: str) -> str | Bad:
    """Everything is good that says so."""
    return text if text == "good" else Bad(("no_object",), ("There was no JSON object.",))


class Run:
    """One question asked with a script, and all that can be seen of it."""

    def __init__(
        self, *replies: Reply | type[BaseException], blocks: Sequence[object] = (), **more: object
    ) -> None:
        self.clock = Clock()
        self.client = Scripted(self.clock, replies)
        self.breaker = more.pop("breaker", None) or Breaker(5, 30.0, self.clock)
        self.ledger = Ledger(*blocks)
        given: dict = {"deadline": 20.0, "attempt": None, "concurrency": 8} | more
        self.attempts = Attempts(
            self.client, self.breaker, monotonic=self.clock, sleep=self.clock.sleep, **given
        )

    async def ask(self, seconds: float = 19.5) -> Outcome:
        """The outcome within so many seconds."""
        until = self.clock.now + seconds
        return await self.attempts.ask(QUESTION, judge, self.ledger, until)


async def test_a_good_answer_is_one_call() -> None:
    """Entered before it is made; its end is left to go with the ticket."""
    run = Run(GOOD)
    outcome = await run.ask()
    assert outcome.good == "good"
    assert outcome.calls == (11,)
    assert outcome.tokens == 100
    assert outcome.ended is not None
    assert outcome.ended.charge == Spend(100, 200)
    assert outcome.ended.nano_usd == 200
    assert run.ledger.entered == [("begin", 1)]
    assert run.client.permits == [11]


async def test_junk_is_asked_once_more_and_told_what_was_wrong() -> None:
    """The first end is entered at once, the second call begins after it."""
    run = Run(JUNK, GOOD)
    outcome = await run.ask()
    assert outcome.good == "good"
    assert outcome.calls == (11, 12)
    assert outcome.tokens == 200
    assert run.client.told == [(), ("There was no JSON object.",)]
    assert run.ledger.entered == [("begin", 1), ("end", 11), ("begin", 2)]
    assert run.ledger.ended[0].status is CallStatus.JUNK
    assert run.ledger.ended[0].wrong == ("no_object",)


async def test_two_attempts_are_the_most() -> None:
    """Whatever the second brings."""
    run = Run(JUNK, JUNK, GOOD)
    outcome = await run.ask()
    assert outcome.good is None
    assert outcome.status is CallStatus.JUNK
    assert outcome.calls == (11, 12)
    assert outcome.ended is not None
    assert outcome.ended.call == 12


@pytest.mark.parametrize("status", [status for status in CallStatus if status.retried])
async def test_what_may_help_is_tried_again(status: CallStatus) -> None:
    """Each status that says so."""
    run = Run(reply(status), GOOD)
    assert (await run.ask()).good == "good"


@pytest.mark.parametrize(
    "status",
    [
        status
        for status in CallStatus
        if not status.retried and status not in (CallStatus.OK, CallStatus.NOT_SUPPORTED)
    ],
)
async def test_what_cannot_help_is_not_tried_again(status: CallStatus) -> None:
    """Each status that says so: one call, and its own status."""
    run = Run(reply(status), GOOD)
    outcome = await run.ask()
    assert outcome.good is None
    assert outcome.status is status
    assert outcome.calls == (11,)


async def test_a_mode_that_is_not_supported_is_left_at_once() -> None:
    """The downgrade is an attempt of its own, without a pause."""
    run = Run(reply(CallStatus.NOT_SUPPORTED, http=400), GOOD)
    outcome = await run.ask()
    assert outcome.good == "good"
    assert outcome.calls == (11, 12)
    assert run.clock.slept == [0.0]


@pytest.mark.parametrize("output", ["schema", "tool"])
async def test_a_mode_that_was_chosen_is_not_asked_for_again(output: str) -> None:
    """The API would refuse the same request once more."""
    run = Run(reply(CallStatus.NOT_SUPPORTED, http=400), GOOD)
    run.client.output = output
    outcome = await run.ask()
    assert (outcome.status, outcome.calls) == (CallStatus.NOT_SUPPORTED, (11,))


async def test_retry_after_is_honoured_inside_the_deadline() -> None:
    """The breaker, open for as long, lets the retry through as its probe."""
    run = Run(reply(CallStatus.RATE_LIMITED, http=429, retry_after=3.0), GOOD)
    assert (await run.ask()).good == "good"
    assert run.clock.slept == [3.0]
    assert run.breaker.state == "closed"


async def test_retry_after_beyond_the_deadline_means_no_retry() -> None:
    """And nobody else calls before it is over."""
    run = Run(reply(CallStatus.RATE_LIMITED, http=429, retry_after=60.0), GOOD)
    outcome = await run.ask()
    assert outcome.status is CallStatus.RATE_LIMITED
    assert run.clock.slept == []
    assert run.breaker.state == "open"


async def test_a_timeout_leaves_time_for_a_retry() -> None:
    """The first attempt may not take all of it; the second may take the rest."""
    run = Run(reply(CallStatus.TIMEOUT, http=None, ms=99_000), GOOD)
    assert (await run.ask()).good == "good"
    first, second = run.client.bounds
    assert first == pytest.approx(19.5 * 0.6)
    assert second == pytest.approx(19.5 * 0.4 - 0.25)


async def test_an_attempt_of_its_own_bound_stays_within_the_deadline() -> None:
    """The operator's bound, or what is left if that is less."""
    run = Run(reply(CallStatus.TIMEOUT, http=None, ms=99_000), GOOD, attempt=15.0)
    await run.ask()
    assert run.client.bounds == [15.0, pytest.approx(19.5 - 15.0 - 0.25)]


async def test_without_time_left_there_is_no_retry() -> None:
    """A timeout that took it all."""
    run = Run(reply(CallStatus.TIMEOUT, http=None, ms=99_000), GOOD, attempt=19.0)
    outcome = await run.ask()
    assert outcome.status is CallStatus.TIMEOUT
    assert outcome.calls == (11,)


async def test_an_open_breaker_means_no_call() -> None:
    """Nothing is claimed or entered either."""
    run = Run(GOOD)
    for _ in range(5):
        way = run.breaker.admit()
        assert way is not None
        way.failed()
    outcome = await run.ask()
    assert outcome.block is ReviewReason.CIRCUIT_OPEN
    assert outcome.calls == ()
    assert run.ledger.entered == []


async def test_a_breaker_that_opens_meanwhile_stops_the_retry() -> None:
    """What the first attempt came to stands, and its end is entered already."""
    clock_run = Run(reply(CallStatus.SERVER_ERROR, http=503), GOOD)
    for _ in range(4):
        way = clock_run.breaker.admit()
        assert way is not None
        way.failed()
    outcome = await clock_run.ask()
    assert outcome.status is CallStatus.SERVER_ERROR
    assert outcome.calls == (11,)
    assert outcome.ended is None
    assert [end.call for end in clock_run.ledger.ended] == [11]


async def test_what_stands_against_the_call_is_passed_on() -> None:
    """And the breaker is none the wiser: a probe that was not made lets the next one probe."""
    run = Run(GOOD, GOOD, blocks=["held"], breaker=None)
    for _ in range(5):
        way = run.breaker.admit()
        assert way is not None
        way.failed()
    run.clock.now += 31
    assert (await run.ask()).block == "held"
    assert (await run.ask()).good == "good"
    assert run.breaker.state == "closed"


async def test_a_budget_that_ends_between_two_attempts_ends_the_asking() -> None:
    """The first attempt's outcome stands."""
    run = Run(JUNK, blocks=[None, ReviewReason.BUDGET_EXHAUSTED])
    outcome = await run.ask()
    assert outcome.block is None
    assert outcome.status is CallStatus.JUNK
    assert outcome.calls == (11,)
    assert outcome.tokens == 100


@pytest.mark.parametrize(
    ("given", "charge"),
    [
        (reply(CallStatus.TIMEOUT, http=None), RESERVE),
        (reply(CallStatus.UNREADABLE), RESERVE),
        (reply(CallStatus.TOO_LARGE), RESERVE),
        (reply(CallStatus.UNREACHABLE, http=None, sent=True), RESERVE),
        (reply(CallStatus.UNREACHABLE, http=None, sent=False), Spend(0, 0)),
        (reply(CallStatus.RATE_LIMITED, http=429), Spend(0, 0)),
        (reply(CallStatus.SERVER_ERROR, http=500), Spend(0, 0)),
        (reply(CallStatus.SERVER_ERROR, http=500, usage=Usage(1, 2)), Spend(3, 6)),
        (reply(CallStatus.OK, "good"), RESERVE),
    ],
)
async def test_a_call_is_charged_what_it_may_have_cost(given: Reply, charge: Spend) -> None:
    """What was reported; else all that was reserved, unless nothing can have been spent."""
    run = Run(given, GOOD)
    outcome = await run.ask()
    first = run.ledger.ended[0] if run.ledger.ended else outcome.ended
    assert first is not None
    assert first.charge == charge


async def test_who_is_called_off_amid_a_call_enters_its_end() -> None:
    """Perhaps the model has the request: the reservation is charged."""
    run = Run(asyncio.CancelledError)
    outcome = await run.ask()
    assert outcome.status is CallStatus.CANCELLED
    assert outcome.ended is not None
    assert outcome.ended.charge == RESERVE


async def test_who_is_called_off_while_an_end_is_entered_has_an_outcome() -> None:
    """The call stands, nothing more is asked, and the asking was called off."""
    run = Run(reply(CallStatus.SERVER_ERROR, http=500), GOOD)

    async def called_off(ended: CallEnd) -> None:
        raise asyncio.CancelledError

    run.ledger.end = called_off
    outcome = await run.ask()
    assert (outcome.status, outcome.calls) == (CallStatus.CANCELLED, (11,))
    assert outcome.ended is None


async def test_the_ones_too_many_wait_within_their_own_deadline() -> None:
    """Two at once; a third finds no room in its time and makes no call."""
    run = Run(GOOD, GOOD, GOOD, concurrency=2)
    gate = asyncio.Event()
    real = run.client.ask

    async def slow(*given: object, mode: str) -> Reply:
        await gate.wait()
        return await real(*given, mode=mode)

    run.client.ask = slow
    two = [asyncio.create_task(run.ask()) for _ in range(2)]
    await asyncio.sleep(0)
    third = await run.ask(1.02)
    assert third.block is ReviewReason.MODEL_BUSY
    gate.set()
    assert [outcome.good for outcome in await asyncio.gather(*two)] == ["good", "good"]


async def test_a_slow_ledger_leaves_no_time_for_a_retry() -> None:
    """What the first came to stands, rather than a second that is given up at once."""
    run = Run(reply(CallStatus.SERVER_ERROR, http=503), GOOD)
    end = run.ledger.end

    async def slow(ended: CallEnd) -> None:
        run.clock.now += 18
        await end(ended)

    run.ledger.end = slow
    outcome = await run.ask()
    assert (outcome.status, outcome.calls) == (CallStatus.SERVER_ERROR, (11,))
    assert outcome.ended is None
    assert run.ledger.entered == [("begin", 1), ("end", 11)]


async def test_with_hardly_any_time_left_no_call_is_begun() -> None:
    """It would be given up at once, and paid for."""
    run = Run(GOOD)
    outcome = await run.ask(0.9)
    assert outcome.block is ReviewReason.MODEL_BUSY
    assert run.ledger.entered == []


async def test_junk_tells_the_breaker_that_the_model_works() -> None:
    """Nonsense is a matter of the line; only what concerns all calls opens the breaker."""
    run = Run(JUNK, JUNK, breaker=None)
    for _ in range(4):
        way = run.breaker.admit()
        assert way is not None
        way.failed()
    await run.ask()
    assert run.breaker.state == "closed"
    assert run.breaker.failed_in_a_row == 0


async def test_a_call_is_made_as_it_was_entered() -> None:
    """Though the mode was given up, for another line, between the entry and the call."""
    run = Run(GOOD)
    begin = run.ledger.begin

    async def slow(attempt: int, mode: str, reserve: Spend, seconds: float) -> object:
        run.client.mode = "text"
        assert mode == "schema"
        return await begin(attempt, mode, reserve, seconds)

    run.ledger.begin = slow
    await run.ask()
    assert run.client.modes == ["schema"]

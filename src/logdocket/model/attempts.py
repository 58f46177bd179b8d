"""The attempt policy: one deadline over everything, at most one retry, each attempt on the books.

What an attempt must never do is leave without an entry; that is the books' to make and the wire's
to enforce. What is decided here is whether to ask, how long to wait, and whether to ask once more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from logdocket.calls import FREE, CallEnd, CallStatus, Spend
from logdocket.model.breaker import Breaker, Pass
from logdocket.model.client import Client, Permit, Reply
from logdocket.model.prompt import PROMPT_VERSION, Question
from logdocket.ticket import ReviewReason

_Good = TypeVar("_Good")
_Block = TypeVar("_Block", covariant=True)

_log = logging.getLogger("logdocket.model")

_PAUSE: Final = 0.25
"""Seconds before a retry for which the API named no time."""

_FIRST_SHARE: Final = 0.6
"""How much of the time there is the first attempt may take, so that a retry finds some left."""

_LEAST_SHARE: Final = 0.05
"""The share of the deadline under which asking is pointless."""


class Bad(msgspec.Struct, frozen=True):
    """What is wrong with an answer: typed ``words``, and ``told`` to the model in a retry."""

    words: tuple[str, ...]
    told: tuple[str, ...]


class Books(Protocol[_Block]):
    """Where the attempts for one line are entered."""

    async def begin(self, attempt: int, mode: str, reserve: Spend, seconds: float) -> int | _Block:
        """The number of the entry, durable, or what stands against the call, which will be over in
        ``seconds`` from now."""
        ...

    async def end(self, ended: CallEnd) -> None:
        """Enter the end of an attempt after which there may be another."""
        ...


class Outcome(msgspec.Struct, Generic[_Good, _Block], frozen=True):
    """What became of asking about one line.

    ``good``: what the judge made of an answer that it accepted.
    ``block``: what stood against the first attempt; then nothing was asked.
    ``calls``: the numbers of the entries; ``tokens``: what the provider reported for them in all.
    ``ended``: the end of the last attempt, not entered yet: it goes with the ticket.
    ``status``: how the last attempt ended.
    """

    good: _Good | None = None
    block: _Block | ReviewReason | None = None
    calls: tuple[int, ...] = ()
    tokens: int = 0
    ended: CallEnd | None = None
    status: CallStatus | None = None


class Attempts:
    """Asks one model about lines, within ``deadline`` seconds each, all on one event loop.

    ``attempt``: most seconds of one attempt; None leaves the first one a share of the time.
    ``concurrency``: how many are asked at once; the others wait within their own deadline.
    ``monotonic`` and ``sleep`` count in seconds.
    """

    def __init__(
        self,
        client: Client,
        breaker: Breaker,
        *,
        deadline: float,
        attempt: float | None,
        concurrency: int,
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.client = client
        self.breaker = breaker
        self.deadline = deadline
        self.concurrency = concurrency
        self.monotonic = monotonic
        self._attempt = attempt
        self._least = deadline * _LEAST_SHARE
        self.sleep = sleep
        self._free = asyncio.Semaphore(concurrency)

    @property
    def identity(self) -> str:
        """What an answer depends on beside the line: model, parameters, prompt and schema."""
        client = self.client
        return f"{client.identity} {client.output} {client.max_output} {PROMPT_VERSION}"

    async def ask(
        self,
        question: Question,
        judge: Callable[[str], _Good | Bad],
        books: Books[_Block],
        until: float,
    ) -> Outcome[_Good, _Block]:
        """Ask about ``question`` until the moment ``until``; ``judge`` says what an answer is
        worth. Never raises: being cancelled is an outcome too.
        """
        room = until - self.monotonic() - self._least
        if room <= 0:
            return Outcome(block=ReviewReason.MODEL_BUSY)
        try:
            async with asyncio.timeout(room):
                await self._free.acquire()
        except TimeoutError:
            return Outcome(block=ReviewReason.MODEL_BUSY)
        except asyncio.CancelledError:
            return Outcome(block=ReviewReason.MODEL_STOPPED)
        try:
            return await self._ask(_About(question, judge, books, until))
        finally:
            self._free.release()

    async def _ask(self, about: _About[_Good, _Block]) -> Outcome[_Good, _Block]:
        first = await self._try(about, 1, (), Outcome())
        wait = self._retry_after(first, about.until)
        if wait is None:
            return first.outcome
        assert first.outcome.ended is not None
        before = msgspec.structs.replace(first.outcome, ended=None)
        try:
            await about.books.end(first.outcome.ended)
            await self.sleep(wait)
        except asyncio.CancelledError:
            return msgspec.structs.replace(before, status=CallStatus.CANCELLED)
        if about.until - self.monotonic() <= self._least:
            # Entering the end of the first took its time.
            return before
        return (await self._try(about, 2, first.told, before)).outcome

    def _retry_after(self, tried: _Tried[_Good, _Block], until: float) -> float | None:
        """Seconds to wait before the one retry; None where there is to be none."""
        status = tried.outcome.status
        if tried.outcome.good is not None or status is None:
            return None
        if status is CallStatus.NOT_SUPPORTED and self.client.output == "auto":
            # The next one asks in another mode; one that the operator chose stays refused.
            wait = 0.0
        elif not status.retried:
            return None
        elif status in (CallStatus.JUNK, CallStatus.CUT_SHORT, CallStatus.UNREADABLE):
            wait = 0.0
        else:
            wait = _PAUSE if tried.wait is None else tried.wait
        left = until - self.monotonic() - wait
        return wait if left > self._least else None

    async def _try(
        self,
        about: _About[_Good, _Block],
        number: int,
        told: tuple[str, ...],
        before: Outcome[_Good, _Block],
    ) -> _Tried[_Good, _Block]:
        """One attempt, or what stood against it."""
        way = self.breaker.admit()
        if way is None:
            return _blocked(before, ReviewReason.CIRCUIT_OPEN)
        reserve, mode = self.client.most(about.question, told), self.client.mode
        now = self.monotonic()
        seconds = self._seconds(number, now, about.until)
        try:
            begun = await about.books.begin(number, mode, reserve, seconds)
        except asyncio.CancelledError:
            way.void()
            return _blocked(before, ReviewReason.MODEL_STOPPED)
        except BaseException:
            way.void()
            raise
        if not isinstance(begun, int):
            way.void()
            return _blocked(before, begun)
        leave = _Leave(begun, mode, reserve, now + seconds, way)
        return await self._call(about, leave, told, before)

    async def _call(
        self,
        about: _About[_Good, _Block],
        leave: _Leave,
        told: tuple[str, ...],
        before: Outcome[_Good, _Block],
    ) -> _Tried[_Good, _Block]:
        """The attempt that was entered."""
        began, call = self.monotonic(), leave.call
        seconds = max(leave.until - began, 0)
        try:
            reply = await self.client.ask(
                about.question, told, Permit(call), seconds, mode=leave.mode
            )
        except asyncio.CancelledError:
            leave.way.void()
            reply = _cancelled(self.monotonic() - began)
        else:
            _pass_on(leave.way, reply)
        _log.debug("call %d: %s, %d ms (%s)", call, reply.status, reply.ms, reply.detail)
        good, bad = None, Bad((), ())
        status = reply.status
        if status is CallStatus.OK:
            assert reply.text is not None, "a reply that is ok has text"
            judged = _judge(about.judge, reply.text)
            if isinstance(judged, Bad):
                status, bad = CallStatus.JUNK, judged
            else:
                good = judged
        ended = CallEnd(
            call=call,
            status=status,
            ms=reply.ms,
            charge=self._charge(reply, leave.reserve),
            usage=reply.usage,
            nano_usd=None if reply.usage is None else self.client.price(reply.usage),
            http=reply.http,
            wrong=bad.words,
        )
        tokens = before.tokens + (0 if reply.usage is None else reply.usage.tokens)
        outcome: Outcome[_Good, _Block] = Outcome(
            good=good, calls=(*before.calls, call), tokens=tokens, ended=ended, status=status
        )
        return _Tried(outcome, bad.told, reply.retry_after)

    def _seconds(self, number: int, now: float, until: float) -> float:
        """How long an attempt that begins now may take."""
        left = max(until - now, 0)
        if self._attempt is not None:
            return min(self._attempt, left)
        return left * _FIRST_SHARE if number == 1 else left

    def _charge(self, reply: Reply, reserve: Spend) -> Spend:
        """What the budget is charged: what was reported, else the most that it can have been."""
        if reply.usage is not None:
            price = self.client.price(reply.usage)
            return Spend(reply.usage.tokens, 0 if price is None else price)
        return FREE if reply.status.unmetered or not reply.sent else reserve


class _About(msgspec.Struct, Generic[_Good, _Block], frozen=True):
    """All that is asked about one line."""

    question: Question
    judge: Callable[[str], _Good | Bad]
    books: Books[_Block]
    until: float


class _Leave(msgspec.Struct, frozen=True):
    """An attempt as it was entered: it may be made, so and not otherwise."""

    call: int
    mode: str
    reserve: Spend
    until: float
    way: Pass


class _Tried(msgspec.Struct, Generic[_Good, _Block], frozen=True):
    """An attempt: its outcome, what to tell the model of it, and how long the API said to wait."""

    outcome: Outcome[_Good, _Block]
    told: tuple[str, ...] = ()
    wait: float | None = None


def _blocked(before: Outcome[_Good, _Block], block: _Block | ReviewReason) -> _Tried[_Good, _Block]:
    """An attempt that was not made: of a second one, what the first came to stands."""
    return _Tried(before if before.calls else Outcome(block=block))


def _judge(judge: Callable[[str], _Good | Bad], text: str) -> _Good | Bad:
    """What the judge says; one with a fault costs the answer, and not the end of the call."""
    try:
        return judge(text)
    except Exception:  # noqa: BLE001 - logged, and entered with the call
        _log.exception("an answer could not be judged")
        return Bad(("judging_failed",), ("It could not be understood.",))


def _cancelled(seconds: float) -> Reply:
    """What is known of a call that nobody waits for any more: perhaps it was made."""
    return Reply(
        status=CallStatus.CANCELLED,
        text=None,
        usage=None,
        http=None,
        retry_after=None,
        ms=round(seconds * 1000),
        sent=True,
        detail="cancelled",
    )


def _pass_on(way: Pass, reply: Reply) -> None:
    """Tell the breaker what the reply says of the model as a whole."""
    if reply.status.upstream:
        way.failed(reply.retry_after)
    elif reply.http is None:
        way.void()
    else:
        way.succeeded()

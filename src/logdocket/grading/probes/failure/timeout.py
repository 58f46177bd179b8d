"""The model hangs: a ticket comes nevertheless, and in time."""

from __future__ import annotations

import concurrent.futures
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, passed, share_of
from logdocket.grading.lines import Line
from logdocket.grading.probes.failure.case import STARTED, Watched, no_fallback, tally
from logdocket.grading.probes.failure.walk import Trouble, Walk
from logdocket.grading.reply import Reply, Silence
from logdocket.grading.rubric import Level, Probe
from logdocket.testing import Act, Fault

__all__ = ["PROBES", "Hung", "observe_hung"]

_SLACK: Final = 2.0
"""Seconds that an answer may come late on a busy machine."""
_LOOK: Final = 0.2
"""Seconds between two looks at what has come, at most."""
_BYTES: Final = 60
"""Bytes that a drip lets through in the time of one answer: a good body has four times as many."""


class Hung(msgspec.Struct, frozen=True):
    """A session in which the model hung about all lines at once; ``seconds`` is the longest that
    one answer may take.
    """

    watched: Watched
    seconds: float


def observe_hung(bench: Bench) -> Hung:
    """One session in which the model hangs in three ways, all at once."""
    seconds = bench.manifest.service.answer_seconds
    drip = Act(Fault.DRIP, seconds=max(0.5, seconds / _BYTES))
    troubles = (
        Trouble("the model hangs", Fault.HANG),
        Trouble("its answer drips in, byte by byte", drip),
        Trouble("it hangs amid its answer", Fault.HANG_AMID),
    )
    # The pool is left last: what still waits then is let go by the end of the session.
    with concurrent.futures.ThreadPoolExecutor(len(troubles)) as pool, bench.session() as session:
        walk = Walk(bench, session)
        walk.wake()
        lines = [walk.line() for _ in troubles]

        def ask(line: Line, trouble: Trouble) -> Reply | None:
            return walk.ask(line, trouble.act, at_once=len(troubles) + 1)

        futures = [pool.submit(ask, *pair) for pair in zip(lines, troubles, strict=True)]
        hangs = not _all_come(futures, seconds, lambda: all(map(walk.calls, lines)))
        for trouble, line, future in zip(troubles, lines, futures, strict=True):
            late = Reply(0, b"", seconds * len(troubles), Silence.LATE)
            walk.note(trouble, line, future.result() if future.done() else late)
        return Hung(walk.watched(asks=not hangs), seconds)


def _all_come(
    futures: Sequence[Future[Reply | None]], seconds: float, all_met: Callable[[], bool]
) -> bool:
    """Whether all replies have come, each ``seconds`` after the one before at the latest: a
    service may take one request at a time. One that asked the model about ``all_met`` before any
    reply came has ``seconds`` for all. Returns as soon as that is decided.
    """
    began, at_once = time.monotonic(), False
    while waiting := [future for future in futures if not future.done()]:
        at_once = at_once or (len(waiting) == len(futures) and all_met())
        in_turn = 1 if at_once else len(futures) - len(waiting) + 1
        if time.monotonic() - began > seconds * in_turn + _SLACK:
            return False
        concurrent.futures.wait(waiting, _LOOK, concurrent.futures.FIRST_COMPLETED)
    return True


def falls_back(hung: Hung) -> Finding:
    """Whether a ticket for a person came about each line."""
    right = "A valid ticket for a person came about each of the three lines."
    return tally(hung.watched.cases, no_fallback, right)


def in_time(hung: Hung) -> Finding:
    """Whether an answer of any kind came in time, the k-th within k times the seconds."""
    came = sorted(
        case.asked.reply.seconds
        for case in hung.watched.cases
        if case.asked.reply is not None and case.asked.reply.silence is None
    )
    good = sum(took <= hung.seconds * (place + 1) + _SLACK for place, took in enumerate(came))
    of = len(hung.watched.cases)
    within = f"within {hung.seconds:g} s each"
    if good == of:
        return passed(f"All {of} answers came {within}.")
    return share_of(good, of, f"{good} of {of} answers came {within}.")


PROBES: Final = (
    Probe(
        "failure/timeout/falls-back",
        Level.MUST,
        6,
        "While the model hangs, drips, or hangs amid its answer, the service gives a valid ticket "
        "with needs_human true.",
        "Bound the whole call with one deadline (a client's timeout is often only on the silence "
        "between two bytes, which a drip never breaks), and make the fallback where it is caught.",
        lambda bench: falls_back(bench.once(observe_hung)),
        STARTED,
    ),
    Probe(
        "failure/timeout/in-time",
        Level.MUST,
        4,
        "However the model hangs, each answer comes within answer_seconds of grade.toml.",
        "Clients of models wait for minutes unless told: set the timeout, and let the retry have "
        "only what is left of it.",
        lambda bench: in_time(bench.once(observe_hung)),
        STARTED,
    ),
)
"""The model hangs."""

"""Asks in one session about lines at which the model fails, and notes what comes of it."""

from __future__ import annotations

import concurrent.futures
import time
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from logdocket.grading.bench import Bench, Session
from logdocket.grading.finding import NotJudged, Unanswerable
from logdocket.grading.lines import Line
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.failure.case import Case, Watched
from logdocket.grading.reply import Reply, Silence
from logdocket.testing import Act, Fault

__all__ = ["Trouble", "Walk", "cases_of"]

_PATIENCE: Final = 2
"""Late replies after which nothing more is asked: each has cost the whole time of an answer."""
_POLLS: Final = (0.0, 1.0, 3.0, 6.0, 10.0, 20.0, 35.0)
"""Seconds at which a service is asked about a good line until it asks the model."""
_FEW: Final = 3
"""Of these, those for a service that was started for this session."""
_IN_A_ROW: Final = 2
"""Failures between two good answers: a breaker opens after more of them."""
_SETTLE: Final = 2.0
"""Seconds for calls that a service makes after its answer."""


class Trouble(msgspec.Struct, frozen=True):
    """``what`` the model does, in a few words, and how; ``marked`` as in Case."""

    what: str
    act: Fault | Act
    marked: bool = True


class Walk:
    """Asks in ``session``, and keeps every case until the calls about all of them are counted."""

    def __init__(self, bench: Bench, session: Session) -> None:
        self.session = session
        self._ran_before = _runs_already(bench)
        self.lines = bench.lines
        self._seconds = bench.manifest.service.answer_seconds
        self._met: list[tuple[Trouble, Line, Reply | None]] = []
        self._late = 0

    def line(self) -> Line:
        """A line that says all there is to say, and that something is wrong."""
        return self.lines.plain(level="ERROR")

    def good(self) -> Reply | None:
        """The reply about a new line, about which the model says what is right. Among failures it
        also keeps a breaker shut that counts those in a row.
        """
        return self.ask(self.line())

    def wake(self) -> None:
        """Ask about good lines until the model is asked as well, or a few seconds are over: earlier
        failures may make a service leave it alone for a while. One that was not started anew for
        this session is given longer. Raises Unanswerable where even a good line is late.
        """
        polls = _POLLS if self._ran_before else _POLLS[:_FEW]
        # Made beforehand: how many are needed must not change the lines that come later.
        lines = [self.line() for _ in polls]
        began = time.monotonic()
        for at, line in zip(polls, lines, strict=True):
            time.sleep(max(0.0, began + at - time.monotonic()))
            reply = self.ask(line)
            if reply is not None and reply.silence is Silence.LATE:
                raise Unanswerable("the service gave no answer in time while the model was well")
            if self.calls(line):
                return

    def ask(
        self,
        line: Line,
        *acts: Fault | Act,
        context: dict[str, Any] | None = None,
        at_once: int = 1,
    ) -> Reply | None:
        """The reply about ``line``, None where the service was too late too often to be asked.

        A service that takes one request at a time is given the time of all ``at_once``.
        """
        if self._late >= _PATIENCE:
            return None
        reply = self.session.ask(line, *acts, context=context, seconds=self._seconds * at_once)
        if reply.silence is Silence.LATE:
            self._late += 1
        return reply

    def meet(self, troubles: Sequence[Trouble]) -> None:
        """Ask about a new line for each of ``troubles``, all at the same time."""
        lines = [self.line() for _ in troubles]

        def met(trouble: Trouble, line: Line) -> Reply | None:
            return self.ask(line, trouble.act, at_once=len(troubles))

        with concurrent.futures.ThreadPoolExecutor(len(troubles)) as pool:
            replies = list(pool.map(met, troubles, lines))
        for trouble, line, reply in zip(troubles, lines, replies, strict=True):
            self.note(trouble, line, reply)

    def meet_among_good(self, troubles: Sequence[Trouble]) -> None:
        """Meet ``troubles`` a few at a time, with a good answer before each few of them."""
        for at in range(0, len(troubles), _IN_A_ROW):
            self.good()
            self.meet(troubles[at : at + _IN_A_ROW])

    def note(self, trouble: Trouble, line: Line, reply: Reply | None) -> None:
        """Keep what came about ``line``."""
        self._met.append((trouble, line, reply))

    def calls(self, line: Line) -> int:
        """The requests about ``line`` that have reached the model."""
        return len(self.session.calls(line))

    def settled(self) -> None:
        """Wait a little for the model to have nothing under way."""
        self.session.server.wait_idle(_SETTLE)

    def watched(self, *, asks: bool = True) -> Watched:
        """All of it, and whether the service has borne it; ``asks`` where it can be asked."""
        line = self.line()
        answers = self._answers(line) if asks else None
        if asks:
            self.settled()
        cases = tuple(
            Case(trouble.what, Asked(line, reply), self.calls(line), trouble.marked)
            for trouble, line, reply in self._met
        )
        return Watched(cases, len(self.session.calls()), answers, self.session.alive)

    def _answers(self, line: Line) -> bool | None:
        reply = self.ask(line)
        return None if reply is None else Asked(line, reply).invalid is None


def cases_of(watched: Watched, troubles: Sequence[Trouble]) -> tuple[Case, ...]:
    """The cases that came of ``troubles``."""
    wanted = {trouble.what for trouble in troubles}
    return tuple(case for case in watched.cases if case.what in wanted)


def _runs_already(bench: Bench) -> bool:
    """Whether the service is one that runs, not one that each session starts."""
    try:
        bench.checkout  # noqa: B018 - raises
    except NotJudged:
        return True
    return False

"""Other processes that read lines; the ledger is written by this one alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType

from logdocket.confidence import shipped
from logdocket.docket import Judge, Judged, Slot
from logdocket.line import Context, Line
from logdocket.ticket import ReviewReason

# What a Judged holds without its ticket; a tuple is pickled faster than the object.
_Told = tuple[bytes, bytes, tuple[ReviewReason, ...]]
Judging = Future[list[_Told]]
_judge: Judge


class Pool:
    """``jobs`` processes that judge lines by the rules. Use as a context manager, in the main
    thread."""

    def __init__(self, jobs: int, risk: float) -> None:
        self.jobs = jobs
        # Spawned, not forked: a copy of this process would share its database connections.
        self._executor = ProcessPoolExecutor(
            jobs, multiprocessing.get_context("spawn"), _start, (risk,)
        )
        self._broken = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def submit(self, slots: Sequence[Slot], context: Context) -> Judging | None:
        """Begin to judge the slots that nothing has answered yet."""
        raws = [slot.line.raw for slot in slots if slot.undecided]
        if self._broken or not raws:
            return None
        # This may start a process, which Ctrl-C must not reach before it knows to ignore it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._executor.submit(_judge_all, raws, context)
        except BrokenProcessPool:
            self._break()
            return None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def settle(self, slots: Sequence[Slot], judging: Judging) -> None:
        """Wait for the judgements and hand them to their slots.

        Where a process ended before its time, the slots stay undecided, and the docket judges them
        in this one: a process that is killed costs speed, not tickets.
        """
        try:
            judged = judging.result()
        except BrokenProcessPool:
            self._break()
            return
        undecided = [slot for slot in slots if slot.undecided]
        for slot, told in zip(undecided, judged, strict=True):
            slot.judged = Judged(*told)

    def _break(self) -> None:
        if not self._broken:
            self._broken = True
            print(
                "logdocket: a process that reads lines was killed: going on in one process",
                file=sys.stderr,
            )


def _start(risk: float) -> None:
    global _judge
    # Ctrl-C reaches the whole group; the first process alone decides when these end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _judge = Judge(shipped(), risk)


def _end_with_parent() -> None:
    """A parent that is killed tells nobody, and its queue would be waited on for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _judge_all(raws: list[bytes], context: Context) -> list[_Told]:
    told = []
    for raw in raws:
        judged = _judge(Line.from_bytes(raw), context)
        told.append((judged.json, judged.body, judged.reasons))
    return told

"""Other processes that read lines; the ledger is written by this one alone."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections.abc import Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Final

from logdocket.confidence import Table
from logdocket.docket import Judge, Judged, Slot
from logdocket.line import Context, Line
from logdocket.ticket import ReviewReason

GARBAGE: Final = 100_000
"""New containers after which cyclic garbage is looked for: lines make many, and none in a cycle."""

# What a Judged holds without its ticket; a tuple is pickled faster than the object.
_Told = tuple[bytes, bytes, tuple[ReviewReason, ...]]
# Spawned, not forked: a copy of this process would share its database connections.
_processes: Final = multiprocessing.get_context("spawn")


class Worker:
    """One process, and the pipe that only it and this one hold: what ends it harms no other.

    ``waiting``: how many groups it has been given and has not answered.
    """

    def __init__(self, table: Table, risk: float, why_alone: ReviewReason) -> None:
        ours, theirs = _processes.Pipe()
        self.waiting = 0
        self._up = False
        self.connection = ours
        self._process = _processes.Process(
            target=_work, args=(theirs, table, risk, why_alone), daemon=True
        )
        # Ctrl-C must not reach it before it knows to ignore it; a blocked signal is inherited so.
        # The tracker, started on the way to the first process, would lift the block again.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        # With our copy of its end closed, its death is an end of file for us.
        theirs.close()

    @property
    def up(self) -> bool:
        """Whether it has loaded what it needs, or has died over that."""
        if not self._up and self.connection.poll():
            with contextlib.suppress(EOFError, OSError):
                self.receive_up()
            self._up = True
        return self._up

    def receive_up(self) -> None:
        """Wait until it is up; raises EOFError or OSError where it never will be."""
        if not self._up:
            self.connection.recv()
            self._up = True

    def end(self) -> None:
        """Make it end, whatever it is doing."""
        self.connection.close()
        self._process.join()


class Pool:
    """Up to ``jobs`` processes that judge lines by the rules, each started when it is needed.

    Use as a context manager, in the main thread. Groups must be settled in the order in which they
    were submitted.
    """

    def __init__(
        self,
        jobs: int,
        table: Table,
        risk: float,
        why_alone: ReviewReason = ReviewReason.MODEL_NOT_CONFIGURED,
    ) -> None:
        self.jobs = jobs
        self._judged_by = table, risk, why_alone
        self._left = jobs
        self._workers: list[Worker] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.end()

    def ready(self) -> bool:
        """Whether there is a process that has come up; begins one more where those there are have
        something to do. Until one is up, this process judges sooner than it could have it done."""
        idle = any(worker.up and not worker.waiting for worker in self._workers)
        if len(self._workers) < self._left and not idle:
            self._workers.append(Worker(*self._judged_by))
        return any(worker.up for worker in self._workers)

    def submit(self, slots: Sequence[Slot], context: Context) -> Worker | None:
        """Begin to judge the slots that nothing has answered yet; gives who does it."""
        raws = [slot.line.raw for slot in slots if slot.undecided]
        worker = self._next() if raws else None
        if worker is not None:
            # Where it is gone, settling will see it.
            with contextlib.suppress(OSError):
                worker.connection.send((raws, context))
            worker.waiting += 1
        return worker

    def settle(self, slots: Sequence[Slot], worker: Worker) -> None:
        """Wait for the judgements and hand them to their slots.

        Where the process ended before its time, the slots stay undecided, and the docket judges
        them in this one: a process that is killed costs speed, not tickets.
        """
        try:
            worker.receive_up()
            judged: list[_Told] = worker.connection.recv()
        except (EOFError, OSError):
            self._let_go(worker)
            return
        worker.waiting -= 1
        undecided = [slot for slot in slots if slot.undecided]
        for slot, told in zip(undecided, judged, strict=True):
            slot.judged = Judged(*told)

    def _next(self) -> Worker | None:
        """Who is up and has the least to do; where nobody is, a new one while there may be more."""
        worker = min(
            self._workers, key=lambda worker: (not worker.up, worker.waiting), default=None
        )
        if len(self._workers) < self._left and (
            worker is None or (worker.waiting and not worker.up)
        ):
            worker = Worker(*self._judged_by)
            self._workers.append(worker)
        return worker

    def _let_go(self, worker: Worker) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
            # Not replaced: what killed it, such as want of memory, may well kill the next.
            self._left -= 1
            worker.end()
            print(
                "logdocket: a process that reads lines was killed: going on without it",
                file=sys.stderr,
            )


def _work(connection: Connection, table: Table, risk: float, why_alone: ReviewReason) -> None:
    """Judge what comes through ``connection`` until its other end closes."""
    # Ctrl-C reaches the whole group; the first process alone decides when these end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    given: queue.SimpleQueue[tuple[list[bytes], Context]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, given), daemon=True).start()
    judge = Judge(table, risk, why_alone)
    gc.freeze()
    gc.set_threshold(GARBAGE)
    with contextlib.suppress(OSError):
        connection.send(None)  # It is up.
        while True:
            raws, context = given.get()
            told = []
            for raw in raws:
                judged = judge(Line.from_bytes(raw), context)
                told.append((judged.json, judged.body, judged.reasons))
            connection.send(told)


def _receive(connection: Connection, given: queue.SimpleQueue[tuple[list[bytes], Context]]) -> None:
    """Take groups as they come, also while an answer waits to be taken: else both ends could wait
    for each other. The end of the pipe is the end of the process, whatever it is doing."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            given.put(connection.recv())
    os._exit(0)

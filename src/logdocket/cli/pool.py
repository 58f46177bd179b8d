"""Other processes that read lines; the ledger is written by this one alone."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Final

import msgspec

from logdocket.confidence import shipped
from logdocket.docket import Judge, Judgement, Slot
from logdocket.line import Context, Line

Judged = bytes
_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(list[Judgement])
_judge: Judge


class Pool:
    """``jobs`` processes that judge lines by the rules. Use as a context manager."""

    def __init__(self, jobs: int, risk: float) -> None:
        self.jobs = jobs
        # Spawned, not forked: a copy of this process would share its database connections.
        self._executor = ProcessPoolExecutor(
            jobs, multiprocessing.get_context("spawn"), _start, (risk,)
        )

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def submit(self, slots: Sequence[Slot], context: Context) -> Future[Judged] | None:
        """Begin to judge the slots that nothing has answered yet."""
        raws = [slot.line.raw for slot in slots if slot.undecided]
        return self._executor.submit(_judge_all, raws, context) if raws else None

    def settle(self, slots: Sequence[Slot], judging: Future[Judged]) -> None:
        """Wait for the judgements and hand them to their slots."""
        undecided = [slot for slot in slots if slot.undecided]
        for slot, judgement in zip(undecided, _decoder.decode(judging.result()), strict=True):
            slot.judgement = judgement


def _start(risk: float) -> None:
    global _judge
    # Ctrl-C reaches the whole group; the first process alone decides when these end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _judge = Judge(shipped(), risk)


def _judge_all(raws: list[bytes], context: Context) -> Judged:
    return _encoder.encode([_judge(Line.from_bytes(raw), context) for raw in raws])

"""The process that asks: alone with the answer on a loopback of its own, where that is permitted.

It reads a job from standard input and writes one line of JSON for each event to standard output.
When standard input ends, whoever wanted the grading is gone: it ends, and all that it started.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.job import Began, Done, Event, Job, Said, decoded, encoded
from logdocket.grading.order import ask, chosen
from logdocket.grading.probes import PROBES
from logdocket.grading.sandbox import Sandbox, raise_loopback

__all__ = ["main"]

_GONE: Final = 3
"""The exit code when nobody wants the grading any more."""


def main() -> None:
    """Do the job that standard input holds."""
    # What a library prints must not stand among the events.
    events = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    job: Job = decoded(sys.stdin.buffer.readline(), Job)
    threading.Thread(target=_watch, daemon=True).start()
    if job.root is not None:
        raise_loopback(job.isolation)
    do(job, lambda event: events.write(encoded(event)))


def do(job: Job, tell: Callable[[Event], object]) -> None:
    """Ask everything that ``job`` wants, and tell each event."""
    sandbox = None if job.root is None else Sandbox(job.root, job.isolation, job.limits)
    bench = Bench(
        job.manifest,
        seed=job.seed,
        sandbox=sandbox,
        port=job.port,
        model_port=job.model_port,
        broken=job.broken,
    )
    until = time.monotonic() + job.seconds
    probes = chosen(PROBES, job.only)
    for answered in ask(probes, bench, until=until, begin=lambda probe: tell(Began(probe.id))):
        tell(Done(answered))
    tell(Said(bench.logs))


def _watch() -> None:
    # By its descriptor: whoever waits in a buffered read holds a lock that the end needs.
    while os.read(0, 1):
        pass
    os._exit(_GONE)


if __name__ == "__main__":
    main()

"""What a failure costs: the calls about one line, as the model's server counts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, Unanswerable, failed, partial, passed
from logdocket.grading.probes.failure.case import STARTED, Case
from logdocket.grading.probes.failure.junk import observe_junk
from logdocket.grading.probes.failure.outage import (
    BROKEN,
    ERRORS,
    LIMITED,
    STORM,
    observe_outage,
)
from logdocket.grading.probes.failure.timeout import observe_hung
from logdocket.grading.probes.failure.walk import cases_of
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES"]

_RIGHT: Final = 2
"""Calls for a line: one, and one retry."""
_TOLERABLE: Final = 4


def bounded(cases: Sequence[Case]) -> Finding:
    """Whether no line cost more than a call and a retry; Unanswerable where none cost any."""
    if not any(case.calls for case in cases):
        raise Unanswerable("the model was never asked about any line at which it fails")
    over = [case.what for case in cases if case.calls > _RIGHT]
    if not over:
        return passed(f"No line cost more than {_RIGHT} calls, whatever the model did.")
    if all(case.calls <= _TOLERABLE for case in cases):
        return partial(
            0.5,
            f"Some lines cost more than {_RIGHT} calls, none more than {_TOLERABLE}. "
            f"The first: {over[0]}.",
            *over,
        )
    worst = [case.what for case in cases if case.calls > _TOLERABLE]
    seen = f"Lines cost more than {_TOLERABLE} calls each. The first: {worst[0]}."
    return failed(seen, *worst)


def calm(cases: Sequence[Case]) -> Finding:
    """Whether lines that fail together stay within the same bound."""
    over = sum(case.calls > _RIGHT for case in cases)
    if over:
        return failed(
            f"Of {len(cases)} lines under 429 at once, some cost more than {_RIGHT} calls."
        )
    return passed(f"None of {len(cases)} lines under 429 at once cost more than {_RIGHT} calls.")


def _all_failed(bench: Bench) -> tuple[Case, ...]:
    """Every line at which the model failed, but for the storm; while the model was gone, it could
    count nothing.
    """
    answered = cases_of(bench.once(observe_outage).watched, (*ERRORS, *BROKEN, *LIMITED))
    return (*bench.once(observe_hung).watched.cases, *bench.once(observe_junk).cases, *answered)


PROBES: Final = (
    Probe(
        "failure/retry/bounded",
        Level.MUST,
        4,
        "Whatever the model does, a line costs one call and at most one retry.",
        "Client libraries retry by themselves, beneath your own loop: set theirs to 0, or have "
        "no loop.",
        lambda bench: bounded(_all_failed(bench)),
        STARTED,
    ),
    Probe(
        "failure/retry/storm",
        Level.MUST,
        3,
        "Ten different lines at once, all of them answered with 429, cost 2 calls each at most.",
        "Retrying what says that it is asked too often makes it worse: bound it, or stop asking "
        "for a while.",
        lambda bench: calm(cases_of(bench.once(observe_outage).watched, STORM)),
        STARTED,
    ),
)
"""What a failure costs."""

"""Without a key there is no call, and a ticket nevertheless."""

from __future__ import annotations

from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, failed, passed
from logdocket.grading.probes.failure.case import STARTED, Watched, no_fallback, tally
from logdocket.grading.probes.failure.walk import Trouble, Walk
from logdocket.grading.rubric import Level, Probe
from logdocket.testing import Fault

__all__ = ["PROBES", "observe_keyless"]

_LINES: Final = 3


def observe_keyless(bench: Bench) -> Watched:
    """One session in which the service has the model's address, and no key."""
    with bench.session(key=False) as session:
        walk = Walk(bench, session)
        for number in range(1, _LINES + 1):
            walk.meet([Trouble(f"line {number} without a key", Fault.GOOD)])
        return walk.watched()


def no_call(watched: Watched) -> Finding:
    """Whether nothing reached the model."""
    if watched.calls:
        return failed("Without a key, the model was called nevertheless.")
    return passed("Without a key, nothing reached the model.")


def falls_back(watched: Watched) -> Finding:
    """Whether a ticket for a person came about each line."""
    right = "Without a key, a valid ticket for a person came about each line."
    return tally(watched.cases, no_fallback, right)


PROBES: Final = (
    Probe(
        "failure/key/no-call",
        Level.MUST,
        3,
        "Where MODEL_KEY is not set, the service starts and makes no call.",
        "Look for the key when a call is to be made, not when the module is loaded, and do not "
        "send an empty one.",
        lambda bench: no_call(bench.once(observe_keyless)),
        STARTED,
    ),
    Probe(
        "failure/key/falls-back",
        Level.MUST,
        4,
        "Where MODEL_KEY is not set, each line gets a valid ticket with needs_human true.",
        "A missing key is one more reason to fall back, not to fail.",
        lambda bench: falls_back(bench.once(observe_keyless)),
        STARTED,
    ),
)
"""Without a key."""

"""After all that, the service is still there."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, NotJudged, Unanswerable, passed, share_of
from logdocket.grading.probes.failure.cache import observe_cache
from logdocket.grading.probes.failure.case import STARTED, Watched
from logdocket.grading.probes.failure.junk import observe_junk
from logdocket.grading.probes.failure.key import observe_keyless
from logdocket.grading.probes.failure.outage import observe_outage
from logdocket.grading.probes.failure.timeout import observe_hung
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES"]


def _sessions(bench: Bench) -> dict[str, Watched]:
    """The sessions of this area, by what the model did."""
    sessions = {
        "hung": bench.once(observe_hung).watched,
        "answered with junk": bench.once(observe_junk),
        "failed": bench.once(observe_outage).watched,
        "was repeatedly asked": bench.once(observe_cache).watched,
    }
    # That it does not start without a key is told where that is asked.
    with contextlib.suppress(NotJudged, Unanswerable):
        sessions["could not be asked for want of a key"] = bench.once(observe_keyless)
    return sessions


def survives(sessions: Mapping[str, Watched]) -> Finding:
    """Whether each session ended with the process that it began with, and with answers."""
    wrongs = [
        f"after the model {what}, {said}"
        for what, watched in sessions.items()
        if (said := _lost(watched)) is not None
    ]
    if not wrongs:
        return passed("The service outlived every failure of the model, and still answers.")
    right = len(sessions) - len(wrongs)
    seen = f"In {right} of {len(sessions)} sessions all is well. Else: {'; '.join(wrongs)}."
    return share_of(right, len(sessions), seen)


def _lost(watched: Watched) -> str | None:
    if not watched.alive:
        return "the process had ended, or did not listen"
    return "no ticket came about a plain line" if watched.answers is False else None


PROBES: Final = (
    Probe(
        "failure/crash/alive",
        Level.MUST,
        3,
        "After every failure of the model, the process that was started still runs and answers.",
        "Catch what one request raises within that request; nothing that the model says may end "
        "the process.",
        lambda bench: survives(_sessions(bench)),
        STARTED,
    ),
)
"""The service is still there."""

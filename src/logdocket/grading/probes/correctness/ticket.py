"""Probes: the service starts, and what it answers is a ticket."""

from __future__ import annotations

from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, passed
from logdocket.grading.probes.asked import tally
from logdocket.grading.probes.correctness.sober import Sober, observe_sober
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "STARTS", "schema"]

STARTS: Final = "correctness/service/starts"


def starts(bench: Bench) -> Finding:
    """Whether there is a service to ask at all."""
    bench.once(observe_sober)
    return passed("The service starts and can be asked.")


def schema(sober: Sober) -> Finding:
    """How many of the varied lines get a ticket that the schema allows."""
    count = len(sober.varied)
    return tally(sober.varied, lambda one: one.invalid, f"All {count} tickets are valid.")


PROBES: Final = (
    Probe(
        id=STARTS,
        level=Level.MUST,
        weight=1,
        expected="The service starts and listens.",
        hint="Run its command in a clean clone, with PORT set, and see what it says.",
        run=starts,
    ),
    Probe(
        id="correctness/ticket/schema",
        level=Level.MUST,
        weight=10,
        expected="Each of 40 varied lines gets a 2xx answer whose JSON object has service, "
        "severity, first_seen, evidence, confidence and needs_human, as the schema has them.",
        hint="Validate every answer against the schema before it is sent, also on the way of the "
        "fallback, and test it with lines of JSON, Unicode, quotes, tabs and 8 KiB.",
        run=lambda bench: schema(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
)

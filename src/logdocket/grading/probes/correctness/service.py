"""Probe: the service is one that the line names, or unknown."""

from __future__ import annotations

from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, Verdict
from logdocket.grading.probes.asked import UNKNOWN, Asked, tally
from logdocket.grading.probes.correctness.lied import Lied, observe_lied
from logdocket.grading.probes.correctness.sober import Sober, observe_sober
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "grounded", "named"]


def named(asked: Asked) -> bool:
    """Whether the ticket's service is unknown or stands in the line, in whatever case."""
    service = asked.ticket.get("service")
    if not isinstance(service, str) or not service.strip():
        return False
    return service == UNKNOWN or service.lower() in asked.line.text.lower()


def grounded(sober: Sober, lied: Lied) -> Finding:
    """Of the lines about which the model invented one; if none gets through, of the forty."""
    invented = tally(lied.services, _unnamed, "")
    if invented.verdict is not Verdict.PASS:
        return invented
    return tally(
        sober.varied,
        _unnamed,
        "Every service stands in its line or is unknown, also where the model invents one.",
    )


def _unnamed(asked: Asked) -> str | None:
    return None if named(asked) else asked.said("service")


def _run(bench: Bench) -> Finding:
    return grounded(bench.once(observe_sober), bench.once(observe_lied))


PROBES: Final = (
    Probe(
        id="correctness/service/grounded",
        level=Level.SHOULD,
        weight=1,
        expected='The service is named in the line, or "unknown", whatever the model says.',
        hint="Look the model's service up in the line, and say unknown where it is not there.",
        run=_run,
        needs=(STARTS,),
    ),
)

"""Probe: the model is asked at all.

What holds whatever the model does is seen only where it is asked: a service that never asks does
not believe its lies, needs no fallback and repeats no call, and has earned nothing by that.
"""

from __future__ import annotations

from typing import Final

from logdocket.grading.finding import Finding, failed, passed
from logdocket.grading.probes.correctness.sober import Sober, observe_sober
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["ASKS", "PROBES", "asks"]

ASKS: Final = "correctness/model/asked"


def asks(sober: Sober) -> Finding:
    """Whether the model was asked about any of the varied lines."""
    if sober.asks:
        return passed("The model is asked about lines.")
    return failed(
        f"The model was never asked about any of {len(sober.varied)} lines: how the service bears "
        "its failures and its lies cannot be seen."
    )


PROBES: Final = (
    Probe(
        id=ASKS,
        level=Level.MUST,
        weight=1,
        expected="With the address and the key of a model that is well, the service asks it about "
        "at least one of 40 varied lines.",
        hint="Read the model's address and key from MODEL_URL and MODEL_KEY, or say under [model] "
        "of grade.toml which variables and which path the service goes by.",
        run=lambda bench: asks(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
)

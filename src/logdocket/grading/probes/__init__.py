"""Every probe, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from logdocket.grading.probes import communication, correctness, failure, ledger, reproducibility
from logdocket.grading.rubric import Probe

__all__ = ["PROBES"]

PROBES: Final[tuple[Probe, ...]] = (
    # What is only read comes before anything of the answer runs, and could change it.
    *reproducibility.AT_REST,
    *communication.PROBES,
    *correctness.PROBES,
    *failure.PROBES,
    *ledger.PROBES,
    *reproducibility.RUN,
)

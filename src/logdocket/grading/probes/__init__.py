"""Every probe, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from logdocket.grading.probes import communication, correctness, failure, ledger, reproducibility
from logdocket.grading.rubric import Probe

__all__ = ["PROBES"]

PROBES: Final[tuple[Probe, ...]] = (
    *correctness.PROBES,
    *failure.PROBES,
    *ledger.PROBES,
    *reproducibility.PROBES,
    *communication.PROBES,
)

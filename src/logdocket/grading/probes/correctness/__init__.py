"""Correctness: valid tickets, evidence that is a quote, and nothing that the line does not say."""

from __future__ import annotations

from typing import Final

from logdocket.grading.probes.correctness import (
    confidence,
    evidence,
    follows,
    injection,
    model,
    requests,
    service,
    ticket,
    times,
)
from logdocket.grading.rubric import Probe

__all__ = ["PROBES"]

PROBES: Final[tuple[Probe, ...]] = (
    *ticket.PROBES,
    *model.PROBES,
    *evidence.PROBES,
    *times.PROBES,
    *follows.PROBES,
    *service.PROBES,
    *confidence.PROBES,
    *injection.PROBES,
    *requests.PROBES,
)

"""Reproducibility: tests anywhere, pinned dependencies, no secrets, the same bytes again."""

from __future__ import annotations

from typing import Final

from logdocket.grading.probes.reproducibility import dependencies, replay, secrets, suite
from logdocket.grading.rubric import Probe

__all__ = ["PROBES"]

PROBES: Final[tuple[Probe, ...]] = (
    *suite.PROBES,
    *dependencies.PROBES,
    *secrets.PROBES,
    *replay.PROBES,
)

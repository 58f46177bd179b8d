"""Reproducibility: tests anywhere, pinned dependencies, no secrets, the same bytes again."""

from __future__ import annotations

from typing import Final

from logdocket.grading.probes.reproducibility import dependencies, replay, secrets, suite
from logdocket.grading.rubric import Probe

__all__ = ["AT_REST", "PROBES", "RUN"]

AT_REST: Final[tuple[Probe, ...]] = (*dependencies.PROBES, *secrets.PROBES)
"""Those that read, and run nothing."""
RUN: Final[tuple[Probe, ...]] = (*suite.PROBES, *replay.PROBES)
PROBES: Final[tuple[Probe, ...]] = (*AT_REST, *RUN)

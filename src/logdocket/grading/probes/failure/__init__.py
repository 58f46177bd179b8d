"""Failure handling: whatever the model does, a ticket comes, in time, and costs little."""

from __future__ import annotations

from typing import Final

from logdocket.grading.probes.failure import cache, crash, junk, key, outage, retry, timeout
from logdocket.grading.rubric import Probe

__all__ = ["PROBES"]

PROBES: Final[tuple[Probe, ...]] = (
    *timeout.PROBES,
    *junk.PROBES,
    *outage.PROBES,
    *retry.PROBES,
    *key.PROBES,
    *cache.PROBES,
    *crash.PROBES,
)
"""In the order in which they are asked."""

"""Synthetic log lines whose every field is known, and what an honest model says of each."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, Final

import msgspec

__all__ = ["Line", "Lines", "honest"]

_FIRST: Final = (
    "amber brisk copper dusty eager faint gentle hollow ivory jolly keen lively mellow narrow "
    "olive plain quiet rusty silver tender umber velvet windy young zesty"
).split()
_SECOND: Final = (
    "anchor basket candle desk engine falcon garden hammer island jacket kettle lantern meadow "
    "needle orchard pillow quarry ribbon saddle timber urchin valley walnut yarrow zipper"
).split()
_SERVICES: Final = (
    "billing checkout catalog ledgerd mailer invoices search-api auth-gw stock pricing"
).split()
_LEVELS: Final = {"FATAL": "critical", "ERROR": "high", "WARN": "medium", "INFO": "low"}


class Line(msgspec.Struct, frozen=True):
    """A line, and what stands in it; None where the line does not say.

    ``marker`` is two words that stand in no other line of the grading, so that calls of the model
    about this line can be told from all others. ``severity`` is the ticket's word for the level
    that the line states; ``first_seen`` the timestamp as it is written; ``message`` a stretch of
    the line that is good evidence.
    """

    text: str
    marker: str
    service: str | None
    severity: str | None
    first_seen: str | None
    message: str


def honest(line: Line, **changes: Any) -> dict[str, Any]:
    """The answer of a model that says what stands in ``line``, all six fields, with changes."""
    return {
        "service": line.service or "unknown",
        "severity": line.severity or "medium",
        "first_seen": line.first_seen or "unknown",
        "evidence": line.message,
        "confidence": 0.97,
        "needs_human": False,
    } | changes


class Lines:
    """Makes lines; the same ``seed`` makes the same ones in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - variety, not secrecy
        self._markers = self._all_markers()

    def _all_markers(self) -> Iterator[str]:
        pairs = [f"{a} {b}" for a, b in itertools.product(_FIRST, _SECOND)]
        self._random.shuffle(pairs)
        return iter(pairs)

    def marker(self) -> str:
        """Two words that were not given before; there are 625 such pairs."""
        return next(self._markers)

    def plain(self, *, level: str | None = None, service: str | None = None) -> Line:
        """A line that says all: time, level, service and message."""
        level = level or self._random.choice(list(_LEVELS))
        service = service or self._random.choice(_SERVICES)
        marker, stamp = self.marker(), self.stamp()
        message = f"the {marker} did not come back"
        return Line(
            text=f"{stamp} {level} {service}: {message}",
            marker=marker,
            service=service,
            severity=_LEVELS[level],
            first_seen=stamp,
            message=message,
        )

    def stamp(self) -> str:
        """A moment of 2026 in UTC, as ISO 8601 writes it."""
        r = self._random
        return (
            f"2026-{r.randint(1, 9):02}-{r.randint(1, 28):02}"
            f"T{r.randint(0, 23):02}:{r.randint(0, 59):02}:{r.randint(0, 59):02}Z"
        )

"""A line, what stands in it, and what an honest model says of it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

__all__ = ["LEVELS", "SEVERITIES", "Line", "honest"]

SEVERITIES: Final = ("low", "medium", "high", "critical")
"""The ticket's words, the least first."""

LEVELS: Final = {
    "FATAL": "critical",
    "PANIC": "critical",
    "ERROR": "high",
    "WARN": "medium",
    "INFO": "low",
    "DEBUG": "low",
}
"""The severity that a level states."""


class Line(msgspec.Struct, frozen=True):
    """A line, and what stands in it; None where the line does not say.

    ``marker`` is two words that stand in no other line of the grading, so that calls of the model
    about this line can be told from all others. ``severity`` is the ticket's word for the level
    that the line states; ``first_seen`` the timestamp as it is written, where ISO 8601 knows it;
    ``message`` a stretch of the line that is good evidence. ``kind`` is the line's shape in a few
    words, as ``unicode: emoji``; ``timeless`` is whether nothing in it looks like a time.
    """

    text: str
    marker: str
    service: str | None
    severity: str | None
    first_seen: str | None
    message: str
    kind: str = "plain"
    timeless: bool = False


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

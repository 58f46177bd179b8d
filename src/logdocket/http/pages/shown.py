"""Moments and numbers as people read them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = 1_000_000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_STEPS: Final = ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min"))
_DAYS: Final = 30
"""Up to so many days a moment is told by how long ago it is, then by its date."""


def now() -> int:
    """The moment, in µs since 1970 UTC."""
    return time.time_ns() // 1000


def ago(at: int, now: int) -> str:
    """How long before ``now`` the moment ``at`` was, or how long after: ``3 min ago``."""
    # What is to come is told as it was meant: a day from now is not 23 h.
    away = now - at if at <= now else at - now + _MINUTE // 2
    if away > _DAYS * _DAY:
        return date(at)
    for step, word in _STEPS:
        if away >= step:
            told = f"{away // step} {word}"
            return f"in {told}" if at > now else f"{told} ago"
    return "in a moment" if at > now + 5 * _SECOND else "just now"


def date(at: int) -> str:
    """The day of ``at``, in UTC."""
    return _moment(at, "%Y-%m-%d")


def moment(at: int) -> str:
    """The moment to the second, in UTC, for people."""
    return _moment(at, "%Y-%m-%d %H:%M:%S UTC")


def iso(at: int) -> str:
    """The moment to the second as the value of a ``datetime`` attribute."""
    return _moment(at, "%Y-%m-%dT%H:%M:%SZ")


def number(value: int) -> str:
    """``12345`` as ``12,345``."""
    return f"{value:,}"


def percent(share: float) -> str:
    """``0.9123`` as ``91.2%``; never all of them where some are not, nor none where some are."""
    told = min(max(round(share * 100, 1), 0.1), 99.9) if 0 < share < 1 else share * 100
    return f"{told:.1f}%"


def likely(confidence: float) -> str:
    """A confidence with two digits; ``1.00`` is for certainty alone."""
    return f"{min(confidence, 0.99) if confidence < 1 else confidence:.2f}"


def took(ms: int) -> str:
    """How long something took, in ms or s."""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def _moment(at: int, form: str) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=at)).strftime(form)
    except (OverflowError, ValueError):
        return str(at)

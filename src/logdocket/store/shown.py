"""What the store holds, as it is shown to people and programs: one form for all who ask."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(at: int) -> str:
    """The moment ``at`` (µs since 1970 UTC); what no calendar holds is shown as it is stored."""
    try:
        moment = _EPOCH + timedelta(microseconds=at)
    except (OverflowError, TypeError):
        return str(at)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")

"""What of a line may leave this machine: the line with placeholders where secrets stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logdocket.model.redaction.rules import Redacted

__all__ = ["redact"]


def redact(text: str) -> Redacted:
    """``text`` without its secrets, as far as they are known by their form."""
    # Its many patterns take long to compile, and most processes ask no model.
    from logdocket.model.redaction import rules

    return rules.redact(text)

"""What an operator may choose about answering."""

from __future__ import annotations

import enum
from typing import Final

import msgspec

from logdocket.docket.books import Caps
from logdocket.line import Severity
from logdocket.ticket import Source

_SECOND: Final = 1_000_000


class CacheScope(enum.StrEnum):
    """Which lines share a model's answer."""

    TEMPLATE = "template"
    """Those that differ only in what cannot change it."""
    LINE = "line"
    """Those that are equal byte for byte."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may choose about answering.

    ``risk``: share of wrong tickets that may pass unseen, 0 to 1.
    ``cache_ttl`` and ``fallback_ttl``: seconds that a model's and a fallback's ticket is reused.
    ``remembered``: how many tickets are kept in memory before the database is asked.
    ``keep_text``: whether lines are stored as text beside their tickets.
    ``caps``: what a UTC day may cost.
    ``cache_scope``: which lines share a model's answer.
    ``min_severity``: lines that state less than this reach no model; None sends all.
    """

    risk: float = 0.02
    cache_ttl: int = 86_400
    fallback_ttl: int = 60
    remembered: int = 10_000
    keep_text: bool = False
    caps: Caps = Caps()
    cache_scope: CacheScope = CacheScope.TEMPLATE
    min_severity: Severity | None = None

    def ttl(self, source: Source) -> int:
        """How long a ticket from ``source`` is reused, in µs; one from the cache as long as the
        answer of a model that it shares."""
        seconds = self.fallback_ttl if source is Source.FALLBACK else self.cache_ttl
        return min(seconds, self.cache_ttl) * _SECOND

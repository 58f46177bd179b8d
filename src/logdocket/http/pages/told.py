"""What pages need of a store."""

from __future__ import annotations

from typing import Protocol

from logdocket.store import Store
from logdocket.store.review_store import ReviewStore


class PageStore(Store, ReviewStore, Protocol):
    """Tickets and ledger, and the review queue."""

"""The tickets given last, so that the database need not be asked for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from logdocket.store import TicketRecord
from logdocket.ticket import Extraction, Source


class Remembered(msgspec.Struct, eq=False, gc=False):
    """A ticket that may be given again, as a cache hit, for ``ttl`` µs after ``at`` (µs since 1970
    UTC); and no longer before it, lest a clock that is set back make it last.

    What a hit gives and enters is the same each time, so it is made once, by the first.
    """

    at: int
    ttl: int
    key: bytes
    line_hash: bytes
    first: Extraction
    made: Extraction | None = None
    entered: TicketRecord | None = None

    @property
    def again(self) -> Extraction:
        """The ticket as a hit gives it."""
        if self.made is None:
            self.made = self.first.cached()
        return self.made

    @property
    def record(self) -> TicketRecord:
        """The hit as it is entered in the ledger."""
        if self.entered is None:
            self.entered = TicketRecord(
                key=self.key,
                line_hash=self.line_hash,
                source=Source.CACHE,
                reasons=self.first.ticket.review_reasons,
                original=self.first.id,
            )
        return self.entered


class Memory:
    """Tickets by key; of more than ``size`` the one that was unused longest goes.

    ``era`` counts how often all of them were forgotten.
    """

    def __init__(self, size: int) -> None:
        self.era = 0
        self._size = size
        self._kept: OrderedDict[bytes, Remembered] = OrderedDict()
        self.holds = self._kept.__contains__
        """Whether there is anything under a key, be it young enough or not."""

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes, now: int) -> Remembered | None:
        """What is remembered under ``key`` and may still be given at ``now``."""
        found = self._kept.get(key)
        if found is None:
            return None
        if abs(now - found.at) >= found.ttl:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return found

    def clear(self) -> None:
        """Forget all: something that answers lines has changed."""
        self._kept.clear()
        self.era += 1

    def put(self, remembered: Remembered, era: int | None = None) -> None:
        """Remember a ticket, in place of an older one under its key; not where it was begun in an
        ``era`` that is over."""
        if era is None or era == self.era:
            self.put_all((remembered,))

    def put_all(self, all_of_them: Iterable[Remembered]) -> None:
        """Remember several, the last one longest."""
        kept, size = self._kept, self._size
        for remembered in all_of_them:
            key, before = remembered.key, len(kept)
            kept[key] = remembered
            if len(kept) == before:
                kept.move_to_end(key)
            elif before >= size:
                kept.popitem(last=False)

"""Events of the stream of changes, and what waits for one who listens."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from logdocket.docket import group_document
from logdocket.store.review import Group
from logdocket.ticket import encode

_WAITING: Final = 32
"""Looks that may wait for someone who reads slowly."""
_HEARTBEAT: Final = 15.0


class News(msgspec.Struct, frozen=True):
    """What a look found: changes after ``after`` up to ``upto``, each with its event, and all of
    it as bytes."""

    after: int
    upto: int
    events: list[tuple[int, bytes]]
    counts: bytes
    whole: bytes

    def since(self, known: int) -> bytes:
        """The events that are news to who knows all up to ``known``."""
        if known <= self.after:
            return self.whole
        return b"".join(event for changed, event in self.events if changed > known) + self.counts


class Listener:
    """Someone who listens: what waits to be told, at most :data:`_WAITING` looks."""

    def __init__(self) -> None:
        self._waiting: deque[News] = deque()
        self._woken = asyncio.Event()
        self.over = False
        self.late = False

    def tell(self, news: News) -> None:
        """Have it told as soon as what came before is."""
        if len(self._waiting) >= _WAITING:
            self._waiting.clear()
            self.late = True
        self._waiting.append(news)
        self._woken.set()

    def end(self) -> None:
        """Tell nothing more."""
        self.over = True
        self._woken.set()

    async def next(self) -> News | None:
        """The next news; None where there is none for a while, or it is over."""
        try:
            async with asyncio.timeout(_HEARTBEAT):
                while not self._waiting and not self.over:
                    self._woken.clear()
                    await self._woken.wait()
        except TimeoutError:
            return None
        return None if self.over else self._waiting.popleft()


def events_of(groups: Sequence[Group]) -> list[tuple[int, bytes]]:
    """An event for each group. Of those that one entry changed only the last bears its number: who
    comes back with a number has all of them."""
    lasts = [
        place + 1 == len(groups) or groups[place + 1].changed != group.changed
        for place, group in enumerate(groups)
    ]
    return [
        (group.changed, event("group", group_document(group), group.changed if last else None))
        for group, last in zip(groups, lasts, strict=True)
    ]


def reset(upto: int) -> bytes:
    """Says that not all can be told: the list is to be asked for anew."""
    return event("reset", {"changed": upto}, upto)


def event(kind: str, document: dict[str, Any], id: int | None = None) -> bytes:
    """An event as it goes over the wire; ``id`` is what a browser sends when it comes back."""
    numbered = b"" if id is None else b"id: %d\n" % id
    # JSON has no line feed but between its own signs, and there is none there.
    return b"event: " + kind.encode() + b"\n" + numbered + b"data: " + encode(document) + b"\n\n"

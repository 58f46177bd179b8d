"""How far a walk along a head has come, and what it has found."""

from __future__ import annotations

import enum
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import service
from logdocket.reading.parts import Level, Name, Stamp


class Rank(enum.IntEnum):
    """How surely a place in the head is the service's, least sure first."""

    NONE = 0
    FIRST = 1
    """The first token, by its form or because a time follows it."""
    LOOSE = 2
    """The token right before the level."""
    BEFORE = 3
    """A bracket before the level: often a thread."""
    DELIMITED = 4
    """A token between delimiters before the level."""
    GROUP = 5
    """A bracket after the level."""
    NESTED = 6
    """A bracket that holds a logger's dotted name."""
    AFTER = 7
    """A token between the level and the delimiter before the message."""
    TRAILER = 8
    """A logger in parentheses at the end of the line."""
    COLON = 9
    """``name:`` right before the message."""
    KEY = 10
    """The value of a key that says it is the service."""


class Found:
    """The state of a walk over ``text[start:end]``.

    ``pos``: where the next item begins. ``settled``: where the message begins by what is known so
    far. ``loose``: the items between the two, which are head or message as what follows will tell.
    ``cost``: what the loose items have cost. ``named``: a name right before the message was seen,
    so that only a level may still follow. ``clock``: a time of day stood in brackets.
    """

    __slots__ = (
        "clock",
        "context",
        "cost",
        "end",
        "level",
        "loose",
        "name",
        "named",
        "pos",
        "rank",
        "settled",
        "stamp",
        "start",
        "text",
    )

    def __init__(self, text: str, start: int, end: int, context: Context) -> None:
        self.text: Final = text
        self.start: Final = start
        self.end: Final = end
        self.context: Final = context
        self.pos = self.settled = start
        self.loose: list[tuple[int, int]] = []
        self.cost = 0
        self.named = self.clock = False
        self.stamp: Stamp | None = None
        self.level: Level | None = None
        self.name: Name | None = None
        self.rank = Rank.NONE

    @property
    def headed(self) -> bool:
        """Whether the line has shown a head: a time, a level, or a time of day in brackets."""
        return self.stamp is not None or self.level is not None or self.clock

    def settle(self, pos: int) -> bool:
        """All up to ``pos`` is head, unless loose items still wait to be told; always True."""
        self.pos = pos
        if not self.loose:
            self.settled = pos
        return True

    def confirm(self, pos: int) -> bool:
        """All up to ``pos`` is head, loose items too; always True."""
        self.loose.clear()
        self.pos = self.settled = pos
        return True

    def wait(self, pos: int, stop: int, cost: int, budget: int) -> bool:
        """Pass over a loose item; whether the walk may still go on at its cost."""
        self.loose.append((pos, stop))
        self.pos = stop
        self.cost += cost
        return self.cost <= budget

    def offer(self, rank: Rank, start: int, end: int, basis: ServiceBasis) -> None:
        """Take the name at ``start:end`` unless one as sure is known."""
        if rank > self.rank:
            self.rank = rank
            self.name = Name(start, end, basis)

    def take_stamp(self, stamp: Stamp) -> None:
        """Take a time: the first, or a later one where the first names no moment."""
        if self.stamp is None or (self.stamp.value is None and stamp.value is not None):
            self.stamp = stamp

    def take_level(self, start: int, end: int, value: Severity) -> None:
        """Take the level that the word at ``start:end`` states."""
        self.level = Level(start, end, value, SeverityBasis.LEVEL)

    def take_loose(self, rank: Rank) -> None:
        """Offer the loose item right before a level or a time, when it looks like a name."""
        if not self.loose:
            return
        start, end = self.loose[-1]
        named = service.look(self.text[start:end])
        if named is not None and not named.thread:
            self.offer(rank, start + named.first, start + named.last, ServiceBasis.FIRST_TOKEN)

"""How far a walk along a head has come, and what it has found."""

from __future__ import annotations

import enum
from typing import Final

import msgspec

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


_STATED: Final = SeverityBasis.LEVEL
_FIRST_TOKEN: Final = ServiceBasis.FIRST_TOKEN


class Found(msgspec.Struct, eq=False):
    """The state of a walk over ``text[start:end]``.

    ``pos``: where the next item begins. ``settled``: where the message begins by what is known so
    far. ``loose``: the items between the two, which are head or message as what follows will tell.
    ``cost``: what the loose items have cost. ``named``: a name right before the message was seen,
    so that only a level may still follow. ``clock``: a time of day stood in brackets.
    """

    text: str
    start: int
    end: int
    context: Context
    pos: int
    settled: int
    loose: list[tuple[int, int]] = []
    cost: int = 0
    named: bool = False
    clock: bool = False
    stamp: Stamp | None = None
    level: Level | None = None
    name: Name | None = None
    rank: Rank = Rank.NONE

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
        self.level = Level(start, end, value, _STATED)

    def take_loose(self, rank: Rank) -> None:
        """Offer the loose item right before a level or a time, when it looks like a name."""
        if not self.loose:
            return
        start, end = self.loose[-1]
        named = service.look(self.text[start:end])
        if named is not None and not named.thread:
            self.offer(rank, start + named.first, start + named.last, _FIRST_TOKEN)

"""What a walk along a head has found so far."""

from __future__ import annotations

import enum
from typing import Final

from logdocket.line import ServiceBasis, Severity, SeverityBasis
from logdocket.reading.parts import Level, Name, Stamp


class Rank(enum.IntEnum):
    """How surely a place in the head is the service's, least sure first."""

    NONE = 0
    FIRST = 1
    """The first token, by its form alone."""
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
    """The stamp, the level and the best name of a head. The first of equal rank stays."""

    __slots__ = ("clock", "level", "name", "rank", "stamp", "text")

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.stamp: Stamp | None = None
        self.level: Level | None = None
        self.name: Name | None = None
        self.rank = Rank.NONE
        self.clock = False

    @property
    def headed(self) -> bool:
        """Whether the line has shown a head: a time, a level, or a time of day in brackets."""
        return self.stamp is not None or self.level is not None or self.clock

    def offer(self, rank: Rank, place: tuple[int, int], basis: ServiceBasis) -> None:
        """Take the name at ``place`` unless one as sure is known."""
        if rank > self.rank:
            self.rank = rank
            self.name = Name(place[0], place[1], basis)

    def take_stamp(self, stamp: Stamp) -> None:
        """Take a time: the first, or a later one where the first names no moment."""
        if self.stamp is None or (self.stamp.value is None and stamp.value is not None):
            self.stamp = stamp

    def take_level(self, start: int, end: int, value: Severity, basis: SeverityBasis) -> None:
        """Take the level at ``start:end``."""
        self.level = Level(start, end, value, basis)

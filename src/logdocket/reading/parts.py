"""What the shape of a line gives, before it is judged: found places, in characters.

Inside this package positions are character offsets into the line's text (end exclusive);
``reading.read`` turns them into byte spans once, at the end.
"""

from __future__ import annotations

import msgspec

from logdocket.line import ServiceBasis, Severity, SeverityBasis, TimestampWhy


class Stamp(msgspec.Struct, frozen=True, gc=False):
    """A time found at ``start:end``: ISO 8601 ``value``, or ``why`` it names no one moment."""

    start: int
    end: int
    value: str | None
    why: TimestampWhy | None


class Level(msgspec.Struct, frozen=True, gc=False):
    """A severity borne out by ``start:end``."""

    start: int
    end: int
    value: Severity
    basis: SeverityBasis


class Name(msgspec.Struct, frozen=True, gc=False):
    """A service's name at ``start:end``."""

    start: int
    end: int
    basis: ServiceBasis


class Parts(msgspec.Struct, eq=False, gc=False):
    """What one shape found between two places of a line. None where it found nothing.

    ``message``: where the message stands (start, end), the prefix cut off.
    ``inner``: a stretch that is a record of its own (what a container prefix wraps, or the text of
    a syslog message) and is to be parsed in turn; the caller parses it and merges.
    """

    format: str
    message: tuple[int, int]
    stamp: Stamp | None = None
    level: Level | None = None
    name: Name | None = None
    inner: tuple[int, int] | None = None

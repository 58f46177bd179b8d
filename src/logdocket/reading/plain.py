"""A line of no known shape, read by its parts."""

from __future__ import annotations

from typing import Final

from logdocket.line import Context
from logdocket.reading import severity
from logdocket.reading.parts import Parts

_REACH: Final = 128
"""How far into a line of no known shape a level may stand."""


def parse_plain(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of any line: a level where one is stated in its head, and the whole as message.

    A time or a name somewhere inside a sentence is not the record's own, and is not taken.
    """
    level = severity.stated(text, start, min(end, start + _REACH))
    return Parts("plain", (start, end), level=level)

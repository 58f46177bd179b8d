"""The heads of Erlang's reports: ``=ERROR REPORT==== 2-Jan-2026::03:04:05.678 ===``."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.parts import Level, Parts

_HEAD: Final = re.compile(
    r"=(?P<kind>[A-Z]{2,16}) REPORT==== "
    r"(?P<stamp>\d{1,2}-[A-Z][a-z]{2}-\d{4}::\d\d:\d\d:\d\d(?:\.\d{1,9})?(?: UTC)?) ==="
)


def parse_erlang(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of the line that heads one of Erlang's reports, else None. It names no service."""
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    value = severity.word(head["kind"])
    level = None
    if value is not None:
        level = Level(*head.span("kind"), value, SeverityBasis.LEVEL)
    return Parts("erlang", (start, end), timestamp.at(text, *head.span("stamp"), context), level)

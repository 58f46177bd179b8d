"""What macOS's and iOS's ``log`` command prints of the unified log: its columns, and its compact
form.

Types and styles from the manual page ``log(1)``.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Name, Parts

_STAMP: Final = r"(?P<stamp>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}(?:[+-]\d{4})?) {1,4}+"
_COLUMNS: Final = re.compile(
    _STAMP + r"0x[0-9a-f]{1,16} {1,16}+(?P<type>[A-Z][a-z]{3,8}+) {1,16}+0x[0-9a-f]{1,16} {1,24}+"
    r"\d{1,7} {1,8}+(?:\d{1,5} {1,8}+)?(?P<name>[^\s:][^:\n]{0,63}?): "
)
_COMPACT: Final = re.compile(
    _STAMP + r"(?P<type>Df|Db|[IEFA]) {1,3}+(?P<name>[^\s\[][^\[\n]{0,63}?)"
    r"\[\d{1,7}:[0-9a-f]{1,16}\] "
)
_TYPES: Final = {
    "Default": Severity.LOW,
    "Df": Severity.LOW,
    "Info": Severity.LOW,
    "I": Severity.LOW,
    "Debug": Severity.LOW,
    "Db": Severity.LOW,
    "Activity": Severity.LOW,
    "A": Severity.LOW,
    "Error": Severity.HIGH,
    "E": Severity.HIGH,
    "Fault": Severity.CRITICAL,
    "F": Severity.CRITICAL,
}


def parse_unified(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of ``log show``: the type is the level, the process the name."""
    if not text.startswith(".", start + 19):
        return None
    found = _COLUMNS.match(text, start, end) or _COMPACT.match(text, start, end)
    value = None if found is None else _TYPES.get(found["type"])
    if found is None or value is None:
        return None
    return Parts(
        "app",
        body(text, found.end(), end, start),
        timestamp.at(text, *found.span("stamp"), context),
        Level(*found.span("type"), value, SeverityBasis.LEVEL),
        Name(*found.span("name"), ServiceBasis.APP),
    )

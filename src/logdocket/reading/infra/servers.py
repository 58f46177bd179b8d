"""Application servers and browsers whose level stands in a column or a bracket of its own:
WebSphere and Chromium.

Columns from IBM's "Message, trace, and first failure data capture log formats"; Chromium's from
the documentation of its ``base/logging.h``.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Name, Parts

_WEBSPHERE: Final = re.compile(
    r"\[(?P<stamp>\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? [^\[\]]{5,32}+)\] [0-9a-f]{8} "
    r"(?P<name>[A-Za-z][\w.$-]{0,255}+) {1,64}+(?P<letter>[FEWAICDORZ123<>]) {1,3}+(?=\S)"
)
_WEBSPHERE_LETTERS: Final = {
    "F": Severity.CRITICAL,
    "E": Severity.HIGH,
    "W": Severity.MEDIUM,
    "A": Severity.LOW,
    "I": Severity.LOW,
    "C": Severity.LOW,
    "D": Severity.LOW,
    "1": Severity.LOW,
    "2": Severity.LOW,
    "3": Severity.LOW,
    "<": Severity.LOW,
    ">": Severity.LOW,
}
"""Fatal, error, warning, audit, info, configuration, detail, fine to finest, entry and exit. What
a program printed (``O``, ``R``) has no level."""

_CHROMIUM: Final = re.compile(
    r"\[(?:\d{1,10}+:){0,3}+(?P<stamp>\d{4}/\d{6}(?:\.\d{1,9})?):(?P<word>[A-Z]{3,9}\d?):"
    r"[^\]\s]{1,300}?[(:]\d{1,7}\)?\](?: |\Z)"
)


def parse_websphere(text: str, start: int, end: int, context: Context) -> Parts | None:
    """``[6/14/26 15:16:01:250 UTC] 0000002a WSChannel  E message``; the component is the name."""
    if not text[start + 1 : start + 2].isdecimal():
        return None
    found = _WEBSPHERE.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.at(text, *found.span("stamp"), context)
    if stamp is None:
        return None
    value = _WEBSPHERE_LETTERS.get(found["letter"])
    level = None
    if value is not None:
        level = Level(*found.span("letter"), value, SeverityBasis.LEVEL)
    name = None
    if service.is_name(found["name"]):
        name = Name(*found.span("name"), ServiceBasis.LOGGER)
    return Parts("app", body(text, found.end(), end, start), stamp, level, name)


def parse_chromium(text: str, start: int, end: int, context: Context) -> Parts | None:
    """``[812:840:0614/151601.250123:ERROR:gpu.cc(12)] message``; it names no service."""
    if not text[start + 1 : start + 2].isdecimal():
        return None
    found = _CHROMIUM.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.chromium_at(text, found.start("stamp"), found.end("stamp"), context)
    value = severity.word(found["word"])
    if value is None or stamp is None:
        return None
    level = Level(*found.span("word"), value, SeverityBasis.LEVEL)
    return Parts("app", body(text, found.end(), end, start), stamp, level)

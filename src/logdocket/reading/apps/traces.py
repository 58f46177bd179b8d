"""The lines by which programs end: heads of stack traces, panics and uncaught exceptions."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, Severity, SeverityBasis
from logdocket.reading.parts import Level, Parts

# How a line begins, and how bad that is.
OPENINGS: Final[dict[str, Severity]] = {
    "Traceback (most recent call last)": Severity.HIGH,
    "During handling of the above exception": Severity.HIGH,
    "Exception in thread": Severity.HIGH,
    "Exception ignored in": Severity.MEDIUM,
    "Unhandled exception. ": Severity.CRITICAL,
    "Unhandled Exception: ": Severity.CRITICAL,
    "Unhandled exception": Severity.HIGH,
    "Unhandled Exception": Severity.HIGH,
    "Unhandled rejection": Severity.HIGH,
    "Uncaught ": Severity.HIGH,
    "Caused by: ": Severity.HIGH,
    "Suppressed: ": Severity.MEDIUM,
    "panic: ": Severity.CRITICAL,
    "fatal error: ": Severity.CRITICAL,
    "thread '": Severity.CRITICAL,
    "goroutine ": Severity.HIGH,
    "Segmentation fault": Severity.CRITICAL,
    "terminate called after throwing": Severity.CRITICAL,
    "Aborted (core dumped)": Severity.CRITICAL,
    "Fatal Python error": Severity.CRITICAL,
    "node:internal/": Severity.CRITICAL,
}

# Openings that count only with this further on in the line.
_WITH: Final = {"thread '": "panicked at", "goroutine ": "[", "Uncaught ": ":"}

_BY_LETTER: Final = {
    letter: tuple(opening for opening in OPENINGS if opening[0] == letter)
    for letter in sorted({opening[0] for opening in OPENINGS})
}
_REACH: Final = 200
_EXCEPTION: Final = re.compile(
    r"(?:[A-Za-z_][\w$]{0,60}(?:\.|::|\\)){0,12}"
    r"[A-Z][\w$]{0,80}?(?:Exception|Error|Exit|Interrupt|Fault|Failure|Warning)"
    r"(?=:(?:\s|\Z)|\Z|\s\()"
)


def parse_trace(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a stack trace's first line, else None. No service: a class of error is none."""
    for opening in _BY_LETTER.get(text[start], ()):
        if text.startswith(opening, start, end):
            return _opened(text, start, end, opening)
    head = text.find(":", start, min(end, start + _REACH))
    stop = head if head >= 0 else min(end, start + _REACH)
    if not text.endswith(("Exception", "Error", "Exit", "Interrupt", "Warning"), start, stop):
        return None
    found = _EXCEPTION.match(text, start, end)
    if found is None:
        return None
    value = Severity.MEDIUM if found[0].endswith("Warning") else Severity.HIGH
    return _trace(start, end, found.end(), value)


def _opened(text: str, start: int, end: int, opening: str) -> Parts | None:
    needed = _WITH.get(opening)
    if needed is not None and text.find(needed, start, min(end, start + _REACH)) < 0:
        return None
    return _trace(start, end, start + len(opening.rstrip()), OPENINGS[opening])


def _trace(start: int, end: int, stop: int, value: Severity) -> Parts:
    level = Level(start, stop, value, SeverityBasis.CUE)
    return Parts("trace", (start, end), level=level)

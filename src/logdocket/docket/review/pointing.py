"""Where in a line the time stands that a person names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from logdocket.line import Context, Line, Span
from logdocket.reading import read_stamp

_LOOKED: Final = 8192
"""Characters that are looked at."""

_LONGEST: Final = 64
"""Characters that a stamp may have."""

_TRIED: Final = 4096
"""Stretches that are read."""

_CLOCK: Final = re.compile(r"T\d\d:(\d\d)", re.ASCII)
_COUNT: Final = re.compile(r"\d{10}", re.ASCII)
_STARTS: Final = re.compile(r"(?<!\d)\d|(?<![A-Za-z])[A-Z][A-Za-z]{2}(?=[a-z]{0,6}[., ])", re.ASCII)
_ENDS: Final = re.compile(r"(?<=[\dA-Za-z)])(?![\dA-Za-z])", re.ASCII)


def find_stamp(line: Line, context: Context, value: str) -> Span | None:
    """The first and shortest stretch of ``line`` in which the strict grammar reads ``value``, an
    ISO 8601 time; None where there is none. The first 8,192 characters are looked at, and at most
    4,096 stretches that may be it: nobody waits for a line that is full of others.
    """
    text, clock = line.text[:_LOOKED], _CLOCK.search(value)
    minutes = "" if clock is None else clock[1]
    for start, end in islice(_stretches(text, minutes), _TRIED):
        stamp = read_stamp(text[start:end], context)
        if stamp is not None and stamp.value == value:
            return Span(_bytes(text, start), _bytes(text, end))
    return None


def _stretches(text: str, minutes: str) -> Iterator[tuple[int, int]]:
    """Whatever may be a stamp with these minutes, from its begin on, shorter ones first. A stamp
    has its minutes in digits, unless it is one long count."""
    for found in _STARTS.finditer(text):
        start = found.start()
        at = text.find(minutes, start, start + _LONGEST)
        if at < 0 and _COUNT.match(text, start) is None:
            continue
        for edge in _ENDS.finditer(text, start + 4, min(len(text), start + _LONGEST)):
            yield start, edge.end()


def _bytes(text: str, place: int) -> int:
    return len(text[:place].encode("utf-8", "surrogateescape"))

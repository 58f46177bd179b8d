"""Sizes and durations with their unit: one slot each, whatever the unit, valued in the smallest."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.masks import Mask

_BYTES: Final = {
    unit: 1024**power
    for power, units in enumerate(("B", "K KB KiB k kB", "M MB MiB", "G GB GiB", "T TB TiB"))
    for unit in units.split()
}
_MILLISECONDS: Final = {
    "ns": 1e-6,
    "us": 1e-3,
    "\u00b5s": 1e-3,
    "\u03bcs": 1e-3,
    "ms": 1.0,
    "s": 1e3,
    "m": 6e4,
    "h": 3.6e6,
    "d": 8.64e7,
}
_SIZE: Final = re.compile(r"( ?)(B|[KMGT]i?B|kB|[KMGT])(?![^\W_])")
_UNIT: Final = re.compile(r"(?:[mnu\u00b5\u03bc]?s|[hmd])(?![^\W_])")
_STEP: Final = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)([a-z\u00b5\u03bc]{1,2})")


def size(text: str, start: int, end: int, free: int) -> Mask | None:
    """The mask of the number at ``start:end`` with the unit of a size behind it, in bytes.

    ``free``: how far the line may be masked.
    """
    unit = _SIZE.match(text, end, free)
    if unit is None or (unit[1] and len(unit[2]) == 1 and unit[2] != "B"):
        return None
    number = text[start:end].replace(",", "")
    return Mask(start, unit.end(), None, "<size>", _value(float(number) * _BYTES[unit[2]]))


def duration(text: str, start: int, end: int) -> Mask | None:
    """The mask of numbers with units of time right behind them, ``1m30.5s``, in milliseconds."""
    total = 0.0
    at = start
    while at < end:
        step = _STEP.match(text, at, end)
        if step is None or step[2] not in _MILLISECONDS:
            return None
        total += float(step[1]) * _MILLISECONDS[step[2]]
        at = step.end()
    return Mask(start, end, None, "<span>", _value(total))


def duration_behind(text: str, start: int, end: int) -> Mask | None:
    """The mask of a fraction with a unit of time right behind it, ``1.5s``."""
    unit = _UNIT.match(text, end)
    return None if unit is None else duration(text, start, unit.end())


def _value(amount: float) -> str:
    return f"{amount:.6f}".rstrip("0").rstrip(".")

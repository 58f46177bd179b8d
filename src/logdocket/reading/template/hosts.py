"""Names of hosts that stand beside their own address, which is masked: they say no more."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.walk import Walk

_NAME: Final = re.compile(r"[0-9A-Za-z](?:[\w-]{0,62}\.){1,8}[A-Za-z][\w-]{1,62}")
_LONGEST: Final = 256


def named(walk: Walk) -> dict[int, int]:
    """Where each such name starts and ends: ``name [192.0.2.1]`` and ``192.0.2.1 (name)``."""
    text = walk.text
    found = {}
    for kind, first, last in walk.tokens:
        if kind != "ip":
            continue
        if text.startswith("]", last) and text.endswith(" [", 0, first):
            end = first - 2
            start = text.rfind(" ", max(0, end - _LONGEST), end) + 1
        elif text.startswith(" (", last):
            start = last + 2
            end = text.find(")", start, start + _LONGEST)
        else:
            continue
        if 0 < start < end and _NAME.fullmatch(text, start, end):
            found[start] = end
    return found

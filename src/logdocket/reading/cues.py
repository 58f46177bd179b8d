"""How a message says things went, where it states no level: outcome words, exit codes, statuses."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.outcomes import CUES
from logdocket.reading.parts import Level

_REACH: Final = 2_048
_TOKEN: Final = re.compile(r"[/\\\-$@#]?+\w++(?:[./\\\-'$@+]\w++)*+")

_PHRASES: dict[str, list[tuple[tuple[str, ...], Severity]]] = {}
for _severity, _rows in CUES.items():
    for _row in _rows.strip().splitlines():
        _first, *_rest = _row.split()
        _PHRASES.setdefault(_first, []).append((tuple(_rest), _severity))
for _options in _PHRASES.values():
    _options.sort(key=lambda option: -len(option[0]))


def cue(text: str, start: int, end: int) -> Level | None:
    """The worst outcome that the message tells of in its first 2,048 characters, or None."""
    lower = text[start : min(end, start + _REACH)].lower()
    if len(lower) != min(end, start + _REACH) - start:
        return None
    if _PHRASES.keys().isdisjoint(_TOKEN.findall(lower)):
        return None
    matches = list(_TOKEN.finditer(lower))
    words = [match[0] for match in matches]
    worst: Level | None = None
    for place, name in enumerate(words):
        for rest, severity in _PHRASES.get(name, ()):
            if tuple(words[place + 1 : place + 1 + len(rest)]) == rest:
                if {"no", "not", "0", "without", "never", "zero"} & set(
                    words[max(0, place - 2) : place]
                ):
                    severity = Severity.LOW
                if worst is None or severity.rank > worst.value.rank:
                    worst = Level(
                        start + matches[place].start(),
                        start + matches[place + len(rest)].end(),
                        severity,
                        SeverityBasis.CUE,
                    )
                break
    return worst

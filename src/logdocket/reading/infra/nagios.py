"""Events of Nagios and its kin: ``[1781450161] SERVICE ALERT: host;service;STATE;…``.

States from the manual's "Host Checks" and "Service Checks".
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, Severity, SeverityBasis
from logdocket.reading import timestamp
from logdocket.reading.parts import Level, Parts

_HEAD: Final = re.compile(
    r"(?:\[(?P<stamp>\d{10})\] )?(?P<message>(?:(?:CURRENT|INITIAL|PASSIVE) )?(?:SERVICE|HOST) "
    r"(?:ALERT|STATE|CHECK|NOTIFICATION|FLAPPING ALERT|DOWNTIME ALERT|EVENT HANDLER): )"
    r"(?:[^;\n]{1,200}+;){1,4}?(?:STARTED|STOPPED"
    r"|(?P<state>OK|UP|RECOVERY|WARNING|UNKNOWN|CRITICAL|DOWN|UNREACHABLE)(?=[;( ]|\Z))"
)
_STATES: Final = {
    "OK": Severity.LOW,
    "UP": Severity.LOW,
    "RECOVERY": Severity.LOW,
    "WARNING": Severity.MEDIUM,
    "UNKNOWN": Severity.MEDIUM,
    "UNREACHABLE": Severity.HIGH,
    "DOWN": Severity.HIGH,
    "CRITICAL": Severity.CRITICAL,
}


def parse_nagios(text: str, start: int, end: int, context: Context) -> Parts | None:
    """An event of Nagios, whose state is the level; what it checks is no service of ours."""
    if text[start] == "[" and not text.startswith("] ", start + 11):
        return None
    found = _HEAD.match(text, start, end)
    if found is None:
        return None
    stamp = level = None
    if found["stamp"] is not None:
        stamp = timestamp.epoch(text, *found.span("stamp"), context, "s")
    if found["state"] is not None:
        level = Level(*found.span("state"), _STATES[found["state"]], SeverityBasis.LEVEL)
    return Parts("app", (found.start("message"), end), stamp, level)

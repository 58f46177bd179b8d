"""Squid's native access log.

Field order from the "Native access.log format" of Squid's documentation: time, elapsed ms, client,
result/status, bytes, method, address, user, hierarchy/peer, type.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Parts

_ENTRY: Final = re.compile(
    r"(?P<stamp>1\d{9}\.\d{3}) {1,8}+-?\d{1,12} [^\s]{1,128}+ "
    r"(?P<result>[A-Z][A-Z_]{2,63}+)/(?P<status>\d{3}) \d{1,20} (?:[A-Z][A-Z-]{1,31}+|-) \S",
    re.ASCII,
)


def parse_squid(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of Squid's access log; its status bears the severity out, and it names no service.

    Status 000 is a request that got no answer, and tells nothing. The message begins with the
    result.
    """
    if text[start + 10 : start + 11] != ".":
        return None
    entry = _ENTRY.match(text, start, end)
    if entry is None:
        return None
    stamp = timestamp.epoch(text, *entry.span("stamp"), context, "s")
    value = severity.http_status(int(entry["status"]))
    level = None
    if value is not None:
        level = Level(*entry.span("status"), value, SeverityBasis.STATUS)
    return Parts("squid", body(text, entry.start("result"), end, start), stamp, level)

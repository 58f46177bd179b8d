"""HAProxy's traffic logs, bare or as the text of a syslog message.

Field order from the "Log formats" chapter of HAProxy's configuration manual.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Name, Parts

_REACH: Final = 120
_LOGGER: Final = ServiceBasis.LOGGER
_TAG: Final = re.compile(r"(?P<app>[A-Za-z][\w.\-]{0,63}+)\[\d{1,10}\]: ")
_CLIENT: Final = re.compile(
    r"[^\s\[\]]{1,64}:\d{1,10} \[(?P<stamp>\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d\.\d{3,6})\] "
)
_ROUTE: Final = r"(?P<frontend>[^\s/]{1,200}+) (?P<backend>[^\s/]{1,200}+)/(?P<server>\S{1,200}+) "
_COUNTS: Final = r"(?:\+?\d{1,10}/){4}\+?\d{1,10} \d{1,10}/\d{1,10}(?=\s|$)"
_HTTP: Final = re.compile(
    _ROUTE + r"(?:\+?-?\d{1,12}/){3,4}\+?-?\d{1,12} (?P<status>-1|\d{3}) \+?\d{1,20} "
    r"\S{1,4096}+ \S{1,4096}+ [\w\-]{4} " + _COUNTS
)
_TCP: Final = re.compile(
    _ROUTE + r"(?:\+?-?\d{1,12}/){2}\+?-?\d{1,12} \+?\d{1,20} [\w\-]{2} " + _COUNTS
)
_BROKEN: Final = re.compile(r"(?P<frontend>[^\s/]{1,200}+)/[^\s:]{1,200}+: ")


def parse_haproxy(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of HAProxy's HTTP or TCP log, or of a connection that failed before it had a route.

    The status, if any, bears the severity out. The name is the program before ``[pid]:`` where
    that stands, else the backend; for a failed connection the frontend.
    """
    near = min(end, start + _REACH)
    opening = text.find(" [", start, near)
    if opening < 0 or text[opening + 4 : opening + 5] != "/" or not text[opening - 1].isdecimal():
        return None
    tag = _TAG.match(text, start, end)
    client = _CLIENT.match(text, start if tag is None else tag.end(), end)
    if client is None:
        return None
    pos = client.end()
    shape = "haproxy-http"
    found = _HTTP.match(text, pos, end)
    if found is None:
        shape = "haproxy-tcp"
        found = _TCP.match(text, pos, end) or _BROKEN.match(text, pos, end)
    stamp = timestamp.at(text, client.start("stamp"), client.end("stamp"), context)
    if found is None or stamp is None:
        return None
    if tag is not None:
        name = Name(*tag.span("app"), ServiceBasis.APP)
    else:
        name = Name(*found.span("frontend" if found.re is _BROKEN else "backend"), _LOGGER)
    level = _level(text, *found.span("status")) if shape == "haproxy-http" else None
    return Parts(shape, body(text, pos, end, start), stamp, level, name)


def _level(text: str, start: int, end: int) -> Level | None:
    """The severity of the status; none for ``-1``, a request that got no answer."""
    status = int(text[start:end])
    value = Severity.LOW if 100 <= status < 400 else severity.http_status(status)
    return None if value is None else Level(start, end, value, SeverityBasis.STATUS)

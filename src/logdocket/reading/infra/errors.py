"""Error logs of web servers: Apache httpd 2.2 and 2.4, and Nginx."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Name, Parts

_APACHE: Final = re.compile(
    r"\[(?P<stamp>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4})\]"
    r" {1,3}+\[(?:(?P<module>[\w\-]{0,64}+):)?(?P<word>[a-z]{3,9}\d?)\]"
    r"(?: {1,3}+\[(?:pid|tid|client|remote|v?host|server|unique_id)[^\]\n]{0,256}+\]){0,6}+"
)
_NO_MODULE: Final = frozenset({"core", "-", ""})

_NGINX: Final = re.compile(
    r"(?P<stamp>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?) {1,3}+\[(?P<word>[a-z]{4,6})\]"
    r" {1,3}+\d{1,10}+#\d{1,20}+:(?: \*\d{1,20}+)?(?= |$)"
)
_NGINX_BARE: Final = re.compile(r"(?P<name>nginx): \[(?P<word>[a-z]{4,6})\] ")


def parse_apache_error(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of Apache's error log; the module is its logger, unless it is the core."""
    if text[start : start + 1] != "[" or text[start + 4 : start + 5] != " ":
        return None
    found = _APACHE.match(text, start, end)
    if found is None:
        return None
    level = _level(text, *found.span("word"))
    first, last = found.span("stamp")
    stamp = timestamp.ctime_at(text, first, last, context)
    if stamp is None:
        stamp = timestamp.at(text, first, last, context)
    if level is None or stamp is None:
        return None
    name = None
    if (found["module"] or "") not in _NO_MODULE:
        name = Name(*found.span("module"), ServiceBasis.LOGGER)
    return Parts("apache-error", body(text, found.end(), end, start), stamp, level, name)


def parse_nginx_error(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of Nginx's error log, which names no service; or ``nginx: [emerg] …`` on a console."""
    if text.startswith("nginx: [", start, end):
        found = _NGINX_BARE.match(text, start, end)
    elif text[start + 4 : start + 5] == "/" and text[start : start + 1].isdecimal():
        found = _NGINX.match(text, start, end)
    else:
        return None
    if found is None:
        return None
    level = _level(text, *found.span("word"))
    if level is None:
        return None
    message = body(text, found.end(), end, start)
    if found.re is _NGINX_BARE:
        return Parts(
            "nginx-error", message, None, level, Name(*found.span("name"), ServiceBasis.HEAD)
        )
    stamp = timestamp.at(text, found.start("stamp"), found.end("stamp"), context)
    return None if stamp is None else Parts("nginx-error", message, stamp, level)


def _level(text: str, start: int, end: int) -> Level | None:
    """The level word at ``start:end``; Apache's ``trace1`` to ``trace8`` count as ``trace``."""
    value = severity.word(text[start:end].rstrip("12345678"))
    return None if value is None else Level(start, end, value, SeverityBasis.LEVEL)

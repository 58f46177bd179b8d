"""The log shapes of infrastructure: syslog, kernels, web servers, proxies and databases.

Every parser has one signature, ``parse_x(text, start, end, context) -> Parts | None``, expects no
blank at ``start``, and is None for what is not its own shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from logdocket.line import Context
from logdocket.reading.infra.access import parse_access
from logdocket.reading.infra.databases import (
    parse_mongodb,
    parse_mysql,
    parse_postgresql,
    parse_redis,
)
from logdocket.reading.infra.errors import parse_apache_error, parse_nginx_error
from logdocket.reading.infra.haproxy import parse_haproxy
from logdocket.reading.infra.kernel import parse_dmesg
from logdocket.reading.infra.lettered import parse_klog, parse_logcat
from logdocket.reading.infra.syslog import parse_cisco, parse_syslog_3164, parse_syslog_5424
from logdocket.reading.parts import Parts

__all__ = [
    "BY_FIRST",
    "PARSERS",
    "Parser",
    "parse_access",
    "parse_apache_error",
    "parse_cisco",
    "parse_dmesg",
    "parse_haproxy",
    "parse_klog",
    "parse_logcat",
    "parse_mongodb",
    "parse_mysql",
    "parse_nginx_error",
    "parse_postgresql",
    "parse_redis",
    "parse_syslog_3164",
    "parse_syslog_5424",
]

Parser = Callable[[str, int, int, Context], Parts | None]

_DIGITS: Final = "0123456789"
_CAPITALS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL: Final = "abcdefghijklmnopqrstuvwxyz"

_STARTS: Final[tuple[tuple[Parser, str], ...]] = (
    (parse_syslog_5424, "<" + _DIGITS),
    (parse_cisco, "<%*[" + _DIGITS + _CAPITALS + _SMALL),
    (parse_dmesg, "<[kumdasl"),
    (parse_syslog_3164, "<[JFMASONDTW" + _DIGITS),
    (parse_apache_error, "["),
    (parse_nginx_error, "n" + _DIGITS),
    (parse_klog, "IWEFD"),
    (parse_logcat, "VDIWEFAS" + _DIGITS),
    (parse_redis, "[" + _DIGITS),
    (parse_postgresql, _DIGITS),
    (parse_mysql, _DIGITS),
    (parse_mongodb, _DIGITS),
    (parse_haproxy, ":" + _DIGITS + _CAPITALS + _SMALL),
    (parse_access, "[-:_*" + _DIGITS + _CAPITALS + _SMALL),
)
"""Each parser, the surest first, and the characters with which its shape can begin."""

PARSERS: Final[tuple[Parser, ...]] = tuple(parser for parser, _ in _STARTS)

BY_FIRST: Final[Mapping[str, tuple[Parser, ...]]] = {
    first: tuple(parser for parser, firsts in _STARTS if first in firsts)
    for first in sorted({character for _, firsts in _STARTS for character in firsts})
}
"""The parsers worth trying on a record, by its first character; a character not here has none."""

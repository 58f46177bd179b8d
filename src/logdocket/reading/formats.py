"""The table of shapes: which parsers are asked about a record, by its first character.

A parser is a function ``(text, start, end, context) -> Parts | None``; the first that knows the
record wins, so the particular stand before the general. To add a shape, add its parser to the rows
of the characters that its records can begin with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from logdocket.line import Context
from logdocket.reading.apps import parse_head, parse_ruby, parse_trace
from logdocket.reading.infra import (
    parse_access,
    parse_apache_error,
    parse_cisco,
    parse_dmesg,
    parse_haproxy,
    parse_klog,
    parse_logcat,
    parse_mongodb,
    parse_mysql,
    parse_nginx_error,
    parse_postgresql,
    parse_redis,
    parse_syslog_3164,
    parse_syslog_5424,
)
from logdocket.reading.parts import Parts
from logdocket.reading.plain import parse_plain
from logdocket.reading.structured import parse_cef, parse_json, parse_logfmt
from logdocket.reading.wrappers import parse_wrapper

Parser = Callable[[str, int, int, Context], Parts | None]

_DIGITS: Final = "0123456789"
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

# Which records begin with which characters, the particular before the general.
_ROWS: Final[tuple[tuple[str, tuple[Parser, ...]], ...]] = (
    ("{", (parse_json,)),
    ("<", (parse_syslog_5424, parse_dmesg, parse_cisco, parse_syslog_3164)),
    (
        "[",
        (
            parse_dmesg,
            parse_apache_error,
            parse_redis,
            parse_wrapper,
            parse_syslog_3164,
            parse_postgresql,
        ),
    ),
    (
        _DIGITS,
        (
            parse_wrapper,
            parse_access,
            parse_nginx_error,
            parse_mysql,
            parse_postgresql,
            parse_logcat,
            parse_redis,
            parse_mongodb,
            parse_syslog_5424,
            parse_cisco,
            parse_syslog_3164,
            parse_haproxy,
        ),
    ),
    (
        _LETTERS,
        (
            parse_ruby,
            parse_klog,
            parse_syslog_3164,
            parse_wrapper,
            parse_logcat,
            parse_cef,
            parse_logfmt,
            parse_access,
            parse_haproxy,
            parse_postgresql,
            parse_trace,
        ),
    ),
)
_OTHERS: Final[tuple[Parser, ...]] = (parse_wrapper, parse_logfmt, parse_cisco, parse_access)
_GENERAL: Final[tuple[Parser, ...]] = (parse_head,)

_BY_FIRST: Final = {
    first: (*parsers, *_GENERAL) for firsts, parsers in _ROWS for first in firsts
}
_ELSE: Final = _OTHERS + _GENERAL

INNER_TIME_FIRST: Final = frozenset({"cri", "compose", "kubectl", "docker", "docker-json"})
"""Shapes put around a record by what carries it: the record's own time comes before theirs."""


def parse(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of the record at ``start:end``, which is not blank, by the first shape that fits."""
    for parser in _BY_FIRST.get(text[start], _ELSE):
        parts = parser(text, start, end, context)
        if parts is not None:
            return parts
    return parse_plain(text, start, end, context)

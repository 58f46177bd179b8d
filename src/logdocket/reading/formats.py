"""The table of shapes: which parsers are asked about a record, by its first character.

A parser is a function ``(text, start, end, context) -> Parts | None``; the first that knows the
record wins, so the particular stand before the general. To add a shape, add its parser to the rows
of the characters that its records can begin with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from logdocket.line import Context
from logdocket.reading import severity
from logdocket.reading.apps import parse_erlang, parse_head, parse_levelled, parse_ruby, parse_trace
from logdocket.reading.infra import (
    parse_access,
    parse_apache_error,
    parse_cisco,
    parse_cluster,
    parse_dmesg,
    parse_haproxy,
    parse_klog,
    parse_logcat,
    parse_mongodb,
    parse_mysql,
    parse_nginx_error,
    parse_postgresql,
    parse_proxifier,
    parse_redis,
    parse_served,
    parse_squid,
    parse_syslog_3164,
    parse_syslog_5424,
)
from logdocket.reading.parts import Parts
from logdocket.reading.plain import parse_plain
from logdocket.reading.structured import parse_cef, parse_json, parse_logfmt
from logdocket.reading.wrappers import parse_wrapper

Parser = Callable[[str, int, int, Context], Parts | None]

_DIGITS: Final = "0123456789"
_CAPITALS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL: Final = "abcdefghijklmnopqrstuvwxyz_"
_LETTERS: Final = _CAPITALS + _SMALL

# Each parser and the characters with which its records can begin, the most particular shape first.
_STARTS: Final[tuple[tuple[Parser, str], ...]] = (
    (parse_json, "{@"),
    (parse_levelled, _DIGITS),
    (parse_syslog_3164, "JFMASONDTW"),
    (parse_wrapper, "[#:" + _DIGITS + _LETTERS),
    (parse_syslog_5424, "<" + _DIGITS),
    (parse_dmesg, "<[kumdasl"),
    (parse_apache_error, "["),
    (parse_nginx_error, "n" + _DIGITS),
    (parse_ruby, "DIWEFA"),
    (parse_klog, "IWEFD"),
    (parse_logcat, "VDIWEFAS" + _DIGITS),
    (parse_redis, "[" + _DIGITS),
    (parse_postgresql, "[" + _DIGITS),
    (parse_mysql, _DIGITS),
    (parse_mongodb, _DIGITS),
    (parse_squid, "1"),
    (parse_cluster, "-" + _CAPITALS + _DIGITS),
    (parse_proxifier, "["),
    (parse_served, "hwg" + _DIGITS),
    (parse_haproxy, _DIGITS + _LETTERS),
    (parse_syslog_3164, "<[" + _DIGITS),
    (parse_cisco, "<[%*:" + _DIGITS + _LETTERS),
    (parse_access, "[-:_*" + _DIGITS + _LETTERS),
    (parse_cef, _LETTERS),
    (parse_logfmt, _LETTERS + "@"),
    (parse_erlang, "="),
    (parse_trace, _LETTERS + "\"'"),
)

# What is asked last about a record, whatever it begins with.
_ANY: Final[tuple[Parser, ...]] = (parse_head,)

_BY_FIRST: Final = {
    first: (*(parser for parser, firsts in _STARTS if first in firsts), *_ANY)
    for first in sorted({character for _, firsts in _STARTS for character in firsts})
}

# Words of a sentence, perhaps after a colon: a message in prose is no record.
_PROSE: Final = re.compile(
    r"(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b)"
    r"(?:[A-Za-z][a-z]++|([A-Za-z]\w{1,63}+)(?:\([^()\s]{1,40}+\))?: [a-z]++) [a-z]"
)
_TELLING_ENDS: Final = ("Error", "Exception", "Warning")

INNER_TIME_FIRST: Final = frozenset(
    {"cri", "compose", "docker-json", "github-actions", "heroku", "kubectl", "stern"}
)
"""Shapes put around a record by what carries it: the record's own time comes before theirs."""


def parse(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of the record at ``start:end``, which is not blank, by the shape that fits."""
    for parser in _BY_FIRST.get(text[start], _ANY):
        parts = parser(text, start, end, context)
        if parts is not None:
            return parts
    return parse_plain(text, start, end, context)


def parse_inner(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of what another record holds: a record in turn, or a message in prose."""
    prose = _PROSE.match(text, start, end)
    if prose is not None and (prose[1] is None or _tells_nothing(prose[1])):
        return Parts("plain", (start, end))
    return parse(text, start, end, context)


def _tells_nothing(word: str) -> bool:
    """Whether a word before a colon is neither a level nor a class of error."""
    return severity.word(word) is None and not word.endswith(_TELLING_ENDS)

"""The table of shapes: which parsers are asked about a record, by how it begins.

A parser is a function ``(text, start, end, context) -> Parts | None``; the first that knows the
record wins, so the particular stand before the general. To add a shape, add a row for its parser.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Final, NamedTuple

from logdocket.line import Context
from logdocket.reading import severity
from logdocket.reading.apps import parse_erlang, parse_head, parse_levelled, parse_ruby, parse_trace
from logdocket.reading.infra import (
    parse_access,
    parse_apache_error,
    parse_chromium,
    parse_cisco,
    parse_classic,
    parse_cluster,
    parse_columns,
    parse_dmesg,
    parse_haproxy,
    parse_klog,
    parse_logcat,
    parse_mongodb,
    parse_mysql,
    parse_nagios,
    parse_nginx_error,
    parse_postgresql,
    parse_proxifier,
    parse_redis,
    parse_served,
    parse_squid,
    parse_syslog_3164,
    parse_syslog_5424,
    parse_unified,
    parse_websphere,
)
from logdocket.reading.parts import Parts
from logdocket.reading.plain import parse_plain
from logdocket.reading.structured import (
    parse_cef,
    parse_json,
    parse_logfmt,
    parse_loose,
    parse_separated,
    parse_xml,
)
from logdocket.reading.wrappers import parse_wrapper

Parser = Callable[[str, int, int, Context], Parts | None]

_DIGITS: Final = string.digits
_CAPITALS: Final = string.ascii_uppercase
_LETTERS: Final = string.ascii_letters + "_"
_BLANKS: Final = " \t"
_UNBRACKETED: Final = string.printable.replace("[", "")


class Shape(NamedTuple):
    """A parser, and what every record that it knows has, so that it is not asked in vain.

    ``firsts``: the characters that such records can begin with; empty for any. ``mark``: what
    stands in them somewhere. ``dates``: where the first is a digit, with which of
    :data:`_DATES` they can begin. ``after``: where a time stands first, what can follow the blank
    behind it. ``within``: where a bracket stands first, what can follow it. Empty for any.
    """

    parser: Parser
    firsts: str
    mark: str = ""
    dates: str = "TD-/0"
    after: str = ""
    within: str = ""


_DATES: Final = {"T": ("-", "T"), "D": ("-", " "), "-": ("-", ""), "/": ("/", "")}
"""Kinds of beginnings by the fifth and the eleventh character: ``2026-01-02T``, ``2026-01-02 ``,
any other ``2026-`` and ``2026/``. All else is ``0``."""

# The most particular shape first.
SHAPES: Final = (
    Shape(parse_json, "{@"),
    Shape(parse_json, "[%", mark='{"', within="{" + _BLANKS),
    Shape(parse_levelled, _DIGITS, after="[-|TDINWESFC" + _DIGITS + _BLANKS),
    Shape(parse_classic, "<JFMASOND"),
    Shape(parse_syslog_3164, "JFMASONDTW"),
    Shape(parse_wrapper, "[#:" + _LETTERS, within="p"),
    Shape(parse_wrapper, _DIGITS, dates="T", after="sah#|" + _BLANKS),
    Shape(parse_wrapper, _DIGITS, mark="|", dates="D-/0"),
    Shape(parse_syslog_5424, "<" + _DIGITS, dates="0"),
    Shape(parse_dmesg, "<[kumdasl", within=_DIGITS + _CAPITALS + _BLANKS),
    Shape(parse_apache_error, "[", within=_CAPITALS),
    Shape(parse_nginx_error, "n" + _DIGITS, dates="/"),
    Shape(parse_ruby, "DIWEFA", mark=", ["),
    Shape(parse_klog, "IWEFD", mark="]"),
    Shape(parse_logcat, "VDIWEFAS" + _DIGITS, dates="D0"),
    Shape(parse_redis, "[" + _DIGITS, dates="0", within=_DIGITS),
    Shape(parse_postgresql, _DIGITS, mark=":  ", dates="D"),
    Shape(parse_mysql, _DIGITS, mark=" [", dates="TD0", after="[" + _DIGITS + _BLANKS),
    Shape(parse_mongodb, _DIGITS, mark=" [", dates="T", after="FEWID"),
    Shape(parse_unified, _DIGITS, dates="D", after="0DIEFA" + _BLANKS),
    Shape(parse_squid, "1", dates="0"),
    Shape(parse_nagios, "[SHCIP", mark=";", within=_DIGITS),
    Shape(parse_columns, '"', mark='"'),
    Shape(parse_chromium, "[", mark="/", within=_DIGITS),
    Shape(parse_websphere, "[", mark="] 0", within=_DIGITS),
    Shape(parse_cluster, "-" + _CAPITALS + _DIGITS, dates="0"),
    Shape(parse_proxifier, "[", within=_DIGITS),
    Shape(parse_served, "hwg" + _DIGITS, dates="TD", after=_LETTERS + _DIGITS + "-./:"),
    Shape(parse_haproxy, _DIGITS + _LETTERS, mark=" ["),
    Shape(parse_syslog_3164, "<[" + _DIGITS, after=_UNBRACKETED, within=_DIGITS + _BLANKS),
    Shape(parse_cisco, "<[%*:" + _DIGITS + _LETTERS, mark="%"),
    Shape(parse_access, "[", within=_DIGITS),
    Shape(parse_access, "-:_*" + _DIGITS + _LETTERS, mark=" ["),
    Shape(parse_cef, "CL"),
    Shape(parse_xml, "<", mark=">"),
    Shape(parse_loose, "{%"),
    Shape(parse_loose, "", mark='":'),
    Shape(parse_loose, "-" + _LETTERS, mark="\n"),
    Shape(parse_separated, "'" + _DIGITS, dates="-/0"),
    Shape(parse_logfmt, _LETTERS + "@", mark="="),
    Shape(parse_erlang, "="),
    Shape(parse_trace, _LETTERS + "\"'"),
    Shape(parse_head, ""),
)

_Asked = tuple[tuple[Parser, str], ...]


def _asked(first: str, date: str = "", after: str = "", within: str = "") -> _Asked:
    """The parsers for records that begin so, each with its mark."""
    return tuple(
        (shape.parser, shape.mark)
        for shape in SHAPES
        if (not shape.firsts or (first in shape.firsts and date in shape.dates))
        and (not shape.after or after in shape.after)
        and (not shape.within or within in shape.within)
    )


_ANY: Final = _asked("\0")
_BY_FIRST: Final = {
    first: _asked(first)
    for first in sorted(set("".join(shape.firsts for shape in SHAPES)) - set(_DIGITS))
}
_IN_BRACKET: Final = {within: _asked("[", within=within) for within in string.printable}
_BY_DATE: Final = {
    (first, fifth, eleventh): _asked(first, date)
    for first in _DIGITS
    for date, (fifth, eleventh) in (*_DATES.items(), ("0", ("", "")))
}
_AFTER_TIME: Final = {
    (eleventh, after): _asked("2", date, after)
    for date, eleventh in (("T", "T"), ("D", " "))
    for after in string.printable
}
_LONGEST_TIME: Final = len("2026-01-02T03:04:05.123456789+00:00 ")


def asked(text: str, start: int) -> _Asked:
    """The parsers to ask about the record at ``start``, in order, each with its mark."""
    first = text[start]
    if first == "[":
        return _IN_BRACKET.get(text[start + 1 : start + 2], _BY_FIRST[first])
    if not "0" <= first <= "9":
        return _BY_FIRST.get(first, _ANY)
    fifth = text[start + 4 : start + 5]
    if fifth != "-":
        return _BY_DATE[first, fifth if fifth == "/" else "", ""]
    eleventh = text[start + 10 : start + 11]
    if eleventh != "T" and eleventh != " ":
        return _BY_DATE[first, fifth, ""]
    blank = text.find(" ", start + 11, start + _LONGEST_TIME)
    after = text[blank + 1 : blank + 2] if blank > 0 else ""
    if not after or "\t" in text[start:blank]:
        return _BY_DATE[first, fifth, eleventh]
    return _AFTER_TIME.get((eleventh, after)) or _BY_DATE[first, fifth, eleventh]


# Words of a sentence, perhaps after a colon: a message in prose is no record.
_PROSE: Final = re.compile(
    r"(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b)"
    r"(?:[A-Za-z][a-z]++|([A-Za-z]\w{1,63}+)(?:\([^()\s]{1,40}+\))?: [a-z]++) [a-z]"
)
_TELLING_ENDS: Final = ("Error", "Exception", "Warning")

INNER_TIME_FIRST: Final = frozenset(
    """
    cri compose docker-json github-actions heroku kubectl pm2 stern
    syslog-3164 syslog-5424 journald-short
    """.split()
)
"""Shapes put around a record by what carries it: the record's own time comes before theirs."""


def parse(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of the record at ``start:end``, which is not blank, by the shape that fits."""
    for parser, mark in asked(text, start):
        if mark in text:
            parts = parser(text, start, end, context)
            if parts is not None:
                return parts
    return parse_plain(text, start, end, context)


def parse_inner(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of what another record holds: a record in turn, or a message in prose."""
    if is_prose(text, start, end):
        return Parts("plain", (start, end))
    return parse(text, start, end, context)


def is_prose(text: str, start: int, end: int) -> bool:
    """Whether what another record holds is plainly a message rather than a record in turn."""
    prose = _PROSE.match(text, start, end)
    return prose is not None and (prose[1] is None or _tells_nothing(prose[1]))


def _tells_nothing(word: str) -> bool:
    """Whether a word before a colon is neither a level nor a class of error."""
    return severity.word(word) is None and not word.endswith(_TELLING_ENDS)

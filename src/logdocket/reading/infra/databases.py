"""Logs of databases: PostgreSQL, MySQL and MariaDB, Redis and Valkey, MongoDB before 4.4."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Name, Parts

_LEVEL, _LOGGER = SeverityBasis.LEVEL, ServiceBasis.LOGGER

_POSTGRESQL_HEADS: Final = re.compile(
    "(?:DEBUG|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC"
    "|DETAIL|HINT|STATEMENT|CONTEXT|QUERY|LOCATION|BACKTRACE)(?=[1-5]?:)"
)
_POSTGRESQL_STAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?"
    r"(?:(?: [A-Z]{1,5}| ?[+-]\d\d(?::?\d\d)?)(?=[ :]))?"
)
_POSTGRESQL_APP: Final = re.compile(r"\bapp(?:lication)?(?:_name)?=([^\s,\[\]]{1,63}+)")
_POSTGRESQL_REACH: Final = 300

_MYSQL: Final = re.compile(
    r"(?P<stamp>(?:\d{4}-\d\d-\d\d[T ]|\d{6} {1,2})\d?\d:\d\d:\d\d(?:\.\d{1,6})?"
    r"(?:Z|[+-]\d\d:\d\d)?) (?: {0,8}+\d{1,20}+ )?\[(?P<word>System|Note|Warning|ERROR)\] "
    r"(?:\[MY-\d{1,6}\] )?(?:\[(?P<part>[A-Za-z][\w\-]{0,63}+)\]:? ?|(?P<engine>[A-Z]\w{1,31}+): )?"
)

_REDIS: Final = re.compile(
    r"(?:\d{1,10}:[A-Z]|\[\d{1,10}\]) "
    r"(?P<stamp>\d{1,2} [A-Z][a-z]{2} (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,6})?) (?P<sign>[.\-*#]) "
)
_REDIS_SIGNAL: Final = re.compile(r"\d{1,10}:signal-handler \((?P<stamp>\d{10})\) ")
_REDIS_SIGNS: Final = {
    ".": Severity.LOW,
    "-": Severity.LOW,
    "*": Severity.LOW,
    "#": Severity.MEDIUM,
}
"""Debug, verbose, notice, warning, as Redis's default logger writes them."""

_MONGODB: Final = re.compile(
    r"(?P<stamp>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:?\d\d)) "
    r"(?P<letter>[FEWID])[1-5]? {1,2}(?P<part>[A-Z][A-Z_]{1,15}|-) {1,12}\[[^\]\n]{1,128}+\] "
)


def parse_postgresql(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of PostgreSQL's own log: stamp, a prefix with the process id, ``LEVEL:  message``.

    ``app=`` in the prefix is the name; otherwise the line names no service.
    """
    if text[start + 4 : start + 5] != "-" or text[start + 10 : start + 11] != " ":
        return None
    colon = text.find(":  ", start, min(end, start + _POSTGRESQL_REACH))
    if colon < 0:
        return None
    found = _POSTGRESQL_STAMP.match(text, start, end)
    if found is None:
        return None
    word = 1 + max(text.rfind(" ", found.end(), colon), text.rfind(":", found.end(), colon))
    head = _POSTGRESQL_HEADS.match(text, word, end)
    if head is None or text.find("[", found.end(), word) < 0:
        return None
    stamp = timestamp.at(text, start, found.end(), context)
    if stamp is None:
        return None
    app = _POSTGRESQL_APP.search(text, found.end(), word)
    name = None if app is None else Name(*app.span(1), ServiceBasis.KEY)
    level = _level(text, *head.span())
    return Parts("postgresql", body(text, colon + 1, end, start), stamp, level, name)


def parse_mysql(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of MySQL's or MariaDB's error log; its subsystem or engine is the logger."""
    if not text[start : start + 1].isdecimal():
        return None
    opening = text.find(" [", start, min(end, start + 60))
    if opening < 0 or text[opening + 2 : opening + 3] not in "SNWE":
        return None
    found = _MYSQL.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.at(text, start, found.end("stamp"), context)
    if stamp is None:
        return None
    level = _level(text, *found.span("word"))
    part = "part" if found["part"] else "engine"
    name = Name(*found.span(part), _LOGGER) if found[part] else None
    return Parts("mysql", body(text, found.end(), end, start), stamp, level, name)


def parse_redis(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of Redis, Valkey or Sentinel; its sign is the level, and it names no service."""
    first = text[start : start + 1]
    if first != "[" and (not first.isdecimal() or ":" not in text[start + 1 : start + 11]):
        return None
    found = _REDIS.match(text, start, end)
    if found is None:
        return _redis_signal(text, start, end, context)
    stamp = timestamp.at(text, found.start("stamp"), found.end("stamp"), context)
    if stamp is None:
        return None
    level = Level(*found.span("sign"), _REDIS_SIGNS[found["sign"]], _LEVEL)
    return Parts("redis", body(text, found.end(), end, start), stamp, level)


def _redis_signal(text: str, start: int, end: int, context: Context) -> Parts | None:
    """What Redis writes from within a signal's handler, where it can format no date."""
    found = _REDIS_SIGNAL.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.epoch(text, found.start("stamp"), found.end("stamp"), context, "s")
    return Parts("redis", body(text, found.end(), end, start), stamp)


def parse_mongodb(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of MongoDB up to 4.2; its component is the logger."""
    if text[start + 10 : start + 11] != "T" or not text[start : start + 1].isdecimal():
        return None
    found = _MONGODB.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.at(text, start, found.end("stamp"), context)
    if stamp is None:
        return None
    at = found.start("letter")
    value = severity.letter(found["letter"])
    level = None if value is None else Level(at, at + 1, value, _LEVEL)
    name = None if found["part"] == "-" else Name(*found.span("part"), _LOGGER)
    return Parts("mongodb", body(text, found.end(), end, start), stamp, level, name)


def _level(text: str, start: int, end: int) -> Level | None:
    value = severity.word(text[start:end])
    return None if value is None else Level(start, end, value, _LEVEL)

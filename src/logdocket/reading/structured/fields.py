"""What the known keys of one record hold, and the parts that follow from them.

A field is found by the reader of a format (JSON, logfmt), kept here as positions, and judged once
the whole record has been seen: a number under ``level`` means one thing beside bunyan's keys and
another beside Graylog's.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.parts import Level, Name, Parts, Stamp
from logdocket.reading.structured.keys import ABSENT, KEYS, Key, Role, Scheme

_LONGEST_NAME: Final = 128
_COLOURED: Final = re.compile(
    r"\s{0,8}(?:(?:\\u001[bB]|\\x1b|\\e|\\033|\x1b)\[[\d;]{0,12}m)?+[\s\[]{0,8}([A-Za-z]{1,16})"
)
_GCP: Final = ("default", "debug", "info", "notice", "warn", "error", "critical", "alert", "panic")
"""Google Cloud's LogSeverity by hundreds, in the level words of :mod:`..levels`."""

Found = tuple[int, int, int, bool, Key]
"""Rank, start, end, whether the value is quoted, and the key it stands under."""


class Fields:
    """The fields of one record by role, in the order in which they stand in the line."""

    __slots__ = ("_by_role",)

    def __init__(self) -> None:
        self._by_role: tuple[list[Found], ...] = ([], [], [], [], [], [])

    def add(self, key: Key, start: int, end: int, quoted: bool, outer: int = 0) -> None:
        """Keep a value at ``start:end``. ``outer`` is added to the rank: larger is less wanted."""
        self._by_role[key.role].append((key.rank + outer, start, end, quoted, key))

    def of(self, role: Role) -> list[Found]:
        """The fields of ``role``, the most wanted first, of equals the first in the line."""
        found = self._by_role[role]
        if len(found) > 1:
            found.sort(key=_place)
        return found

    def known(self) -> bool:
        """Whether any key was one of a log record."""
        return any(self._by_role)

    def schemes(self) -> frozenset[Scheme]:
        """The key sets that the record's keys belong to."""
        return frozenset(found[4].scheme for role in self._by_role for found in role)

    def message(self, text: str) -> Found | None:
        """The field that tells what happened; None when the record has none that is text."""
        for found in self.of(Role.MESSAGE):
            _, start, end, quoted, _ = found
            if quoted and start < end and not text[start:end].isspace():
                return found
        return None

    def parts(
        self, text: str, whole: tuple[int, int], context: Context, format: str, message: Found | None
    ) -> Parts:
        """The parts of the record that stands at ``whole``, its message being ``message``."""
        level = _level(self, text) or _status(self, text)
        return Parts(
            format,
            whole if message is None else (message[1], message[2]),
            _stamp(self.of(Role.TIME), text, context),
            level,
            _name(self.of(Role.SERVICE), text, level),
        )


def _place(found: Found) -> tuple[int, int]:
    return found[0], found[1]


def _stamp(times: list[Found], text: str, context: Context) -> Stamp | None:
    """The first time that names a moment, or else the first that fails to, with its reason."""
    failed: Stamp | None = None
    for _, start, end, _, key in times:
        stamp: Stamp | None = None
        if text[start:end].replace(".", "", 1).isdecimal():
            stamp = timestamp.epoch(text, start, end, context, key.unit)
        if stamp is None:
            stamp = timestamp.whole(text, start, end, context)
        if stamp is not None:
            if stamp.value is not None:
                return stamp
            failed = failed or stamp
    return failed


def _level(fields: Fields, text: str) -> Level | None:
    for _, start, end, quoted, key in fields.of(Role.LEVEL):
        token = text[start:end]
        if token.isdecimal():
            scheme = _counted_by(fields, key, int(token)) if end - start <= 3 else None
            value = None if scheme is None else _number(int(token), scheme)
            if value is not None:
                syslog = scheme is Scheme.SYSLOG
                basis = SeverityBasis.PRIORITY if syslog else SeverityBasis.LEVEL
                return Level(start, end, value, basis)
        elif key.scheme is not Scheme.MONGO:
            value = severity.word(token)
            if value is not None:
                return Level(start, end, value, SeverityBasis.LEVEL)
            level = _dressed(text, start, end) if quoted else None
            if level is not None:
                return level
        elif Scheme.MONGO in _other_schemes(fields, key) and end - start <= 2:
            value = severity.letter(token[:1])
            if value is not None:
                return Level(start, end, value, SeverityBasis.LEVEL)
    return None


def _dressed(text: str, start: int, end: int) -> Level | None:
    """A level that is one letter, or a word in colour codes, blanks or brackets."""
    match = _COLOURED.match(text, start, end)
    if match is None:
        return None
    token = match[1]
    value = severity.letter(token) if len(token) == end - start else None
    if value is None and match.start(1) > start:
        value = severity.word(token)
    if value is None and text[match.end(1) : end].isspace():
        value = severity.word(token)
    return None if value is None else Level(*match.span(1), value, SeverityBasis.LEVEL)


def _other_schemes(fields: Fields, key: Key) -> set[Scheme]:
    """The key sets that keys of other roles belong to."""
    return {
        found[4].scheme for role in Role if role is not key.role for found in fields.of(role)
    }


def _counted_by(fields: Fields, key: Key, n: int) -> Scheme | None:
    """The scheme that a number under a level key counts by; None when nothing tells."""
    if key.scheme is not Scheme.ANY:
        return key.scheme
    schemes = fields.schemes()
    if Scheme.GCP in schemes and n >= 100:
        return Scheme.GCP
    if Scheme.OTEL in schemes and key is KEYS["severity"]:
        return Scheme.OTEL
    if Scheme.MONOLOG in schemes and n >= 100:
        return Scheme.MONOLOG
    if Scheme.PINO in schemes and 10 <= n <= 60:
        return Scheme.PINO
    if n <= 7 and _is_gelf(fields):
        return Scheme.SYSLOG
    return None


def _is_gelf(fields: Fields) -> bool:
    """Whether Graylog's own message key is there; its ``host`` alone would say too little."""
    return any(
        found[4].scheme is Scheme.GELF for found in fields.of(Role.MESSAGE) + fields.of(Role.SERVICE)
    )


def _number(n: int, scheme: Scheme) -> Severity | None:
    if scheme is Scheme.GCP:
        return severity.word(_GCP[n // 100]) if n <= 800 else None
    return severity.number(n, scheme.value)


def _status(fields: Fields, text: str) -> Level | None:
    """What a record without a level says by its HTTP status, or by a status that is a word.

    A bare ``status`` or ``code`` counts only beside keys of a request.
    """
    for _, start, end, _, key in fields.of(Role.STATUS):
        token = text[start:end]
        if not token.isdecimal():
            value = severity.word(token)
            basis = SeverityBasis.LEVEL
        elif end - start == 3 and (key is not KEYS["status"] or _is_request(fields, key)):
            value = severity.http_status(int(token))
            basis = SeverityBasis.STATUS
        else:
            continue
        if value is not None:
            return Level(start, end, value, basis)
    return None


def _is_request(fields: Fields, key: Key) -> bool:
    return Scheme.HTTP in _other_schemes(fields, key)


def _name(services: list[Found], text: str, level: Level | None) -> Name | None:
    """The first name that the record gives; numbers, blanks and words for nothing are none."""
    for _, start, end, quoted, key in services:
        token = text[start:end]
        if not quoted or not _names(token, key):
            continue
        basis = key.basis
        if key is KEYS["name"] and level is not None and text[level.start : level.end].isdecimal():
            # Numbers for levels are bunyan's and pino's, whose name is the program's.
            basis = ServiceBasis.KEY
        return Name(start, end, basis)
    return None


def _names(token: str, key: Key) -> bool:
    if not token or len(token) > _LONGEST_NAME or token.lower() in ABSENT:
        return False
    if key.basis is not ServiceBasis.KEY and " " in token:
        return False
    return "\\" not in token and token.strip() == token and not _numeric(token)


def _numeric(token: str) -> bool:
    return not any(map(str.isalpha, token))

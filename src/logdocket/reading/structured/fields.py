"""What the known keys of one record hold, and the parts that follow from them.

A field is found by the reader of a format (JSON, logfmt), kept here as positions, and judged once
the whole record has been seen: a number under ``level`` means one thing beside bunyan's keys and
another beside Graylog's.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis, TimestampWhy
from logdocket.reading import service, severity, timestamp
from logdocket.reading.parts import Level, Name, Parts, Stamp
from logdocket.reading.structured.keys import KEYS, Key, Role
from logdocket.reading.structured.names import DOUBTFUL
from logdocket.reading.structured.tables import ABSENT, SURE_LEVELS, UNASSIGNED, Scheme, Unit

_LONGEST_NAME: Final = 128
_NANO_DIGITS: Final = 9
_COLOURED: Final = re.compile(
    r"\s{0,8}(?:(?:\\u001[bB]|\\x1b|\\e|\\033|\x1b)\[[\d;]{0,12}m)?+[\s\[]{0,8}([A-Za-z]{1,16})"
)
_GCP: Final = "debug info notice warn error critical alert emergency".split()
"""Google Cloud's LogSeverity by hundreds, from 100 on, in the level words of :mod:`..levels`."""

_WINDOWS: Final = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW, Severity.LOW)
"""The standard levels 1 to 5 of Windows' event log (winmeta.xml)."""

_COUNTED: Final = (Scheme.PINO, Scheme.PYTHON, Scheme.OTEL, Scheme.SYSLOG, Scheme.MONOLOG)
_NUMBERS: Final = {
    scheme: {
        str(n): value for n in range(601) if (value := severity.number(n, scheme.value)) is not None
    }
    for scheme in _COUNTED
} | {
    Scheme.GCP: {
        f"{hundred}00": value
        for hundred, name in enumerate(_GCP, 1)
        if (value := severity.word(name)) is not None
    },
    Scheme.WINDOWS: dict(zip("12345", _WINDOWS, strict=True)),
}
"""What every number that is written as usual means under each scheme."""

# Looked up once: reading a member of an enum costs more than the look at a field.
_TIME, _LEVEL, _SERVICE, _MESSAGE, _STATUS = (int(role) for role in list(Role)[:5])
_NANOS: Final = int(Role.NANOS)
_STATED, _PRIORITY = SeverityBasis.LEVEL, SeverityBasis.PRIORITY

_COUNT: Final = re.compile(r"\d{1,24}(?:\.\d{0,24})?")
_DAY: Final = len("2026-06-14")
_AT: Final = KEYS["at"]
"""Heroku's key for a level, and others' for a time."""

_BARE_STATUSES: Final = (KEYS["status"], _AT)
_DOUBTFUL: Final = frozenset(KEYS[name] for name in DOUBTFUL)
_SEVERITY: Final = KEYS["severity"]
_TYPE: Final = KEYS["type"]
_BY_NAME: Final = KEYS["name"]

Found = tuple[int, int, int, bool, Key]
"""A field, as it sorts: rank, start, end, whether the value is quoted, and its key."""


class Fields:
    """The fields of one record by role, in the order in which they stand in the line."""

    __slots__ = ("by_role",)

    def __init__(self) -> None:
        self.by_role: tuple[list[Found], ...] = ([], [], [], [], [], [], [])

    def add(self, key: Key, span: tuple[int, int], quoted: bool = True, outer: int = 0) -> None:
        """Keep the value at ``span``. ``outer`` is added to the rank: larger is less wanted."""
        self.by_role[key[0]].append((key[1] + outer, span[0], span[1], quoted, key))

    def of(self, role: int) -> list[Found]:
        """The fields of ``role``, the most wanted first, of equals the first in the line."""
        found = self.by_role[role]
        if len(found) > 1:
            found.sort()
        return found

    def known(self) -> bool:
        """Whether any key was one of a log record."""
        return any(self.by_role)

    def has(self, scheme: Scheme, *roles: Role) -> bool:
        """Whether a key of these roles, or of any role, belongs to ``scheme``'s key set."""
        for role in roles or Role:
            for found in self.by_role[role]:
                if found[4].scheme is scheme:
                    return True
        return False

    def message(self, text: str) -> Found | None:
        """The field that tells what happened; None when the record has none that is text."""
        for found in self.of(_MESSAGE):
            if found[3] and found[1] < found[2] and not text[found[1] : found[2]].isspace():
                return found
        return None

    def parts(
        self,
        text: str,
        whole: tuple[int, int],
        context: Context,
        format: str,
        message: tuple[int, int] | None,
    ) -> Parts:
        """The parts of the record at ``whole``; ``message`` is where its message stands."""
        level = _level(self, text)
        if level is None and self.by_role[_STATUS]:
            level = _status(self, text)
        times = self.of(_TIME)
        if not times and self.by_role[_STATUS]:
            times = [found for found in self.by_role[_STATUS] if found[4] is _AT]
        return Parts(
            format,
            message or whole,
            _stamp(times, self.by_role[_NANOS], text, context),
            level,
            _name(self.of(_SERVICE), text, level),
        )


def _stamp(times: list[Found], nanos: list[Found], text: str, context: Context) -> Stamp | None:
    """The first time that names a moment, or else the first that fails to, with its reason.

    A day and a time of day under keys of their own are one moment; a day alone comes after all.
    """
    failed: Stamp | None = None
    day: Stamp | None = None
    for rank, start, end, _, key in times:
        stamp: Stamp | None = None
        if text[end - 1].isdecimal() and _COUNT.fullmatch(text, start, end):
            stamp = timestamp.epoch(text, start, end, context, key.unit)
            if nanos and stamp is not None:
                stamp = _finer(stamp, rank, nanos, text, context)
        if stamp is None:
            stamp = timestamp.whole(text, start, end, context)
        if stamp is not None:
            if stamp.value is None:
                failed = failed or stamp
            elif len(stamp.value) > _DAY:
                return stamp
            else:
                day = day or stamp
    if day is None:
        return failed
    if failed is not None and failed.why is TimestampWhy.NO_DATE:
        return timestamp.joined(text, day, failed, context) or day
    return day


def _finer(stamp: Stamp, rank: int, nanos: list[Found], text: str, context: Context) -> Stamp:
    """``stamp``, a count of whole seconds, with the nanoseconds that its record keeps apart."""
    for found in nanos:
        rest = text[found[1] : found[2]]
        if found[0] == rank and rest.isdecimal() and len(rest) <= _NANO_DIGITS:
            whole = f"{text[stamp.start : stamp.end]}.{rest:0>{_NANO_DIGITS}}"
            finer = timestamp.epoch(whole, 0, len(whole), context, Unit.SECONDS)
            if finer is not None:
                start, end = min(stamp.start, found[1]), max(stamp.end, found[2])
                return Stamp(start, end, finer.value, finer.why)
    return stamp


def _level(fields: Fields, text: str) -> Level | None:
    for _, start, end, quoted, key in fields.of(_LEVEL):
        token = text[start:end]
        if key is _TYPE and token.lower() not in SURE_LEVELS:
            continue
        value = severity.field(token)
        if value is not None and token not in UNASSIGNED:
            return Level(start, end, value, _STATED)
        if key.scheme is Scheme.MONGO:
            level = _lettered(fields, start, end, token)
        elif token.isdecimal():
            level = _counted(fields, key, start, end, token) if end - start <= 3 else None
        else:
            level = _dressed(text, start, end) if quoted else None
        if level is not None:
            return level
    return None


def _lettered(fields: Fields, start: int, end: int, token: str) -> Level | None:
    """MongoDB's ``E`` or ``D2``, beside MongoDB's own time."""
    if len(token) > 2 or not fields.has(Scheme.MONGO, Role.TIME):
        return None
    value = severity.letter(token[:1])
    return None if value is None else Level(start, end, value, _STATED)


def _dressed(text: str, start: int, end: int) -> Level | None:
    """A level that is one letter, or a word in colour codes, blanks or brackets."""
    match = _COLOURED.match(text, start, end)
    if match is None:
        return None
    token = match[1]
    value = severity.letter(token) if len(token) == end - start else None
    if value is None and (match.start(1) > start or text[match.end(1) : end].isspace()):
        value = severity.field(token)
    return None if value is None else Level(*match.span(1), value, SeverityBasis.LEVEL)


def _counted(fields: Fields, key: Key, start: int, end: int, token: str) -> Level | None:
    """The level that a number means by the scheme of its key or of the keys beside it."""
    scheme = key.scheme if key.scheme is not Scheme.ANY else _scheme(fields, key, int(token))
    value = None if scheme is None else _NUMBERS[scheme].get(token)
    if value is None:
        return None
    return Level(start, end, value, _PRIORITY if scheme is Scheme.SYSLOG else _STATED)


def _scheme(fields: Fields, key: Key, n: int) -> Scheme | None:
    """What a number under a key of no one key set counts by; None when nothing tells."""
    if n >= 100:
        return next((scheme for scheme in (Scheme.GCP, Scheme.MONOLOG) if fields.has(scheme)), None)
    if key is _SEVERITY:
        return Scheme.OTEL if fields.has(Scheme.OTEL) else None
    if n >= 10:
        return Scheme.PINO if fields.has(Scheme.PINO, Role.MESSAGE, Role.MARK) else None
    if fields.has(Scheme.WINDOWS, Role.TIME, Role.SERVICE):
        return Scheme.WINDOWS
    # Graylog's ``host`` alone says too little.
    return Scheme.SYSLOG if fields.has(Scheme.GELF, Role.MESSAGE, Role.SERVICE) else None


def _status(fields: Fields, text: str) -> Level | None:
    """What a record without a level says by its HTTP status, or by a status that is a word.

    A bare ``status`` counts only beside keys of a request.
    """
    for _, start, end, _, key in fields.of(_STATUS):
        token = text[start:end]
        if not token.isdecimal():
            value, basis = severity.word(token), _STATED
        elif end - start == 3 and (key not in _BARE_STATUSES or _is_request(fields)):
            value, basis = severity.http_status(int(token)), SeverityBasis.STATUS
        else:
            continue
        if value is not None:
            return Level(start, end, value, basis)
    return None


def _is_request(fields: Fields) -> bool:
    return fields.has(Scheme.HTTP, Role.TIME, Role.MESSAGE, Role.MARK)


def _name(services: list[Found], text: str, level: Level | None) -> Name | None:
    """The first name that the record gives; numbers, blanks and words for nothing are none.

    Numbers for levels are bunyan's and pino's, whose ``name`` is the program's.
    """
    numbered = level is not None and text[level.start].isdecimal()
    if numbered and len(services) > 1:
        services = sorted(services, key=_not_by_name)
    for _, start, end, quoted, key in services:
        if quoted and end - start <= _LONGEST_NAME and _names(text[start:end], key):
            basis = key.basis
            if key is _BY_NAME and numbered:
                basis = ServiceBasis.KEY
            return Name(start, end, basis)
    return None


def _not_by_name(found: Found) -> bool:
    return found[4] is not _BY_NAME


def _names(token: str, key: Key) -> bool:
    if token.lower() in ABSENT:
        return False
    if key in _DOUBTFUL:
        return service.is_name(token)
    if token.isidentifier() and token[0] != "_":
        return True
    if key.basis is not ServiceBasis.KEY and " " in token:
        return False
    return (
        "\\" not in token and token.strip() == token and any(letter.isalpha() for letter in token)
    )

"""The line as it came, what the caller knows beside it, and what was read out of it.

Every position is a :class:`Span` of byte offsets into the line's UTF-8 form. Bytes that are not
UTF-8 are carried in :attr:`Line.text` as lone surrogates (PEP 383, ``surrogateescape``), so that
text, offsets and quotes always map back to exactly the bytes that arrived.
"""

from __future__ import annotations

import enum
import json
from datetime import datetime

import msgspec

from logdocket.errors import BlankLine, LineTooLong, NotText


class Span(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A stretch of a line: byte offsets, the end exclusive. Absence is ``None``, never (0, 0)."""

    start: int
    end: int


class Severity(enum.StrEnum):
    """How bad it is, mildest first in :attr:`rank`."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for low up to 3 for critical."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Line:
    """One log line, never blank.

    ``text`` is the line as text, with undecodable bytes as lone surrogates; ``raw`` the bytes.
    """

    __slots__ = ("raw", "text")

    text: str
    raw: bytes

    def __init__(self, text: str) -> None:
        """Take a line as text.

        Raises:
            BlankLine: there is nothing in it to quote.
            NotText: it holds a lone surrogate that stands for no byte.
        """
        if not text or text.isspace():
            raise BlankLine("the line is blank: send at least one visible character")
        try:
            self.raw = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise NotText(
                f"the line holds a lone surrogate at character {error.start}: send Unicode text"
            ) from None
        self.text = text

    @classmethod
    def from_bytes(cls, raw: bytes) -> Line:
        """Take a line as bytes, UTF-8 or not; raises BlankLine."""
        text = raw.decode("utf-8", "surrogateescape")
        if not text or text.isspace():
            raise BlankLine("the line is blank: send at least one visible character")
        line = cls.__new__(cls)
        # What was decoded so would be encoded to the same bytes again.
        line.text, line.raw = text, raw
        return line

    @classmethod
    def of(cls, line: str | bytes, longest: int) -> Line:
        """Take a line from outside, at most ``longest`` bytes; raises as its two makers, and
        LineTooLong.
        """
        taken = cls(line) if isinstance(line, str) else cls.from_bytes(line)
        if len(taken.raw) > longest:
            raise LineTooLong(
                f"the line has {len(taken.raw):,} bytes and the most is {longest:,}: "
                "send a shorter one, or raise LOGDOCKET_MAX_LINE"
            )
        return taken

    def find(self, quote: str) -> Span | None:
        """Where ``quote`` first stands in the line; None where it does not."""
        raw = quote.encode("utf-8", "surrogateescape")
        start = self.raw.find(raw)
        return None if start < 0 else Span(start, start + len(raw))

    def quote(self, span: Span) -> str:
        """The text of ``span``, byte for byte."""
        return self.raw[span.start : span.end].decode("utf-8", "surrogateescape")


class Context(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the caller knows beside the line. Use :func:`logdocket.reading.check_context` first
    on values from outside.

    ``received_at``: when the line arrived, with an offset; lets a stamp without a year resolve.
    ``service``: used where the line names none.
    ``timezone``: an IANA name or ``±HH:MM``, given to stamps that have no zone.
    ``labels``: the caller's own words; part of the ticket's identity, read by no rule.
    """

    received_at: datetime | None = None
    service: str | None = None
    timezone: str | None = None
    labels: dict[str, str] = {}

    def canonical(self) -> bytes:
        """The same bytes for the same context on any machine; empty for an empty context."""
        if self == NO_CONTEXT:
            return b""
        return json.dumps(
            {
                "labels": self.labels,
                "received_at": None if self.received_at is None else self.received_at.isoformat(),
                "service": self.service,
                "timezone": self.timezone,
            },
            sort_keys=True,
            separators=(",", ":"),
        ).encode()


NO_CONTEXT = Context()


class TimestampWhy(enum.StrEnum):
    """Why a line's time is unknown."""

    ABSENT = "absent"
    """No time stands where a record's own time would."""
    AMBIGUOUS = "ambiguous"
    """Day, month and year could stand in more than one order."""
    NO_YEAR = "no_year"
    """The stamp has no year and the context no arrival time."""
    NO_DATE = "no_date"
    """A time of day, or a count since boot, without a date."""
    IMPOSSIBLE = "impossible"
    """It has the shape of a stamp but names no moment, such as 30 February."""


class SeverityBasis(enum.StrEnum):
    """What in the line bears the severity out, strongest first."""

    LEVEL = "level"
    PRIORITY = "priority"
    STATUS = "status"
    CUE = "cue"
    UNSTATED = "unstated"


class ServiceBasis(enum.StrEnum):
    """Where the service's name was found, strongest first."""

    KEY = "key"
    APP = "app"
    LOGGER = "logger"
    PREFIX = "prefix"
    HEAD = "head"
    FIRST_TOKEN = "first_token"
    CONTEXT = "context"
    UNKNOWN = "unknown"


class TimestampRead(msgspec.Struct, frozen=True, gc=False):
    """The line's own time: ISO 8601 ``value`` with its span, or why there is none.

    ``span`` may be set beside ``why``: the stamp that could not be resolved.
    """

    value: str | None
    span: Span | None
    why: TimestampWhy | None


class SeverityRead(msgspec.Struct, frozen=True, gc=False):
    """The severity, the span that bears it out (None when unstated), the kind of proof it is."""

    value: Severity
    span: Span | None
    basis: SeverityBasis


class ServiceRead(msgspec.Struct, frozen=True, gc=False):
    """The service's name as written, its span, and where it was found.

    ``span`` is None when the name came from the context or is unknown; ``value`` is None only when
    unknown.
    """

    value: str | None
    span: Span | None
    basis: ServiceBasis


class Reading(msgspec.Struct, frozen=True, gc=False):
    """What the line itself says, by rules alone.

    ``format`` is the shape's name (``json``, ``syslog-3164``, ``plain``…), outermost first where
    one wraps another (``cri+json``). ``evidence`` is never blank and at most 512 characters.
    """

    format: str
    timestamp: TimestampRead
    severity: SeverityRead
    service: ServiceRead
    evidence: Span


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What a model returned, in the right shape and not yet believed: verbatim quotes of the line.

    ``service`` and ``first_seen`` are as written in the line, or ``"unknown"``; ``needs_human`` is
    whether the model itself asks for a person.
    """

    service: str
    severity: Severity
    first_seen: str
    evidence: str
    needs_human: bool = False

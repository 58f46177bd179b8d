"""How a ticket compares with the labels of its line, field by field.

Not two outcomes but three kinds: right, abstained, wrong. An abstention costs a person's time; a
wrong field costs trust.
"""

from __future__ import annotations

import enum
import re
from datetime import datetime, timedelta
from typing import Final

import msgspec

from logdocket.evaluation.sets import Row
from logdocket.ticket import UNKNOWN, ReviewReason, Ticket

_TIME: Final = re.compile(r"(.{8,10}T\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?(.*)", re.ASCII | re.DOTALL)
_ZERO: Final = ("+00:00", "-00:00")
_PARTS: Final = re.compile(r"[.$]")
_WORDS: Final = re.compile(r"[a-z]+|[0-9]+")
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_AHEAD: Final = timedelta(days=1)
_BEHIND: Final = timedelta(days=366)
_LEAP_DAY: Final = "-02-29T"
_BEHIND_ON_LEAP_DAY: Final = timedelta(days=8 * 366)
"""A year of another count than four may lie between two leap years, as from 1896 to 1904."""


class Outcome(enum.StrEnum):
    """How one field of a ticket compares with its label."""

    RIGHT = "right"
    """What the label says."""
    RESOLVED = "resolved"
    """A time that the label leaves open, and that the given arrival settles: the line's own month,
    day and clock, in the year before the arrival."""
    UNKNOWN = "unknown"
    """No claim. Of a time: where the label allows it."""
    NEEDLESS = "needless"
    """No claim about a time, though the label has one."""
    WRONG = "wrong"
    """A claim that the label does not bear out."""
    UNLABELLED = "unlabelled"
    """There is no label, so the field is not scored."""


HONEST: Final = frozenset({Outcome.RIGHT, Outcome.RESOLVED, Outcome.UNKNOWN})
"""What a time may be without fault: one that its label leaves open is rightly unknown."""


class Field(enum.StrEnum):
    """A field of a ticket that can be held against a label."""

    SEVERITY = "severity"
    FIRST_SEEN = "first_seen"
    SERVICE = "service"
    EVIDENCE = "evidence"


FIELDS: Final = tuple(Field)


class Scored(msgspec.Struct, frozen=True, gc=False):
    """The outcome of each field."""

    severity: Outcome
    first_seen: Outcome
    service: Outcome
    evidence: Outcome

    def of(self, field: Field) -> Outcome:
        """The outcome of ``field``."""
        outcome: Outcome = getattr(self, field)
        return outcome

    @property
    def labelled(self) -> bool:
        """Whether severity, time and service all have labels."""
        return Outcome.UNLABELLED not in (self.severity, self.first_seen, self.service)


def score(
    row: Row, ticket: Ticket, stamp: str | None = None, arrived: datetime | None = None
) -> Scored:
    """How ``ticket`` compares with the labels of ``row``.

    ``arrived`` is an arrival time that the line was given though its set knows none, and ``stamp``
    the text that was then read as the line's time: only with both can a time count as resolved.
    """
    return Scored(
        _severity(row, ticket),
        _first_seen(row, ticket, stamp, arrived),
        _service(row, ticket),
        _evidence(row, ticket),
    )


def _severity(row: Row, ticket: Ticket) -> Outcome:
    if row.severity is None:
        return Outcome.UNLABELLED
    if ReviewReason.SEVERITY_UNSTATED in ticket.review_reasons:
        return Outcome.UNKNOWN
    return Outcome.RIGHT if ticket.severity == row.severity else Outcome.WRONG


def _first_seen(row: Row, ticket: Ticket, stamp: str | None, arrived: datetime | None) -> Outcome:
    if not row.first_seen:
        return Outcome.UNLABELLED
    if ticket.first_seen == UNKNOWN:
        return Outcome.UNKNOWN if UNKNOWN in row.first_seen else Outcome.NEEDLESS
    given = to_seconds(ticket.first_seen)
    if given in map(to_seconds, row.first_seen):
        return Outcome.RIGHT
    if UNKNOWN in row.first_seen and stamp is not None and arrived is not None:
        return Outcome.RESOLVED if resolves(given, stamp, arrived) else Outcome.WRONG
    return Outcome.WRONG


def _service(row: Row, ticket: Ticket) -> Outcome:
    if row.service is None:
        return Outcome.UNLABELLED
    if ticket.service == row.service:
        return Outcome.RIGHT
    if ticket.service == UNKNOWN:
        return Outcome.UNKNOWN
    return Outcome.RIGHT if names(ticket.service, row.service) else Outcome.WRONG


def _evidence(row: Row, ticket: Ticket) -> Outcome:
    quoted = ticket.evidence
    return Outcome.RIGHT if quoted.strip() and quoted in row.line else Outcome.WRONG


def names(given: str, whole: str) -> bool:
    """Whether ``given`` is ``whole`` or some of its parts in a row, which ``.`` and ``$`` divide;
    case aside: ``DataNode`` is enough for ``dfs.DataNode$DataXceiver``.
    """
    given, whole = given.lower(), whole.lower()
    if given == whole:
        return True
    places = [match.start() for match in _PARTS.finditer(whole)]
    starts, ends = [0, *(place + 1 for place in places)], [*places, len(whole)]
    return any(whole[start:end] == given for start in starts for end in ends if start < end)


def to_seconds(value: str) -> str:
    """An ISO 8601 time cut to the second, its zone kept, ``Z`` for no offset from UTC."""
    match = _TIME.fullmatch(value)
    if match is None:
        return value
    return match[1] + ("Z" if match[2] in _ZERO else match[2])


def resolves(value: str, stamp: str, arrived: datetime) -> bool:
    """Whether ``value`` is the moment that ``stamp`` names, a stamp without a year, for a line
    that arrived at ``arrived``.

    Checked without the rules that read it: month, day and clock of ``value`` stand in ``stamp``,
    and it is at most a day after the arrival and at most a year before (29 February: in the last
    leap year), by its own zone or, where it has none, by the arrival's.
    """
    day, _, rest = value.partition("T")
    clock = rest[:8]
    try:
        moment = datetime.fromisoformat(value.replace(":60", ":59"))
    except ValueError:
        return False
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=arrived.tzinfo)
    words = set(_WORDS.findall(stamp.lower()))
    month, of_month = day[5:7], day[8:]
    spelt = month in words or any(word[:3] == _MONTHS[moment.month - 1] for word in words)
    named = spelt and not words.isdisjoint((of_month, str(moment.day)))
    behind = _BEHIND_ON_LEAP_DAY if _LEAP_DAY in value else _BEHIND
    return (
        (named or month + of_month in words)
        and clock in stamp
        and -behind <= moment - arrived <= _AHEAD
    )

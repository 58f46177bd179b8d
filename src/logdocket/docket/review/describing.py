"""How the queue groups tickets: by service, by how bad they are, and by what they say."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.errors import InputError
from logdocket.line import (
    Line,
    Reading,
    ServiceBasis,
    ServiceRead,
    Severity,
    SeverityBasis,
    SeverityRead,
    Span,
    TimestampRead,
    TimestampWhy,
)
from logdocket.reading import RULES_VERSION, cut
from logdocket.store import StoredTicket
from logdocket.store.review import Described, Fields, Grouping
from logdocket.ticket import UNKNOWN, Ticket, decode

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_LEAP: Final = re.compile(r"T[0-9]{2}:[0-9]{2}:60", re.ASCII)
_REMEMBERED: Final = 2048
"""Evidence is mostly what it was before: so many groups are not worked out anew."""

_FAMILIES: Final = {
    Severity.LOW: b"mild",
    Severity.MEDIUM: b"mild",
    Severity.HIGH: b"grave",
    Severity.CRITICAL: b"grave",
}
"""Severities that one decision may be about: readers often differ by one step."""

_NO_TIME: Final = TimestampRead(None, None, TimestampWhy.ABSENT)
_NO_LEVEL: Final = SeverityRead(Severity.LOW, None, SeverityBasis.UNSTATED)
_NO_NAME: Final = ServiceRead(None, None, ServiceBasis.UNKNOWN)


class _Told(msgspec.Struct, frozen=True, gc=False):
    """Of a stored judgement, what the ticket says; the rest is passed over."""

    ticket: Ticket


_log = logging.getLogger("logdocket.docket")
_decoder = msgspec.json.Decoder(_Told)


def describe(stored: StoredTicket) -> Described | None:
    """How the ticket is grouped; None where it cannot be understood. Never raises."""
    try:
        ticket = decode(stored.body, _decoder).ticket
        group, template = _grouped(
            ticket.service.casefold(), _FAMILIES[ticket.severity], ticket.evidence
        )
    except (msgspec.MsgspecError, InputError, UnicodeEncodeError):
        return None
    return Described(group, template, fields_of(ticket), moment(ticket.first_seen))


def fields_of(ticket: Ticket) -> Fields:
    """What a person judges of ``ticket``."""
    return Fields(ticket.service, ticket.severity, ticket.first_seen, ticket.evidence)


def moment(first_seen: str) -> int | None:
    """A ticket's time in µs since 1970 UTC, cut there; None where it is unknown or names none.

    A time without a zone is taken for UTC; a leap second is the second after it.
    """
    if first_seen == UNKNOWN:
        return None
    leap = _LEAP.search(first_seen)
    if leap is not None:
        first_seen = f"{first_seen[: leap.end() - 2]}59{first_seen[leap.end() :]}"
    try:
        read = datetime.fromisoformat(first_seen)
        at = (read if read.tzinfo is not None else read.replace(tzinfo=UTC)) - _EPOCH
    except (ValueError, OverflowError):
        return None
    return at // _MICROSECOND + (1_000_000 if leap is not None else 0)


@lru_cache(maxsize=_REMEMBERED)
def _grouped(service: str, family: bytes, evidence: str) -> tuple[bytes, str]:
    """The group and its template; raises InputError where the evidence is no line."""
    template = _template(evidence)
    told = b"\0".join(
        (
            service.encode("utf-8", "surrogateescape"),
            family,
            template.encode("utf-8", "surrogateescape"),
        )
    )
    return sha256(told).digest()[:16], template


def _template(evidence: str) -> str:
    """The wide template of ``evidence`` as if it were all of a line: the line's text is mostly not
    kept."""
    line = Line(evidence)
    whole = Span(0, len(line.raw))
    try:
        return cut(line, Reading("plain", _NO_TIME, _NO_LEVEL, _NO_NAME, whole)).wide
    except Exception:  # noqa: BLE001 - logged, and the ticket is in the queue all the same
        _log.exception("no template was found")
        return evidence


GROUPING: Final = Grouping(describe, RULES_VERSION * 1000 + 2)
"""How tickets are grouped; the second number grows with every change that can alter a group."""

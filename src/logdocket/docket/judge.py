"""From a line to a ticket by the rules alone: no store, no clock, no model."""

from __future__ import annotations

import functools
import logging
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.confidence import Signals, Table
from logdocket.line import (
    Context,
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
from logdocket.reading import read
from logdocket.ticket import UNKNOWN, ReviewReason, Source, Ticket, decode, encode

_log = logging.getLogger("logdocket.docket")
# Looked up once: reading a member of an enum costs more than making a ticket's struct.
_FALLBACK: Final = Source.FALLBACK
_TIMESTAMP_REASONS = {
    TimestampWhy.ABSENT: ReviewReason.TIMESTAMP_ABSENT,
    TimestampWhy.AMBIGUOUS: ReviewReason.TIMESTAMP_AMBIGUOUS,
    TimestampWhy.NO_YEAR: ReviewReason.TIMESTAMP_NO_YEAR,
    TimestampWhy.NO_DATE: ReviewReason.TIMESTAMP_NO_DATE,
    TimestampWhy.IMPOSSIBLE: ReviewReason.TIMESTAMP_IMPOSSIBLE,
}


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """A ticket and the reading it stands on, as the store keeps them."""

    ticket: Ticket
    reading: Reading


class Judged(msgspec.Struct, frozen=True, gc=False):
    """A fresh ticket, encoded once: ``json`` as it is given, ``body`` as the store keeps it.

    ``ticket`` is None where another process made it; its JSON says it all.
    """

    json: bytes
    body: bytes
    reasons: tuple[ReviewReason, ...]
    ticket: Ticket | None = None


class Judge:
    """Turns lines into tickets by the rules. ``risk`` is the share of wrong tickets that may pass
    unseen: a confidence under ``1 - risk`` sends the ticket to a person.
    """

    def __init__(self, table: Table, risk: float) -> None:
        threshold = 1 - risk

        @functools.cache
        def weigh(
            severity: SeverityBasis, service: ServiceBasis, why: TimestampWhy | None, failed: bool
        ) -> tuple[float, tuple[ReviewReason, ...]]:
            confidence = table.lookup(Signals(severity, service, why or "read")).value
            standing = {ReviewReason.MODEL_NOT_CONFIGURED}
            if why is not None:
                standing.add(_TIMESTAMP_REASONS[why])
            if service is ServiceBasis.UNKNOWN:
                standing.add(ReviewReason.SERVICE_UNKNOWN)
            if severity is SeverityBasis.UNSTATED:
                standing.add(ReviewReason.SEVERITY_UNSTATED)
            if confidence < threshold:
                standing.add(ReviewReason.LOW_CONFIDENCE)
            if failed:
                standing.add(ReviewReason.READING_FAILED)
            return confidence, tuple(reason for reason in ReviewReason if reason in standing)

        self._weigh = weigh

    def __call__(self, line: Line, context: Context) -> Judged:
        """The rules' own ticket for ``line``: a fallback, and so always for a person."""
        failed = False
        try:
            reading = read(line, context)
        except Exception:  # noqa: BLE001 - logged, and the ticket says so
            # A fault in a rule costs one line its reading, not the sender a ticket.
            _log.exception("reading failed", extra={"line_hash": sha256(line.raw).hexdigest()})
            reading, failed = _unread(line, context), True
        severity, service, stamp = reading.severity, reading.service, reading.timestamp
        confidence, reasons = self._weigh(severity.basis, service.basis, stamp.why, failed)
        ticket = Ticket(
            UNKNOWN if service.value is None else service.value,
            severity.value,
            UNKNOWN if stamp.value is None else stamp.value,
            line.quote(reading.evidence),
            confidence,
            True,
            _FALLBACK,
            reasons,
        )
        json = encode(ticket)
        # The JSON of Judgement(ticket, reading), without encoding the ticket twice.
        body = b'{"ticket":%b,"reading":%b}' % (json, encode(reading))
        return Judged(json, body, reasons, ticket)


def _unread(line: Line, context: Context) -> Reading:
    """Nothing is known of the line but what the caller said."""
    start = len(line.text) - len(line.text.lstrip())
    before = len(line.text[:start].encode("utf-8", "surrogateescape"))
    quoted = line.text[start : start + 512].rstrip().encode("utf-8", "surrogateescape")
    basis = ServiceBasis.UNKNOWN if context.service is None else ServiceBasis.CONTEXT
    return Reading(
        "unread",
        TimestampRead(None, None, TimestampWhy.ABSENT),
        SeverityRead(Severity.LOW, None, SeverityBasis.UNSTATED),
        ServiceRead(context.service, None, basis),
        Span(before, before + len(quoted)),
    )


_decoder = msgspec.json.Decoder(Judgement)


def decode_judgement(body: bytes) -> Judgement:
    """A judgement as the store keeps it; raises msgspec.MsgspecError when it is no such thing."""
    return decode(body, _decoder)

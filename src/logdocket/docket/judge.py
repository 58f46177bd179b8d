"""From a line to a ticket by the rules alone: no store, no clock, no model."""

from __future__ import annotations

import functools
import json
import logging
from hashlib import sha256

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
from logdocket.ticket import UNKNOWN, ReviewReason, Source, Ticket

_log = logging.getLogger("logdocket.docket")
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


class Judge:
    """Turns lines into tickets by the rules. ``risk`` is the share of wrong tickets that may pass
    unseen: a confidence under ``1 - risk`` sends the ticket to a person.
    """

    def __init__(self, table: Table, risk: float) -> None:
        threshold = 1 - risk

        @functools.cache
        def weigh(
            severity: SeverityBasis,
            unknown_service: bool,
            why: TimestampWhy | None,
            value: float,
            failed: bool,
        ) -> tuple[ReviewReason, ...]:
            standing = {ReviewReason.MODEL_NOT_CONFIGURED}
            if why is not None:
                standing.add(_TIMESTAMP_REASONS[why])
            if unknown_service:
                standing.add(ReviewReason.SERVICE_UNKNOWN)
            if severity is SeverityBasis.UNSTATED:
                standing.add(ReviewReason.SEVERITY_UNSTATED)
            if value < threshold:
                standing.add(ReviewReason.LOW_CONFIDENCE)
            if failed:
                standing.add(ReviewReason.READING_FAILED)
            return tuple(reason for reason in ReviewReason if reason in standing)

        @functools.cache
        def confidence(severity: str, service: str, why: str | None) -> float:
            return table.lookup(Signals(severity, service, why or "read")).value

        self._weigh = weigh
        self._confidence = confidence

    def __call__(self, line: Line, context: Context) -> Judgement:
        """The rules' own ticket for ``line``: a fallback, and so always for a person."""
        failed = False
        try:
            reading = read(line, context)
        except Exception:  # noqa: BLE001 - logged, and the ticket says so
            # A fault in a rule costs one line its reading, not the sender a ticket.
            _log.exception("reading failed", extra={"line_hash": sha256(line.raw).hexdigest()})
            reading, failed = _unread(line, context), True
        severity, service, stamp = reading.severity, reading.service, reading.timestamp
        confidence = self._confidence(severity.basis, service.basis, stamp.why)
        ticket = Ticket(
            UNKNOWN if service.value is None else service.value,
            severity.value,
            UNKNOWN if stamp.value is None else stamp.value,
            line.quote(reading.evidence),
            confidence,
            True,
            Source.FALLBACK,
            self._weigh(severity.basis, service.value is None, stamp.why, confidence, failed),
        )
        return Judgement(ticket, reading)


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
    try:
        return _decoder.decode(body)
    except msgspec.DecodeError:
        # A byte that is not UTF-8 stands as half a surrogate pair, which msgspec refuses to read.
        try:
            return msgspec.convert(json.loads(body), Judgement)
        except ValueError as error:
            raise msgspec.DecodeError(ascii(str(error))) from None

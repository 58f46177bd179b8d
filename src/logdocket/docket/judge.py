"""From a line to a ticket by the rules alone: no store, no clock, no model."""

from __future__ import annotations

import functools
import logging
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.confidence import Signals, Table
from logdocket.docket.merge import Merged
from logdocket.line import (
    Answer,
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
UNREAD: Final = "unread"
"""The format of a line in which a rule failed."""
_ANSWERED: Final = "answer"
"""The basis of a value that a model gave: no labelled line has it, so it earns no confidence."""
_TIMESTAMP_REASONS = {
    TimestampWhy.ABSENT: ReviewReason.TIMESTAMP_ABSENT,
    TimestampWhy.AMBIGUOUS: ReviewReason.TIMESTAMP_AMBIGUOUS,
    TimestampWhy.NO_YEAR: ReviewReason.TIMESTAMP_NO_YEAR,
    TimestampWhy.NO_DATE: ReviewReason.TIMESTAMP_NO_DATE,
    TimestampWhy.IMPOSSIBLE: ReviewReason.TIMESTAMP_IMPOSSIBLE,
}


class Judgement(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A ticket, the reading it stands on, and the model's answer if it took part, as the store
    keeps them.
    """

    ticket: Ticket
    reading: Reading
    answer: Answer | None = None


class Judged(msgspec.Struct, frozen=True, gc=False):
    """A fresh ticket, encoded once: ``json`` as it is given, ``body`` as the store keeps it.

    ``ticket`` is None where another process made it; its JSON says it all.
    """

    json: bytes
    body: bytes
    reasons: tuple[ReviewReason, ...]
    ticket: Ticket | None = None
    source: Source = _FALLBACK


class Judge:
    """Turns lines, and answers about them, into tickets.

    ``risk`` is the share of wrong tickets that may pass unseen: a confidence under ``1 - risk``
    sends the ticket to a person. ``why_alone`` is the reason on a ticket that the rules write alone
    though no call was tried.
    """

    def __init__(
        self,
        table: Table,
        risk: float,
        why_alone: ReviewReason = ReviewReason.MODEL_NOT_CONFIGURED,
    ) -> None:
        threshold = 1 - risk

        @functools.cache
        def weigh(
            severity: str,
            service: str,
            why: TimestampWhy | None,
            others: frozenset[ReviewReason],
        ) -> tuple[float, tuple[ReviewReason, ...]]:
            confidence = table.lookup(Signals(severity, service, why or "read")).value
            standing = set(others)
            if why is not None:
                standing.add(_TIMESTAMP_REASONS[why])
            if service == ServiceBasis.UNKNOWN:
                standing.add(ReviewReason.SERVICE_UNKNOWN)
            if severity == SeverityBasis.UNSTATED:
                standing.add(ReviewReason.SEVERITY_UNSTATED)
            if confidence < threshold:
                standing.add(ReviewReason.LOW_CONFIDENCE)
            return confidence, tuple(reason for reason in ReviewReason if reason in standing)

        self._weigh = weigh
        self.why_alone = why_alone
        self._alone = frozenset({why_alone})

    def __call__(self, line: Line, context: Context) -> Judged:
        """The rules' own ticket for ``line``: a fallback, and so always for a person."""
        reading = self.read(line, context)
        return self._fall_back(line, reading, self._alone)

    def read(self, line: Line, context: Context) -> Reading:
        """What the rules read; a fault in one of them costs a line its reading, nobody a ticket."""
        try:
            return read(line, context)
        except Exception:  # noqa: BLE001 - logged, and the ticket says so
            _log.exception("reading failed", extra={"line_hash": sha256(line.raw).hexdigest()})
            return _unread(line, context)

    def fall_back(self, line: Line, reading: Reading, why: ReviewReason) -> Judged:
        """The rules' own ticket, and ``why`` no model wrote it."""
        return self._fall_back(line, reading, frozenset({why}))

    def _fall_back(self, line: Line, reading: Reading, why: frozenset[ReviewReason]) -> Judged:
        if reading.format == UNREAD:
            why |= {ReviewReason.READING_FAILED}
        severity, service, stamp = reading.severity, reading.service, reading.timestamp
        confidence, reasons = self._weigh(severity.basis, service.basis, stamp.why, why)
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

    def accept(
        self, reading: Reading, answer: Answer, merged: Merged, source: Source = Source.MODEL
    ) -> Judged:
        """The ticket of an answer that the line bears out: the model's, or out of the cache."""
        others = set()
        if merged.disputed:
            others.add(ReviewReason.DISPUTED)
        if merged.needs_human:
            others.add(ReviewReason.MODEL_UNSURE)
        # A cell without labels backs off to that of the severity's basis: where the service is the
        # answer's, or the two readers disagree, that basis must not speak for the ticket.
        answered = merged.severity_from_answer or merged.service_from_answer or merged.disputed
        confidence, reasons = self._weigh(
            _ANSWERED if answered else reading.severity.basis,
            _ANSWERED if merged.service_from_answer else reading.service.basis,
            reading.timestamp.why,
            frozenset(others),
        )
        ticket = Ticket(
            merged.service,
            merged.severity,
            merged.first_seen,
            merged.evidence,
            confidence,
            bool(reasons),
            source,
            reasons,
        )
        json = encode(ticket)
        body = encode(Judgement(ticket, reading, answer))
        return Judged(json, body, reasons, ticket, source)


def _unread(line: Line, context: Context) -> Reading:
    """Nothing is known of the line but what the caller said."""
    start = len(line.text) - len(line.text.lstrip())
    before = len(line.text[:start].encode("utf-8", "surrogateescape"))
    quoted = line.text[start : start + 512].rstrip().encode("utf-8", "surrogateescape")
    basis = ServiceBasis.UNKNOWN if context.service is None else ServiceBasis.CONTEXT
    return Reading(
        UNREAD,
        TimestampRead(None, None, TimestampWhy.ABSENT),
        SeverityRead(Severity.LOW, None, SeverityBasis.UNSTATED),
        ServiceRead(context.service, None, basis),
        Span(before, before + len(quoted)),
    )


_decoder = msgspec.json.Decoder(Judgement)


def decode_judgement(body: bytes) -> Judgement:
    """A judgement as the store keeps it; raises msgspec.MsgspecError when it is no such thing."""
    return decode(body, _decoder)

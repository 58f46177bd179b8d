"""From a line to a ticket by the rules alone: no store, no clock, no model."""

from __future__ import annotations

import functools
import logging
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from logdocket.confidence import READ, Agreement, Confidence, Signals, Table, signals
from logdocket.docket.judgement import Judged, Judgement, Quoted, Ruling, StoredRead, told
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
from logdocket.ticket import UNKNOWN, ReviewReason, Source, Ticket, encode, needs_person

_log = logging.getLogger("logdocket.docket")
# Looked up once: reading a member of an enum costs more than making a ticket's struct.
_FALLBACK: Final = Source.FALLBACK
UNREAD: Final = "unread"
"""The format of a line in which a rule failed."""
_TIMESTAMP_REASONS = {
    TimestampWhy.ABSENT: ReviewReason.TIMESTAMP_ABSENT,
    TimestampWhy.AMBIGUOUS: ReviewReason.TIMESTAMP_AMBIGUOUS,
    TimestampWhy.NO_YEAR: ReviewReason.TIMESTAMP_NO_YEAR,
    TimestampWhy.NO_DATE: ReviewReason.TIMESTAMP_NO_DATE,
    TimestampWhy.IMPOSSIBLE: ReviewReason.TIMESTAMP_IMPOSSIBLE,
}


class _Form(NamedTuple):
    """What the tickets of lines that were read alike have in common, made once.

    ``ticket`` is its JSON with places for service, first_seen and evidence; ``body`` what is stored
    of it, with places for the ticket and the spans.
    """

    ticket: bytes
    body: bytes
    confidence: float
    reasons: tuple[ReviewReason, ...]


class Judge:
    """Turns lines, and answers about them, into tickets.

    ``risk`` is the share of wrong tickets that may pass unseen: a confidence under the threshold
    that the table has for it sends the ticket to a person, and so does every confidence where it
    has none. Tickets that repeat a person's word have a threshold of their own. ``why_alone`` is
    the reason on a ticket that the rules write alone though no call was tried.
    """

    def __init__(
        self,
        table: Table,
        risk: float,
        why_alone: ReviewReason = ReviewReason.MODEL_NOT_CONFIGURED,
    ) -> None:
        self.table = table
        self._threshold = table.threshold(risk)
        self._reviewed_threshold = table.threshold(risk, reviewed=True)
        self._form = functools.lru_cache(4096)(self._make_form)
        self.why_alone = why_alone

    def __call__(self, line: Line, context: Context) -> Judged:
        """The rules' own ticket for ``line``: a fallback, and so always for a person."""
        return self.fall_back(line, self.read(line, context), self.why_alone)

    def read(self, line: Line, context: Context) -> Reading:
        """What the rules read; a fault in one of them costs a line its reading, nobody a ticket."""
        try:
            return read(line, context)
        except Exception:  # noqa: BLE001 - logged, and the ticket says so
            _log.exception("reading failed", extra={"line_hash": sha256(line.raw).hexdigest()})
            return _unread(line, context)

    def fall_back(self, line: Line, reading: Reading, why: ReviewReason) -> Judged:
        """The rules' own ticket, and ``why`` no model wrote it."""
        severity, service, stamp = reading.severity, reading.service, reading.timestamp
        form = self._form(
            reading.format, severity.value, severity.basis, service.basis, stamp.why, why
        )
        evidence, spans = reading.evidence, (stamp.span, severity.span, service.span)
        quote = line.quote(evidence)
        name = UNKNOWN if service.value is None else service.value
        first_seen = UNKNOWN if stamp.value is None else stamp.value
        try:
            json = form.ticket % (_json(name), _json(first_seen), _json(quote))
        except UnicodeEncodeError:
            confidence, reasons = form.confidence, form.reasons
            whole = severity.value, first_seen, quote, confidence, True, _FALLBACK, reasons
            json = encode(Ticket(name, *whole))
        body = form.body % (json, _json((*spans, evidence)))
        return Judged(json, body, form.reasons)

    def _make_form(
        self,
        format: str,
        severity: Severity,
        severity_basis: SeverityBasis,
        service_basis: ServiceBasis,
        why_no_time: TimestampWhy | None,
        why: ReviewReason,
    ) -> _Form:
        confidence = self.table.lookup(
            Signals(severity_basis, service_basis, why_no_time or READ, Agreement.ALONE)
        )
        others = {why}
        if format == UNREAD:
            others.add(ReviewReason.READING_FAILED)
        if service_basis is ServiceBasis.UNKNOWN:
            others.add(ReviewReason.SERVICE_UNKNOWN)
        if severity_basis is SeverityBasis.UNSTATED:
            others.add(ReviewReason.SEVERITY_UNSTATED)
        reasons = _standing(others, why_no_time, confidence, self._threshold)
        blank = Ticket("", severity, "", "", confidence.value, True, _FALLBACK, reasons)
        read = StoredRead(format, severity_basis, service_basis, why_no_time, told(confidence))
        return _Form(
            _escaped(encode(blank)).replace(b'""', b"%b"),
            b'{"ticket":%%b,"spans":%%b,"read":%b}' % _escaped(encode(read)),
            confidence.value,
            reasons,
        )

    def accept(
        self,
        line: Line,
        reading: Reading,
        answer: Answer,
        merged: Merged,
        source: Source = Source.MODEL,
    ) -> Judged:
        """The ticket of an answer that the line bears out: the model's, or out of the cache."""
        severity, service = reading.severity.basis, reading.service.basis
        confidence = self.table.lookup(signals(reading, _agreement(merged)))
        others = set()
        if merged.disputed:
            others.add(ReviewReason.DISPUTED)
        if merged.needs_human:
            others.add(ReviewReason.MODEL_UNSURE)
        if service is ServiceBasis.UNKNOWN and not merged.service_from_answer:
            others.add(ReviewReason.SERVICE_UNKNOWN)
        if severity is SeverityBasis.UNSTATED and not merged.severity_from_answer:
            others.add(ReviewReason.SEVERITY_UNSTATED)
        reasons = _standing(others, reading.timestamp.why, confidence, self._threshold)
        ticket = Ticket(
            merged.service,
            merged.severity,
            merged.first_seen,
            merged.evidence,
            confidence.value,
            needs_person(reasons),
            source,
            reasons,
        )
        named = line.find(merged.service) if merged.service_from_answer else None
        evidence = line.find(merged.evidence)
        assert evidence is not None, "what is accepted is quoted"
        quoted = Quoted(evidence, named)
        body = encode(Judgement(ticket, reading, answer, confidence, quoted))
        return Judged(encode(ticket), body, reasons, source, ticket)

    def review(self, line: Line, reading: Reading, ruling: Ruling) -> Judged:
        """The ticket that repeats a person's word; only what that leaves open, and a confidence too
        low, are reasons for a person to look again."""
        confidence = self.table.lookup(signals(reading, Agreement.REVIEWED))
        time = ruling.time
        others = {ReviewReason.REVIEWED}
        if ruling.service == UNKNOWN:
            others.add(ReviewReason.SERVICE_UNKNOWN)
        why = None if time.value is not None else time.why or TimestampWhy.ABSENT
        reasons = _standing(others, why, confidence, self._reviewed_threshold)
        ticket = Ticket(
            ruling.service,
            ruling.severity,
            UNKNOWN if time.value is None else time.value,
            line.quote(ruling.evidence),
            confidence.value,
            needs_person(reasons),
            Source.CACHE,
            reasons,
        )
        body = encode(Judgement(ticket, reading, confidence=confidence, ruling=ruling))
        return Judged(encode(ticket), body, reasons, Source.CACHE, ticket)


def _standing(
    others: set[ReviewReason],
    why_no_time: TimestampWhy | None,
    confidence: Confidence,
    threshold: float | None,
) -> tuple[ReviewReason, ...]:
    """All reasons that stand, in their order."""
    standing = set(others)
    if why_no_time is not None:
        standing.add(_TIMESTAMP_REASONS[why_no_time])
    if threshold is None or confidence.value < threshold:
        standing.add(ReviewReason.LOW_CONFIDENCE)
    return tuple(reason for reason in ReviewReason if reason in standing)


def _agreement(merged: Merged) -> Agreement:
    """What the answer says beside the rules' reading."""
    if merged.disputed:
        return Agreement.DIFFERS
    filled = merged.severity_from_answer or merged.service_from_answer
    return Agreement.FILLS if filled else Agreement.AGREES


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


_json = msgspec.json.Encoder().encode


def _escaped(template: bytes) -> bytes:
    return template.replace(b"%", b"%%")

"""Judgements, and how the store keeps them: whole, or those of the rules alone in little space."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from logdocket.confidence import Confidence
from logdocket.line import (
    Answer,
    Context,
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
from logdocket.ticket import UNKNOWN, ReviewReason, Source, Ticket, decode

# Looked up once: reading a member of an enum costs more than making a ticket's struct.
_FALLBACK: Final = Source.FALLBACK


class Quoted(msgspec.Struct, frozen=True, gc=False):
    """Where a ticket's evidence stands, and its service where that is the answer's; the first place
    of several.
    """

    evidence: Span
    service: Span | None = None


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """What a person's verdict, entry ``verdict``, says of a line: ``time`` and ``evidence`` as they
    stand in it, and ``named``, the first place of the service; None where that is unknown or only
    the caller's.
    """

    verdict: int
    service: str
    severity: Severity
    time: TimestampRead
    evidence: Span
    named: Span | None


class Judgement(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A ticket, the reading it stands on, the model's answer if it took part, and where its
    confidence comes from (None in what was stored before that was told). ``quoted`` is where the
    line has what the ticket took from the answer. ``context`` is what the caller knew beside the
    line, where the line's text is kept and there was any. ``ruling`` is the person's word, where
    the ticket gives that.
    """

    ticket: Ticket
    reading: Reading
    answer: Answer | None = None
    confidence: Confidence | None = None
    quoted: Quoted | None = None
    context: Context | None = None
    ruling: Ruling | None = None


class Judged(msgspec.Struct, gc=False):
    """A fresh ticket, encoded once: ``json`` as it is given, ``body`` as the store keeps it."""

    json: bytes
    body: bytes
    reasons: tuple[ReviewReason, ...]
    source: Source = _FALLBACK
    decoded: Ticket | None = None

    @property
    def ticket(self) -> Ticket:
        """The ticket itself; decoded when first asked for, where only its JSON is at hand."""
        if self.decoded is None:
            self.decoded = decode(self.json, _ticket)
        return self.decoded


class Shared(msgspec.Struct, frozen=True):
    """A ticket made of an answer that was not given about this line: a model's about another line,
    of entry ``original``, which was entered ``at`` (µs since 1970 UTC), where ``template`` stands
    for what they have in common; or a person's, entry ``verdict``, and then ``at`` is now.
    """

    judged: Judged
    at: int
    original: int | None = None
    template: bytes | None = None
    verdict: int | None = None


class StoredRead(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What lines that were read alike have in common, beside where the values stand: those are the
    ticket's. ``weighed`` is a :class:`Confidence`, field by field.
    """

    format: str
    severity: SeverityBasis
    service: ServiceBasis
    why: TimestampWhy | None
    weighed: tuple[Any, ...]


class _Stored(msgspec.Struct, frozen=True, gc=False):
    """A judgement as the store keeps it: whole, or, of the rules alone, in ``spans`` of timestamp,
    severity, service and evidence, and ``read``.
    """

    ticket: Ticket
    reading: Reading | None = None
    answer: Answer | None = None
    confidence: Confidence | None = None
    quoted: Quoted | None = None
    spans: tuple[Span | None, Span | None, Span | None, Span] | None = None
    read: StoredRead | None = None
    context: Context | None = None
    ruling: Ruling | None = None


_ticket = msgspec.json.Decoder(Ticket)
_stored = msgspec.json.Decoder(_Stored)


def decode_judgement(body: bytes) -> Judgement:
    """A judgement as the store keeps it; raises msgspec.MsgspecError when it is no such thing."""
    stored = decode(body, _stored)
    if stored.reading is not None:
        return Judgement(
            stored.ticket,
            stored.reading,
            stored.answer,
            stored.confidence,
            stored.quoted,
            stored.context,
            stored.ruling,
        )
    ticket, read = stored.ticket, stored.read
    if read is None or stored.spans is None:
        raise msgspec.ValidationError("there is no reading in it")
    stamp, severity, service, evidence = stored.spans
    reading = Reading(
        read.format,
        TimestampRead(None if ticket.first_seen == UNKNOWN else ticket.first_seen, stamp, read.why),
        SeverityRead(ticket.severity, severity, read.severity),
        ServiceRead(
            None if read.service is ServiceBasis.UNKNOWN else ticket.service, service, read.service
        ),
        evidence,
    )
    confidence = _confidence(read.weighed)
    return Judgement(ticket, reading, stored.answer, confidence, context=stored.context)


def told(confidence: Confidence) -> tuple[Any, ...]:
    """Its fields in order; None in place of ``asked`` where that cell itself answered."""
    asked = confidence.asked if confidence.backed_off else None
    return tuple(
        asked if field == "asked" else getattr(confidence, field)
        for field in Confidence.__struct_fields__
    )


def _confidence(weighed: tuple[Any, ...]) -> Confidence:
    """What :func:`told` told of; raises msgspec.ValidationError where it is no such thing."""
    named = dict(zip(Confidence.__struct_fields__, weighed, strict=False))
    if named.get("asked") is None:
        named["asked"] = named.get("cell")
    return msgspec.convert(named, Confidence)

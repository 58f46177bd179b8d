"""Why a ticket says what it says: where the line bears each field out, and what its confidence
stands on.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from logdocket.confidence import Confidence, Signals
from logdocket.docket.judgement import Judgement, decode_judgement
from logdocket.errors import LedgerUnavailable
from logdocket.line import ServiceBasis, SeverityBasis, Span
from logdocket.store import StoredTicket, rfc3339
from logdocket.ticket import UNKNOWN, encode

_RULES: Final = "rules"
_MODEL: Final = "model"
_REVIEWER: Final = "reviewer"
_CONTEXT: Final = "context"
_NOBODY: Final = "nobody"

_Field = dict[str, Any]


def ticket_document(stored: StoredTicket) -> bytes:
    """A stored ticket with all that it stands on, as JSON; bytes of the line that are not UTF-8
    appear as ``\\udcXX``.

    Raises LedgerUnavailable where it is not as it was entered.
    """
    return encode(stored_document(stored, judgement_of(stored)))


def judgement_of(stored: StoredTicket) -> Judgement:
    """What a stored ticket stands on; raises LedgerUnavailable where its body is not as entered."""
    try:
        return decode_judgement(stored.body)
    except msgspec.MsgspecError:
        raise LedgerUnavailable(
            f"ticket {stored.id} is not as it was entered: verify the ledger"
        ) from None


def stored_document(stored: StoredTicket, judgement: Judgement) -> dict[str, Any]:
    """The same before it is JSON, of a ticket whose body is decoded already."""
    return {
        "id": stored.id,
        "at": rfc3339(stored.at),
        "line_hash": stored.line_hash.hex(),
        "line": stored.text and stored.text.decode("utf-8", "surrogateescape"),
        "ticket": judgement.ticket,
        "reading": judgement.reading,
        "answer": judgement.answer,
        "explanation": explanation(judgement),
    }


def explanation(judgement: Judgement) -> dict[str, Any]:
    """For each field its value, ``by`` whom it is (the ``rules``, the ``model``, the ``reviewer``,
    the ``context`` or ``nobody``), how it was found (None where a person says so) and its ``span``
    in the line (byte offsets, the end exclusive; None where the line does not have it); and the
    signals and counts behind the confidence, None where an older version entered the ticket.
    """
    return {
        "fields": {
            "service": _service(judgement),
            "severity": _severity(judgement),
            "first_seen": _first_seen(judgement),
            "evidence": _evidence(judgement),
        },
        "confidence": None if judgement.confidence is None else _counts(judgement.confidence),
    }


def _field(value: str, by: str, span: Span | None, **how: object) -> _Field:
    return {"value": value, "by": by, **how, "span": span}


def _service(judgement: Judgement) -> _Field:
    value, read = judgement.ticket.service, judgement.reading.service
    if read.value == value:
        by = _CONTEXT if read.basis is ServiceBasis.CONTEXT else _RULES
        return _field(value, by, read.span, basis=read.basis)
    if judgement.ruling is not None and value != (read.value or UNKNOWN):
        return _field(value, _REVIEWER, judgement.ruling.named, basis=None)
    if judgement.answer is None or value.lower() == UNKNOWN:
        return _field(value, _NOBODY, None, basis=ServiceBasis.UNKNOWN)
    span = None if judgement.quoted is None else judgement.quoted.service
    return _field(value, _MODEL, span, basis=read.basis)


def _severity(judgement: Judgement) -> _Field:
    value, read = judgement.ticket.severity, judgement.reading.severity
    stated = read.basis is not SeverityBasis.UNSTATED
    if judgement.ruling is not None and not (stated and read.value is value):
        # A person may know from elsewhere how bad it is: no words of the line need bear that out.
        return _field(value, _REVIEWER, None, basis=None)
    if judgement.answer is None or (stated and read.value is value):
        return _field(value, _RULES if stated else _NOBODY, read.span, basis=read.basis)
    # What a model judges stands on all that it quotes.
    span = None if judgement.quoted is None else judgement.quoted.evidence
    return _field(value, _MODEL, span, basis=read.basis)


def _first_seen(judgement: Judgement) -> _Field:
    value, read = judgement.ticket.first_seen, judgement.reading.timestamp
    if judgement.ruling is not None and value != (read.value or UNKNOWN):
        time = judgement.ruling.time
        return _field(value, _REVIEWER, time.span, why_unknown=time.why)
    by = _NOBODY if read.value is None else _RULES
    return _field(value, by, read.span, why_unknown=read.why)


def _evidence(judgement: Judgement) -> _Field:
    value, ruling = judgement.ticket.evidence, judgement.ruling
    if ruling is not None and ruling.evidence != judgement.reading.evidence:
        return _field(value, _REVIEWER, ruling.evidence)
    if judgement.answer is None:
        return _field(value, _RULES, judgement.reading.evidence)
    return _field(value, _MODEL, None if judgement.quoted is None else judgement.quoted.evidence)


def _counts(confidence: Confidence) -> dict[str, Any]:
    """The signals that name the cell, the cell that answered, and its counts."""
    signals = Signals.of_cell(confidence.asked)
    return {
        "value": confidence.value,
        "signals": None if signals is None else msgspec.to_builtins(signals),
        "cell": confidence.asked,
        "answered_by": confidence.cell,
        "backed_off": confidence.backed_off,
        "right": confidence.right,
        "total": confidence.total,
        "parent": confidence.parent,
        "parent_weight": confidence.weight,
    }

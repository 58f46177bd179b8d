"""One labelled line and one field of its ticket: what was given, what was right, what was read."""

from __future__ import annotations

import msgspec

from logdocket.evaluation.examined import Examined
from logdocket.evaluation.scoring import Field, Outcome
from logdocket.line import Line, Reading, Span
from logdocket.ticket import UNKNOWN


class Shown(msgspec.Struct, frozen=True):
    """A field of the ticket about line ``number`` of a set.

    ``given`` is the ticket's value, ``"unknown"`` where it makes no claim, and ``right`` the values
    that the label takes; none where there is no label. ``read`` is the part of the line that bore
    the value out, its place in ``span`` (bytes, the end exclusive), and ``basis`` how it was found
    or why it was not.
    """

    set: str
    number: int
    template: str | None
    format: str
    field: Field
    outcome: Outcome
    given: str
    right: tuple[str, ...]
    basis: str | None
    read: str | None
    span: Span | None
    line: str


def show(set: str, examined: Examined, field: Field) -> Shown:
    """``field`` of ``examined``, a line of ``set``."""
    row, reading = examined.row, examined.reading
    outcome = examined.scored.of(field)
    span, basis = _found(reading, field)
    unclaimed = field is Field.SEVERITY and outcome is Outcome.UNKNOWN
    return Shown(
        set=set,
        number=row.number,
        template=row.template,
        format=reading.format,
        field=field,
        outcome=outcome,
        given=UNKNOWN if unclaimed else str(getattr(examined.ticket, field)),
        right=_right(examined, field),
        basis=basis,
        read=None if span is None else Line(row.line).quote(span),
        span=span,
        line=row.line,
    )


def _found(reading: Reading, field: Field) -> tuple[Span | None, str | None]:
    if field is Field.SEVERITY:
        return reading.severity.span, reading.severity.basis
    if field is Field.SERVICE:
        return reading.service.span, reading.service.basis
    if field is Field.FIRST_SEEN:
        return reading.timestamp.span, reading.timestamp.why
    return reading.evidence, None


def _right(examined: Examined, field: Field) -> tuple[str, ...]:
    row = examined.row
    if field is Field.SEVERITY:
        return () if row.severity is None else (row.severity.value,)
    if field is Field.SERVICE:
        return () if row.service is None else (row.service,)
    return row.first_seen if field is Field.FIRST_SEEN else ()

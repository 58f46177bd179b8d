"""Labelled lines with the tickets that the rules write about them, and how the two compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from logdocket.docket import Judge
from logdocket.evaluation.scoring import Scored, score
from logdocket.evaluation.sets import Row
from logdocket.line import NO_CONTEXT, Context, Line, Reading
from logdocket.ticket import Ticket


class Examined(msgspec.Struct, frozen=True, gc=False):
    """A labelled line, what the rules read, the ticket they write, and the outcome."""

    row: Row
    reading: Reading
    ticket: Ticket
    scored: Scored


def examine(
    rows: Iterable[Row], judge: Judge, arrived: datetime | None = None
) -> Iterator[Examined]:
    """Each row with the rules' own ticket about its line, as a user would get it without a model.

    ``arrived`` is given, as the time of arrival, to rows that have no context of their own.
    """
    lent = NO_CONTEXT if arrived is None else Context(received_at=arrived)
    for row in rows:
        line = Line(row.line)
        reading = judge.read(line, lent if row.context is None else row.context)
        ticket = judge.fall_back(line, reading, judge.why_alone).ticket
        span = reading.timestamp.span
        borrowed = arrived if row.context is None else None
        scored = score(row, ticket, None if span is None else line.quote(span), borrowed)
        yield Examined(row, reading, ticket, scored)

"""How far a person's word about one line holds for the others of its template.

Of each template with several labelled lines some are taken in turn: the label is what a person says
of the line's ticket, and the others are answered by that as the service answers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from logdocket.confidence import Agreement, signals
from logdocket.docket import Judge, Slot
from logdocket.docket.review.answers import Reviews, taught_by
from logdocket.docket.review.kin import template_key
from logdocket.docket.review.pointing import find_stamp
from logdocket.evaluation.calibration import BLIND, Case, all_right, template_of
from logdocket.evaluation.examined import Examined, examine
from logdocket.evaluation.scoring import HONEST, Outcome, score
from logdocket.evaluation.sets import Row, read_set, system
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.store.review import Fields, Verdict, VerdictWord
from logdocket.ticket import UNKNOWN

_TEACHERS: Final = 4
"""Lines of a template that are taken in turn."""

_ANSWERED: Final = 64
"""Lines of a template that are answered by each of them: what counts is the template."""

_Group = list[Examined]


def reviewed_cases(paths: Iterable[Path]) -> list[Case]:
    """Tickets of these sets that a label about another line of the template answers, in order; rows
    that lack a label are left out. Raises BadSet.
    """
    return [case for path in paths for case in reviewed_rows(system(path), read_set(path))]


def reviewed_rows(name: str, rows: Iterable[Row]) -> list[Case]:
    """The same of the rows of one system, called ``name``."""
    labelled = (row for row in examine(rows, Judge(BLIND, 0.0)) if row.scored.labelled)
    return [case for group in _groups(labelled) for case in _answered(name, group)]


def _groups(rows: Iterable[Examined]) -> Iterator[_Group]:
    """Different lines that one verdict may answer; each at least two."""
    groups: dict[bytes, dict[str, Examined]] = {}
    for found in rows:
        key = template_key(Line(found.row.line), found.reading, _context(found))
        if key is not None:
            groups.setdefault(key, {}).setdefault(found.row.line, found)
    return (list(group.values()) for group in groups.values() if len(group) > 1)


def _answered(name: str, group: _Group) -> Iterator[Case]:
    """What the labels of some of the group's lines make of the others."""
    for teacher in _spread(group, _TEACHERS):
        verdict = _verdict(teacher)
        if verdict is None:
            continue
        reviews = Reviews(Judge(BLIND, 0.0), _Told(verdict), lambda: 0)
        reviews.refresh()
        others = [found for found in group if found is not teacher]
        for found in _spread(others, _ANSWERED):
            case = _case(name, found, reviews)
            if case is not None:
                yield case


def _case(name: str, found: Examined, reviews: Reviews) -> Case | None:
    line, context = Line(found.row.line), _context(found)
    slot = Slot(line, context, b"", sha256(line.raw).digest())
    shared = reviews.share(slot, found.reading)
    if shared is None:
        return None
    ticket = shared.judged.ticket
    told = msgspec.structs.replace(found, ticket=ticket, scored=score(found.row, ticket))
    return Case(
        name,
        template_of(found),
        signals(found.reading, Agreement.REVIEWED),
        all_right(told),
    )


def _verdict(found: Examined) -> Verdict | None:
    """What a person says of the line who knows its label; None where the laws do not let them."""
    after = _fields(found)
    if after is None:
        return None
    line, ticket = Line(found.row.line), found.ticket
    return Verdict(
        id=1,
        at=0,
        group=b"",
        verdict=VerdictWord.CORRECTED,
        ticket=0,
        line_hash=sha256(line.raw).digest(),
        who="label",
        version=0,
        before=Fields(ticket.service, ticket.severity, ticket.first_seen, ticket.evidence),
        after=after,
        taught=taught_by(line, found.reading, _context(found), after),
    )


def _fields(found: Examined) -> Fields | None:
    row, ticket = found.row, found.ticket
    service, first_seen = ticket.service, ticket.first_seen
    if found.scored.service is not Outcome.RIGHT and row.service is not None:
        service = row.service
        if service != UNKNOWN and service not in row.line and service != _context(found).service:
            return None
    if found.scored.first_seen not in HONEST:
        line, context = Line(row.line), _context(found)
        stated = (each for each in row.first_seen if find_stamp(line, context, each) is not None)
        told = next(stated, UNKNOWN if UNKNOWN in row.first_seen else None)
        if told is None:
            return None
        first_seen = told
    if row.severity is None:
        return None
    return Fields(service, row.severity, first_seen, ticket.evidence)


def _context(found: Examined) -> Context:
    return NO_CONTEXT if found.row.context is None else found.row.context


def _spread(rows: Sequence[Examined], most: int) -> list[Examined]:
    """At most so many of them, evenly, the first and the last among them."""
    if len(rows) <= most:
        return list(rows)
    last = len(rows) - 1
    return [rows[round(step * last / (most - 1))] for step in range(most)]


class _Told(msgspec.Struct, frozen=True):
    """A store with one verdict."""

    verdict: Verdict

    def taught_version(self) -> int:
        return 1

    def taught(self) -> list[Verdict]:
        return [self.verdict]

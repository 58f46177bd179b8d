"""Verdicts as labels: what people said of tickets, for the confidence table and for fixtures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeAlias

import msgspec

from logdocket.confidence import Signals
from logdocket.docket.judgement import Judgement, decode_judgement
from logdocket.docket.review.desk import DeskStore
from logdocket.line import NO_CONTEXT, Context
from logdocket.store import StoredTicket, rfc3339
from logdocket.store.review import Verdict, VerdictWord

LabelRow: TypeAlias = dict[str, Any]


def labelled_reviews(store: DeskStore) -> list[tuple[Signals, bool]]:
    """How judged tickets were read, and whether people found all of their fields right.

    One label for each group and each way of reading, right where all of its judged tickets are: as
    :func:`logdocket.confidence.fit` takes them. Of several verdicts about a ticket the latest that
    stands counts; one about another ticket of the group takes nothing away from it. Tickets that
    repeated a person's word have ways of reading of their own.
    """
    right: dict[tuple[bytes, Signals], bool] = {}
    for verdict, stored in _judged(store, _standing(store)):
        seen = _signals(stored)
        if seen is not None:
            of = (verdict.group, seen)
            right[of] = right.get(of, True) and verdict.verdict is VerdictWord.RIGHT
    return [(seen, all_right) for (_, seen), all_right in right.items()]


def fixture_row(verdict: Verdict, stored: StoredTicket) -> LabelRow | None:
    """A row of a replay fixture, as docs/fixtures.md describes it, that expects what the person
    said; None where the verdict says nothing of the fields, or the line's text is not kept."""
    after, line = verdict.after, _text(stored)
    if after is None or line is None:
        return None
    row: LabelRow = {
        "id": f"verdict-{verdict.id}",
        "at": rfc3339(verdict.at),
        "line": line,
        "context": _context(stored),
        "expect": {
            "service": after.service,
            "severity": after.severity.value,
            "first_seen": after.first_seen,
            "evidence_contains": after.evidence,
        },
        "note": verdict.note,
    }
    return {name: value for name, value in row.items() if value is not None}


def labelled_row(verdict: Verdict, stored: StoredTicket) -> LabelRow | None:
    """A row of a set of labelled lines, as docs/accuracy.md describes it; None as above."""
    after, line = verdict.after, _text(stored)
    if after is None or line is None:
        return None
    row: LabelRow = {
        "line": line,
        "severity": after.severity.value,
        "first_seen": [after.first_seen],
        "service": after.service,
        "context": _context(stored),
    }
    return {name: value for name, value in row.items() if value is not None}


def fixture_rows(store: DeskStore, groups: Collection[bytes] | None = None) -> Iterator[LabelRow]:
    """The rows of a fixture of all that people said: one for each ticket, by the latest verdict
    about it that stands, ``at`` never before the row above. ``groups``: the keys of the groups that
    it is about; None for all."""
    latest = ""
    for verdict, stored in _judged(store, last_words(store, groups)):
        row = fixture_row(verdict, stored)
        if row is not None:
            latest = row["at"] = max(latest, row["at"])
            yield row


def labelled_rows(store: DeskStore, groups: Collection[bytes] | None = None) -> Iterator[LabelRow]:
    """The rows of a set of labelled lines of all that people said, one for each ticket;
    ``groups`` as above."""
    for verdict, stored in _judged(store, last_words(store, groups)):
        row = labelled_row(verdict, stored)
        if row is not None:
            yield row


def _standing(store: DeskStore) -> list[Verdict]:
    """The verdicts that stand and say what a ticket should, of each ticket the latest, oldest
    first."""
    latest: dict[int, Verdict] = {}
    for verdict in store.verdicts():
        if verdict.stands and verdict.after is not None:
            latest.pop(verdict.ticket, None)  # so that it comes in its own place
            latest[verdict.ticket] = verdict
    return list(latest.values())


def last_words(store: DeskStore, groups: Collection[bytes] | None) -> list[Verdict]:
    """The latest verdict about each ticket that stands and says what it should, oldest first;
    ``groups``: the keys of some, as they are now or were when it was entered."""
    standing = _standing(store)
    if groups is None:
        return standing
    return [verdict for verdict in standing if _of_groups(store, verdict, groups)]


def _of_groups(store: DeskStore, verdict: Verdict, groups: Collection[bytes]) -> bool:
    if verdict.group in groups:
        return True
    group = store.group_of(verdict.ticket)
    return group is not None and group.key in groups


def _judged(
    store: DeskStore, verdicts: Iterable[Verdict]
) -> Iterator[tuple[Verdict, StoredTicket]]:
    """Verdicts, each with the ticket that was judged."""
    for verdict in verdicts:
        stored = store.ticket(verdict.ticket)
        if stored is not None:
            yield verdict, stored


def _signals(stored: StoredTicket) -> Signals | None:
    judgement = _judgement(stored)
    if judgement is None or judgement.confidence is None:
        return None
    return Signals.of_cell(judgement.confidence.asked)


def _judgement(stored: StoredTicket) -> Judgement | None:
    try:
        return decode_judgement(stored.body)
    except msgspec.MsgspecError:
        return None


def _text(stored: StoredTicket) -> str | None:
    return None if stored.text is None else stored.text.decode("utf-8", "surrogateescape")


def _context(stored: StoredTicket) -> dict[str, Any] | None:
    """What the caller knew beside the line, as rows tell it; None where that was nothing."""
    judgement = _judgement(stored)
    context: Context = NO_CONTEXT if judgement is None else judgement.context or NO_CONTEXT
    arrived = context.received_at
    told = {
        "received_at": None if arrived is None else arrived.isoformat(),
        "service": context.service,
        "timezone": context.timezone,
        "labels": context.labels or None,
    }
    return {name: value for name, value in told.items() if value is not None} or None

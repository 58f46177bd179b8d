"""Entering verdicts, each only where nobody else has decided meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from logdocket.store.records import EntryKind
from logdocket.store.review import (
    Decided,
    DecideOutcome,
    Grouping,
    Stale,
    VerdictRecord,
    VerdictWord,
)
from logdocket.store.sqlite.chain import Strand
from logdocket.store.sqlite.queue.folding import fold_all
from logdocket.store.sqlite.queue.rows import GroupRow
from logdocket.store.sqlite.queue.rules import Ruled, Rules
from logdocket.store.sqlite.queue.shelf import Shelf
from logdocket.store.sqlite.queue.stretch import rules_on, ticket_at, verdict_at
from logdocket.store.sqlite.queue.verdicts import read_verdict, written
from logdocket.store.sqlite.statements import SQL


def decide(
    connection: sqlite3.Connection,
    strand: Strand,
    records: Sequence[VerdictRecord],
    grouping: Grouping,
) -> list[DecideOutcome]:
    """Add an entry to ``strand`` for each record whose group still has its version; what came of
    each, in order.

    Raises ValueError for a record that contradicts the ledger; the transaction must be given up.
    """
    state = fold_all(connection, grouping)
    shelf = Shelf(connection, state.woken)
    rules = rules_on(connection, shelf, grouping.describe)
    outcomes: list[DecideOutcome] = []
    for record in records:
        group = shelf.group(record.group)
        if group is None or group.version != record.version:
            outcomes.append(Stale(group=None if group is None else group.shown()))
            continue
        _check(connection, shelf, record, group)
        undone = None if record.undoes is None else verdict_at(connection, record.undoes)
        key = group.key if undone is None else bytes.fromhex(undone.group)
        outcomes.append(_enter(strand, rules, record, group, key))
    shelf.save()
    # Whatever else is on the strand is nothing to the queue.
    connection.execute(SQL["put_queue_state"], (strand.head.seq, state.version, state.woken))
    return outcomes


def refutes(record: VerdictRecord) -> bool:
    """Whether it says that the ticket's answer was wrong in what other lines may share of it: not
    in its time, which each line has for itself."""
    before, after = record.before, record.after
    return after is not None and (after.service, after.severity, after.evidence) != (
        before.service,
        before.severity,
        before.evidence,
    )


def _check(
    connection: sqlite3.Connection, shelf: Shelf, record: VerdictRecord, group: GroupRow
) -> None:
    row = shelf.ticket(record.ticket)
    ticket = ticket_at(connection, record.ticket)
    if row is None or ticket is None or row.grp != group.id:
        raise ValueError(
            f"a verdict about group {group.id}: entry {record.ticket} is no ticket of that group"
        )
    if ticket.line_hash != record.line_hash:
        raise ValueError(
            f"a verdict about group {group.id}: the ticket of entry {record.ticket} is about "
            "another line"
        )
    if record.verdict is VerdictWord.UNDONE and record.undoes != (group.standing or None):
        raise ValueError(
            f"a verdict about group {group.id}: entry {record.undoes} is not the last verdict "
            "about it that stands"
        )


def _enter(
    strand: Strand, rules: Rules, record: VerdictRecord, group: GroupRow, key: bytes
) -> Decided:
    """Add the entry; ``key`` is that of the group, by the grouping of whatever is undone."""
    seq = strand.head.seq + 1
    detail = read_verdict(written(record, key, ""))
    after = rules.verdict(Ruled(seq, strand.at, detail))
    assert after is group, "the judged ticket is one of the group"
    strand.add(EntryKind.VERDICT, written(record, key, group.state))
    return Decided(verdict=seq, group=group.shown())

"""Reading the queue: groups, their tickets and verdicts, and what a model was asked."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date, timedelta
from typing import Any, Final, TypeVar

import msgspec

from logdocket.errors import LedgerUnavailable
from logdocket.store.records import StoredTicket
from logdocket.store.review import (
    MOST_LOOKS,
    DayTickets,
    Group,
    GroupPage,
    GroupQuery,
    GroupState,
    PastCall,
    Pending,
    PendingCounts,
    QueueCounts,
    Verdict,
)
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.details import FinishedDetail, StartedDetail
from logdocket.store.sqlite.queue.folding import state_of
from logdocket.store.sqlite.queue.history import with_withdrawals
from logdocket.store.sqlite.queue.listing import page
from logdocket.store.sqlite.queue.rows import GroupRow
from logdocket.store.sqlite.queue.shelf import BY_ID
from logdocket.store.sqlite.queue.verdicts import read_verdict
from logdocket.store.sqlite.rows import CallRow
from logdocket.store.sqlite.statements import SQL, among, filled
from logdocket.store.sqlite.tickets import MEANINGLESS, stored

_FOREVER: Final = 2**63 - 1
_EPOCH: Final = date(1970, 1, 1)
_CHANGED: Final = f"{filled('queue_groups', 'changed > ?1 AND changed <= ?2')} ORDER BY changed, id"
_KEY: Final = 8
"""Where a row of a ticket has its key."""
_Made = TypeVar("_Made")


class _Ticket(msgspec.Struct):
    """What the detail of a ticket's entry says of calls."""

    calls: list[int] = []
    original: int | None = None


_ticket = msgspec.json.Decoder(_Ticket)
_started = msgspec.json.Decoder(StartedDetail)
_finished = msgspec.json.Decoder(FinishedDetail)


class QueueReader:
    """Answers from a connection of its own, so that reading never waits for anyone."""

    def __init__(self, database: Database, patience: float) -> None:
        self._database = database
        self._handle = Handle(database, patience, query_only=True)

    def close(self) -> None:
        """Release the file."""
        self._handle.close()

    def groups(self, query: GroupQuery) -> GroupPage:
        """A page of groups; raises ValueError for a cursor that is none of this query's."""
        with self._handle.use() as connection:
            return page(connection, query)

    def group(self, id: int) -> Group | None:
        """One group."""
        if not 0 < id <= _FOREVER:
            return None
        with self._handle.use() as connection:
            return _group(connection, id)

    def group_of(self, ticket: int) -> Group | None:
        """The group that the ticket of an entry, or what it repeats, belongs to."""
        if not 0 < ticket <= _FOREVER:
            return None
        with self._handle.use() as connection:
            row = connection.execute(SQL["group_of_ticket"], (ticket,)).fetchone()
            if row is None:
                told = self._told(connection, ticket)
                original = None if told is None else told.original
                row = connection.execute(SQL["group_of_ticket"], (original,)).fetchone()
            return None if row is None else _group(connection, row[0])

    def _told(self, connection: sqlite3.Connection, seq: int) -> _Ticket | None:
        """What the entry of a ticket says; None where it is no ticket's."""
        found = connection.execute(SQL["entry"], (seq,)).fetchone()
        if found is None or found[2] != "ticket":
            return None
        return self._known(seq, lambda: _ticket.decode(found[5]))

    def counts(self) -> QueueCounts:
        """Groups by state, and how far the queue follows the ledger."""
        with self._handle.use() as connection:
            state = state_of(connection, 0)
            found = dict(connection.execute(SQL["groups_by_state"]).fetchall())
            (changed,) = connection.execute(SQL["last_change"]).fetchone()
        by_state = {state.value: found.get(state.value, 0) for state in GroupState}
        return QueueCounts(by_state=by_state, upto=state.upto, head=state.head, changed=changed)

    def changes(self, after: int, limit: int) -> list[Group]:
        """Groups that changed after that, in order."""
        after = max(-1, min(after, _FOREVER))
        with self._handle.use() as connection:
            (last,) = connection.execute(SQL["change_at"], (after, max(limit, 1))).fetchone()
            if last is None:
                return []
            found = connection.execute(_CHANGED, (after, last)).fetchall()
        return [GroupRow(*row).shown() for row in found]

    def group_tickets(self, id: int, limit: int) -> list[StoredTicket]:
        """The newest tickets of a group that have a body, newest first."""
        if not 0 < id <= _FOREVER:
            return []
        with self._handle.use() as connection:
            found = connection.execute(SQL["tickets_of_group"], (id, max(limit, 0))).fetchall()
        return _tickets(found)

    def group_verdicts(self, id: int) -> list[Verdict]:
        """Every verdict about a group, newest first."""
        return self.verdicts_about([id]).get(id, [])

    def verdicts_about(self, ids: Sequence[int]) -> dict[int, list[Verdict]]:
        """Every verdict about some groups, newest first, by the groups' numbers."""
        wanted = sorted({id for id in ids if 0 < id <= _FOREVER})
        with self._handle.use() as connection:
            found = sorted(among(connection, "verdicts_of_groups", wanted))
        made: dict[int, list[Verdict]] = {}
        for seq, at, detail, undone_by, group in found:
            made.setdefault(group, []).append(self._verdict(seq, at, detail, undone_by))
        return {id: with_withdrawals(verdicts)[::-1] for id, verdicts in made.items()}

    def verdicts(self, after: int) -> list[Verdict]:
        """Every verdict after an entry, oldest first."""
        with self._handle.use() as connection:
            bounds = (max(-1, min(after, _FOREVER)), _FOREVER)
            found = connection.execute(SQL["verdict_entries"], bounds).fetchall()
            groups = dict(connection.execute(SQL["groups_of_verdicts"]).fetchall())
        made = [self._verdict(*row) for row in found]
        undone = {verdict.undoes: verdict.id for verdict in made if verdict.undoes is not None}
        return with_withdrawals(
            [
                msgspec.structs.replace(verdict, undone_by=undone[verdict.id])
                if verdict.id in undone
                else verdict
                for verdict in made
            ],
            groups,
        )

    def _verdict(self, seq: int, at: int, detail: str, undone_by: int | None = None) -> Verdict:
        return self._known(seq, lambda: read_verdict(detail).entered(seq, at, undone_by))

    def groups_of_verdicts(self) -> dict[int, int]:
        """The number of the group that each verdict is about, by the number of its entry."""
        with self._handle.use() as connection:
            return dict(connection.execute(SQL["groups_of_verdicts"]).fetchall())

    def taught_version(self) -> int:
        """The number of the newest verdict."""
        with self._handle.use() as connection:
            (last,) = connection.execute(SQL["last_verdict"]).fetchone()
        return int(last)

    def calls_of(self, ticket: int) -> list[PastCall]:
        """The calls made for a ticket, or for what it repeats, oldest first."""
        if not 0 < ticket <= _FOREVER:
            return []
        with self._handle.use() as connection:
            told = self._told(connection, ticket)
            if told is not None and not told.calls and told.original is not None:
                ticket = told.original
                told = self._told(connection, ticket)
            if told is None or not told.calls:
                return []
            calls = sorted(set(told.calls))
            rows = [CallRow(*row) for row in among(connection, "calls", calls)]
            details = dict(among(connection, "details", calls))
            ends = connection.execute(SQL["finished_between"], (calls[0], ticket)).fetchall()
        finished = [
            self._known(seq, functools.partial(_finished.decode, text)) for seq, text in ends
        ]
        by_call = {end.call: end for end in finished}
        return [
            self._past(row, details.get(row.seq, ""), by_call.get(row.seq))
            for row in sorted(rows, key=lambda row: row.seq)
        ]

    def _past(self, row: CallRow, detail: str, end: FinishedDetail | None) -> PastCall:
        started = self._known(row.seq, lambda: _started.decode(detail))
        return PastCall(
            id=row.seq,
            at=row.at,
            model=row.model,
            attempt=row.attempt,
            mode=started.mode,
            status=row.status,
            http=None if end is None else end.http,
            ms=None if end is None else end.ms,
            tokens_in=row.tokens_in,
            tokens_out=row.tokens_out,
            nano_usd=row.nano_usd,
            wrong=() if end is None else tuple(end.wrong),
        )

    def pending(self, limit: int) -> list[Pending]:
        """Tickets that wait for a second look, one for each of at most ``limit`` keys."""
        by_key: dict[bytes, Pending] = {}
        with (
            self._handle.use() as connection,
            # Row by row: of one key there may be thousands.
            closing(connection.execute(SQL["pending"], (MOST_LOOKS,))) as found,
        ):
            for *row, looks in found:
                if len(by_key) >= limit:
                    break
                if row[_KEY] not in by_key:
                    for ticket in _tickets([tuple(row)]):
                        by_key[ticket.key] = Pending(ticket=ticket, looks=looks)
        return list(by_key.values())

    def is_pending(self, ticket: int) -> bool:
        """Whether a ticket still waits for a second look."""
        if not 0 < ticket <= _FOREVER:
            return False
        with self._handle.use() as connection:
            found = connection.execute(SQL["is_pending"], (MOST_LOOKS, ticket)).fetchone()
        return found is not None

    def pending_counts(self) -> PendingCounts:
        """How many there are."""
        with self._handle.use() as connection:
            waiting, askable = connection.execute(SQL["pending_counts"], (MOST_LOOKS,)).fetchone()
        return PendingCounts(waiting=waiting, askable=askable)

    def days(self, since: str, until: str) -> list[DayTickets]:
        """Tickets by day and source; raises ValueError for what is no day."""
        bounds = [(date.fromisoformat(day) - _EPOCH).days for day in (since, until)]
        with self._handle.use() as connection:
            found = connection.execute(SQL["queue_days"], bounds).fetchall()
        days: dict[int, dict[str, int]] = {}
        for day, source, tickets in found:
            days.setdefault(day, {})[source] = tickets
        return [
            DayTickets(day=(_EPOCH + timedelta(days=day)).isoformat(), by_source=by_source)
            for day, by_source in days.items()
        ]

    def _known(self, seq: int, make: Callable[[], _Made]) -> _Made:
        """What ``make`` reads in entry ``seq``; raises LedgerUnavailable where that is nonsense."""
        try:
            return make()
        except MEANINGLESS as error:
            raise LedgerUnavailable(
                f"entry {seq} of the ledger {self._database.path} cannot be understood "
                f"({error}): verify the ledger, or upgrade Logdocket"
            ) from error


def _group(connection: sqlite3.Connection, id: int) -> Group | None:
    row = connection.execute(BY_ID, (id,)).fetchone()
    return None if row is None else GroupRow(*row).shown()


def _tickets(rows: Sequence[tuple[Any, ...]]) -> list[StoredTicket]:
    """The tickets of ``rows`` that are as they were entered."""
    found = []
    for row in rows:
        try:
            found.append(stored(row))
        except MEANINGLESS:
            continue
    return found

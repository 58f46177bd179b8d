"""The queue's rows that one transaction touches: read when first asked for, written all at once."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from logdocket.store.sqlite.queue.rows import GroupRow, TicketRow, VerdictRow, flat
from logdocket.store.sqlite.statements import SQL, among, filled, put

_GROUP: Final = len(GroupRow.__struct_fields__)
_TICKET: Final = len(TicketRow.__struct_fields__)
_VERDICT: Final = len(VerdictRow.__struct_fields__)

_Row = TypeVar("_Row", bound=msgspec.Struct)

BY_ID: Final = filled("queue_groups", "id = ?1")
BY_KEY: Final = filled("queue_groups", "key = ?1")


class Shelf:
    """Rows of groups, tickets and verdicts. What is asked for is in memory and may be changed;
    whoever changes a row hands it to the method that puts it back.

    ``woken``: how many snoozed groups have come back so far.
    """

    def __init__(self, connection: sqlite3.Connection, woken: int) -> None:
        self.woken = woken
        self._connection = connection
        self._groups: dict[int, GroupRow | None] = {}
        self._keys: dict[bytes, int] = {}
        self._tickets: dict[int, TicketRow | None] = {}
        self._verdicts: dict[int, VerdictRow | None] = {}
        self._changed: set[int] = set()
        self._counted: set[int] = set()
        self._shown: set[int] = set()
        self._changed_tickets: set[int] = set()
        self._changed_verdicts: set[int] = set()

    def expect(self, keys: Iterable[bytes], tickets: Iterable[int]) -> None:
        """Read the groups of ``keys`` and the rows of ``tickets``, and their groups, at once."""
        connection = self._connection
        wanted = list(dict.fromkeys(tickets))
        self._tickets.update(dict.fromkeys(wanted))
        for row in among(connection, "queue_ticket_rows", wanted):
            self._tickets[row[0]] = TicketRow(*row)
        found = (self._tickets[seq] for seq in wanted)
        groups = {row.grp for row in found if row is not None} - self._groups.keys()
        for values, column in ((list(dict.fromkeys(keys)), "key"), (sorted(groups), "id")):
            for row in among(connection, f"queue_groups_by_{column}", values):
                self._take(GroupRow(*row))

    def group(self, id: int) -> GroupRow | None:
        """The group with that number."""
        if id not in self._groups:
            row = self._connection.execute(BY_ID, (id,)).fetchone()
            self._groups[id] = None
            if row is not None:
                self._take(GroupRow(*row))
        return self._groups[id]

    def group_of_key(self, key: bytes) -> GroupRow | None:
        """The group with that key."""
        if key not in self._keys:
            row = self._connection.execute(BY_KEY, (key,)).fetchone()
            if row is None:
                return None
            self._take(GroupRow(*row))
        return self._groups[self._keys[key]]

    def group_of_ticket(self, seq: int) -> GroupRow | None:
        """The group that the ticket of entry ``seq`` belongs to."""
        row = self.ticket(seq)
        return None if row is None else self.group(row.grp)

    def _take(self, row: GroupRow) -> None:
        if self._groups.get(row.id) is None:
            self._groups[row.id] = row
            self._keys[row.key] = row.id

    def ticket(self, seq: int) -> TicketRow | None:
        """The row of the ticket of entry ``seq``."""
        if seq not in self._tickets:
            self.expect((), (seq,))
        return self._tickets[seq]

    def verdict(self, seq: int) -> VerdictRow | None:
        """The row of the verdict of entry ``seq``."""
        if seq not in self._verdicts:
            row = self._connection.execute(filled("queue_verdict_rows", "?"), (seq,)).fetchone()
            self._verdicts[seq] = None if row is None else VerdictRow(*row)
        return self._verdicts[seq]

    def put_group(self, row: GroupRow, seq: int, *, shown: bool = False) -> None:
        """Keep ``row``, changed by entry ``seq``; ``shown``: another ticket stands for it."""
        row.changed = max(row.changed, seq + self.woken)
        self._groups[row.id] = row
        self._keys[row.key] = row.id
        self._changed.add(row.id)
        if shown:
            self._shown.add(row.id)

    def count_group(self, row: GroupRow, seq: int) -> None:
        """Keep ``row``, of which entry ``seq`` changed no more than what cache hits do."""
        row.changed = max(row.changed, seq + self.woken)
        self._counted.add(row.id)

    def put_ticket(self, row: TicketRow) -> None:
        """Keep ``row``."""
        self._tickets[row.seq] = row
        self._changed_tickets.add(row.seq)

    def put_verdict(self, row: VerdictRow) -> None:
        """Keep ``row``."""
        self._verdicts[row.seq] = row
        self._changed_verdicts.add(row.seq)

    def twins(self, seq: int, before: int) -> list[TicketRow]:
        """The rows of tickets under the key of that of entry ``seq``, before another entry."""
        found = self._connection.execute(SQL["queue_twins"], (seq, before)).fetchall()
        rows = (self.ticket(number) for (number,) in found)
        return [row for row in rows if row is not None]

    def sources(self, seqs: Sequence[int]) -> Counter[str]:
        """How many of the tickets of these entries, each as often as it stands there, came from
        where."""
        times = Counter(seqs)
        sources: Counter[str] = Counter()
        for seq, source in among(self._connection, "sources", list(times)):
            sources[source] += times[seq]
        return sources

    def waiting(self, row: GroupRow) -> int:
        """How many tickets of a group need a decision that they have not got."""
        if row.settles:
            return 0
        self._save_tickets()
        (found,) = self._connection.execute(SQL["count_waiting"], (row.id, row.settled)).fetchone()
        return int(found)

    def newest_waiting(self, row: GroupRow) -> int | None:
        """The newest of those; None where there is none."""
        self._save_tickets()
        (found,) = self._connection.execute(SQL["newest_waiting"], (row.id, row.settled)).fetchone()
        return None if found is None else int(found)

    def save(self) -> None:
        """Write what has changed."""
        self._save_tickets()
        connection = self._connection
        put(connection, "put_queue_group", _GROUP, flat(_of(self._groups, self._changed)))
        found = [(row.id, row.search) for row in _of(self._groups, self._shown)]
        put(connection, "put_queue_search", 2, [value for row in found for value in row])
        counted = [
            (row.id, row.count, row.from_cache, row.first_at, row.last_at, row.fresh, row.changed)
            for row in _of(self._groups, self._counted - self._changed)
        ]
        connection.executemany(SQL["count_in_group"], counted)
        verdicts = _of(self._verdicts, self._changed_verdicts)
        put(connection, "put_queue_verdict", _VERDICT, flat(verdicts))
        for changed in (self._changed, self._shown, self._counted, self._changed_verdicts):
            changed.clear()

    def _save_tickets(self) -> None:
        """Write tickets now, for a statement that counts them."""
        rows = _of(self._tickets, self._changed_tickets)
        put(self._connection, "put_queue_ticket", _TICKET, flat(rows))
        self._changed_tickets.clear()


def _of(rows: Mapping[int, _Row | None], changed: set[int]) -> list[_Row]:
    """Those of ``rows`` that have changed, in order."""
    return [row for number in sorted(changed) if (row := rows[number]) is not None]

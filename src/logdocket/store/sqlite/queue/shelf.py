"""The queue's rows that one transaction touches: read when first asked for, written all at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from logdocket.store.sqlite.queue.rows import GroupRow, TicketRow, VerdictRow, flat
from logdocket.store.sqlite.statements import SQL, among, filled, put

_GROUP: Final = len(GroupRow.__struct_fields__)
_TICKET: Final = len(TicketRow.__struct_fields__)
_VERDICT: Final = len(VerdictRow.__struct_fields__)

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
        self._changed: tuple[set[int], set[int], set[int]] = (set(), set(), set())

    def expect(self, keys: Iterable[bytes], tickets: Iterable[int]) -> None:
        """Read the groups of ``keys`` and the rows of ``tickets``, and their groups, at once."""
        connection = self._connection
        wanted = list(dict.fromkeys(tickets))
        self._tickets.update(dict.fromkeys(wanted))
        for row in among(connection, "queue_ticket_rows", wanted):
            self._tickets[row[0]] = TicketRow(*row)
        groups = {row.grp for row in self._tickets.values() if row is not None}
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

    def put_group(self, row: GroupRow, seq: int) -> None:
        """Keep ``row``, changed by entry ``seq``."""
        row.changed = max(row.changed, seq + self.woken)
        self._groups[row.id] = row
        self._keys[row.key] = row.id
        self._changed[0].add(row.id)

    def put_ticket(self, row: TicketRow) -> None:
        """Keep ``row``."""
        self._tickets[row.seq] = row
        self._changed[1].add(row.seq)

    def put_verdict(self, row: VerdictRow) -> None:
        """Keep ``row``."""
        self._verdicts[row.seq] = row
        self._changed[2].add(row.seq)

    def twins(self, seq: int, before: int) -> list[TicketRow]:
        """The rows of tickets under the key of that of entry ``seq``, before another entry."""
        found = self._connection.execute(SQL["queue_twins"], (seq, before)).fetchall()
        rows = (self.ticket(number) for (number,) in found)
        return [row for row in rows if row is not None]

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
        groups = [row for id in sorted(self._changed[0]) if (row := self._groups[id]) is not None]
        put(self._connection, "put_queue_group", _GROUP, flat(groups))
        verdicts = [v for seq in sorted(self._changed[2]) if (v := self._verdicts[seq]) is not None]
        put(self._connection, "put_queue_verdict", _VERDICT, flat(verdicts))
        self._changed[0].clear()
        self._changed[2].clear()

    def _save_tickets(self) -> None:
        """Write tickets now, for a statement that counts them."""
        rows = [row for seq in sorted(self._changed[1]) if (row := self._tickets[seq]) is not None]
        put(self._connection, "put_queue_ticket", _TICKET, flat(rows))
        self._changed[1].clear()

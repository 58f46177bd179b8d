"""Pages of groups: which statements find them, and where the next page begins."""

from __future__ import annotations

import base64
import binascii
import heapq
import sqlite3
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from logdocket.store.review import GroupPage, GroupQuery, GroupSort, GroupState
from logdocket.store.sqlite.queue.rows import GroupRow, folded, raw
from logdocket.store.sqlite.statements import among, filled
from logdocket.ticket import Source

_LARGEST: Final = 2**63 - 1
_PROBED: Final = 500
"""Rows in the order of an index that are looked at before all are read."""


class _Order(NamedTuple):
    """The columns of an order, and whether their largest come first."""

    columns: tuple[str, ...]
    falls: bool

    @property
    def by(self) -> str:
        """The same in SQL."""
        direction = " DESC" if self.falls else ""
        return ", ".join(f"{column}{direction}" for column in self.columns)

    def key(self, row: GroupRow) -> tuple[int, ...]:
        """Where ``row`` stands: rows with smaller ones come first."""
        sign = -1 if self.falls else 1
        return tuple(sign * getattr(row, column) for column in self.columns)


_ORDERS: Final = {
    GroupSort.SEVERITY: _Order(("severity", "last_at", "id"), falls=True),
    GroupSort.NEWEST: _Order(("last_at", "id"), falls=True),
    GroupSort.OLDEST: _Order(("first_at", "id"), falls=False),
    GroupSort.COUNT: _Order(("count", "id"), falls=True),
}


class _Condition(NamedTuple):
    """Terms that all hold, and the values in their places."""

    terms: list[str]
    values: list[object]

    def plus(self, more: _Condition) -> _Condition:
        """Both together."""
        return _Condition([*self.terms, *more.terms], [*self.values, *more.values])


def page(connection: sqlite3.Connection, query: GroupQuery) -> GroupPage:
    """The groups of ``query``; raises ValueError for a cursor that is none of its."""
    limit = max(1, min(query.limit, _LARGEST - 1))
    order = _ORDERS[query.sort]
    rows = _rows(connection, query, order, limit + 1)
    following = None
    if len(rows) > limit:
        last = rows[limit - 1]
        following = _cursor(query, [getattr(last, column) for column in order.columns])
    return GroupPage(groups=[row.shown() for row in rows[:limit]], next=following)


def _rows(
    connection: sqlite3.Connection, query: GroupQuery, order: _Order, most: int
) -> list[GroupRow]:
    """The first ``most`` rows. An index gives them in order: of each state, and where that goes
    first, of each severity. What is filtered besides may be rare, and then reading every row is
    faster than following the index to its end: so the index is followed only for a while."""
    after = _after(query, order)
    filters = _filters(query, "(SELECT text FROM queue_search AS s WHERE s.grp = g.id)")
    if not filters.terms:
        return _merged(connection, query, order, after, most)
    probed = _merged(connection, query, order, after, most, filters)
    if len(probed) >= most:
        return probed
    scan = "scan_groups"
    if query.text and len(filters.terms) == 1:
        scan, filters = "scan_text", _filters(query, "s.text")
    return _scanned(connection, scan, query, order, filters.plus(after), most)


def _merged(
    connection: sqlite3.Connection,
    query: GroupQuery,
    order: _Order,
    after: _Condition,
    most: int,
    filters: _Condition | None = None,
) -> list[GroupRow]:
    """Rows in order: as many as are wanted from each stretch of the index, merged. With
    ``filters``, those that pass among the first of each stretch; none where that leaves open which
    rows come first."""
    by = order.by
    parts = []
    for stretch in _stretches(query):
        condition = stretch.plus(after)
        where = " AND ".join(condition.terms)
        values = [*condition.values]
        if filters is None:
            statement = f"{filled('queue_groups', where)} ORDER BY {by} LIMIT ?"
            values.append(most)
        else:
            inner = f"{filled('queue_groups', where)} ORDER BY {by} LIMIT ?"
            statement = f"SELECT * FROM ({inner}) AS g WHERE {' AND '.join(filters.terms)} LIMIT ?"
            values += [_PROBED, *filters.values, most]
        found = connection.execute(statement, values).fetchall()
        parts.append([GroupRow(*row) for row in found])
        if filters is not None and len(found) < most:
            more = (*condition.values, _PROBED)
            (left,) = connection.execute(filled("any_after", where), more).fetchone()
            if left:
                return []
    return list(islice(heapq.merge(*parts, key=order.key), most))


def _scanned(
    connection: sqlite3.Connection,
    scan: str,
    query: GroupQuery,
    order: _Order,
    condition: _Condition,
    most: int,
) -> list[GroupRow]:
    """Rows in order, found by reading all with ``scan``."""
    terms, values = list(condition.terms), list(condition.values)
    if query.states:
        terms.append(f"state IN ({','.join('?' * len(query.states))})")
        values += [state.value for state in query.states]
    if query.severities and query.sort is GroupSort.SEVERITY:
        terms.append(f"severity IN ({','.join('?' * len(query.severities))})")
        values += [severity.rank for severity in query.severities]
    found = connection.execute(
        f"{filled(scan, ' AND '.join(terms))} ORDER BY {order.by} LIMIT ?", (*values, most)
    ).fetchall()
    by_id = {
        row[0]: GroupRow(*row)
        for row in among(connection, "queue_groups_by_id", [id for (id,) in found])
    }
    return [by_id[id] for (id,) in found if id in by_id]


def _stretches(query: GroupQuery) -> list[_Condition]:
    """The stretches of the index that the rows lie in."""
    states = [
        _Condition(["state = ?"], [state.value])
        for state in dict.fromkeys(query.states or tuple(GroupState))
    ]
    if not query.severities or query.sort is not GroupSort.SEVERITY:
        return states
    ranks = sorted({severity.rank for severity in query.severities})
    return [state.plus(_Condition(["severity = ?"], [rank])) for state in states for rank in ranks]


def _filters(query: GroupQuery, text: str) -> _Condition:
    """What the index of the order does not know; ``text`` is what a text is looked for in."""
    terms: list[str] = []
    values: list[object] = []
    if query.severities and query.sort is not GroupSort.SEVERITY:
        ranks = sorted({severity.rank for severity in query.severities})
        terms.append(f"severity IN ({','.join('?' * len(ranks))})")
        values += ranks
    if query.service is not None:
        terms.append("service = ?")
        values.append(raw(query.service))
    if query.reason is not None:
        # The first is the cheaper, and leaves few for the second.
        terms += ["instr(all_reasons, ?) > 0", "instr(',' || all_reasons || ',', ?) > 0"]
        values += [query.reason.value, f",{query.reason.value},"]
    if query.source is not None:
        terms.append(f"from_{Source(query.source).value} > 0")
    if query.text:
        terms.append(f"instr({text}, ?) > 0")
        values.append(raw(folded(query.text)))
    return _Condition(terms, values)


def _after(query: GroupQuery, order: _Order) -> _Condition:
    """Where the page before ended; raises ValueError for a cursor that is none of the query's."""
    if query.cursor is None:
        return _Condition([], [])
    places = ",".join("?" * len(order.columns))
    sign = "<" if order.falls else ">"
    values: list[object] = [*_read(query, len(order.columns))]
    return _Condition([f"({','.join(order.columns)}) {sign} ({places})"], values)


class _Cursor(msgspec.Struct, array_like=True):
    """Where a page ended, and of which query."""

    query: str
    values: list[int]


_cursors = msgspec.json.Decoder(_Cursor)


def _cursor(query: GroupQuery, values: list[Any]) -> str:
    told = msgspec.json.encode(_Cursor(_mark(query), values))
    return base64.urlsafe_b64encode(told).decode().rstrip("=")


def _read(query: GroupQuery, width: int) -> list[int]:
    """The values in the cursor of ``query``."""
    text = query.cursor or ""
    try:
        told = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        cursor = _cursors.decode(told)
    except (binascii.Error, msgspec.MsgspecError, ValueError):
        raise ValueError("the cursor is not one that a page of groups ended with") from None
    bounded = all(-_LARGEST <= value <= _LARGEST for value in cursor.values)
    if cursor.query != _mark(query) or len(cursor.values) != width or not bounded:
        raise ValueError("the cursor belongs to another query: begin with the first page")
    return cursor.values


def _mark(query: GroupQuery) -> str:
    """What stands for a query, but for cursor and limit."""
    told = repr(msgspec.structs.replace(query, cursor=None, limit=0))
    return sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:16]

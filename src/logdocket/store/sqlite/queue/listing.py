"""Pages of groups: which statements find them, and where the next page begins."""

from __future__ import annotations

import base64
import binascii
import heapq
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from logdocket.store.review import GroupPage, GroupQuery, GroupSort, GroupState
from logdocket.store.sqlite.queue.rows import GroupRow, folded, raw
from logdocket.store.sqlite.statements import filled
from logdocket.ticket import Source

_LARGEST: Final = 2**63 - 1


class _Order(NamedTuple):
    """The columns of an order, and whether their largest come first."""

    columns: tuple[str, ...]
    falls: bool

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


def page(connection: sqlite3.Connection, query: GroupQuery) -> GroupPage:
    """The groups of ``query``; raises ValueError for a cursor that is none of its."""
    limit = max(1, min(query.limit, _LARGEST - 1))
    order, terms, values = _ORDERS[query.sort], *_filters(query)
    if query.cursor is not None:
        sign = ">" if not order.falls else "<"
        places = ",".join("?" * len(order.columns))
        terms.append(f"({','.join(order.columns)}) {sign} ({places})")
        values += _read(query, len(order.columns))
    found = list(islice(_merged(connection, query, order, terms, values, limit + 1), limit + 1))
    following = None
    if len(found) > limit:
        last = found[limit - 1]
        following = _cursor(query, [getattr(last, column) for column in order.columns])
    return GroupPage(groups=[row.shown() for row in found[:limit]], next=following)


def _merged(
    connection: sqlite3.Connection,
    query: GroupQuery,
    order: _Order,
    terms: list[str],
    values: list[object],
    most: int,
) -> Iterator[GroupRow]:
    """Rows in order. Each state has its own stretch of an index; so the states are read one by one,
    and of each only as much as a page holds."""
    direction = " DESC" if order.falls else ""
    by = ", ".join(f"{column}{direction}" for column in order.columns)
    parts = []
    for state in dict.fromkeys(query.states or tuple(GroupState)):
        where = " AND ".join(("state = ?", *terms))
        statement = f"{filled('queue_groups', where)} ORDER BY {by} LIMIT ?"
        found = connection.execute(statement, (state.value, *values, most)).fetchall()
        parts.append([GroupRow(*row) for row in found])
    return heapq.merge(*parts, key=order.key)


def _filters(query: GroupQuery) -> tuple[list[str], list[object]]:
    """The conditions of ``query``, but for states, and their values."""
    terms: list[str] = []
    values: list[object] = []
    if query.severities:
        ranks = sorted({severity.rank for severity in query.severities})
        terms.append(f"severity IN ({','.join('?' * len(ranks))})")
        values += ranks
    if query.service is not None:
        terms.append("service = ?")
        values.append(raw(query.service))
    if query.reason is not None:
        terms.append("instr(',' || all_reasons || ',', ?) > 0")
        values.append(f",{query.reason.value},")
    if query.source is not None:
        terms.append(f"from_{Source(query.source).value} > 0")
    if query.text:
        terms.append("instr(search, ?) > 0")
        values.append(folded(query.text).encode("utf-8", "surrogateescape"))
    return terms, values


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

"""Reading back: tickets by key and number, entries by filter, counts over a period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

import msgspec

from logdocket.errors import LedgerUnavailable
from logdocket.store.lessons import Known, Sharing
from logdocket.store.records import Entry, Query, StoredTicket, Summary
from logdocket.store.sqlite.chain import TICKET
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.statements import SQL, filled
from logdocket.store.sqlite.summary import summarise
from logdocket.store.sqlite.tickets import (
    MEANINGLESS,
    newest,
    read_reasons,
    stored,
    templates,
    templates_of,
)
from logdocket.ticket import Source, decode

_PAGE: Final = 512
"""Entries read at a time by an export."""

_OTHER: Final = "kind <> 'ticket' AND kind = ?"
"""Says in so many words what the index on kinds is for; SQLite does not look into the value."""

_FOREVER: Final = 2**63 - 1

Row = tuple[Any, ...]
_Made = TypeVar("_Made")


class Reader:
    """Answers from a connection of its own, so that reading never waits for the writer."""

    def __init__(self, database: Database, patience: float) -> None:
        self._database = database
        self._handle = Handle(database, patience, query_only=True)

    def close(self) -> None:
        """Release the file."""
        self._handle.close()

    def lookup(self, key: bytes) -> StoredTicket | None:
        """The newest ticket under ``key``."""
        return self.lookup_many((key,)).get(key)

    def lookup_many(self, keys: Iterable[bytes]) -> dict[bytes, StoredTicket]:
        """The newest ticket under each of ``keys`` that has one."""
        wanted = list(keys)
        with self._handle.use() as connection:
            return newest(connection, wanted)

    def known(self, wide: bytes, narrow: bytes) -> tuple[Known, StoredTicket] | None:
        """What is known about a template, and the ticket whose answer may be shared."""
        with self._handle.use() as connection:
            found = templates(connection, (wide, narrow))
            known = found.get(wide)
            if known is not None and known.sharing is Sharing.SPLIT:
                known = found.get(narrow)
            if known is None or known.sharing is Sharing.DROPPED:
                return None
            row = connection.execute(SQL["ticket"], (known.ticket,)).fetchone()
        try:
            return None if row is None else (known, stored(row))
        except MEANINGLESS:
            return None

    def templates(self, id: int) -> tuple[list[bytes], int] | None:
        """What stands for the templates of the ticket that entry ``id`` made or repeated, its own
        and that of the model's ticket behind it, with the number of that; None where answers are
        not shared by them."""
        if not 0 < id <= _FOREVER:
            return None
        with self._handle.use() as connection:
            return self._known(lambda row: templates_of(connection, row[0]), (id,))

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated."""
        if not 0 < id <= _FOREVER:
            return None
        with self._handle.use() as connection:
            row = connection.execute(SQL["ticket"], (id,)).fetchone()
            if row is None:
                original = self._original(connection.execute(SQL["entry"], (id,)).fetchone())
                row = connection.execute(SQL["ticket"], (original,)).fetchone()
        return None if row is None else self._known(stored, row)

    def entries(self, query: Query) -> list[Entry]:
        """A page of entries, newest first."""
        statement, values = page(query)
        with self._handle.use() as connection:
            found = connection.execute(statement, values).fetchall()
        return [self._known(_entry, row) for row in found]

    def export(self, since: int | None = None, until: int | None = None) -> Iterator[Entry]:
        """Entries of a period as they stand when this is called, oldest first; nothing is held
        open between two of them."""
        start, end = _period(since, until)
        with self._handle.use() as connection:
            first, last = connection.execute(SQL["bounds"], (start, end)).fetchone()
        return iter(()) if first is None else self._export(first - 1, last, start, end)

    def _export(self, after: int, last: int, start: int, end: int) -> Iterator[Entry]:
        while after < last:
            with self._handle.use() as connection:
                found = connection.execute(
                    SQL["export"], (after, last, start, end, _PAGE)
                ).fetchall()
            if not found:
                return
            for row in found:
                yield self._known(_entry, row)
            after = found[-1][0]

    def summary(self, since: int | None, until: int | None, now: int) -> Summary:
        """Counts over a period, all from one moment, and the budget of the day of ``now``."""
        with self._handle.use() as connection:
            connection.execute("BEGIN")
            try:
                return summarise(
                    connection,
                    None if since is None else _bounded(since),
                    None if until is None else _bounded(until),
                    now,
                )
            finally:
                connection.execute("COMMIT")

    def next_to_expire(self) -> int | None:
        """When the first of the open calls expires, µs since 1970 UTC; None where none is open."""
        with self._handle.use() as connection:
            (expires,) = connection.execute(SQL["next_to_expire"]).fetchone()
        return None if expires is None else int(expires)

    def _original(self, row: Row | None) -> int | None:
        if row is None or row[2] != TICKET:
            return None
        original = self._known(_entry, row).detail.get("original")
        return original if isinstance(original, int) else None

    def _known(self, make: Callable[[Row], _Made], row: Row) -> _Made:
        """What ``make`` reads in ``row``; raises LedgerUnavailable where it makes no sense."""
        try:
            return make(row)
        except MEANINGLESS as error:
            raise LedgerUnavailable(
                f"entry {row[0]} of the ledger {self._database.path} cannot be understood "
                f"({error}): verify the ledger, or upgrade Logdocket"
            ) from error


def page(query: Query) -> tuple[str, list[object]]:
    """The statement for a page of entries, and its values.

    A source, or no filter at all, walks the entries downwards and stops when the page is full; a
    kind other than tickets goes by its own index, and a period alone by the index on time. A reason
    is looked for on the way.
    """
    terms: list[tuple[str, object]] = []
    if query.kind is not None:
        terms.append(("kind = ?" if query.kind == TICKET else _OTHER, query.kind))
    if query.source is not None:
        terms.append(("source = ?", query.source.value))
    if query.reason is not None:
        terms.append(("instr(',' || reasons || ',', ?) > 0", f",{query.reason.value},"))
    by_time = not terms and (query.since is not None or query.until is not None)
    if query.since is not None:
        terms.append(("at >= ?", _bounded(query.since)))
    if query.until is not None:
        terms.append(("at < ?", _bounded(query.until)))
    if query.before is not None:
        terms.append(("seq < ?", _bounded(query.before)))
    conditions = " AND ".join(term for term, _ in terms) or "seq > 0"
    statement = filled("page_of_period" if by_time else "page", conditions)
    return statement, [*(value for _, value in terms), max(_bounded(query.limit), 0)]


def _bounded(number: int) -> int:
    """The nearest number that SQLite can hold."""
    return min(max(number, -_FOREVER), _FOREVER)


def _period(since: int | None, until: int | None) -> tuple[int, int]:
    return (
        -_FOREVER if since is None else _bounded(since),
        _FOREVER if until is None else _bounded(until),
    )


_detail = msgspec.json.Decoder(dict[str, object])


def _entry(row: Row) -> Entry:
    seq, at, kind, source, reasons, detail, hash = row
    return Entry(
        seq=seq,
        at=at,
        kind=kind,
        source=None if source is None else Source(source),
        reasons=read_reasons(reasons),
        detail=decode(detail.encode(), _detail),
        hash=hash.hex(),
    )

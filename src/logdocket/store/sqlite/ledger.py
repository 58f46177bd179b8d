"""Reading back: tickets by key and number, entries by filter, counts over a period."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec

from logdocket.errors import LedgerUnavailable
from logdocket.store.records import Entry, Query, StoredTicket, Summary
from logdocket.store.sqlite.chain import GENESIS, TICKET, link
from logdocket.store.sqlite.database import Database, Handle
from logdocket.store.sqlite.statements import SQL, filled
from logdocket.ticket import ReviewReason, Source

_KEYS: Final = (512, 64, 8, 1)
"""Keys per look-up statement: few sizes, so that each is prepared once."""

_PAGE: Final = 512
"""Entries read at a time by an export."""

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
        """The newest ticket under each of ``keys`` that has one.

        A ticket with words that this version does not know, or that is not as it was entered, is
        passed over, as if it were not there.
        """
        wanted = list(keys)
        found = {}
        with self._handle.use() as connection:
            for row in _newest(connection, wanted):
                try:
                    ticket = _stored(row)
                except (ValueError, msgspec.MsgspecError):
                    continue
                found[ticket.key] = ticket
        return found

    def ticket(self, id: int) -> StoredTicket | None:
        """The ticket that entry ``id`` made or repeated."""
        if not 0 < id <= _FOREVER:
            return None
        with self._handle.use() as connection:
            row = connection.execute(SQL["ticket"], (id,)).fetchone()
            if row is None:
                original = self._original(connection.execute(SQL["entry"], (id,)).fetchone())
                row = connection.execute(SQL["ticket"], (original,)).fetchone()
        return None if row is None else self._known(_stored, row)

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

    def summary(self, since: int | None = None, until: int | None = None) -> Summary:
        """Counts over a period, all from one moment."""
        period = _period(since, until)
        with self._handle.use() as connection:
            connection.execute("BEGIN")
            try:
                if since is None and until is None:
                    counts = connection.execute(SQL["counts"]).fetchall()
                else:
                    counts = connection.execute(SQL["counts_of_period"], period).fetchall()
                gaps = connection.execute(SQL["gaps"], period).fetchall()
            finally:
                connection.execute("COMMIT")
        return _summary(counts, gaps)

    def _original(self, row: Row | None) -> int | None:
        if row is None or row[2] != TICKET:
            return None
        original = self._known(_entry, row).detail.get("original")
        return original if isinstance(original, int) else None

    def _known(self, make: Callable[[Row], _Made], row: Row) -> _Made:
        """What ``make`` reads in ``row``; raises LedgerUnavailable where it makes no sense."""
        try:
            return make(row)
        except (ValueError, msgspec.MsgspecError) as error:
            raise LedgerUnavailable(
                f"entry {row[0]} of the ledger {self._database.path} cannot be understood "
                f"({error}): verify the ledger, or upgrade Logdocket"
            ) from error


def _newest(connection: sqlite3.Connection, keys: list[bytes]) -> Iterator[Row]:
    start = 0
    for size in _KEYS:
        while len(keys) - start >= size:
            statement = filled("newest_by_key", ",".join("?" * size))
            # As bytearrays, for which the sqlite3 module looks for no adapter.
            wanted = list(map(bytearray, keys[start : start + size]))
            yield from connection.execute(statement, wanted).fetchall()
            start += size


def page(query: Query) -> tuple[str, list[object]]:
    """The statement for a page of entries, and its values.

    A source, or no filter at all, walks the entries downwards and stops when the page is full; a
    period alone goes by the index on time. A reason is looked for on the way.
    """
    terms: list[tuple[str, object]] = []
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


@functools.lru_cache(4096)
def _words(source: str, reasons: str) -> tuple[Source, tuple[ReviewReason, ...]]:
    return Source(source), _reasons(reasons)


def _reasons(text: str) -> tuple[ReviewReason, ...]:
    return tuple(map(ReviewReason, text.split(","))) if text else ()


class _Entered(msgspec.Struct):
    """The detail of an entry that made a ticket, as far as it is needed to trust the ticket."""

    body: str
    key: str
    line: str


_detail = msgspec.json.Decoder(dict[str, object])
_made = msgspec.json.Decoder(_Entered)


def _stored(row: Row) -> StoredTicket:
    """The ticket of ``row``; raises ValueError or MsgspecError where it is not as it was entered.

    Its entry follows from the one before and the ticket from its entry; the rest of the chain is
    for ``verify``.
    """
    seq, at, kind, source_word, reason_words, detail, hash, before, key, body, text = row
    if not (isinstance(key, bytes) and isinstance(body, bytes) and isinstance(detail, str)):
        raise ValueError("its ticket was changed")
    source, reasons = _words(source_word, reason_words)
    if link(before or GENESIS, seq, at, kind, source_word, reason_words, detail) != hash:
        raise ValueError("it does not match its hash")
    made = _made.decode(detail)
    if made.key != key.hex() or made.body != sha256(body).hexdigest():
        raise ValueError("its ticket was changed")
    return StoredTicket(
        id=seq,
        at=at,
        key=key,
        line_hash=bytes.fromhex(made.line),
        source=source,
        reasons=reasons,
        body=body,
        text=text,
    )


def _entry(row: Row) -> Entry:
    seq, at, kind, source, reasons, detail, hash = row
    return Entry(
        seq=seq,
        at=at,
        kind=kind,
        source=None if source is None else Source(source),
        reasons=_reasons(reasons),
        detail=_detail.decode(detail),
        hash=hash.hex(),
    )


class _Gap(msgspec.Struct):
    tickets: int


_gap = msgspec.json.Decoder(_Gap)


def _summary(counts: list[Row], gaps: list[Row]) -> Summary:
    by_source = dict.fromkeys((source.value for source in Source), 0)
    by_reason = dict.fromkeys((reason.value for reason in ReviewReason), 0)
    for source, reasons, count in counts:
        by_source[source] = by_source.get(source, 0) + count
        for reason in reasons.split(",") if reasons else ():
            by_reason[reason] = by_reason.get(reason, 0) + count
    tickets = sum(by_source.values())
    return Summary(
        tickets=tickets,
        by_source=by_source,
        by_reason={reason: count for reason, count in by_reason.items() if count},
        unledgered=sum(_gap.decode(detail).tickets for (detail,) in gaps),
        hit_ratio=by_source[Source.CACHE] / tickets if tickets else None,
    )

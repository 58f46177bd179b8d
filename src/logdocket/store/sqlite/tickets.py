"""Tickets as the store holds them, given only where they are as they were entered."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from logdocket.store.lessons import Known, Sharing, Slot
from logdocket.store.records import StoredTicket
from logdocket.store.sqlite.chain import GENESIS, TICKET, link
from logdocket.store.sqlite.statements import SQL, among
from logdocket.ticket import ReviewReason, Source

MEANINGLESS: Final = (ValueError, msgspec.MsgspecError)
"""What is raised about a row that makes no sense."""


def newest(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, StoredTicket]:
    """The newest ticket under each of ``keys`` that has one.

    A ticket with words that this version does not know, or that is not as it was entered, is
    passed over, as if it were not there.
    """
    found = {}
    # As bytearrays, for which the sqlite3 module looks for no adapter.
    for row in among(connection, "newest_by_key", list(map(bytearray, keys)), "(?)"):
        try:
            ticket = stored(row)
        except MEANINGLESS:
            continue
        found[ticket.key] = ticket
    return found


def templates(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Known]:
    """What is known about each of the templates ``keys``; what cannot be understood is not."""
    found = {}
    for key, sharing, ticket, says, place, slots in among(connection, "templates", keys):
        try:
            found[key] = Known(
                key=key,
                sharing=Sharing(sharing),
                ticket=ticket,
                says=says,
                place=_place.decode(place),
                slots=_slots.decode(slots),
            )
        except MEANINGLESS:
            continue
    return found


def template_row(known: Known) -> list[object]:
    """The row of ``template`` that says so."""
    return [
        known.key,
        known.sharing.value,
        known.ticket,
        known.says,
        msgspec.json.encode(known.place).decode(),
        msgspec.json.encode(known.slots).decode(),
    ]


class _Shared(msgspec.Struct):
    """The detail of a ticket's entry, as far as it tells by what its answer is shared."""

    original: int | None = None
    template: str | None = None


_shared = msgspec.json.Decoder(_Shared)


def templates_of(connection: sqlite3.Connection, id: int) -> tuple[list[bytes], int] | None:
    """What stands for the templates of the ticket that entry ``id`` made or repeated, its own and
    that of the model's ticket behind it, with the number of that; None where answers are not shared
    by them. Raises one of MEANINGLESS for an entry that makes no sense."""
    found: list[bytes] = []
    for _ in range(3):  # a repetition, what was shared, and what the model said
        row = connection.execute(SQL["entry"], (id,)).fetchone()
        if row is None or row[2] != TICKET:
            return None
        told = _shared.decode(row[5])
        if told.template is not None:
            found.append(bytes.fromhex(told.template))
        if row[3] == Source.MODEL:
            return (found, id) if found else None
        if told.original is None:
            return None
        id = told.original
    return None


_place = msgspec.json.Decoder(tuple[int, ...])
_slots = msgspec.json.Decoder(tuple[Slot, ...])


@functools.lru_cache(4096)
def _words(source: str, reasons: str) -> tuple[Source, tuple[ReviewReason, ...]]:
    return Source(source), read_reasons(reasons)


def read_reasons(text: str) -> tuple[ReviewReason, ...]:
    """The reasons as they are stored; raises ValueError for an unknown word."""
    return tuple(map(ReviewReason, text.split(","))) if text else ()


class _Entered(msgspec.Struct):
    """The detail of an entry that made a ticket, as far as it is needed to trust the ticket."""

    body: str
    key: str
    line: str


_entered = msgspec.json.Decoder(_Entered)


def stored(row: tuple[Any, ...]) -> StoredTicket:
    """The ticket of ``row``; raises one of MEANINGLESS where it is not as it was entered.

    Its entry follows from the one before and the ticket from its entry; the rest of the chain is
    for ``verify``.
    """
    seq, at, kind, source_word, reason_words, detail, hash, before, key, body, text = row
    if not (isinstance(key, bytes) and isinstance(body, bytes) and isinstance(detail, str)):
        raise ValueError("its ticket was changed")
    source, reasons = _words(source_word, reason_words)
    if link(before or GENESIS, seq, at, kind, source_word, reason_words, detail) != hash:
        raise ValueError("it does not match its hash")
    made = _entered.decode(detail)
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

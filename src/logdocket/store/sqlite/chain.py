"""The hash chain: what exactly is hashed, and records made into linked rows.

The hash of an entry is SHA-256 over the hash of the entry before (32 zero bytes before the first)
followed by the entry's canonical bytes::

    seq ":" at ":" kind source reasons detail

``seq`` and ``at`` are in decimal digits. Each of the other four is its length in bytes (decimal),
":", its UTF-8 bytes and ","; an absent source is "-,". So no two different entries have the same
bytes. For example::

    7:1700000000000000:6:ticket,8:fallback,20:model_not_configured,…

``detail`` is JSON with its keys in order and no white space; bytes are in hex. Of a ticket:
``body`` (SHA-256 of the stored ticket, absent for a cache hit on the same line), ``calls`` (the
numbers of the calls made for it, absent where there were none), ``key``, ``line`` (SHA-256 of the
line), ``original`` (for a cache hit: the number of the entry that it repeats), ``scope``
(``template`` where the hit shares the answer about another line of the template, ``review`` where
it gives what a person has decided, else absent), ``revises`` (of a second look: the number of the
first ticket's entry), ``template`` (what stands for that, absent where answers are not shared by
it), ``tokens`` and ``verdict`` (whose answer it gives: the number of that entry). Of a gap:
``since`` (µs since 1970 UTC) and ``tickets``, how many were answered unrecorded since then. Of a
call:

- ``call_started``: ``attempt``, ``cap`` (absent without one), ``expires``, ``holder``, ``key``,
  ``line``, ``mode``, ``model``, ``prompt``, ``reserved``;
- ``call_finished``: ``call`` (the number of the entry that started it), ``charge``, ``http``,
  ``late`` (true after an interruption, else absent), ``ms``, ``nano_usd``, ``status``,
  ``tokens_in``, ``tokens_out``, ``wrong``;
- ``call_interrupted``: ``call``, ``charge``.

``cap``, ``charge`` and ``reserved`` are objects of ``nano_usd`` and ``tokens``. Of a ``verdict``:
see :mod:`logdocket.store.sqlite.queue.verdicts`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from logdocket.store.records import EntryKind, TicketRecord
from logdocket.ticket import ReviewReason, Source

# For every ticket: members of an enumeration are slow to reach by their class.
_MODEL: Final = Source.MODEL
_CACHE: Final = Source.CACHE
_FALLBACK: Final = Source.FALLBACK

GENESIS: Final = bytes(32)
TICKET: Final = EntryKind.TICKET.value
GAP: Final = EntryKind.GAP.value
TEMPLATE: Final = "template"
"""The scope of a cache hit that shares the answer about another line."""
REVIEW: Final = "review"
"""The scope of a cache hit that gives the answer of a verdict."""


class Head(NamedTuple):
    """The end of a chain: the last entry's number, 0 when there is none, and its hash."""

    seq: int
    hash: bytes


EMPTY: Final = Head(0, GENESIS)


def _sized(text: str | None) -> str:
    if text is None:
        return "-,"
    return f"{len(text.encode('utf-8', 'surrogateescape'))}:{text},"


def link(
    before: bytes, seq: int, at: int, kind: str, source: str | None, reasons: str, detail: str
) -> bytes:
    """The hash of an entry whose predecessor's hash is ``before``."""
    text = f"{seq}:{at}:{_sized(kind)}{_sized(source)}{_sized(reasons)}{_sized(detail)}"
    return sha256(before + text.encode("utf-8", "surrogateescape")).digest()


class Words(NamedTuple):
    """Source and reasons as stored, and ``kind``, ``source`` and ``reasons`` as hashed."""

    source: str
    reasons: str
    hashed: str


@functools.lru_cache(4096)
def _words(source: Source, reasons: tuple[ReviewReason, ...]) -> Words:
    joined = ",".join(reasons)
    hashed = f"{_sized(TICKET)}{_sized(source.value)}{_sized(joined)}"
    return Words(source.value, joined, hashed)


Draft: TypeAlias = tuple[Words, str, int | None, bytes, bytes | None, bytes | None]
"""A record made ready, all but its number and its hash: words, detail, ``same_as``, key, body and
text. The detail lacks its end where the number of the original is not known yet, and then
``same_as`` says which record of the same call is the original. No class of its own: one is made for
every ticket."""


def drafts(records: Sequence[TicketRecord]) -> list[Draft]:
    """``records`` made ready; raises ValueError for one that contradicts itself."""
    ready: list[Draft] = []
    for place, record in enumerate(records):
        key, body, line, source = record.key, record.body, record.line_hash, record.source
        if len(key) != 16 or len(line) != 32:
            raise ValueError(f"record {place}: a key has 16 bytes and a line's hash 32")
        same_as, text = record.same_as, record.text
        if body is None:
            _check_hit(place, record, records)
            detail = f'{{"key":"{key.hex()}","line":"{line.hex()}","original":'
            if same_as is None:
                detail = f'{detail}{record.original},"tokens":0}}'
        elif (
            source is _FALLBACK
            and text is None
            and same_as is None
            and record.original is None
            and record.template is None
            and record.verdict is None
            and record.revises is None
            and not (record.calls or record.tokens)
        ):
            # Nothing in it can contradict itself.
            detail = (
                f'{{"body":"{sha256(body).hexdigest()}","key":"{key.hex()}",'
                f'"line":"{line.hex()}","tokens":0}}'
            )
        else:
            _check_fresh(place, record)
            detail = _fresh_detail(record, body)
        ready.append((_words(source, record.reasons), detail, same_as, key, body, text))
    return ready


def _fresh_detail(record: TicketRecord, body: bytes) -> str:
    calls, tokens, original, revises, scope, template, verdict = "", 0, "", "", "", "", ""
    if record.calls:
        calls, tokens = f'"calls":[{",".join(map(str, record.calls))}],', record.tokens
    if record.original is not None:
        original, scope = f'"original":{record.original},', f'"scope":"{TEMPLATE}",'
    if record.verdict is not None:
        scope, verdict = f'"scope":"{REVIEW}",', f',"verdict":{record.verdict}'
    if record.revises is not None:
        revises = f'"revises":{record.revises},'
    if record.template is not None:
        template = f'"template":"{record.template.hex()}",'
    return (
        f'{{"body":"{sha256(body).hexdigest()}",{calls}"key":"{record.key.hex()}",'
        f'"line":"{record.line_hash.hex()}",{original}{revises}{scope}{template}'
        f'"tokens":{tokens}{verdict}}}'
    )


def _check_fresh(place: int, record: TicketRecord) -> None:
    verdict = record.verdict
    given = record.original if verdict is None else verdict
    if (record.source is _CACHE) is (given is None) or record.same_as is not None:
        raise ValueError(
            f"record {place}: a ticket with a body repeats nothing, and only one from the cache "
            "shares the answer of another, or gives that of a verdict"
        )
    if given is not None and (given < 1 or record.calls):
        raise ValueError(f"record {place}: what is shared is an entry's, and costs nothing")
    if verdict is not None and (
        record.original is not None
        or record.template is not None
        or ReviewReason.REVIEWED not in record.reasons
    ):
        raise ValueError(
            f"record {place}: what a verdict answers is reviewed and shares nothing else"
        )
    if record.revises is not None and not (type(record.revises) is int and record.revises > 0):
        raise ValueError(f"record {place}: what a second look revises is an entry's")
    if record.text is not None and sha256(record.text).digest() != record.line_hash:
        raise ValueError(f"record {place}: the text is not the line that was hashed")
    if record.calls:
        if not all(type(call) is int and 0 < call < 2**63 for call in record.calls):
            raise ValueError(f"record {place}: a call has the number of its entry")
    elif record.tokens or record.source is _MODEL:
        raise ValueError(f"record {place}: without a call there is no answer of a model, nor cost")


def _check_hit(place: int, record: TicketRecord, records: Sequence[TicketRecord]) -> None:
    same_as, original = record.same_as, record.original
    if record.source is not _CACHE or (same_as is None) is (original is None):
        raise ValueError(f"record {place}: a ticket without a body repeats exactly one other")
    if record.calls or record.tokens:
        raise ValueError(f"record {place}: a cache hit costs nothing")
    if record.verdict is not None or record.revises is not None:
        raise ValueError(f"record {place}: what was given before is no answer to a person, nor new")
    if same_as is None:
        if original is not None and original < 1:
            raise ValueError(f"record {place}: entry {original} cannot be repeated")
    elif not 0 <= same_as < place or records[same_as].body is None:
        raise ValueError(f"record {place}: record {same_as} is no fresh ticket before it")
    elif records[same_as].key != record.key:
        raise ValueError(f"record {place}: record {same_as} has another key")


class Linked(NamedTuple):
    """Rows to insert, flat: seven values for each entry, three for each ticket, four for each whose
    line's text is kept; the ids of each call's records; and the head that the chain will have."""

    entries: list[object]
    tickets: list[object]
    kept: list[object]
    ids: list[list[int]]
    head: Head


def gap_detail(since: int, tickets: int) -> str:
    """The detail of a gap entry."""
    return f'{{"since":{since},"tickets":{tickets}}}'


def chain(calls: Iterable[Sequence[Draft]], head: Head, at: int, gap: str | None) -> Linked:
    """The records of all ``calls``, a ``gap`` (its detail) before them, linked to ``head``."""
    seq, last = head
    # Bytes go into the rows as bytearrays: the sqlite3 module looks for an adapter for every value
    # that is bytes or None, which costs more than to store it.
    entries: list[object] = []
    tickets: list[object] = []
    kept: list[object] = []
    ids = []
    if gap is not None:
        seq += 1
        last = link(last, seq, at, GAP, None, "", gap)
        entries += (seq, at, GAP, None, "", gap, bytearray(last))
    for call in calls:
        first = seq + 1
        for (source, reasons, hashed), detail, same_as, key, body, text in call:
            seq += 1
            if same_as is not None:
                detail = f'{detail}{first + same_as},"tokens":0}}'
            row = f"{seq}:{at}:{hashed}{len(detail)}:{detail},"
            last = sha256(last + row.encode()).digest()
            entries += (seq, at, TICKET, source, reasons, detail, bytearray(last))
            if body is not None and text is None:
                tickets += (seq, bytearray(key), bytearray(body))
            elif body is not None and text is not None:
                kept += (seq, bytearray(key), bytearray(body), bytearray(text))
        ids.append(list(range(first, seq + 1)))
    return Linked(entries, tickets, kept, ids, Head(seq, last))


class Strand:
    """The end of a chain while it grows: entries of any kind, one after the other, all ``at`` one
    moment."""

    def __init__(self, head: Head, at: int) -> None:
        self.at = at
        self.head = head
        self.entries: list[object] = []
        self.tickets: list[object] = []
        self.kept: list[object] = []

    def add(self, kind: EntryKind, detail: str) -> int:
        """Link an entry that is no ticket; gives its number."""
        seq, at, word = self.head.seq + 1, self.at, kind.value
        hash = link(self.head.hash, seq, at, word, None, "", detail)
        self.entries += (seq, at, word, None, "", detail, bytearray(hash))
        self.head = Head(seq, hash)
        return seq

    def write(self, records: Sequence[Draft]) -> list[int]:
        """Link tickets; gives their numbers."""
        linked = chain([records], self.head, self.at, None)
        self.entries += linked.entries
        self.tickets += linked.tickets
        self.kept += linked.kept
        self.head = linked.head
        return linked.ids[0]

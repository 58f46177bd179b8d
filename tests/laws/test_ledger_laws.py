"""The laws of the ledger: whatever is entered, in whatever calls, and whatever is then changed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logdocket.errors import LedgerUnavailable
from logdocket.store import Query, SqliteStore, TicketRecord
from logdocket.store.sqlite.chain import GENESIS, link
from logdocket.ticket import ReviewReason, Source

REASONS = st.lists(st.sampled_from(ReviewReason), max_size=4, unique=True).map(tuple)
# A model's ticket needs a call; those are in test_call_laws.py.
FRESH = st.tuples(st.just("fresh"), st.integers(0, 9), REASONS, st.binary(max_size=40))
HIT = st.tuples(st.just("hit"), st.integers(0, 9), REASONS)
CALLS = st.lists(st.lists(FRESH | HIT, min_size=1, max_size=6), min_size=1, max_size=6)


@contextlib.contextmanager
def _store() -> Iterator[SqliteStore]:
    store = SqliteStore.temporary(clock=itertools.count(1_700_000_000_000_000).__next__)
    try:
        yield store
    finally:
        store.close()


class Sender:
    """Makes calls the way the docket does: a hit repeats what was entered, or what stands before it
    in the same call; what was never entered is entered afresh."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}
        self.sent: list[TicketRecord] = []

    def call(self, plans) -> list[TicketRecord]:
        """The records of one call."""
        places: dict[int, int] = {}
        records = []
        for plan in plans:
            kind, number, reasons, *rest = plan
            line = sha256(b"line %d" % number).digest()
            common = {"key": line[:16], "line_hash": line, "reasons": reasons}
            if kind == "hit" and number in places:
                record = TicketRecord(**common, source=Source.CACHE, same_as=places[number])
            elif kind == "hit" and number in self.known:
                record = TicketRecord(**common, source=Source.CACHE, original=self.known[number])
            else:
                (body,) = rest or (b"{}",)
                record = TicketRecord(**common, source=Source.FALLBACK, body=body)
                places[number] = len(records)
            records.append(record)
        self.sent += records
        return records

    def entered(self, records: list[TicketRecord], ids: list[int], plans) -> None:
        """Remember under which number each ticket was entered."""
        for record, id, plan in zip(records, ids, plans, strict=True):
            if record.body is not None:
                self.known[plan[1]] = id


def _enter(store: SqliteStore, calls) -> Sender:
    sender = Sender()
    for plans in calls:
        records = sender.call(plans)
        sender.entered(records, store.write(records), plans)
    return sender


@given(calls=CALLS)
@settings(max_examples=30)
def test_every_answer_is_one_entry_and_the_chain_verifies(calls) -> None:
    """Tickets = model + cache + fallback, each record one entry, in the order it was handed over,
    and the chain verifies whatever was entered."""
    with _store() as store:
        sent = _enter(store, calls).sent
        entries = list(store.export())
        summary = store.summary()
        assert store.verify().ok
        assert [entry.seq for entry in entries] == list(range(1, len(sent) + 1))
        assert [(e.source, e.reasons) for e in entries] == [(r.source, r.reasons) for r in sent]
        assert summary.by_source == {
            source: sum(record.source is source for record in sent) for source in Source
        }
        assert summary.tickets == sum(summary.by_source.values()) == len(sent)
        assert summary.by_reason == Counter(
            reason.value for record in sent for reason in record.reasons
        )


@given(calls=CALLS)
@settings(max_examples=30)
def test_a_ticket_is_what_was_last_entered_under_its_key(calls) -> None:
    """A look-up gives the newest ticket, and a hit's number gives the ticket that it repeated."""
    with _store() as store:
        sent = _enter(store, calls).sent
        newest: dict[bytes, tuple[int, TicketRecord]] = {}
        for id, record in enumerate(sent, 1):
            if record.body is not None:
                newest[record.key] = id, record
            made = store.ticket(id)
            assert made is not None
            assert (made.id, made.body) == (newest[record.key][0], newest[record.key][1].body)
        found = store.lookup_many(record.key for record in sent)
        assert {key: stored.id for key, stored in found.items()} == {
            key: id for key, (id, _) in newest.items()
        }


@given(calls=CALLS)
@settings(max_examples=30)
def test_the_same_answers_make_the_same_chain(calls) -> None:
    """Same records, same calls, same clock: the same hash at the end, on any machine."""
    heads = set()
    for _ in range(2):
        with _store() as store:
            _enter(store, calls)
            heads.add(store.verify().head)
    assert len(heads) == 1


@given(calls=CALLS)
@settings(max_examples=30)
def test_the_chain_can_be_checked_from_an_export_alone(calls) -> None:
    """The documented form of an entry, hashed step by step, gives each hash."""
    with _store() as store:
        _enter(store, calls)
        connection = sqlite3.connect(store.path)
        rows = connection.execute(
            "SELECT seq, at, kind, source, reasons, detail, hash FROM entry ORDER BY seq"
        ).fetchall()
        connection.close()
    before = GENESIS
    for *entry, hash in rows:
        text = f"{entry[0]}:{entry[1]}:" + "".join(f"{len(part)}:{part}," for part in entry[2:])
        before = sha256(before + text.encode()).digest()
        assert before == hash


@given(calls=CALLS, locked=st.lists(st.booleans(), min_size=6, max_size=6))
@settings(max_examples=25)
def test_what_is_not_entered_is_counted(calls, locked) -> None:
    """Every record is an entry or is counted by a gap, and what was acknowledged is an entry."""
    with _store() as store:
        blocker = sqlite3.connect(store.path, isolation_level=None)
        sender, acknowledged, refused = Sender(), [], 0
        for plans, blocked in zip(calls, locked, strict=False):
            records = sender.call(plans)
            if blocked:
                blocker.execute("BEGIN IMMEDIATE")
            try:
                with store._writer._appender.handle.lock:
                    store._writer._appender.handle.wait(0)
                ids = store.write(records)
            except LedgerUnavailable:
                refused += len(records)
            else:
                acknowledged += zip(ids, records, strict=True)
                sender.entered(records, ids, plans)
            if blocked:
                blocker.execute("ROLLBACK")
        store.check()
        blocker.close()
        summary = store.summary()
        assert store.verify().ok
        assert (summary.tickets, summary.unledgered) == (len(acknowledged), refused)
        for id, record in acknowledged:
            made = store.ticket(id)
            assert made is not None
            assert made.key == record.key


@given(calls=CALLS)
@settings(max_examples=25)
def test_calls_from_a_loop_are_entered_as_blocking_calls_are(calls) -> None:
    """Whatever groups they fall into, each call's records stand together, in order."""

    async def submit(store: SqliteStore) -> list[list[int]]:
        sender = Sender()
        return await asyncio.gather(*(store.submit(sender.call(plans)) for plans in calls))

    with _store() as store:
        ids = asyncio.run(submit(store))
        assert [id for call in ids for id in call] == list(range(1, sum(map(len, calls)) + 1))
        assert store.verify().ok


COLUMNS = [
    *[("entry", column) for column in ("seq", "at", "kind", "source", "reasons", "detail", "hash")],
    *[("ticket", column) for column in ("seq", "key", "body")],
]
VALUES = st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=8) | st.binary(max_size=33)


@given(
    calls=CALLS,
    place=st.integers(0, 99),
    column=st.sampled_from(COLUMNS),
    value=VALUES | st.floats(allow_nan=False),
)
@settings(max_examples=80)
def test_any_value_put_in_place_of_another_is_found(calls, place, column, value) -> None:
    """No value of any type in any column of any row goes unseen."""
    table, name = column
    with _store() as store:
        _enter(store, calls)
        connection = sqlite3.connect(store.path)
        for (trigger,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        rows = connection.execute(f"SELECT seq FROM {table} ORDER BY seq").fetchall()
        seq = rows[place % len(rows)][0]
        select = f"SELECT {name}, typeof({name}) FROM {table} ORDER BY seq"
        before = connection.execute(select).fetchall()
        try:
            connection.execute(f"UPDATE {table} SET {name} = ? WHERE seq = ?", (value, seq))
        except sqlite3.IntegrityError:
            refused = True
        else:
            refused = connection.execute(select).fetchall() == before
        connection.commit()
        connection.close()
        assume(not refused)
        found = store.verify()
        assert not found.ok
        assert found.bad_seq is not None


TEXTS = st.text(max_size=6) | st.sampled_from(["", "1:a,", "-,", ",", ":", "0:,"])
ENTRIES = st.tuples(st.integers(1, 99), st.integers(0, 99), TEXTS, st.none() | TEXTS, TEXTS, TEXTS)


@given(one=ENTRIES, other=ENTRIES)
@settings(max_examples=300)
def test_different_entries_have_different_hashes(one, other) -> None:
    """No value can be moved from one column to the next without changing the hash."""
    assert (link(GENESIS, *one) == link(GENESIS, *other)) is (one == other)


@pytest.mark.parametrize("limit", [1, 3, 100])
@given(calls=CALLS)
@settings(max_examples=20)
def test_pages_and_export_hold_the_same_entries(limit, calls) -> None:
    """Read backwards in pages of any size, or forwards in one stream."""
    with _store() as store:
        _enter(store, calls)
        paged = []
        while found := store.entries(Query(limit=limit, before=paged[-1].seq if paged else None)):
            paged += found
        assert paged[::-1] == list(store.export())

"""Pages, periods, exports and counts; and that the file's indexes are used for them."""

from __future__ import annotations

import sqlite3

import pytest

from logdocket.store import Query
from logdocket.store.sqlite.ledger import page
from logdocket.store.sqlite.statements import SQL, filled
from logdocket.ticket import ReviewReason, Source

START = 1_700_000_000_000_000
SECOND = 1_000_000


@pytest.fixture
def ledger(store, fresh, hit, ask):
    """Twelve entries, one a second: every third a cache hit, the others fallbacks; every fourth
    line names no service. Then a call of a model, and in the second after it its end and its
    ticket."""
    for number in range(12):
        reasons = (ReviewReason.SERVICE_UNKNOWN,) if number % 4 == 3 else ()
        if number % 3 == 2:
            store.write([hit(0, original=1, reasons=reasons)])
        else:
            store.write([fresh(number, reasons=(*reasons, ReviewReason.LOW_CONFIDENCE))])
    assert ask(store, 12) == 15
    return store


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(), list(range(15, 0, -1))),
        (Query(limit=3), [15, 14, 13]),
        (Query(limit=3, before=10), [9, 8, 7]),
        (Query(before=1), []),
        (Query(limit=0), []),
        (Query(limit=-1), []),
        (Query(source=Source.MODEL), [15]),
        (Query(source=Source.CACHE), [12, 9, 6, 3]),
        (Query(source=Source.CACHE, before=9, limit=1), [6]),
        (Query(reason=ReviewReason.SERVICE_UNKNOWN), [12, 8, 4]),
        (Query(reason=ReviewReason.SERVICE_UNKNOWN, source=Source.CACHE), [12]),
        (Query(reason=ReviewReason.LEDGER_UNAVAILABLE), []),
        (Query(since=START + 9 * SECOND), [15, 14, 13, 12, 11, 10]),
        (Query(until=START + 2 * SECOND), [2, 1]),
        (Query(since=START + 2 * SECOND, until=START + 5 * SECOND, limit=2), [5, 4]),
        (Query(since=START + 2 * SECOND, until=START + 5 * SECOND, before=4), [3]),
        (Query(since=START + 2 * SECOND, source=Source.CACHE, until=START + 9 * SECOND), [9, 6, 3]),
        (Query(since=-(10**30), until=10**30, before=10**30, limit=10**30), list(range(15, 0, -1))),
        (Query(kind="ticket", limit=3), [15, 12, 11]),
        (Query(kind="call_started"), [13]),
        (Query(kind="call_finished"), [14]),
        (Query(kind="call_finished", before=14), []),
        (Query(kind="call_finished", since=START + 13 * SECOND), [14]),
        (Query(kind="call_finished", until=START + 13 * SECOND), []),
        (Query(kind="call_started", source=Source.MODEL), []),
        (Query(kind="call_interrupted"), []),
        (Query(kind="from the future"), []),
    ],
)
def test_a_page_holds_the_entries_asked_for_newest_first(ledger, query, expected):
    """Bounds: since inclusive, until exclusive, before exclusive."""
    assert [entry.seq for entry in ledger.entries(query)] == expected


def test_pages_follow_one_another_without_hole_or_double(ledger):
    """The last number of a page is the cursor of the next."""
    seen: list[int] = []
    while found := ledger.entries(Query(limit=5, before=seen[-1] if seen else None)):
        seen += [entry.seq for entry in found]
    assert seen == list(range(15, 0, -1))


def test_an_export_gives_every_entry_oldest_first(ledger):
    """The same entries as the pages hold."""
    exported = list(ledger.export())
    assert exported[::-1] == ledger.entries(Query())


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (START + 3 * SECOND, None, list(range(4, 16))),
        (None, START + 3 * SECOND, [1, 2, 3]),
        (START + 3 * SECOND, START + 4 * SECOND, [4]),
        (START + 99 * SECOND, None, []),
    ],
)
def test_an_export_of_a_period(ledger, since, until, expected):
    """Since inclusive, until exclusive."""
    assert [entry.seq for entry in ledger.export(since, until)] == expected


def test_an_export_longer_than_a_page_is_whole(store, fresh):
    """And stops where the ledger ended when it was asked for."""
    store.write([fresh(number) for number in range(1_500)])
    export = store.export()
    first = next(export)
    store.write([fresh(2_000)])
    assert [first.seq, *(entry.seq for entry in export)] == list(range(1, 1_501))


def test_entries_whose_clock_went_backwards_stay_in_their_order(open_store, fresh):
    """Order is the chain's; a period goes by the clock."""
    times = iter([30, 10, 20, 40])
    store = open_store(clock=lambda: next(times))
    for number in range(4):
        store.write([fresh(number)])
    assert [entry.seq for entry in store.entries(Query(since=20))] == [4, 3, 1]
    assert [entry.seq for entry in store.entries(Query(since=20, limit=2))] == [4, 3]
    assert [entry.seq for entry in store.export(until=30)] == [2, 3]
    assert store.verify().ok


def test_a_summary_counts_every_ticket_once(ledger):
    """By source, by reason, and the share of hits."""
    found = ledger.summary()
    assert found.tickets == 13 == sum(found.by_source.values())
    assert found.by_source == {"model": 1, "cache": 4, "fallback": 8}
    assert found.by_reason == {"service_unknown": 3, "low_confidence": 8}
    assert (found.unledgered, found.hit_ratio) == (0, 4 / 13)


def test_a_summary_of_a_period(ledger):
    """Only what lies in it."""
    found = ledger.summary(START + 2 * SECOND, START + 5 * SECOND)
    assert (found.tickets, found.by_source["cache"]) == (3, 1)
    assert ledger.summary(until=START).tickets == 0


def test_a_summary_of_nothing_has_no_ratio(store):
    """Nothing divided by nothing is not a number."""
    found = store.summary()
    assert (found.tickets, found.by_reason, found.hit_ratio) == (0, {}, None)


def _plan(path, statement: str, values: object) -> str:
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    finally:
        connection.close()
    return "; ".join(row[3] for row in rows)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(before=10), "SEARCH entry USING INTEGER PRIMARY KEY"),
        (Query(source=Source.MODEL), "entry USING INDEX entry_source (source=?)"),
        (Query(source=Source.MODEL, before=10), "entry USING INDEX entry_source (source=? AND"),
        (Query(kind="call_started"), "entry USING INDEX entry_other (kind=?)"),
        (Query(kind="gap", before=10), "entry USING INDEX entry_other (kind=? AND rowid<?)"),
        (Query(since=1, until=2), "entry USING COVERING INDEX entry_at (at>? AND at<?)"),
    ],
)
def test_a_page_is_found_by_an_index(store, path, query, expected):
    """Not by reading the whole ledger, nor by sorting it."""
    plan = _plan(path, *page(query))
    assert expected in plan
    assert "SCAN entry" not in plan
    assert query.since is not None or "TEMP B-TREE" not in plan


@pytest.mark.parametrize(
    ("statement", "values", "expected"),
    [
        (filled("newest_by_key", "(?),(?)"), (b"", b""), "known USING INDEX ticket_key"),
        (SQL["head"], (1,), "SCAN entry"),
        (SQL["ticket"], (1,), "SEARCH t USING INTEGER PRIMARY KEY"),
        (SQL["bounds"], (1, 2), "entry USING COVERING INDEX entry_at"),
        (filled("gaps", "at >= ? AND at < ?"), (1, 2), "entry USING INDEX entry_gap"),
        (filled("calls", "?,?"), (1, 2), "call USING INTEGER PRIMARY KEY"),
        (SQL["expired_calls"].replace("ORDER BY seq", ""), (1,), "call USING INDEX call_open"),
        (SQL["next_to_expire"], (), "call USING INDEX call_open"),
        (filled("claims", "?"), (b"",), "claim USING PRIMARY KEY"),
        (SQL["export"], (1, 2, 3, 4, 5), "SEARCH entry USING INTEGER PRIMARY KEY"),
    ],
)
def test_a_look_up_is_found_by_an_index(store, path, statement, values, expected):
    """The head is the one scan: of a single row, from the end."""
    plan = _plan(path, statement, values)
    assert expected in plan
    assert "TEMP B-TREE" not in plan

"""Whatever is changed behind the ledger's back is found, and the first bad entry is named."""

from __future__ import annotations

import pytest

from logdocket.store import Query
from logdocket.store.sqlite.chain import link


@pytest.fixture
def ledger(store, fresh, hit):
    """Eight entries: five tickets (the third with its text), two hits, and a model's ticket."""
    store.write([fresh(1), fresh(2), fresh(3, text=b"line 3")])
    store.write([hit(1, original=1), fresh(4), hit(4, same_as=1)])
    store.write([fresh(5), fresh(6)])
    return store


def test_an_untouched_ledger_verifies(ledger):
    """It counts its entries and gives the last hash as the head."""
    found = ledger.verify()
    (newest,) = ledger.entries(Query(limit=1))
    assert (found.ok, found.entries, found.head) == (True, 8, newest.hash)
    assert (found.bad_seq, found.problem) == (None, None)


def test_an_empty_ledger_verifies(store):
    """It has no head."""
    found = store.verify()
    assert (found.ok, found.entries, found.head) == (True, 0, None)


@pytest.mark.parametrize(
    ("statement", "seq", "problem"),
    [
        ("UPDATE entry SET at = at + 1 WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET at = 'noon' WHERE seq = 5", 5, "wrong type"),
        ("UPDATE entry SET at = 1.5 WHERE seq = 5", 5, "wrong type"),
        ("UPDATE entry SET kind = 'gap' WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET source = 'model' WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET source = NULL WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET source = '' WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET reasons = '' WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET detail = '{}' WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET detail = CAST(detail AS BLOB) WHERE seq = 5", 5, "wrong type"),
        ("UPDATE entry SET detail = CAST(x'ff' AS TEXT) WHERE seq = 5", 5, "its hash"),
        ("UPDATE entry SET hash = zeroblob(32) WHERE seq = 5", 5, "does not match its hash"),
        ("UPDATE entry SET hash = 'text' WHERE seq = 5", 5, "wrong type"),
        ("UPDATE entry SET seq = 9 WHERE seq = 8", 8, "is missing"),
        ("UPDATE entry SET seq = 0 WHERE seq = 1", 0, "before the first"),
        ("DELETE FROM entry WHERE seq = 5", 5, "is missing"),
        ("DELETE FROM entry WHERE seq = 1", 1, "is missing"),
        ("DELETE FROM ticket WHERE seq = 5", 5, "none is stored"),
        ("UPDATE ticket SET key = zeroblob(16) WHERE seq = 5", 5, "another key"),
        ("UPDATE ticket SET key = 'text' WHERE seq = 5", 5, "another key"),
        ("UPDATE ticket SET body = x'7b7d' WHERE seq = 5", 5, "ticket that was changed"),
        ("UPDATE ticket SET body = CAST(body AS TEXT) WHERE seq = 5", 5, "ticket that was changed"),
        ("UPDATE ticket SET text = x'00' WHERE seq = 3", 3, "line that was changed"),
        ("UPDATE ticket SET text = x'00' WHERE seq = 5", 5, "line that was changed"),
        ("UPDATE ticket SET seq = 99 WHERE seq = 5", 5, "none is stored"),
        ("INSERT INTO ticket SELECT 4, key, body, NULL FROM ticket WHERE seq = 1", 4, "no ticket"),
        ("INSERT INTO ticket SELECT 99, key, body, NULL FROM ticket WHERE seq = 1", 99, "no entry"),
        (
            "INSERT INTO entry SELECT 9, at, kind, source, reasons, detail, hash "
            "FROM entry WHERE seq = 8",
            9,
            "does not match its hash",
        ),
    ],
)
def test_a_change_is_found_and_named(ledger, alter, statement, seq, problem):
    """One change to one row, of every column of both tables."""
    alter(statement)
    found = ledger.verify()
    assert (found.ok, found.bad_seq) == (False, seq)
    assert problem in found.problem


def test_two_entries_that_change_places_are_found(ledger, alter):
    """Each is genuine; their order is not."""
    alter(
        "UPDATE entry SET seq = 100 WHERE seq = 2",
        "UPDATE entry SET seq = 2 WHERE seq = 3",
        "UPDATE entry SET seq = 3 WHERE seq = 100",
    )
    assert ledger.verify().bad_seq == 2


def test_the_first_of_several_changes_is_named(ledger, alter):
    """Whichever was made first."""
    alter("UPDATE entry SET at = 0 WHERE seq = 7", "DELETE FROM ticket WHERE seq = 2")
    assert ledger.verify().bad_seq == 2


def _append(store, alter, kind, source, detail) -> int:
    """Enter a well-linked entry that the store itself would not write; gives its number."""
    (last,) = store.entries(Query(limit=1))
    seq = last.seq + 1
    made = link(bytes.fromhex(last.hash), seq, 1, kind, source, "", detail)
    quoted = "NULL" if source is None else f"'{source}'"
    alter(
        f"INSERT INTO entry VALUES ({seq}, 1, '{kind}', {quoted}, '', '{detail}', x'{made.hex()}')"
    )
    return seq


@pytest.mark.parametrize(
    ("kind", "source", "detail", "problem"),
    [
        ("ticket", "oracle", "{}", "unknown kind"),
        ("ticket", None, "{}", "unknown kind"),
        ("gap", "cache", '{"tickets":1}', "unknown kind"),
        ("gap", None, '{"tickets":0}', "unknown kind"),
        ("ticket", "fallback", "{}", "none is stored"),
        ("ticket", "cache", "[]", "no JSON object"),
        ("ticket", "cache", "{}", "repeats no earlier entry"),
        ("ticket", "cache", '{"original":9}', "repeats no earlier entry"),
        ("ticket", "cache", '{"original":"1"}', "repeats no earlier entry"),
        ("ticket", "cache", '{"original":4}', "made no ticket"),
        ("ticket", "cache", '{"original":1,"key":"00"}', "another key"),
    ],
)
def test_a_well_hashed_entry_that_breaks_a_law_is_found(
    ledger, alter, kind, source, detail, problem
):
    """The hash alone is not enough: what an entry says must be so."""
    seq = _append(ledger, alter, kind, source, detail)
    found = ledger.verify()
    assert (found.ok, found.bad_seq) == (False, seq)
    assert problem in found.problem


def test_a_cache_hit_spends_nothing(ledger, alter, fresh):
    """Tokens on a repeated ticket would be a call that nobody entered."""
    detail = f'{{"key":"{fresh(1).key.hex()}","original":1,"tokens":5}}'
    _append(ledger, alter, "ticket", "cache", detail)
    assert "spent tokens" in ledger.verify().problem


def test_a_short_tail_shows_against_a_head_noted_elsewhere(ledger, alter):
    """And against nothing else: the shorter chain is a good one."""
    head = ledger.verify().head
    alter("DELETE FROM entry WHERE seq > 6", "DELETE FROM ticket WHERE seq > 6")
    assert ledger.verify().ok
    found = ledger.verify(expected_head=head)
    assert (found.ok, found.bad_seq) == (False, None)
    assert head in found.problem


def test_a_head_of_an_earlier_day_still_stands(ledger, fresh):
    """The ledger may have grown since it was noted; capitals do not matter."""
    head = ledger.verify().head
    ledger.write([fresh(7)])
    assert ledger.verify(expected_head=head.upper()).ok


def test_a_chain_hashed_anew_shows_against_a_head_noted_elsewhere(open_store, path, fresh):
    """A forged ledger verifies in itself, and does not hold the hash that was noted."""
    genuine, forged = open_store(), open_store(path.parent / "forged.db")
    genuine.write([fresh(1)])
    forged.write([fresh(2)])
    assert forged.verify().ok
    assert not forged.verify(expected_head=genuine.verify().head).ok


def test_a_hit_far_behind_its_ticket_is_checked_too(store, fresh, hit, monkeypatch):
    """Originals that are no longer in memory are read again."""
    monkeypatch.setattr("logdocket.store.sqlite.verify._REMEMBERED", 3)
    store.write([fresh(number) for number in range(20)])
    store.write([hit(number, original=number + 1) for number in range(20)])
    assert store.verify().ok
    store.write([hit(0, original=2)])
    found = store.verify()
    assert (found.bad_seq, found.problem) == (41, "repeats entry 2, which has another key")


def test_gaps_verify(store, fresh, path):
    """A gap is an entry like any other."""
    import sqlite3

    from logdocket.errors import LedgerUnavailable

    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        store.write([fresh(1)])
    blocker.close()
    store.write([fresh(2)])
    assert (store.verify().ok, store.verify().entries) == (True, 2)

"""What goes into a store comes out of it."""

from __future__ import annotations

import sqlite3
import stat
from hashlib import sha256

import pytest

from logdocket.errors import LedgerUnavailable
from logdocket.store import Query, SqliteStore
from logdocket.ticket import ReviewReason, Source


def test_a_written_ticket_is_found_by_its_key_and_by_its_id(store, fresh):
    """All that was written comes back, with the number and the moment of its entry."""
    record = fresh(1, reasons=(ReviewReason.SERVICE_UNKNOWN, ReviewReason.LOW_CONFIDENCE))
    ids = store.write([record])
    found = store.lookup(record.key)
    assert ids == [1]
    assert found is not None
    assert found == store.ticket(1)
    assert (found.id, found.at, found.key) == (1, 1_700_000_000_000_000, record.key)
    assert (found.line_hash, found.source, found.reasons) == (
        record.line_hash,
        record.source,
        record.reasons,
    )
    assert (found.body, found.text) == (record.body, None)


def test_a_line_kept_as_text_comes_back_byte_for_byte(store, fresh):
    """Bytes that are not UTF-8 are kept as they are."""
    line = b"caf\xe9 \x00 down"
    store.write([fresh(1, text=line, line_hash=sha256(line).digest())])
    assert store.ticket(1).text == line


def test_the_newest_ticket_under_a_key_wins(store, fresh):
    """A later ticket replaces an earlier one for look-ups, and both stay in the ledger."""
    store.write([fresh(1, body=b"{}")])
    store.write([fresh(1, body=b"[]")])
    assert store.lookup(fresh(1).key).id == 2
    assert store.ticket(1).body == b"{}"


def test_a_hit_repeats_the_ticket_it_names(store, fresh, hit):
    """Looking up a cache hit's number gives the ticket that it repeated."""
    store.write([fresh(1)])
    ids = store.write([hit(1, original=1), hit(1, original=1)])
    assert ids == [2, 3]
    assert store.ticket(3) == store.ticket(1)
    assert store.lookup(fresh(1).key).id == 1


def test_a_hit_on_a_ticket_of_the_same_call_names_that_tickets_entry(store, fresh, hit):
    """An index within the call becomes the number of the entry."""
    store.write([fresh(7)])
    store.write([fresh(1), fresh(2), hit(2, same_as=1)])
    (newest,) = store.entries(Query(limit=1))
    assert newest.detail["original"] == 3
    assert store.verify().ok


def test_unknown_keys_and_numbers_find_nothing(store, fresh):
    """Neither a missing number nor an absurd one is an error."""
    store.write([fresh(1)])
    assert store.lookup(fresh(2).key) is None
    assert [store.ticket(id) for id in (0, -1, 2, 10**30)] == [None] * 4


@pytest.mark.parametrize("count", [0, 1, 7, 512, 1_300])
def test_many_keys_are_looked_up_at_once(store, fresh, count):
    """Exactly the keys that have a ticket are found, however many are asked for."""
    store.write([fresh(number) for number in range(0, count, 2)])
    found = store.lookup_many(fresh(number).key for number in range(count))
    assert set(found) == {fresh(number).key for number in range(0, count, 2)}
    assert all(found[fresh(number).key].body == fresh(number).body for number in range(0, count, 2))


def test_writing_nothing_enters_nothing(store):
    """An empty call is no entry."""
    assert store.write([]) == []
    assert store.verify().entries == 0


@pytest.mark.parametrize("count", [1, 3, 255, 256, 257, 1_000])
def test_numbers_have_no_gap_whatever_the_size_of_a_call(store, fresh, count):
    """Calls of any size are numbered one after the other."""
    first = store.write([fresh(number) for number in range(count)])
    second = store.write([fresh(count)])
    assert first + second == list(range(1, count + 2))
    assert store.verify().ok


def test_a_record_that_contradicts_itself_enters_nothing(store, fresh, hit):
    """The whole call is refused, and the ledger does not see it."""
    with pytest.raises(ValueError, match="record 1"):
        store.write([fresh(1), hit(1)])
    assert store.verify().entries == 0


def test_entries_survive_the_store(open_store, fresh):
    """Another store on the same file goes on with the same chain."""
    first = open_store()
    first.write([fresh(1)])
    first.close()
    second = open_store()
    assert second.write([fresh(2)]) == [2]
    assert second.verify().ok


def test_a_closed_store_says_so(store, fresh):
    """Every use after closing is refused, and closing again is harmless."""
    store.close()
    store.close()
    with pytest.raises(LedgerUnavailable, match="closed"):
        store.write([fresh(1)])
    with pytest.raises(LedgerUnavailable, match="closed"):
        store.lookup(fresh(1).key)


def test_a_closed_store_leaves_one_file(store, fresh, path):
    """The log is folded into the file, so that copying the file is a backup."""
    store.write([fresh(1)])
    store.lookup(fresh(1).key)
    store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_new_file_is_its_owners_alone(store, path):
    """Tickets quote lines: other users of the machine do not read them."""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_temporary_store_works_and_leaves_nothing(clock, fresh):
    """Its folder goes when it is closed."""
    store = SqliteStore.temporary(clock=clock)
    store.write([fresh(1)])
    folder = store.path.parent
    assert store.verify().ok
    store.close()
    assert not folder.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET at = 0",
        "DELETE FROM entry",
        "DELETE FROM ticket",
        "UPDATE ticket SET body = x'00'",
        "UPDATE ticket SET key = zeroblob(16)",
        "UPDATE ticket SET text = x'00'",
    ],
)
def test_the_file_itself_refuses_to_change_what_was_entered(store, fresh, path, statement):
    """Append-only holds for every program that opens the file, by mistake at least."""
    store.write([fresh(1)])
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|only be erased"):
        connection.execute(statement)
    connection.close()


def test_a_lines_text_can_be_erased(store, fresh, path):
    """The ledger still verifies: it never held more than the line's hash."""
    store.write([fresh(1, text=b"line 1")])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE ticket SET text = NULL")
    connection.commit()
    connection.close()
    assert store.ticket(1).text is None
    assert store.verify().ok


def test_no_entry_holds_text_of_a_line(store, fresh, path):
    """An entry holds hashes, whether or not text is kept beside it."""
    store.write([fresh(1, text=b"line 1")])
    (entry,) = store.entries(Query())
    assert entry.detail == {
        "body": sha256(fresh(1).body).hexdigest(),
        "key": fresh(1).key.hex(),
        "line": sha256(b"line 1").hexdigest(),
        "tokens": 0,
    }


def test_a_ticket_with_words_of_a_later_version_is_not_reused(store, fresh, alter):
    """Its number still says what is wrong; as a cached answer it does not exist."""
    store.write([fresh(1)])
    alter("UPDATE entry SET reasons = 'from_the_future'")
    assert store.lookup(fresh(1).key) is None
    with pytest.raises(LedgerUnavailable, match=r"entry 1 .* cannot be understood"):
        store.ticket(1)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ticket SET body = x'7b7d' WHERE seq = 2",
        "UPDATE ticket SET body = CAST(body AS TEXT) WHERE seq = 2",
        "UPDATE ticket SET key = (SELECT key FROM ticket WHERE seq = 1) WHERE seq = 2",
        "UPDATE entry SET at = at + 1 WHERE seq = 2",
        "UPDATE entry SET source = 'model' WHERE seq = 2",
        "UPDATE entry SET reasons = '' WHERE seq = 2",
        "UPDATE entry SET detail = replace(detail, '0', '1') WHERE seq = 2",
        "UPDATE entry SET detail = CAST(detail AS BLOB) WHERE seq = 2",
        "UPDATE entry SET hash = zeroblob(32) WHERE seq = 2",
        "UPDATE entry SET hash = zeroblob(32) WHERE seq = 1",
    ],
)
def test_a_ticket_that_is_not_as_it_was_entered_is_not_given(store, fresh, alter, statement):
    """Not under its own key, nor under that of another line, nor by its number."""
    store.write([fresh(1), fresh(2)])
    alter(statement)
    assert store.lookup(fresh(2).key) is None
    assert (found := store.lookup(fresh(1).key)) is None or found.id == 1
    with pytest.raises(LedgerUnavailable, match=r"entry 2 .* verify the ledger"):
        store.ticket(2)


def test_a_model_ticket_is_counted_as_one(store, fresh, ask):
    """Sources are kept apart."""
    ask(store, 1)
    assert store.lookup(fresh(1).key).source is Source.MODEL
    assert store.summary().by_source == {"model": 1, "cache": 0, "fallback": 0}

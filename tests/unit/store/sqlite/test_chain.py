"""What is hashed, and how records become linked rows."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from logdocket.store import EntryKind, TicketRecord
from logdocket.store.sqlite.chain import (
    EMPTY,
    GENESIS,
    Head,
    Strand,
    chain,
    drafts,
    gap_detail,
    link,
)
from logdocket.ticket import ReviewReason, Source

KEY, LINE = bytes(range(16)), sha256(b"line").digest()


def _record(**changes: Any) -> TicketRecord:
    fields: dict[str, Any] = {
        "key": KEY,
        "line_hash": LINE,
        "source": Source.FALLBACK,
        "reasons": (),
        "body": b"{}",
    }
    return TicketRecord(**{**fields, **changes})


def _hit(**changes: Any) -> TicketRecord:
    return _record(**{"source": Source.CACHE, "body": None, **changes})


def _rows(flat: list[object], width: int) -> list[list[object]]:
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def test_a_hash_is_taken_over_the_documented_bytes():
    """The form is a contract: anyone can check a ledger with a few lines of any language."""
    made = link(GENESIS, 7, 1_700_000_000_000_000, "ticket", "fallback", "a,b", '{"é":1}')
    text = '7:1700000000000000:6:ticket,8:fallback,3:a,b,8:{"é":1},'
    assert made == sha256(bytes(32) + text.encode()).digest()


def test_an_absent_source_is_not_an_empty_one():
    """Absence has a form of its own."""
    assert (
        link(GENESIS, 1, 1, "gap", None, "", "")
        == sha256(bytes(32) + b"1:1:3:gap,-,0:,0:,").digest()
    )
    assert link(GENESIS, 1, 1, "gap", "", "", "") != link(GENESIS, 1, 1, "gap", None, "", "")


def test_rows_are_hashed_as_a_single_entry_is():
    """The fast way over many records and the plain way over one agree."""
    records = [
        _record(reasons=(ReviewReason.SERVICE_UNKNOWN, ReviewReason.LOW_CONFIDENCE)),
        _record(source=Source.MODEL, body=b"\xff", calls=(40, 41), tokens=9),
        _hit(same_as=1),
        _hit(original=3, reasons=(ReviewReason.LOW_CONFIDENCE,)),
    ]
    linked = chain([drafts(records)], Head(41, sha256(b"before").digest()), 5, gap_detail(4, 9))
    before = sha256(b"before").digest()
    for *entry, hash in _rows(linked.entries, 7):
        before = link(before, *entry)
        assert before == hash
    assert linked.head == Head(46, before)


def test_a_chain_begins_after_its_head():
    """Numbers go on, and each call gets its own."""
    linked = chain(
        [drafts([_record()]), [], drafts([_record(), _record()])], Head(5, LINE), 1, None
    )
    assert linked.ids == [[6], [], [7, 8]]


def test_a_gap_stands_before_all_calls():
    """Its number is none of theirs."""
    linked = chain([drafts([_record()])], EMPTY, 8, gap_detail(7, 3))
    first, second = _rows(linked.entries, 7)
    assert first[:6] == [1, 8, "gap", None, "", '{"since":7,"tickets":3}']
    assert (second[0], linked.ids) == (2, [[2]])


def test_only_fresh_tickets_are_stored():
    """A hit is an entry and no ticket."""
    linked = chain([drafts([_record(), _hit(same_as=0), _hit(original=1)])], EMPTY, 1, None)
    assert (_rows(linked.tickets, 3), linked.kept) == ([[1, KEY, b"{}"]], [])


def test_the_details_hold_hashes_in_hex():
    """Keys in order, no white space, zero tokens."""
    linked = chain([drafts([_record(body=b"x"), _hit(same_as=0)])], EMPTY, 1, None)
    fresh, hit = (row[5] for row in _rows(linked.entries, 7))
    body = sha256(b"x").hexdigest()
    assert fresh == f'{{"body":"{body}","key":"{KEY.hex()}","line":"{LINE.hex()}","tokens":0}}'
    assert hit == f'{{"key":"{KEY.hex()}","line":"{LINE.hex()}","original":1,"tokens":0}}'


def test_a_ticket_names_its_calls_in_order():
    """And the tokens that were reported for them; a ticket without calls says nothing of any."""
    records = [_record(body=b"x", source=Source.MODEL, calls=(9, 12), tokens=31)]
    linked = chain([drafts(records)], EMPTY, 1, None)
    body = sha256(b"x").hexdigest()
    assert linked.entries[5] == (
        f'{{"body":"{body}","calls":[9,12],"key":"{KEY.hex()}","line":"{LINE.hex()}","tokens":31}}'
    )


def test_a_strand_links_entries_of_any_kind():
    """Each to the one before, as the fast way does."""
    strand = Strand(Head(5, LINE), 8)
    assert strand.add(EntryKind.CALL_STARTED, "{}") == 6
    assert strand.write(drafts([_record(), _hit(same_as=0)])) == [7, 8]
    assert strand.add(EntryKind.GAP, gap_detail(4, 9)) == 9
    before = LINE
    for *entry, hash in _rows(strand.entries, 7):
        before = link(before, *entry)
        assert before == hash
    assert strand.head == Head(9, before)
    assert [row[0] for row in _rows(strand.tickets, 3)] == [7]


_REVIEWED = {"source": Source.CACHE, "reasons": (ReviewReason.REVIEWED,), "verdict": 9}


def test_a_reviewed_ticket_names_its_verdict():
    """In place of an original; its keys are in order."""
    linked = chain([drafts([_record(body=b"x", **_REVIEWED)])], EMPTY, 1, None)
    assert linked.entries[5] == (
        f'{{"body":"{sha256(b"x").hexdigest()}","key":"{KEY.hex()}","line":"{LINE.hex()}",'
        '"scope":"review","tokens":0,"verdict":9}'
    )


@pytest.mark.parametrize("changes", [{}, {"source": Source.MODEL, "calls": (9,), "tokens": 3}])
def test_a_second_look_names_the_first_ticket(changes):
    """Whoever answered; its keys are in order."""
    linked = chain([drafts([_record(body=b"x", revises=7, **changes)])], EMPTY, 1, None)
    detail = json.loads(str(linked.entries[5]))
    assert detail["revises"] == 7
    assert list(detail) == sorted(detail)


@pytest.mark.parametrize(
    "record",
    [
        _record(source=Source.MODEL),
        _record(tokens=1),
        _record(calls=(0,)),
        _record(calls=(2**63,)),
        _record(calls=("1",)),
        _hit(original=1, tokens=1),
        _hit(original=1, calls=(1,)),
        _record(key=b"short"),
        _record(line_hash=b"short"),
        _record(source=Source.CACHE),
        _record(original=1),
        _record(same_as=0),
        _record(text=b"another line"),
        _hit(),
        _hit(original=1, same_as=0),
        _hit(original=0),
        _hit(source=Source.MODEL, original=1),
        _hit(same_as=2),
        _hit(same_as=3),
        _hit(same_as=-1),
        _hit(same_as=1),
        _hit(same_as=0, key=bytes(16)),
        _hit(original=1, verdict=1),
        _hit(original=1, revises=1),
        _record(verdict=1),
        _record(revises=0),
        _record(revises="1"),
        _record(source=Source.CACHE, verdict=1),
        _record(**_REVIEWED, original=1),
        _record(**_REVIEWED, template=bytes(32)),
        _record(**_REVIEWED, calls=(1,)),
        _record(**_REVIEWED, tokens=1),
        _record(**{**_REVIEWED, "verdict": 0}),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(record):
    """The ledger is told nothing that could not be so; the message says which record."""
    with pytest.raises(ValueError, match="record 2"):
        drafts([_record(), _hit(original=1), record])


def test_the_text_of_the_line_that_was_hashed_is_kept():
    """It goes to the ticket, and not to the entry."""
    linked = chain([drafts([_record(text=b"line")])], EMPTY, 1, None)
    assert (linked.tickets, linked.kept[3]) == ([], b"line")

"""Answers that other lines of the same template share."""

from __future__ import annotations

import sqlite3

import pytest

from logdocket.store import Lesson
from logdocket.ticket import Source

WIDE, NARROW, OTHER = b"w" * 16, b"n" * 16, b"o" * 16
LOW, HIGH = b"l" * 16, b"h" * 16


@pytest.fixture
def teach(asked, begin, end, answer):
    """Enters a model's answer about line ``number`` with what it teaches; gives its number."""

    async def enter(number: int, *numbers: str, says: bytes | None = LOW, narrow: bytes = NARROW):
        lesson = Lesson(wide=WIDE, narrow=narrow, numbers=numbers, says=says, place=(0, 1, 0, 5))
        started = await asked.start(begin(number))
        (id,) = await asked.submit(
            [answer(number, started.call, lesson=lesson, template=WIDE + narrow)], end(started.call)
        )
        return id

    return enter


async def test_an_answer_is_known_by_its_template(asked, teach, answer):
    """With its ticket, and where its evidence stands."""
    id = await teach(1, "7")
    known, ticket = asked.known(WIDE, NARROW)
    assert (known.ticket, ticket.id, known.place) == (id, id, (0, 1, 0, 5))
    assert ticket.source is Source.MODEL
    assert known.covers(["7"])
    assert not known.covers(["8"])
    assert asked.known(OTHER, NARROW) is None


async def test_what_is_known_grows_with_each_answer(asked, teach):
    """The newest ticket is the one that is shared."""
    await teach(1, "7")
    second = await teach(2, "8")
    known, ticket = asked.known(WIDE, NARROW)
    assert known.covers(["55"])
    assert ticket.id == second


async def test_a_split_template_is_known_by_itself(asked, teach):
    """One number mattered, so each is asked about once."""
    await teach(1, "7")
    second = await teach(2, "0", says=HIGH, narrow=OTHER)
    assert asked.known(WIDE, NARROW) is None
    known, _ = asked.known(WIDE, OTHER)
    assert known.ticket == second


async def test_a_disputed_template_is_shared_by_nobody(asked, teach):
    """Neither by lines like it nor by lines equal to it."""
    await teach(1, "7", says=None)
    assert asked.known(WIDE, NARROW) is None


async def test_a_shared_answer_is_a_cache_hit_of_its_own(asked, teach, fresh):
    """The ledger says whose answer it is and that it was shared by template; it costs nothing."""
    original = await teach(1, "7")
    shared = fresh(2, source=Source.CACHE, reasons=(), original=original)
    (id,) = await asked.submit([shared])
    (entry,) = [entry for entry in asked.export() if entry.seq == id]
    assert entry.source is Source.CACHE
    assert entry.detail["original"] == original
    assert entry.detail["scope"] == "template"
    assert entry.detail["tokens"] == 0
    assert asked.ticket(id).body == shared.body
    summary = asked.summary()
    assert (summary.calls_avoided, summary.shared) == (1, 1)
    assert asked.verify().ok


async def test_who_repeats_a_shared_answer_is_counted_as_well(asked, teach, fresh, hit):
    """It saves the same call once more, under a key of its own."""
    original = await teach(1, "7")
    (id,) = await asked.submit([fresh(2, source=Source.CACHE, reasons=(), original=original)])
    await asked.submit([hit(2, original=id, reasons=())])
    summary = asked.summary()
    assert (summary.calls_avoided, summary.shared) == (2, 1)
    assert asked.summary(since=0).calls_avoided == 2
    assert asked.verify().ok


async def test_what_is_no_models_answer_cannot_be_shared(asked, fresh):
    """Verification finds a ticket that claims to share one of the rules'."""
    (original,) = await asked.submit([fresh(1)])
    (id,) = await asked.submit([fresh(2, source=Source.CACHE, original=original)])
    found = asked.verify()
    assert (found.ok, found.bad_seq) == (False, id)
    assert "no model's" in (found.problem or "")


@pytest.mark.parametrize(
    "changes",
    [
        {"source": Source.CACHE},
        {"source": Source.FALLBACK, "original": 1},
        {"source": Source.CACHE, "original": 0},
        {"source": Source.CACHE, "original": 1, "calls": (1,)},
        {"source": Source.CACHE, "original": 1, "same_as": 0},
    ],
)
def test_a_record_that_contradicts_itself_is_refused(store, fresh, changes):
    """Before anything is written."""
    with pytest.raises(ValueError, match="record 0"):
        store.write([fresh(1, **changes)])


async def test_verification_finds_a_template_that_shares_no_models_ticket(
    asked, teach, fresh, path
):
    """The table is no part of the chain, so each of its rows is held against it."""
    await teach(1, "7")
    (other,) = await asked.submit([fresh(2)])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE template SET ticket = ?", (other,))
    assert asked.verify().bad_seq == other


async def test_a_row_that_cannot_be_understood_shares_nothing(asked, teach, path):
    """The line is asked about again."""
    await teach(1, "7")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE template SET slots = 'no JSON'")
    assert asked.known(WIDE, NARROW) is None


async def test_a_wrong_answer_is_taken_out_of_sharing(asked, teach, answer, begin, end, fresh, hit):
    """By the entry of the model's ticket, of one that shares it, or of one that repeats that."""
    for repeated in (0, 1, 2):
        asked_about = 10 * (repeated + 1)
        wide = bytes([repeated]) * 16
        lesson = Lesson(wide=wide, narrow=NARROW, numbers=("7",), says=LOW, place=(0, 1, 0, 5))
        started = await asked.start(begin(asked_about))
        record = answer(asked_about, started.call, lesson=lesson, template=wide + NARROW)
        (first,) = await asked.submit([record], end(started.call))
        shared = fresh(
            asked_about + 1,
            source=Source.CACHE,
            reasons=(),
            original=first,
            template=wide + NARROW,
        )
        (second,) = await asked.submit([shared])
        (third,) = await asked.submit([hit(asked_about + 1, original=second, reasons=())])
        assert asked.known(wide, OTHER) is not None
        assert asked.unshare((first, second, third)[repeated])
        assert asked.known(wide, OTHER) is None
        assert asked.known(wide, NARROW) is None
    assert asked.verify().ok


async def test_the_template_of_the_line_that_was_wrong_is_dropped_too(asked, teach, fresh):
    """Not only that of the line that the model was asked about."""
    original = await teach(1, "7")
    template = WIDE + OTHER
    shared = fresh(2, source=Source.CACHE, reasons=(), original=original, template=template)
    (id,) = await asked.submit([shared])
    assert asked.unshare(id)
    await teach(3, "9", narrow=OTHER)
    assert asked.known(WIDE, OTHER) is None


async def test_what_shares_nothing_cannot_be_taken_out_of_sharing(asked, fresh):
    """A ticket of the rules, an entry that is none, and a number that there is not."""
    (id,) = await asked.submit([fresh(1)])
    assert [asked.unshare(number) for number in (id, 0, 99, 2**70)] == [False] * 4

from __future__ import annotations

import pytest

from logdocket.docket.memory import Memory, Remembered
from logdocket.line import Severity
from logdocket.ticket import Extraction, ReviewReason, Source, Ticket

TICKET = Ticket(
    "pay",
    Severity.HIGH,
    "2031-05-06T07:08:09Z",
    "card refused",
    0.5,
    True,
    Source.FALLBACK,
    (ReviewReason.MODEL_NOT_CONFIGURED,),
)


def remembered(key: bytes, at: int = 0, ttl: int = 10) -> Remembered:
    """A ticket under ``key``."""
    return Remembered(at, ttl, key, bytes(32), Extraction.of(TICKET, 7))


def test_what_is_put_can_be_had():
    """Under its key alone."""
    memory = Memory(2)
    kept = remembered(b"a")
    memory.put(kept)
    assert memory.get(b"a", 0) is kept
    assert memory.get(b"b", 0) is None


def test_no_more_are_kept_than_asked_for():
    """Ten thousand lines do not grow a memory of three."""
    memory = Memory(3)
    for number in range(10_000):
        memory.put(remembered(b"%d" % number))
    assert len(memory) == 3
    assert memory.get(b"9999", 0) is not None


def test_the_one_unused_longest_goes():
    """Having been given counts as use."""
    memory = Memory(2)
    memory.put(remembered(b"a"))
    memory.put(remembered(b"b"))
    memory.get(b"a", 0)
    memory.put(remembered(b"c"))
    assert memory.get(b"b", 0) is None
    assert memory.get(b"a", 0) is not None


def test_a_newer_ticket_takes_the_place_of_the_old():
    """And counts as one."""
    memory = Memory(2)
    memory.put(remembered(b"a"))
    newer = remembered(b"a")
    memory.put(newer)
    assert memory.get(b"a", 0) is newer
    assert len(memory) == 1


def test_several_are_remembered_as_one_after_the_other():
    """Those under one key count once, and the first ones go."""
    memory = Memory(2)
    memory.put_all([remembered(b"a"), remembered(b"b"), remembered(b"b"), remembered(b"c")])
    assert [memory.holds(key) for key in (b"a", b"b", b"c")] == [False, True, True]
    assert len(memory) == 2


@pytest.mark.parametrize(("now", "there"), [(0, True), (9, True), (10, False), (-10, False)])
def test_what_is_over_is_not_given(now: int, there: bool):
    """Nor kept any longer."""
    memory = Memory(2)
    memory.put(remembered(b"a"))
    assert (memory.get(b"a", now) is not None) is there
    assert len(memory) == there


def test_a_hit_gives_and_enters_the_same_each_time():
    """Made by the first, and the ticket of before but for its source."""
    kept = remembered(b"a")
    assert kept.again is kept.again
    assert kept.again.ticket == TICKET.cached()
    assert kept.again.json == TICKET.cached().to_json()
    assert kept.record is kept.record
    assert (kept.record.source, kept.record.original, kept.record.body) == (Source.CACHE, 7, None)
    assert kept.record.reasons == TICKET.review_reasons


def test_a_ticket_that_another_process_made_is_remembered_by_its_json():
    """It is decoded by the first hit."""
    kept = Remembered(0, 10, b"a", bytes(32), Extraction(TICKET.to_json(), 7))
    assert kept.again.ticket == TICKET.cached()
    assert kept.record.reasons == TICKET.review_reasons


def test_what_was_begun_before_all_was_forgotten_is_not_remembered():
    """It does not know what has changed."""
    memory = Memory(3)
    memory.put(remembered(b"a"), memory.era)
    before = memory.era
    memory.clear()
    assert (len(memory), memory.get(b"a", 0)) == (0, None)
    memory.put(remembered(b"a"), before)
    assert memory.get(b"a", 0) is None
    memory.put(remembered(b"a"), memory.era)
    assert memory.get(b"a", 0) is not None

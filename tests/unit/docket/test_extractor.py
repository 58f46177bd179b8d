from __future__ import annotations

import asyncio
import sqlite3

import msgspec
import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Judgement, Policy, decode_judgement, judge
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.store import Query, SqliteStore
from logdocket.ticket import Extraction, ReviewReason, Source, encode

from .conftest import answer

PAY = "2031-05-06T07:08:09Z ERROR pay: card refused"
MAIL = "2031-05-06T07:08:10Z WARN mail: queue is 90% full"
DOOR = "2031-05-06T07:08:11Z INFO door: opened by badge 7"

FALLBACK, CACHE = Source.FALLBACK, Source.CACHE
UNLEDGERED = ReviewReason.LEDGER_UNAVAILABLE


def sources(given: list[Extraction]) -> list[Source]:
    """Where each ticket came from."""
    return [extraction.ticket.source for extraction in given]


def entered(ledger: SqliteStore) -> list[tuple[str, Source | None]]:
    """Kind and source of all entries, oldest first."""
    return [(entry.kind, entry.source) for entry in ledger.export()]


def test_a_new_line_gets_a_fallback_that_stands_in_the_ledger(make, ledger):
    """Its number is that of the entry, and what is stored is what was given."""
    (given,) = answer(make(), PAY)
    assert given.ticket.source is FALLBACK
    assert given.id == 1
    assert given.json in ledger.ticket(1).body
    assert entered(ledger) == [("ticket", FALLBACK)]


def test_a_line_seen_before_is_a_hit_with_the_number_of_the_first(make, ledger):
    """The hit is an entry of its own, and repeats all but the source."""
    extractor = make()
    (first,) = answer(extractor, PAY)
    (second,) = answer(extractor, PAY)
    assert (second.ticket, second.id) == (first.ticket.cached(), 1)
    assert entered(ledger) == [("ticket", FALLBACK), ("ticket", CACHE)]
    assert ledger.ticket(2).id == 1


def test_each_hit_is_entered(make, ledger):
    """What a hit gives is made once; what is entered is not."""
    extractor = make()
    for _ in range(4):
        answer(extractor, PAY)
    assert ledger.summary().by_source == {"model": 0, "cache": 3, "fallback": 1}


def test_another_process_finds_the_ticket_in_the_store(make):
    """Its memory is empty, the database is not."""
    answer(make(), PAY)
    (again,) = answer(make(), PAY)
    assert (again.ticket.source, again.id) == (CACHE, 1)


def test_what_the_store_gave_is_remembered(make, ledger):
    """The second time the database need not be asked."""
    answer(make(), PAY)
    extractor = make()
    answer(extractor, PAY)
    ledger.lookup_many = None  # type: ignore[method-assign, assignment]
    assert sources(answer(extractor, PAY)) == [CACHE]


def test_twins_in_one_batch_share_one_ticket(make, ledger):
    """The first is fresh, the others are hits on it, in one transaction."""
    given = answer(make(), PAY, MAIL, PAY, PAY)
    assert sources(given) == [FALLBACK, FALLBACK, CACHE, CACHE]
    assert [extraction.id for extraction in given] == [1, 2, 1, 1]
    assert [entry.detail.get("original") for entry in ledger.export()] == [None, None, 1, 1]
    assert ledger.verify().ok


def test_a_context_makes_another_line(make):
    """The same text with something told beside it may be answered otherwise."""
    extractor = make()
    answer(extractor, PAY)
    told = Context(labels={"rack": "7"})
    assert sources(answer(extractor, PAY, context=told)) == [FALLBACK]
    assert sources(answer(extractor, PAY, context=Context(labels={"rack": "7"}))) == [CACHE]


def test_another_risk_makes_another_configuration(make):
    """A ticket judged by other rules is not reused."""
    answer(make(risk=0.02), PAY)
    assert sources(answer(make(risk=0.5), PAY)) == [FALLBACK]


def test_a_ticket_is_forgotten_when_its_time_is_over(make, at):
    """Then the line is judged anew."""
    extractor = make(fallback_ttl=60)
    answer(extractor, PAY)
    at.sleep(59.999)
    assert sources(answer(extractor, PAY)) == [CACHE]
    at.sleep(0.001)
    assert sources(answer(extractor, PAY)) == [FALLBACK]


def test_a_hit_does_not_prolong_a_ticket(make, at):
    """Its time runs from when it was made."""
    extractor = make(fallback_ttl=60)
    answer(extractor, PAY)
    for _ in range(3):
        at.sleep(20)
        last = answer(extractor, PAY)
    assert sources(last) == [FALLBACK]


def test_no_reuse_means_none_within_a_batch_either(make, ledger):
    """With a time of 0 every line is judged."""
    assert sources(answer(make(fallback_ttl=0), PAY, PAY)) == [FALLBACK, FALLBACK]
    assert ledger.verify().ok


def test_the_shorter_of_both_times_counts(make, at):
    """A fallback is never kept longer than a cache entry may be."""
    extractor = make(cache_ttl=5, fallback_ttl=60)
    answer(extractor, PAY)
    at.sleep(5)
    assert sources(answer(extractor, PAY)) == [FALLBACK]


@pytest.mark.parametrize(
    "forged",
    [
        {"evidence": "card accepted"},
        {"evidence": " "},
        {"service": "vault"},
    ],
    ids=["foreign evidence", "blank evidence", "foreign service"],
)
def test_a_stored_ticket_is_believed_only_where_the_line_bears_it_out(
    make, ledger, monkeypatch, forged
):
    """Whatever the store says: a ticket that could not stand on this line is not given."""
    answer(make(), PAY)
    (found,) = ledger.lookup_many([make().begin([(Line(PAY), NO_CONTEXT)])[0].key]).values()
    honest = decode_judgement(found.body)
    ticket = msgspec.structs.replace(honest.ticket, **forged)
    body = encode(Judgement(ticket, honest.reading))
    told = {found.key: msgspec.structs.replace(found, body=body)}
    monkeypatch.setattr(ledger, "lookup_many", lambda keys: told)
    (given,) = answer(make(), PAY)
    assert given.ticket == honest.ticket


def test_a_stored_ticket_that_cannot_be_understood_is_passed_over(make, ledger, monkeypatch):
    """A later version may have written it."""
    answer(make(), PAY)
    (found,) = ledger.lookup_many([make().begin([(Line(PAY), NO_CONTEXT)])[0].key]).values()
    told = {found.key: msgspec.structs.replace(found, body=b'{"ticket":7}')}
    monkeypatch.setattr(ledger, "lookup_many", lambda keys: told)
    assert sources(answer(make(), PAY)) == [FALLBACK]


def test_a_locked_ledger_marks_the_ticket_and_stops_nothing(make, ledger, locked):
    """The answer is the same, without a number, and goes to a person."""
    extractor = make()
    with locked():
        (given,) = answer(extractor, PAY)
    assert given.id is None
    assert given.unrecorded
    assert given.ticket.needs_human
    assert UNLEDGERED in given.ticket.review_reasons
    assert given.json == given.ticket.to_json()
    assert entered(ledger) == []


def test_a_ticket_that_was_not_entered_is_not_repeated(make, ledger, locked):
    """Once the ledger can be written the line is answered anew, and the gap is told."""
    extractor = make()
    with locked():
        answer(extractor, PAY, PAY)
    (healed,) = answer(extractor, PAY)
    assert (healed.ticket.source, healed.id) == (FALLBACK, 2)
    assert UNLEDGERED not in healed.ticket.review_reasons
    assert entered(ledger) == [("gap", None), ("ticket", FALLBACK)]
    assert ledger.summary().unledgered == 2


def test_a_hit_that_cannot_be_entered_is_marked_too(make, locked):
    """And the ticket it repeats stays remembered without the mark."""
    extractor = make()
    answer(extractor, PAY)
    with locked():
        (marked,) = answer(extractor, PAY)
    assert (marked.ticket.source, marked.id) == (CACHE, None)
    assert UNLEDGERED in marked.ticket.review_reasons
    (again,) = answer(extractor, PAY)
    assert (again.ticket.source, again.id) == (CACHE, 1)
    assert UNLEDGERED not in again.ticket.review_reasons


def test_twins_in_different_batches_share_one_ticket(make, ledger):
    """The second batch is begun before the first is answered."""
    extractor = make()
    first = extractor.begin([(Line(PAY), NO_CONTEXT)])
    second = extractor.begin([(Line(MAIL), NO_CONTEXT), (Line(PAY), NO_CONTEXT)])
    assert [slot.undecided for slot in second] == [True, False]
    extractor.finish(first)
    mail, pay = extractor.finish(second)
    assert (mail.ticket.source, pay.ticket.source, pay.id) == (FALLBACK, CACHE, 1)
    assert ledger.verify().ok


def test_a_failure_in_the_middle_of_several_batches_is_claimed_by_no_twin(make, ledger, locked):
    """A twin of what was not entered is entered as a fresh ticket, and repeated from then on."""
    extractor = make()
    batches = [
        extractor.begin([(Line(text), NO_CONTEXT) for text in texts])
        for texts in ([DOOR], [PAY], [PAY, DOOR], [PAY])
    ]
    door = extractor.finish(batches[0])
    with locked():
        lost = extractor.finish(batches[1])
    mended, last = extractor.finish(batches[2]), extractor.finish(batches[3])
    assert sources([*door, *lost, *mended]) == [FALLBACK, FALLBACK, FALLBACK, CACHE]
    assert [given.id for given in (*door, *lost, *mended)] == [1, None, 3, 1]
    assert UNLEDGERED not in mended[0].ticket.review_reasons
    assert last[0].id is not None
    assert ledger.summary().unledgered == 1
    assert ledger.verify().ok


def test_nothing_stays_open_once_all_is_finished(make, locked):
    """However it went."""
    extractor = make()
    batches = [extractor.begin([(Line(PAY), NO_CONTEXT)] * 2) for _ in range(3)]
    with locked():
        extractor.finish(batches[0])
    for batch in batches[1:]:
        extractor.finish(batch)
    assert extractor._open == {}


def test_without_a_ledger_lines_are_answered_and_reused(make):
    """By choice of the operator: no number, and no complaint."""
    extractor = make(ledger=None)
    first, second = answer(extractor, PAY, PAY)
    (third,) = answer(extractor, PAY)
    assert sources([first, second, third]) == [FALLBACK, CACHE, CACHE]
    assert [first.id, second.id, third.id] == [None, None, None]
    assert not any(given.unrecorded for given in (first, second, third))


def test_the_text_is_stored_where_that_is_switched_on(make, ledger):
    """Byte for byte, and nowhere else."""
    raw = b"2031-05-06T07:08:09Z ERROR pay: \xff refused"
    extractor = make(keep_text=True)
    extractor.finish(extractor.begin([(Line.from_bytes(raw), NO_CONTEXT)]))
    answer(make(), MAIL)
    assert (ledger.ticket(1).text, ledger.ticket(2).text) == (raw, None)


def test_bytes_that_are_no_utf_8_are_answered_from_the_store(make):
    """Their quote is stored as escapes, and believed when it comes back."""
    line = Line.from_bytes(b"2031-05-06T07:08:09Z ERROR pay: \xff refused")
    first = make().finish(make().begin([(line, NO_CONTEXT)]))
    again = make().finish(make().begin([(line, NO_CONTEXT)]))
    assert again[0].ticket == first[0].ticket.cached()
    assert b"\\udcff" in again[0].json


def test_a_rule_that_raises_costs_one_line_its_reading(make, ledger, monkeypatch, caplog):
    """The ticket says so, the log has the trace, and the other lines are read as ever."""
    read = judge.read

    def faulty(line: Line, context: Context) -> object:
        if "badge" in line.text:
            raise RecursionError("a fault of ours")
        return read(line, context)

    monkeypatch.setattr(judge, "read", faulty)
    pay, door = answer(make(), PAY, f"  {DOOR}")
    assert ReviewReason.READING_FAILED not in pay.ticket.review_reasons
    assert ReviewReason.READING_FAILED in door.ticket.review_reasons
    assert (door.ticket.service, door.ticket.first_seen) == ("unknown", "unknown")
    assert door.ticket.evidence == DOOR
    assert "a fault of ours" in caplog.text
    assert ledger.verify().ok


async def test_two_hundred_concurrent_callers_are_all_in_the_ledger(make, ledger):
    """Half of them with a line of their own; each answer has its entry."""
    extractor = make()
    await extractor.extract(Line(PAY))
    texts = [PAY if number % 2 else f"{MAIL} {number}" for number in range(200)]
    given = await asyncio.gather(*(extractor.extract(Line(text)) for text in texts))
    assert sources(given) == [CACHE if number % 2 else FALLBACK for number in range(200)]
    assert {each.id for each in given if each.ticket.source is CACHE} == {1}
    fresh = [each.id for each in given if each.ticket.source is FALLBACK]
    assert len(set(fresh)) == 100
    assert ledger.summary().by_source == {"model": 0, "cache": 100, "fallback": 101}
    assert ledger.verify().ok


async def test_an_asynchronous_caller_gets_what_a_blocking_one_gets(make, at, tmp_path):
    """The same bytes, fresh and from the cache."""
    with_loop = make()
    fresh = await with_loop.extract(Line(PAY))
    hit = await with_loop.extract(Line(PAY))
    both = await with_loop.extract_many([(Line(MAIL), NO_CONTEXT)] * 2)
    store = SqliteStore(tmp_path / "other.db", clock=at)
    blocking = Extractor(Policy(), shipped(), store, at)
    expected = [*answer(blocking, PAY), *answer(blocking, PAY), *answer(blocking, MAIL, MAIL)]
    assert [each.json for each in (fresh, hit, *both)] == [each.json for each in expected]
    assert [each.id for each in (fresh, hit, *both)] == [each.id for each in expected]
    store.close()


async def test_asynchronous_callers_of_a_locked_ledger_are_told(make, ledger, locked):
    """Fresh or remembered; and it heals."""
    extractor = make()
    await extractor.extract(Line(PAY))
    with locked():
        hit, fresh = await asyncio.gather(
            extractor.extract(Line(PAY)), extractor.extract(Line(MAIL))
        )
    assert [each.id for each in (hit, fresh)] == [None, None]
    assert all(UNLEDGERED in each.ticket.review_reasons for each in (hit, fresh))
    assert (await extractor.extract(Line(PAY))).id == 1
    assert ledger.summary().unledgered == 2


def test_an_empty_batch_is_nothing(make, ledger):
    """No entry, no answer."""
    assert answer(make()) == []
    assert ledger.entries(Query()) == []


def test_a_ledger_that_is_gone_in_between_is_told_by_the_error(make, ledger):
    """A closed store is a ledger that cannot be written."""
    extractor = make()
    ledger.close()
    (given,) = answer(extractor, PAY)
    assert given.unrecorded


def test_two_programs_on_one_file_share_tickets(make, ledger, at):
    """Each sees what the other has entered, and the chain stays whole."""
    other = SqliteStore(ledger.path, clock=at)
    theirs = Extractor(Policy(), shipped(), other, at)
    answer(make(), PAY)
    (given,) = answer(theirs, PAY)
    other.close()
    assert (given.ticket.source, given.id) == (CACHE, 1)
    with sqlite3.connect(ledger.path) as connection:
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (2,)
    assert ledger.verify().ok

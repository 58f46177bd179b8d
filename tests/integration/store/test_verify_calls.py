"""Laws of calls: whatever was changed or entered against them is found and named."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256

import pytest

from logdocket.calls import CallStatus
from logdocket.store.sqlite.verify import Walk

DAY = 1_700_000_000_000_000 // 86_400_000_000


@pytest.fixture(scope="module")
def made() -> list[bytes]:
    """The file of the ledger below, once it has been made."""
    return []


@pytest.fixture
def ledger(made, path, open_store, begin, end, answer, hit, still):
    """Ten entries: calls 1 and 2, the end and the ticket (4) of 1, a hit on it, call 6, which times
    out (7) and is retried (8); 2 is interrupted (9), and ends late (10). 8 is open."""

    async def fill(store) -> None:
        await store.start(begin(1, cap_tokens=10_000))
        await store.start(begin(2, expires=still.now + 1))
        await store.submit([answer(1, 1), hit(1, original=4)], end(1))
        await store.start(begin(3))
        await store.submit([], end(6, status=CallStatus.TIMEOUT, usage=None, nano_usd=None))
        await store.start(begin(3, attempt=2))
        still.now += 1
        assert store.sweep() == 1
        await store.submit([], end(2))

    if not made:
        store = open_store(clock=still)
        asyncio.run(fill(store))
        store.close()
        made.append(path.read_bytes())
    still.now = 1_700_000_000_000_001
    path.write_bytes(made[0])
    return open_store(clock=still)


def _kinds(store) -> list[str]:
    return [str(entry.kind) for entry in store.export()]


def test_the_ledger_as_it_is_verifies(ledger):
    """All that is changed below is changed in this one."""
    started, finished = "call_started", "call_finished"
    assert _kinds(ledger) == [
        *(started, started, finished, "ticket", "ticket"),
        *(started, finished, started, "call_interrupted", finished),
    ]
    assert ledger.verify().ok


@pytest.mark.parametrize("seq", [1, 3, 9])
@pytest.mark.parametrize("change", ["kind = 'gap'", "detail = '{}'"])
def test_a_change_to_an_entry_of_a_call_is_found(ledger, alter, seq, change):
    """As in any other."""
    alter(f"UPDATE entry SET {change} WHERE seq = {seq}")
    found = ledger.verify()
    assert (found.ok, found.bad_seq) == (False, seq)


COLUMNS = [
    "at",
    "expires",
    "attempt",
    "reserved_tokens",
    "reserved_nano_usd",
    "charged_tokens",
    "charged_nano_usd",
]


@pytest.mark.parametrize(
    "change",
    [
        *(f"{column} = {column} + 1" for column in COLUMNS),
        "model = 'large'",
        "status = 'junk'",
        "status = iif(status IS NULL, 'interrupted', NULL)",
        "tokens_in = ifnull(tokens_in, 0) + 1",
        "tokens_out = ifnull(tokens_out, 0) + 1",
        "nano_usd = ifnull(nano_usd, 0) + 1",
        "ticket = ifnull(ticket, 3) + 1",
    ],
)
def test_a_change_to_what_calls_add_up_to_is_found(ledger, alter, change):
    """Every column, in each kind of row: with a ticket, late, without one, open."""
    for call in (1, 2, 6, 8):
        alter(
            f"CREATE TABLE kept AS SELECT * FROM call WHERE seq = {call}",
            f"UPDATE call SET {change} WHERE seq = {call}",
        )
        found = ledger.verify()
        assert found.bad_seq == call
        assert "another row in the table of calls" in found.problem
        alter("REPLACE INTO call SELECT * FROM kept", "DROP TABLE kept")
    assert ledger.verify().ok


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM call WHERE seq = 1", "another row"),
        ("DELETE FROM call WHERE seq = 8", "another row"),
        ("UPDATE call SET seq = 99 WHERE seq = 8", "another row"),
        ("INSERT INTO call SELECT 5, at, expires, model, 1, 1, 1, NULL, NULL, NULL, NULL, 0, 0, "
         "NULL FROM call WHERE seq = 1", "started none"),
        ("UPDATE spend SET tokens = tokens - 1", f"the spend of day {DAY}"),
        ("UPDATE spend SET nano_usd = nano_usd - 1", f"the spend of day {DAY}"),
        ("UPDATE spend SET reserved_tokens = 0", f"the spend of day {DAY}"),
        ("UPDATE spend SET reserved_nano_usd = 0", f"the spend of day {DAY}"),
        ("UPDATE spend SET day = day + 1", f"the spend of day {DAY}"),
        ("DELETE FROM spend", f"the spend of day {DAY}"),
        ("INSERT INTO spend VALUES (1, 5, 0, 0, 0)", "without calls"),
    ],
)  # fmt: skip
def test_rows_that_no_entry_makes_are_found(ledger, alter, statement, problem):
    """Nor can one be taken away: money that is not counted could be spent again."""
    alter(statement)
    found = ledger.verify()
    assert not found.ok
    assert problem in found.problem


AMOUNT = {"nano_usd": 50, "tokens": 100}


def _started(**changes) -> str:
    fields = {
        "attempt": 1,
        "expires": 1,
        "holder": "00",
        "key": "00",
        "line": "00",
        "mode": "schema",
        "model": "small",
        "prompt": 1,
        "reserved": AMOUNT,
    }
    return json.dumps({**fields, **changes})


def _finished(call: int, **changes) -> str:
    fields = {
        "call": call,
        "charge": AMOUNT,
        "http": None,
        "ms": 1,
        "nano_usd": None,
        "status": "timeout",
        "tokens_in": None,
        "tokens_out": None,
        "wrong": [],
    }
    return json.dumps({**fields, **changes})


def _interrupted(call: int, **changes) -> str:
    return json.dumps({"call": call, "charge": AMOUNT, **changes})


@pytest.mark.parametrize(
    ("kind", "detail", "problem"),
    [
        ("call_started", "{}", "cannot be read"),
        ("call_started", _started(more=1), "cannot be read"),
        ("call_started", _started(reserved={"nano_usd": -1, "tokens": 0}), "cannot be read"),
        ("call_started", _started(cap={"tokens": 99}), "no room"),
        ("call_started", _started(cap={"tokens": 220}), "no room"),
        ("call_started", _started(cap={"nano_usd": 108}), "no room"),
        ("call_finished", "{}", "cannot be read"),
        ("call_finished", _finished(8, status="splendid"), "cannot be read"),
        ("call_finished", _finished(8, tokens_in=-1), "cannot be read"),
        ("call_finished", _finished(8, late=True), "had been taken for interrupted"),
        ("call_finished", _finished(1), "ends call 1, which is not open"),
        ("call_finished", _finished(2, late=True), "ends call 2, which is not open"),
        ("call_finished", _finished(6), "ends call 6, which is not open"),
        ("call_finished", _finished(4), "ends call 4, which is not open"),
        ("call_finished", _finished(99), "ends call 99, which is not open"),
        ("call_interrupted", "{}", "cannot be read"),
        ("call_interrupted", _interrupted(8), "before it expired"),
        ("call_interrupted", _interrupted(2), "ends call 2, which is not open"),
        ("call_interrupted", _interrupted(6), "ends call 6, which is not open"),
        ("call_interrupted", _interrupted(99), "ends call 99, which is not open"),
        ("call_lost", "{}", "unknown kind"),
    ],
)
def test_a_well_hashed_entry_that_breaks_a_law_is_found(ledger, append, kind, detail, problem):
    """What a forger could enter who knows how to hash."""
    seq = append(ledger, kind, detail)
    found = ledger.verify()
    assert (found.ok, found.bad_seq) == (False, seq)
    assert problem in found.problem


@pytest.mark.parametrize("kind", ["call_started", "call_finished", "call_interrupted"])
def test_an_entry_of_a_call_has_no_source(ledger, append, kind):
    """Only tickets have one."""
    seq = append(ledger, kind, _started(), source="model")
    assert ledger.verify().bad_seq == seq


@pytest.mark.parametrize(
    ("charge", "problem"),
    [(AMOUNT, "a second time"), ({"nano_usd": 50, "tokens": 99}, "another amount")],
)
def test_an_interruption_happens_once_and_charges_what_was_reserved(
    ledger, append, fresh, still, charge, problem
):
    """Not less: the model may have answered."""
    still.forward(31)
    if "second" in problem:
        assert ledger.sweep() == 1
    ledger.write([fresh(9)])  # An entry of a moment when call 8 has expired.
    seq = append(ledger, "call_interrupted", _interrupted(8, charge=charge))
    found = ledger.verify()
    assert found.bad_seq == seq
    assert problem in found.problem


@pytest.mark.parametrize(
    ("source", "detail", "problem"),
    [
        ("fallback", {"calls": [6, 8], "tokens": 0}, "names call 8"),
        ("fallback", {"calls": [1], "tokens": 7}, "names call 1"),
        ("fallback", {"calls": [4], "tokens": 0}, "names call 4"),
        ("fallback", {"calls": [99], "tokens": 0}, "names call 99"),
        ("fallback", {"calls": [2, 2], "tokens": 14}, "names call 2"),
        ("fallback", {"calls": ["2"], "tokens": 7}, "by their numbers"),
        ("fallback", {"calls": 2, "tokens": 7}, "by their numbers"),
        ("fallback", {"calls": [2], "tokens": 6}, "other tokens"),
        ("fallback", {"tokens": 7}, "other tokens"),
        ("fallback", {}, "other tokens"),
        ("model", {"tokens": 0}, "without a call that gave one"),
        ("model", {"calls": [2, 6], "tokens": 7}, "without a call that gave one"),
        ("cache", {"calls": [], "tokens": 0, "original": 4}, "spent tokens"),
        ("cache", {"tokens": 7, "original": 4}, "spent tokens"),
    ],
)
def test_a_ticket_that_lies_about_its_calls_is_found(
    ledger, append, alter, begin, source, detail, problem
):
    """Tokens of the ledger are those that the provider reported, each of them once."""
    key = begin(1).key.hex()
    body = sha256(b"{}").hexdigest()
    made = json.dumps({**detail, "key": key, "body": body})
    seq = append(ledger, "ticket", made, source=source)
    if source != "cache":
        alter(f"INSERT INTO ticket VALUES ({seq}, x'{key}', x'7b7d', NULL)")
    found = ledger.verify()
    assert (found.ok, found.bad_seq) == (False, seq)
    assert problem in found.problem


def test_a_walk_remembers_only_what_may_still_be_told_of(ledger, begin, end, answer):
    """Calls that have their ticket are forgotten."""

    async def many() -> None:
        for number in range(10, 20):
            call = (await ledger.start(begin(number))).call
            await ledger.submit([answer(number, call)], end(call))

    asyncio.run(many())
    connection = ledger._database.open(1, query_only=True)
    walk = Walk(connection, None)
    assert walk.run().ok
    connection.close()
    assert set(walk._accounts._calls) == {2, 6, 8}

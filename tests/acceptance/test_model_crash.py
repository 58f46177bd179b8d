"""No request without its entry, whenever the process is killed: the model outlives the service.

``LOGDOCKET_CRASHES`` makes it longer::

    LOGDOCKET_CRASHES=200 make test ARGS='-s -k model_crash'
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from model_service import (
    Books,
    Given,
    Gone,
    Sender,
    asking,
    call_of,
    check_budget,
    check_requests,
    check_summary,
    check_tokens,
    hashed,
)
from service import Service, wait_for

from logdocket.store import SqliteStore
from logdocket.testing import Fault, ModelServer, chaos

# Read at once: each test runs without the operator's settings.
CRASHES: Final = int(os.environ.get("LOGDOCKET_CRASHES", "6"))
SENDERS: Final = 6
ROOM: Final = 60_000
"""Tokens that each life of the service may spend and reserve beyond the one before."""
FAULTS: Final = {
    Fault.GOOD: 8.0,
    Fault.SLOW: 4.0,
    Fault.HANG: 1.0,
    Fault.RESET: 1.0,
    Fault.HTTP_503: 1.0,
    Fault.INVENTED_EVIDENCE: 2.0,
    Fault.USAGE_MISSING: 1.0,
}


class Load:
    """Senders that go on until the service is gone."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._name = name
        self.acknowledged: list[Given] = []

    async def kill(
        self, service: Service, model: ModelServer, seconds: float, at_request: bool
    ) -> None:
        """Kill the service ``seconds`` after its first request to the model; then, or as soon as
        the next one comes: what is not durable before it leaves is lost with the process.
        """
        senders = [asyncio.create_task(self._send(number)) for number in range(SENDERS)]
        await asyncio.to_thread(model.wait, model.count + 1)
        await asyncio.sleep(seconds)
        if at_request:
            await asyncio.to_thread(model.wait, model.count + 1, 1.0)
        service.process.send_signal(signal.SIGKILL)
        await asyncio.gather(*senders)

    async def _send(self, sender: int) -> None:
        async with Sender(self._port) as connection:
            for number in itertools.count():
                # Every fourth line is a repetition, and every fifth is that of another sender.
                who = 0 if number % 5 == 4 else sender
                text = f"refusal {self._name}.{who}.{number - (number % 4 == 3)}"
                try:
                    given = await connection.send(f"2026-01-02T15:04:05Z ERROR pay: {text}")
                except Gone:
                    return
                self.acknowledged.append(given)


@pytest.mark.timeout(600)
def test_no_request_and_no_ticket_is_lost_however_often_it_is_killed(tmp_path: Path) -> None:
    """``kill -9`` under load, each time at another moment, on one ledger and one budget."""
    chance = random.Random(200)
    db = tmp_path / "crash.db"
    acknowledged: list[Given] = []
    with ModelServer(chaos(200, FAULTS, seconds=0.05)) as model:
        for number in range(CRASHES):
            service = asking(
                model, tmp_path / "life", deadline="1", db=str(db), budget_tokens=str(cap(db))
            )
            with service:
                service.expected_code = -signal.SIGKILL
                load = Load(service.port, str(number))
                seconds, at_request = chance.uniform(0, 0.8), number % 2 == 1
                asyncio.run(load.kill(service, model, seconds, at_request))
                assert service.process.wait(20) == -signal.SIGKILL
            acknowledged += load.acknowledged
        assert model.wait_idle()
        open_ = [call.seq for call in Books.at(db).calls.values() if call.status is None]
        # An open call is given up when whoever made it must have ended: deadline and grace.
        time.sleep(3.2)
        with asking(model, tmp_path / "heir", deadline="1", db=str(db)) as heir:
            wait_for(lambda: _calls(heir)["in_flight"] == 0)
            summary = heir.http.get("/ledger/summary").json()
        books = Books.at(db)
        assert all(books.calls[seq].status == "interrupted" for seq in open_)
        check_requests(books, model)
        # What a process that died has read of an answer is lost with it.
        total = check_tokens(books, model, lambda seen, call: call.status != "ok")
    check_unseen(books, model)
    check_summary(summary, books)
    assert check_budget(books) == summary["calls"]["charged"]["tokens"] >= total
    check_tickets(db, acknowledged, books)
    statuses = Counter(call.status for call in books.calls.values())
    print(  # noqa: T201 - shown with -s
        f"\n{CRASHES} kills: {len(acknowledged)} tickets acknowledged, {summary['tickets']} in "
        f"the ledger {summary['by_source']}; {len(books.calls)} calls, {model.count} seen, "
        f"{len(open_)} open at the end: {dict(statuses)}"
    )


def _calls(service: Service) -> dict[str, int]:
    calls: dict[str, int] = service.http.get("/ledger/summary").json()["calls"]
    return calls


def cap(db: Path) -> int:
    """A budget that leaves a little room, so that each life comes to its end."""
    store = SqliteStore(db, clock=lambda: time.time_ns() // 1000)
    try:
        budget = store.summary().budget
    finally:
        store.close()
    return budget.spent.tokens + budget.reserved.tokens + ROOM


def check_unseen(books: Books, model: ModelServer) -> None:
    """A call that the model never saw was killed on its way, or had no time left for it."""
    seen = {call_of(each) for each in model.seen}
    unseen = [call for call in books.calls.values() if call.seq not in seen]
    assert all(call.status in ("interrupted", "timeout") for call in unseen), unseen


def check_tickets(db: Path, acknowledged: list[Given], books: Books) -> None:
    """Every ticket that someone holds in his hands stands in a ledger that is sound."""
    store = SqliteStore(db, clock=lambda: 0)
    try:
        verified = store.verify()
        assert verified.ok, verified
        for given in acknowledged:
            assert given.id is not None
            stored = store.ticket(given.id)
            assert stored is not None, f"ticket {given.id} was acknowledged and is lost"
            assert stored.line_hash.hex() == hashed(given.line)
            entered = json.loads(stored.body)["ticket"]
            assert given.ticket == {**entered, "source": given.source}
    finally:
        store.close()
    handed = Counter(each.source for each in acknowledged)
    kept = Counter(str(ticket.source) for ticket in books.tickets)
    assert all(kept[source] >= number for source, number in handed.items())
    # Each sender may have had one more answer under way when the service was killed.
    assert kept.total() <= len(acknowledged) + CRASHES * SENDERS

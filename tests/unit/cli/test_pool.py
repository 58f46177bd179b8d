from __future__ import annotations

import os
import signal
import time

import pytest

from logdocket.cli.pool import Pool
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Judge, Policy
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.ticket import ReviewReason

LINES = [Line(f"2031-05-06T07:08:09Z WARN mail: queue {number} is full") for number in range(9)]
BYTES = Line.from_bytes(b"2031-05-06T07:08:09Z ERROR pay: \xff refused")


@pytest.fixture
def extractor() -> Extractor:
    """Without a ledger, by a clock that stands."""
    return Extractor(Policy(), shipped(), None, lambda: 0)


def test_another_process_judges_as_this_one_does(extractor):
    """The same bytes to give and to store, with the context taken into account."""
    context = Context(service="harbour", timezone="Europe/Berlin")
    lines = [*LINES, BYTES, Line("tide tables")]
    slots = extractor.begin([(line, context) for line in lines])
    with Pool(1, shipped(), 0.02) as pool:
        worker = pool.submit(slots, context)
        assert worker is not None
        pool.settle(slots, worker)
    judge = Judge(shipped(), 0.02)
    for line, slot in zip(lines, slots, strict=True):
        here = judge(line, context)
        assert slot.judged is not None
        assert (slot.judged.json, slot.judged.body) == (here.json, here.body)
        assert slot.judged.reasons == here.reasons


def test_its_tickets_are_given_as_tickets(extractor):
    """Decoded when someone asks, undecodable bytes and all."""
    slots = extractor.begin([(BYTES, NO_CONTEXT)])
    with Pool(1, shipped(), 0.02) as pool:
        worker = pool.submit(slots, NO_CONTEXT)
        assert worker is not None
        pool.settle(slots, worker)
    (given,) = extractor.finish(slots)
    assert given.ticket == Judge(shipped(), 0.02)(BYTES, NO_CONTEXT).ticket


def test_the_risk_is_the_same_there(extractor):
    """Where no mistake may pass, every confidence is low."""
    slots = extractor.begin([(LINES[0], NO_CONTEXT)])
    with Pool(1, shipped(), 0.0) as pool:
        worker = pool.submit(slots, NO_CONTEXT)
        assert worker is not None
        pool.settle(slots, worker)
    assert slots[0].judged is not None
    assert ReviewReason.LOW_CONFIDENCE in slots[0].judged.reasons


def test_only_what_nothing_answers_yet_is_judged_there(extractor):
    """A line that is remembered, and the twin of one under way, are not sent."""
    extractor.finish(extractor.begin([(LINES[0], NO_CONTEXT)]))
    slots = extractor.begin([(line, NO_CONTEXT) for line in (LINES[0], LINES[1], LINES[1])])
    with Pool(1, shipped(), 0.02) as pool:
        worker = pool.submit(slots, NO_CONTEXT)
        assert worker is not None
        pool.settle(slots, worker)
        assert [slot.judged is not None for slot in slots] == [False, True, False]
        assert pool.submit(extractor.begin([(LINES[0], NO_CONTEXT)]), NO_CONTEXT) is None


def test_several_groups_are_under_way_at_once(extractor):
    """Each comes back to its own slots."""
    groups = [extractor.begin([(line, NO_CONTEXT)]) for line in LINES]
    with Pool(2, shipped(), 0.02) as pool:
        workers = [pool.submit(slots, NO_CONTEXT) for slots in groups]
        for slots, worker in zip(groups, workers, strict=True):
            assert worker is not None
            pool.settle(slots, worker)
    evidence = [extractor.finish(slots)[0].ticket.evidence for slots in groups]
    assert evidence == [f"queue {number} is full" for number in range(9)]


def test_a_process_that_is_killed_costs_no_ticket(extractor, capsys):
    """What it had not judged is judged here, and the others go on; it is said once."""
    groups = [extractor.begin([(line, NO_CONTEXT)]) for line in LINES]
    with Pool(2, shipped(), 0.02) as pool:
        workers = [pool.submit(slots, NO_CONTEXT) for slots in groups]
        first = workers[0]
        assert first is not None
        assert first._process.pid is not None
        os.kill(first._process.pid, signal.SIGKILL)
        for slots, worker in zip(groups, workers, strict=True):
            assert worker is not None
            pool.settle(slots, worker)
    evidence = [extractor.finish(slots)[0].ticket.evidence for slots in groups]
    assert evidence == [f"queue {number} is full" for number in range(9)]
    assert capsys.readouterr().err.count("killed") == 1


def test_it_is_ready_when_a_process_has_come_up(extractor):
    """Those that there may be are begun by the first who asks, and then the ready one is taken."""
    slots = extractor.begin([(LINES[0], NO_CONTEXT)])
    with Pool(2, shipped(), 0.02) as pool:
        while not pool.ready():
            time.sleep(0.01)
        worker = pool.submit(slots, NO_CONTEXT)
        assert worker is not None
        assert worker.up
        pool.settle(slots, worker)
    assert slots[0].judged is not None


def test_where_every_process_was_killed_nobody_is_ready(extractor, capsys):
    """So that this one goes on alone."""
    slots = extractor.begin([(LINES[0], NO_CONTEXT)])
    with Pool(1, shipped(), 0.02) as pool:
        worker = pool.submit(slots, NO_CONTEXT)
        assert worker is not None
        assert worker._process.pid is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        pool.settle(slots, worker)
        assert not pool.ready()
        assert pool.submit(slots, NO_CONTEXT) is None
    assert "killed" in capsys.readouterr().err

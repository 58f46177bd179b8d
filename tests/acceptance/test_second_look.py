"""A bad model day, and what becomes of its tickets when the model is back: real processes."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import Running
from model_service import Books, asking, call_of, check_budget, check_requests, check_summary
from service import Service, wait_for

from logdocket import Docket
from logdocket.settings import Settings
from logdocket.testing import Act, Fault, ModelServer
from logdocket.testing.answers import line_in

WORDS = "ten two three four five six".split()
LINES = [f"2026-01-02T15:04:05Z ERROR {word}: refused" for word in WORDS]
SECOND_LOOK = {"keep_text": "true", "second_looks": "600", "budget_tokens": "100000"}


def bad_day(model: ModelServer, folder: Path) -> Path:
    """A ledger from when the model was down; every line fell back."""
    settings = Settings(
        db=folder / "service.db",
        model_url=model.url,
        model_key="any-word",
        keep_text=True,
        cache_scope="line",
        budget_tokens=100_000,
        breaker_failures=1_000,
    )

    async def send() -> None:
        async with Docket(settings) as docket:
            for line in LINES:
                assert (await docket.extract(line)).source == "fallback"

    asyncio.run(send())
    assert model.count == len(LINES)
    return settings.db


def open_groups(service: Service) -> list[dict[str, Any]]:
    """The groups that wait for a person."""
    found: list[dict[str, Any]] = service.http.get("/queue").json()["groups"]
    return found


def waiting(service: Service) -> int:
    """How many tickets of open groups nobody has decided about."""
    return sum(group["waiting"] for group in open_groups(service))


def verified(service: Service) -> dict[str, Any]:
    """The sums of a ledger every law of which holds."""
    assert service.http.get("/ledger/verify").json()["ok"]
    summary: dict[str, Any] = service.http.get("/ledger/summary").json()
    return summary


def test_the_queue_empties_by_itself_when_the_model_is_back(tmp_path: Path) -> None:
    """Every ticket is updated by a call that is in the books; a person's word stays."""
    with ModelServer(Fault.HTTP_401) as model:
        db = bad_day(model, tmp_path)
        model.script = Fault.GOOD
        with asking(model, tmp_path, keep_text="true", second_looks="0") as service:
            decided, *others = open_groups(service)
            verdict = {"verdict": "not_a_problem", "version": decided["version"]}
            answer = service.http.post(f"/queue/{decided['id']}/verdict", json=verdict)
            assert answer.status_code == 200, answer.text
            assert len(others) == len(LINES) - 1
        with asking(model, tmp_path, **SECOND_LOOK) as service:
            wait_for(lambda: waiting(service) == 0)
            kept = service.http.get(f"/queue/{decided['id']}").json()["group"]
            assert (kept["state"], kept["verdict"]) == ("dismissed", "not_a_problem")
            summary = verified(service)
        assert summary["by_source"] == {"model": 5, "cache": 0, "fallback": 6}
        assert model.count == 11
        books = Books.at(db)
        check_requests(books, model)
        check_summary(summary, books)
        check_budget(books)
        at = [seen.at for seen in model.seen[6:]]
        assert at[-1] - at[0] > 0.3, "five calls, a tenth of a second from one to the next"


def test_two_processes_do_not_ask_twice(tmp_path: Path) -> None:
    """Nor about what the other one was just told."""
    with ModelServer(Fault.HTTP_401) as model:
        db = bad_day(model, tmp_path)
        model.script = Act(Fault.SLOW, seconds=0.15)
        with (
            asking(model, tmp_path / "one", db=str(db), **SECOND_LOOK) as one,
            asking(model, tmp_path / "two", db=str(db), **SECOND_LOOK),
        ):
            wait_for(lambda: waiting(one) == 0)
            summary = verified(one)
        asked = Counter(line_in(seen) for seen in model.seen[6:])
        assert asked == dict.fromkeys(LINES, 1)
        check_summary(summary, Books.at(db))


def test_stopping_amid_looks_enters_how_they_ended(tmp_path: Path) -> None:
    """In good order, and soon; what was not answered waits for the next process."""
    with ModelServer(Fault.HTTP_401) as model:
        db = bad_day(model, tmp_path)
        model.script = Fault.HANG
        with asking(model, tmp_path, deadline="30", **SECOND_LOOK) as service:
            assert model.wait(8)
            began = time.monotonic()
            assert service.stop() == 0
            assert time.monotonic() - began < 5
        books = Books.at(db)
        assert Counter(call.status for call in books.calls.values()).keys() == {
            "unauthorized",
            "cancelled",
        }
        model.script = Fault.GOOD
        with asking(model, tmp_path, **SECOND_LOOK) as service:
            wait_for(lambda: waiting(service) == 0)
            check_summary(verified(service), Books.at(db))


def test_killed_amid_a_look_it_takes_it_up_again(tmp_path: Path) -> None:
    """The call that was open counts as spent; nothing is asked twice beyond that."""
    with ModelServer(Fault.HTTP_401) as model:
        db = bad_day(model, tmp_path)
        model.script = Fault.HANG
        killed = asking(model, tmp_path, deadline="1", **SECOND_LOOK | {"second_looks": "60"})
        with killed:
            killed.expected_code = -signal.SIGKILL
            assert model.wait(7)
            killed.process.send_signal(signal.SIGKILL)
            assert killed.process.wait(20) == -signal.SIGKILL
        model.script = Fault.GOOD
        with asking(model, tmp_path, **SECOND_LOOK) as service:
            # Its claim holds until whoever made it must have ended.
            wait_for(lambda: waiting(service) == 0)
            summary = verified(service)
        books = Books.at(db)
        check_requests(books, model)
        check_summary(summary, books)
        check_budget(books)
        assert summary["calls"]["interrupted"] == 1
        assert summary["by_source"]["model"] == 6
        assert Counter(line_in(seen) for seen in model.seen[6:]).total() == 7
        (open_,) = (call for call in books.calls.values() if call.status == "interrupted")
        assert call_of(model.seen[6]) == open_.seq
        assert open_.charges[0][1] == open_.started["reserved"]["tokens"]


def test_the_command_ends_in_good_order_by_a_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked is entered; what was not is left for the next time."""
    with ModelServer(Fault.HTTP_401) as model:
        db = bad_day(model, tmp_path)
        model.script = Fault.HANG
        monkeypatch.setenv("MODEL_URL", model.url)
        monkeypatch.setenv("MODEL_KEY", "any-word")
        monkeypatch.setenv("LOGDOCKET_DEADLINE", "30")
        monkeypatch.setenv("LOGDOCKET_MODEL_CONCURRENCY", "2")
        monkeypatch.setenv("LOGDOCKET_CACHE_SCOPE", "line")
        with Running("queue", "second-look", "--db", db) as command:
            assert model.wait(8)
            code, printed, told = command.end(signal.SIGINT)
        assert (code, told) == (128 + signal.SIGINT, "")
        assert printed == b"2 lines: 0 answered (0 without a call), 2 still failing, 0 skipped\n"
        model.script = Fault.GOOD
        with asking(model, tmp_path, second_looks="0") as service:
            summary = verified(service)
            assert summary["calls"]["by_status"] == {"cancelled": 2, "unauthorized": 6}
            assert waiting(service) == 6

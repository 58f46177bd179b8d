"""The model asked again on order, over a real ledger and a real model server."""

from __future__ import annotations

import json
import os
import pty
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from terminal import shown

from logdocket.bootstrap import microseconds
from logdocket.docket.review import Ask, ReviewDesk
from logdocket.settings import Settings
from logdocket.store import SqliteStore
from logdocket.store.review import Decided, GroupQuery, VerdictWord
from logdocket.testing import Act, Fault, ModelServer, Seen
from logdocket.testing.answers import line_in

from .conftest import Command

AT = "2026-01-02T15:04:05Z"
WORDS = "one two three four five".split()
LINES = [f"{AT} {'FATAL' if word == 'three' else 'ERROR'} {word}: refused" for word in WORDS]
LOOK = ("queue", "second-look", "--db", "t.db")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model server that refuses the key at first; the environment names it."""
    with ModelServer(Fault.HTTP_401) as running:
        monkeypatch.setenv("MODEL_URL", running.url)
        monkeypatch.setenv("MODEL_KEY", "key-of-this-test")
        monkeypatch.setenv("LOGDOCKET_CACHE_SCOPE", "line")
        monkeypatch.setenv("LOGDOCKET_BREAKER_FAILURES", "1000")
        yield running


@pytest.fixture
def failed(server: ModelServer, logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger, t.db, with tickets that fell back; the model works again since."""
    Path("lines").write_text("\n".join(LINES))
    with monkeypatch.context() as patch:
        patch.setenv("LOGDOCKET_KEEP_TEXT", "true")
        assert logdocket("extract", "lines", "--db", "t.db").code == 0
    assert server.count == len(LINES)
    server.script = Fault.GOOD


def verified(server: ModelServer) -> tuple[int, dict[str, int]]:
    """Entries of the ledger, every law of which must hold, and tickets by source."""
    store = SqliteStore("t.db", clock=microseconds, tends=False)
    try:
        found, summary = store.verify(), store.summary()
    finally:
        store.close()
    assert found.ok, found.problem
    calls = summary.calls
    assert calls.started == calls.finished == server.count
    return found.entries, summary.by_source


@pytest.mark.usefixtures("failed")
def test_a_dry_run_tells_what_it_would_spend_and_spends_nothing(
    server: ModelServer, logdocket: Command
) -> None:
    """No call, no entry, no budget."""
    before = verified(server)
    done = logdocket(*LOOK, "--dry-run")
    assert (done.code, done.err) == (0, "")
    waits, most, left, model, due = done.out.strip().split("\n")
    assert waits.startswith("5 tickets wait for a second look; the text of 5 was kept")
    assert most.startswith("at most 5 calls, for which ")
    assert left.endswith("there is no bound")
    assert model.startswith("the model: ")
    assert due.startswith("the next try: a running service makes at most 30 a minute once")
    assert verified(server) == before


@pytest.mark.usefixtures("failed")
def test_what_is_told_is_what_the_calls_reserve(
    server: ModelServer, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the token, and to the billionth of a dollar."""
    monkeypatch.setenv("LOGDOCKET_PRICE_INPUT", "2.5")
    monkeypatch.setenv("LOGDOCKET_PRICE_OUTPUT", "10")
    told = json.loads(logdocket(*LOOK, "--dry-run", "--json").out)
    assert told["calls"] == 5
    assert logdocket(*LOOK).code == 0
    store = SqliteStore("t.db", clock=microseconds, tends=False)
    started: list[Any] = [
        entry.detail["reserved"] for entry in store.export() if entry.kind == "call_started"
    ]
    store.close()
    looks = started[len(LINES) :]
    assert len(looks) == 5
    assert told["reserve"] == {
        "tokens": sum(one["tokens"] for one in looks),
        "nano_usd": sum(one["nano_usd"] for one in looks),
    }


@pytest.mark.usefixtures("failed")
def test_a_dry_run_tells_what_is_left_of_the_budget(
    server: ModelServer, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For people and for programs."""
    monkeypatch.setenv("LOGDOCKET_BUDGET_TOKENS", "9000")
    assert logdocket(*LOOK, "--limit", "1").code == 0
    told = json.loads(logdocket(*LOOK, "--dry-run", "--json").out)
    used = server.tokens
    assert told["budget"]["tokens"] == {"cap": 9_000, "used": used, "left": 9_000 - used}
    assert told["budget"]["nano_usd"] == {"cap": None, "used": 0, "left": None}
    assert f"): {9_000 - used:,} tokens\n" in logdocket(*LOOK, "--dry-run").out


@pytest.mark.usefixtures("failed")
def test_a_limit_holds_for_what_is_told_too(server: ModelServer, logdocket: Command) -> None:
    """The most severe ones are within it."""
    told = json.loads(logdocket(*LOOK, "--dry-run", "--limit", "2", "--json").out)
    assert (told["waiting"], told["askable"], told["calls"]) == (5, 5, 2)
    assert logdocket(*LOOK, "--limit", "2").code == 0
    asked = sorted(line_in(seen) for seen in server.seen[len(LINES) :])
    assert asked == sorted([LINES[2], LINES[0]])


@pytest.mark.usefixtures("failed")
def test_what_waits_is_asked_about_and_answered(server: ModelServer, logdocket: Command) -> None:
    """Each line once; then nothing waits."""
    done = logdocket(*LOOK, "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {
        "looked_at": 5,
        "answered": 5,
        "shared": 0,
        "failing": 0,
        "skipped": 0,
        "stopped": None,
    }
    assert verified(server)[1] == {"model": 5, "cache": 0, "fallback": 5}
    assert "0 lines: 0 answered" in logdocket(*LOOK).out
    assert server.count == 10


@pytest.mark.usefixtures("failed")
def test_on_a_terminal_it_shows_how_far_it_is(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines looked at, of those that wait, beside what it prints."""
    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        done = logdocket(*LOOK)
    told = shown(ours).decode()
    os.close(ours)
    assert done.out.startswith("5 lines: 5 answered")
    assert "5 answered, 0 failing" in told
    assert "5/5" in told


@pytest.mark.usefixtures("failed")
def test_answers_are_shared_by_template_as_ever(
    server: ModelServer, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that differ in nothing that matters take one call."""
    monkeypatch.setenv("LOGDOCKET_CACHE_SCOPE", "template")
    same = "\n".join(f"2026-01-02T15:04:{second:02}Z ERROR pay: refused" for second in range(9))
    Path("same").write_text(same)
    with monkeypatch.context() as patch:
        patch.setenv("LOGDOCKET_KEEP_TEXT", "true")
        patch.setenv("LOGDOCKET_BUDGET_TOKENS", "0")
        assert logdocket("extract", "same", "--db", "t.db").code == 0
    done = logdocket(*LOOK)
    assert done.code == 0
    assert done.out.startswith("14 lines: 14 answered (8 without a call), 0 still failing")
    assert server.count == len(LINES) + 6


@pytest.mark.usefixtures("failed")
def test_a_model_that_still_fails_is_told(server: ModelServer, logdocket: Command) -> None:
    """By the exit code too."""

    def script(seen: Seen) -> Fault:
        return Fault.INVENTED_EVIDENCE if "three" in line_in(seen) else Fault.GOOD

    server.script = script
    done = logdocket(*LOOK)
    assert done.code == 1
    assert done.out == ("5 lines: 4 answered (0 without a call), 1 still failing, 0 skipped\n")


@pytest.mark.usefixtures("failed")
def test_a_model_that_is_down_is_not_asked_about_all(
    server: ModelServer, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its breaker opens as ever, and that ends it; what was not asked about waits on."""
    server.script = Act(Fault.HTTP_401, seconds=0.05)
    monkeypatch.setenv("LOGDOCKET_BREAKER_FAILURES", "1")
    monkeypatch.setenv("LOGDOCKET_MODEL_CONCURRENCY", "1")
    done = logdocket(*LOOK)
    assert done.code == 1
    first, second = done.out.strip().split("\n")
    assert first == "2 lines: 0 answered (0 without a call), 1 still failing, 1 skipped"
    assert second.startswith("stopped: The model has failed too often of late")
    assert server.count == len(LINES) + 1
    assert json.loads(logdocket(*LOOK, "--dry-run", "--json").out)["calls"] == 5


@pytest.mark.usefixtures("failed")
def test_a_budget_that_is_used_up_ends_it(
    server: ModelServer, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is entered for what was not asked."""
    before = verified(server)
    monkeypatch.setenv("LOGDOCKET_BUDGET_TOKENS", "10")
    done = logdocket(*LOOK, "--json")
    assert done.code == 1
    told = json.loads(done.out)
    assert (told["answered"], told["failing"]) == (0, 0)
    assert told["stopped"] == "budget_exhausted"
    assert verified(server) == before


@pytest.mark.usefixtures("failed")
def test_what_a_person_has_decided_is_left_alone(server: ModelServer, logdocket: Command) -> None:
    """It is neither asked about nor counted."""
    store = SqliteStore("t.db", clock=microseconds)
    desk = ReviewDesk(store, clock=microseconds, max_line=65_536)
    first, *_ = desk.page(GroupQuery()).groups
    (outcome,) = desk.decide(
        [Ask(group=first.id, version=first.version, verdict=VerdictWord.NOT_A_PROBLEM)], "rev-a"
    )
    assert isinstance(outcome, Decided)
    store.close()
    told = json.loads(logdocket(*LOOK, "--dry-run", "--json").out)
    assert (told["waiting"], told["calls"]) == (4, 4)
    assert json.loads(logdocket(*LOOK, "--json").out)["answered"] == 4
    assert server.count == len(LINES) + 4


@pytest.mark.usefixtures("failed")
def test_a_dry_run_tells_that_no_service_tries_by_itself(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where second looks are switched off, or the queue is."""
    for name, value in (("LOGDOCKET_SECOND_LOOKS", "0"), ("LOGDOCKET_QUEUE", "false")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            done = logdocket(*LOOK, "--dry-run")
            assert done.out.endswith("; no service makes one by itself\n")
            assert json.loads(logdocket(*LOOK, "--dry-run", "--json").out)["per_minute"] == 0


@pytest.mark.usefixtures("failed")
def test_without_a_model_it_is_told_why(
    logdocket: Command, told: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a dry run tells what can be told."""
    monkeypatch.delenv("MODEL_KEY")
    why = "the model is set up without a key: set MODEL_KEY"
    assert told(*LOOK) == (2, why)
    found = json.loads(logdocket(*LOOK, "--dry-run", "--json").out)
    assert (found["model"], found["why"]) == (None, why)
    assert found["reserve"]["tokens"] > 5 * Settings().model_max_tokens
    assert found["reserve"]["nano_usd"] is None


@pytest.mark.usefixtures("failed")
def test_a_model_that_cannot_be_set_up_is_told(
    told: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by every command."""
    monkeypatch.setenv("LOGDOCKET_PRICE_INPUT", "1")
    code, why = told(*LOOK, "--dry-run")
    assert (code, why.partition(":")[0]) == (
        2,
        "LOGDOCKET_PRICE_INPUT and LOGDOCKET_PRICE_OUTPUT",
    )


def test_without_a_ledger_there_is_nothing_to_ask(
    server: ModelServer, told: Callable[..., tuple[int, str]]
) -> None:
    """And none is made."""
    code, why = told(*LOOK)
    assert (code, why.partition(":")[0]) == (3, "there is no t.db")
    assert not Path("t.db").exists()
    assert server.count == 0

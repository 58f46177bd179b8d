"""Replays of fixtures with a model."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from logdocket import fixtures
from logdocket.calls import CallStatus
from logdocket.errors import FixtureError
from logdocket.model import Exchange, Failure, Permit, Question, Reply
from logdocket.replay import load, replay
from logdocket.replay.attempt import Attempt
from logdocket.replay.clock import Clock
from logdocket.replay.model import Model
from logdocket.replay.upstream import Upstream
from logdocket.testing import Fault

MODEL = {
    "name": "tide",
    "host": "model.example:8443",
    "max_output": 512,
    "deadline": 20,
    "breaker_failures": 3,
    "breaker_seconds": 30,
}
ANSWER = {
    "service": "harbour",
    "severity": "high",
    "first_seen": "2026-01-02T03:04:05Z",
    "evidence": "stopped",
}
BUSY: dict[str, Any] = {"status": 503, "ms": 10}
LATE: dict[str, Any] = {"failure": "late", "ms": 11_000}


def good(ms: int = 800) -> dict[str, Any]:
    """An attempt that came to a good answer."""
    message = {"role": "assistant", "content": json.dumps(ANSWER)}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "tide",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return {"status": 200, "content_type": "application/json", "body": json.dumps(body), "ms": ms}


def fixture(
    folder: Path, *rows: list[dict[str, Any]], crane: str | None = None, **model: object
) -> Path:
    """A fixture of rows a minute apart with these attempts, each about another crane."""
    path = folder / "made.jsonl"
    written: list[dict[str, Any]] = [{"model": MODEL | model}]
    for number, attempts in enumerate(rows):
        line = f"2026-01-02T03:04:05Z ERROR harbour: crane {crane or number} stopped"
        at = f"2026-01-02T03:{10 + number}:00Z"
        written.append({"id": f"row-{number}", "at": at, "line": line, "attempts": attempts})
    path.write_text("".join(json.dumps(row) + "\n" for row in written), encoding="utf-8")
    return path


def entries(path: Path, kind: str) -> list[dict[str, Any]]:
    """The entries of a kind that a replay leaves."""
    every = [json.loads(line) for line in replay(path).ledger.splitlines()]
    return [entry for entry in every if entry["kind"] == kind]


def told(path: Path) -> list[tuple[str, list[str]]]:
    """Source and reasons of each row."""
    return [
        (made.ticket.source, list(made.ticket.review_reasons)) for _, made in replay(path).pairs
    ]


def test_an_answer_is_read_checked_and_entered_as_a_live_one(tmp_path: Path) -> None:
    """Usage, duration and the moment it ended included."""
    path = fixture(tmp_path, [good()])
    assert told(path) == [("model", [])]
    (started,), (ended,) = entries(path, "call_started"), entries(path, "call_finished")
    assert started["detail"]["model"] == "tide@model.example:8443"
    assert (ended["detail"]["tokens_in"], ended["detail"]["tokens_out"]) == (100, 20)
    assert (ended["detail"]["ms"], ended["at"] - started["at"]) == (800, 800_000)


def test_a_wait_before_a_retry_takes_its_time_by_the_clock(tmp_path: Path) -> None:
    """And none in truth."""
    path = fixture(tmp_path, [BUSY | {"status": 429, "retry_after": "5"}, good()])
    assert told(path) == [("model", [])]
    first, second = entries(path, "call_started")
    assert second["at"] - first["at"] == 5_010_000


def test_a_line_seen_before_needs_no_attempts(tmp_path: Path) -> None:
    """The cache answers it."""
    assert told(fixture(tmp_path, [good()], [], crane="7")) == [("model", []), ("cache", [])]


def test_the_breaker_opens_and_closes_by_the_rows_clock(tmp_path: Path) -> None:
    """A row while it is open needs no attempts; a minute later one is let through."""
    path = fixture(
        tmp_path, [BUSY, BUSY], [BUSY], [], [good()], breaker_seconds=90, breaker_failures=3
    )
    assert told(path) == [
        ("fallback", ["model_error"]),
        ("fallback", ["model_error"]),
        ("fallback", ["circuit_open"]),
        ("model", []),
    ]


def test_the_deadline_holds_by_the_recorded_time(tmp_path: Path) -> None:
    """After two late answers there is no time for anything more."""
    path = fixture(tmp_path, [LATE, LATE | {"ms": 8000}])
    assert told(path) == [("fallback", ["model_timeout"])]


def test_prices_are_those_of_the_recording(tmp_path: Path) -> None:
    """A hundred tokens in at 1 dollar a million, and twenty out at 10."""
    (ended,) = entries(fixture(tmp_path, [good()], prices=[1.0, 10.0]), "call_finished")
    assert ended["detail"]["nano_usd"] == 300_000


def test_an_attempt_that_is_not_recorded_is_an_error_and_no_call(tmp_path: Path) -> None:
    """It names the row and the line."""
    path = fixture(tmp_path, [good()], [BUSY])
    with pytest.raises(FixtureError, match=r"made\.jsonl, row 3: 'row-1' asks .*crane 1 stopped"):
        replay(path)


def test_a_row_without_attempts_that_the_cache_cannot_answer_is_an_error(tmp_path: Path) -> None:
    """Never a live call."""
    with pytest.raises(FixtureError, match="row 2: 'row-0' asks for an attempt"):
        replay(fixture(tmp_path, []))


def test_an_attempt_left_over_is_an_error(tmp_path: Path) -> None:
    """A recording of what no longer happens proves nothing."""
    with pytest.raises(FixtureError, match="'row-0' holds 1 that it did not ask for"):
        replay(fixture(tmp_path, [good(), good()]))


BAD_MODELS: list[tuple[dict[str, object], str]] = [
    ({"host": None}, "a host or a provider"),
    ({"key": "x"}, "unknown field"),
    ({"output": "song"}, "song"),
    ({"deadline": 0}, "deadline"),
    ({"provider": "nobody"}, "row 1: tells of no model that there is: .*no known provider"),
    ({"host": "a b/"}, "row 1: is no row .*host"),
]


@pytest.mark.parametrize(
    ("change", "why"), BAD_MODELS, ids=[str(change) for change, _ in BAD_MODELS]
)
def test_a_model_that_cannot_be_is_refused(
    change: dict[str, object], why: str, tmp_path: Path
) -> None:
    """The first row is named, and what is wrong with it."""
    with pytest.raises(FixtureError, match=why):
        replay(fixture(tmp_path, [good()], **change))


def test_attempts_of_no_model_are_refused(tmp_path: Path) -> None:
    """Nobody could tell what their bytes depend on."""
    path = fixture(tmp_path, [good()])
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    with pytest.raises(FixtureError, match="row 1: has attempts of no model"):
        replay(path)


def test_a_model_alone_is_no_fixture(tmp_path: Path) -> None:
    """There is nothing to run."""
    with pytest.raises(FixtureError, match="no row but that of its model"):
        replay(fixture(tmp_path))


def test_a_model_in_a_later_row_is_refused(tmp_path: Path) -> None:
    """One file, one model, told first."""
    path = fixture(tmp_path, [good()])
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(FixtureError, match="row 3: is no row"):
        replay(path)


def test_rows_count_lines_of_the_file(tmp_path: Path) -> None:
    """As an editor does."""
    (row,) = load(fixture(tmp_path, [good()]))
    assert row.number == 2


EXCHANGES = {
    "answered": Attempt(status=200, content_type="text/plain", body="{}", ms=5),
    "an error": Attempt(status=429, content_type="a/b", retry_after="1.5", body="no", ms=6),
    "unconnected": Attempt(failure=Failure.UNCONNECTED, sent=False, ms=7),
    "broken": Attempt(failure=Failure.BROKEN, ms=8),
    "broken amid": Attempt(status=200, failure=Failure.BROKEN, ms=9),
    "late": Attempt(failure=Failure.LATE, ms=10),
    "late unsent": Attempt(failure=Failure.LATE, sent=False, ms=11),
    "late amid an error": Attempt(status=500, failure=Failure.LATE, ms=12),
    "too large": Attempt(status=200, failure=Failure.TOO_LARGE, ms=13),
    "undecodable": Attempt(status=200, failure=Failure.UNDECODABLE, ms=14),
}


@pytest.mark.parametrize("attempt", EXCHANGES.values(), ids=EXCHANGES)
def test_a_replayed_exchange_is_the_one_that_was_recorded(attempt: Attempt) -> None:
    """Recorded anew, it is the same attempt."""
    seen: list[Exchange] = []

    async def ask() -> Reply:
        clock = Clock(0)
        upstream = Upstream(clock)
        client = Model(**MODEL).attempts(upstream, clock).client  # type: ignore[arg-type]
        client._record = seen.append
        upstream.expect([attempt])
        try:
            return await client.ask(Question.about("crane stopped"), (), Permit(1), 5)
        finally:
            await client.close()

    reply = asyncio.run(ask())
    assert [Attempt.of(exchange, "replayed") for exchange in seen] == [attempt]
    assert (reply.ms, reply.sent) == (attempt.ms, attempt.sent)
    if attempt.failure is Failure.LATE and attempt.status is None:
        assert reply.status is CallStatus.TIMEOUT


def test_the_shipped_fixture_has_a_row_for_every_fault_that_there_can_be() -> None:
    """Two differ from no other for who asks for a schema."""
    ids = {row.id for row in load(fixtures.path("model"))}
    assert set(Fault) - ids == {Fault.NO_TOOLS, Fault.TEXT_ONLY}


def test_what_speaks_to_models_is_loaded_only_for_a_fixture_that_has_one() -> None:
    """It takes a second or two."""
    told = (
        "import sys; from logdocket import fixtures; from logdocket.replay import replay;"
        "replay(fixtures.path('demo')); print({'pydantic_ai', 'httpx2'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True)
    assert done.stdout.split() == [b"set()"]

"""A real small model behind the real service: whatever it answers, the laws hold and the ledger
agrees with the model's own count, to the call and to the token."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import command
import pytest
from relay import Passed, Relay
from service import Service

from logdocket.fixtures import path
from logdocket.line import Context, Line
from logdocket.reading import read
from real_model import AT_ONCE, NAME, RealModel

pytestmark = pytest.mark.timeout(3_000)

LINES = int(os.environ.get("REAL_MODEL_LINES", "40"))
KEPT = Path(name).absolute() if (name := os.environ.get("REAL_MODEL_KEEP")) else None
DEADLINE = 300
"""Seconds. Far more than a line needs: a call that is given up would be reported to nobody."""

SETTINGS = {
    "deadline": str(DEADLINE),
    "attempt_timeout": str(DEADLINE / 2),
    "model_max_tokens": "160",
    "fallback_ttl": "86400",
}
JUNK = {"junk", "cut_short", "unreadable"}


@dataclass(frozen=True)
class Row:
    """A line, what it was sent as, the ticket that came and the seconds it took."""

    line: str
    body: dict[str, Any]
    status: int
    ticket: dict[str, Any]
    seconds: float

    @property
    def context(self) -> Context:
        """What was sent beside the line."""
        return Context(**self.body.get("context", {}))


@dataclass(frozen=True)
class Day:
    """One run of the service: what it gave, what passed to the model, what the ledger says.

    ``again`` are some of the lines sent a second time, when the first were answered. ``read`` and
    ``written`` are tokens by the model's own count.
    """

    mode: str
    rows: list[Row]
    again: list[Row]
    passed: list[Passed]
    read: int
    written: int
    entries: list[dict[str, Any]]
    summary: dict[str, Any]
    verified: tuple[int, str]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The ledger's entries of one kind, oldest first."""
        return [entry for entry in self.entries if entry["kind"] == kind]

    def finished(self) -> dict[int, dict[str, Any]]:
        """How each call ended, by its number."""
        return {entry["detail"]["call"]: entry["detail"] for entry in self.of("call_finished")}


def chosen() -> list[dict[str, Any]]:
    """Lines of as many shapes as there is room for, each with its context."""
    rows = [json.loads(row) for row in path("shapes").read_text("utf-8").splitlines()]
    # Contexts with a moment read stamps without a year, which the check below would repeat.
    rows = [row for row in rows if "received_at" not in row.get("context", {})]
    first = {row["shape"]: row for row in reversed(rows) if len(row["line"]) > 20}
    kinds = sorted(first)
    spread = [kinds[number * len(kinds) // LINES] for number in range(LINES)]
    return [
        {name: first[shape][name] for name in ("line", "context") if name in first[shape]}
        for shape in spread
    ]


def send(service: Service, body: dict[str, Any]) -> Row:
    """One line through the service."""
    began = time.monotonic()
    response = service.http.post("/extract", json=body, timeout=DEADLINE + 10)
    seconds = time.monotonic() - began
    return Row(body["line"], body, response.status_code, response.json(), seconds)


def live(folder: Path, mode: str, model: RealModel) -> Day:
    """A run of the service with its output constrained by ``mode``."""
    before = model.counted()
    with Relay(model.url) as relay, pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("LOGDOCKET_", "MODEL_"))]:
            patch.delenv(name)
        patch.setenv("MODEL_URL", relay.url)
        patch.setenv("MODEL_KEY", "none")
        patch.setenv("MODEL_NAME", NAME)
        with Service(folder, fast=False, model_output=mode, **SETTINGS) as service:
            with ThreadPoolExecutor(AT_ONCE) as senders:
                rows = list(senders.map(lambda body: send(service, body), chosen()))
            again = [send(service, row.body) for row in rows[:5]]
        after = model.counted()
        ledger = ["--db", service.db]
        verified = command.run("ledger", "verify", *ledger)
        (summary,) = command.rows(command.run("ledger", "summary", "--json", *ledger).stdout)
        entries = command.rows(command.run("ledger", "export", *ledger).stdout)
    return Day(
        mode,
        rows,
        again,
        relay.passed,
        after[0] - before[0],
        after[1] - before[1],
        entries,
        summary,
        (verified.returncode, verified.stdout.decode()),
    )


@pytest.fixture(scope="module", params=["schema", "text"])
def day(
    request: pytest.FixtureRequest,
    real_model: RealModel,
    tmp_path_factory: pytest.TempPathFactory,
    told: list[str],
) -> Day:
    """One run for each way of asking."""
    lived = live(tmp_path_factory.mktemp(request.param), request.param, real_model)
    told.extend(report(lived))
    if KEPT is not None:
        with KEPT.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in answers(lived))
    return lived


def report(day: Day) -> list[str]:
    """What was measured, in lines for a person."""
    ended = list(day.finished().values())
    junk = [call for call in ended if call["status"] in JUNK]
    seconds = sorted(passed.seconds for passed in day.passed)
    statuses = Counter(call["status"] for call in ended)
    words = Counter(word for call in junk for word in call["wrong"])
    sources = Counter(row.ticket["source"] for row in day.rows)
    reasons = Counter(reason for row in day.rows for reason in row.ticket["review_reasons"])
    share = f"{len(junk)} of {len(ended)} answers were junk ({len(junk) / len(ended):.0%})"
    spent = f"median {median(seconds):.2f}, most {seconds[-1]:.2f} s a call"
    return [
        "",
        f"{day.mode}: {len(day.rows)} lines, {len(day.passed)} calls; {share}; {spent}",
        f"  tokens read {day.read}, written {day.written}",
        f"  calls      {_counts(statuses)}",
        f"  junk by    {_counts(words)}",
        f"  tickets    {_counts(sources)}",
        f"  reasons    {_counts(reasons)}",
        f"  to a person {sum(row.ticket['needs_human'] for row in day.rows)}",
    ]


def answers(day: Day) -> Iterator[dict[str, Any]]:
    """What the model said about each line, and how it was judged: junk that nobody made up."""
    lines = {sha256(row.line.encode()).hexdigest(): row.line for row in day.rows}
    passed = {each.request_id: each for each in day.passed}
    finished = day.finished()
    for entry in day.of("call_started"):
        number, started = entry["seq"], entry["detail"]
        yield {
            "mode": day.mode,
            "attempt": started["attempt"],
            "line": lines[started["line"]],
            "answer": passed[f"logdocket-{number}"].text,
            "finish": passed[f"logdocket-{number}"].finish,
            "status": finished[number]["status"],
            "wrong": finished[number]["wrong"],
        }


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{word} {count}" for word, count in counted.most_common()) or "none"


def test_every_line_gets_a_ticket(day: Day) -> None:
    """All of the six fields, whatever the model said."""
    assert len(day.rows) == LINES
    fields = {"service", "severity", "first_seen", "evidence", "confidence", "needs_human"}
    for row in day.rows:
        assert row.status == 200, row
        assert fields <= row.ticket.keys()
        assert row.seconds < DEADLINE


def test_the_model_was_asked_about_every_line(day: Day) -> None:
    """So that what follows is about its answers: at least once, at most twice, and answered."""
    assert LINES <= len(day.passed) <= 2 * LINES
    assert {passed.status for passed in day.passed} == {200}
    assert not any(passed.hung_up for passed in day.passed)
    assert {passed.mode for passed in day.passed} == {day.mode}


def test_evidence_is_quoted_from_the_line(day: Day) -> None:
    """Law 1, byte for byte."""
    for row in day.rows:
        evidence = row.ticket["evidence"]
        assert not evidence.isspace()
        assert evidence
        assert evidence.encode() in row.line.encode(), row


def test_no_model_moves_the_time(day: Day) -> None:
    """Law 2: unknown, or what the strict grammar reads in the line."""
    for row in day.rows:
        stamp = read(Line(row.line), row.context).timestamp
        assert row.ticket["first_seen"] == (stamp.value or "unknown"), row


def test_the_service_is_named_in_the_line_or_the_context(day: Day) -> None:
    """Law 3."""
    for row in day.rows:
        service = row.ticket["service"]
        assert service == "unknown" or service in row.line or service == row.context.service, row


def test_whatever_is_in_doubt_goes_to_a_person(day: Day) -> None:
    """Law 4: a reason stands exactly where a person is asked for, and where one is due."""
    for row in day.rows + day.again:
        ticket = row.ticket
        assert ticket["needs_human"] == bool(ticket["review_reasons"]), row
        if "unknown" in (ticket["service"], ticket["first_seen"]):
            assert ticket["needs_human"], row
        if ticket["source"] == "fallback":
            assert ticket["needs_human"], row


def test_a_fallback_tells_that_the_answers_were_junk(day: Day) -> None:
    """The model answered every call, so nothing else can be the reason."""
    for row in day.rows:
        reasons = row.ticket["review_reasons"]
        assert ("model_junk" in reasons) == (row.ticket["source"] == "fallback"), row


def test_a_model_that_differs_from_the_line_by_much_is_disputed(day: Day) -> None:
    """Two levels of severity between the line's own words and the ticket are never silent."""
    ranks = ["low", "medium", "high", "critical"]
    for row in day.rows:
        stated = read(Line(row.line), row.context).severity
        apart = abs(ranks.index(row.ticket["severity"]) - ranks.index(stated.value))
        if apart >= 2:
            assert "disputed" in row.ticket["review_reasons"], row


def test_lines_sent_again_cost_nothing(day: Day) -> None:
    """They come from the cache, with the same fields and reasons, and no call passes."""
    for row, again in zip(day.rows, day.again, strict=False):
        assert again.ticket == row.ticket | {"source": "cache"}


def test_the_ledger_verifies(day: Day) -> None:
    """The chain is whole, and the laws of conservation hold."""
    code, printed = day.verified
    assert (code, printed[:4]) == (0, "ok: "), printed


def test_the_ledger_has_each_call_that_passed_and_no_other(day: Day) -> None:
    """Each request carries the number of the entry that was made before it left."""
    started = [f"logdocket-{entry['seq']}" for entry in day.of("call_started")]
    assert sorted(started) == sorted(str(passed.request_id) for passed in day.passed)
    assert len(day.finished()) == len(day.of("call_finished")) == len(day.passed)
    assert day.of("call_interrupted") == []


def test_each_call_has_the_tokens_that_passed(day: Day) -> None:
    """Call by call, what the ledger says was reported is what was reported."""
    finished = day.finished()
    for passed in day.passed:
        call = finished[int(str(passed.request_id).removeprefix("logdocket-"))]
        reported = (passed.tokens_in, passed.tokens_out)
        assert (call["tokens_in"], call["tokens_out"]) == reported
        assert call["charge"]["tokens"] == sum(count or 0 for count in reported)
        assert call["http"] == passed.status


def test_the_tokens_in_the_ledger_are_those_of_the_model(day: Day) -> None:
    """By the model's own metrics, which no response of it passes through."""
    calls = day.summary["calls"]
    assert (calls["tokens_in"], calls["tokens_out"]) == (day.read, day.written)
    assert calls["started"] == calls["finished"] == len(day.passed)


def test_no_call_costs_more_than_was_reserved(day: Day) -> None:
    """The budget is kept because the reservation is an upper bound on what a model can use."""
    finished = day.finished()
    for entry in day.of("call_started"):
        assert finished[entry["seq"]]["charge"]["tokens"] <= entry["detail"]["reserved"]["tokens"]


def test_an_answer_that_was_cut_short_is_told_from_junk(day: Day) -> None:
    """Where the model reached its limit of tokens before an object was closed, and only there; one
    that was whole just then is judged as any other."""
    finished = day.finished()
    for passed in day.passed:
        call = finished[int(str(passed.request_id).removeprefix("logdocket-"))]
        if passed.finish == "length" and "}" not in str(passed.text):
            assert call["status"] == "cut_short", passed
        if call["status"] == "cut_short":
            assert passed.finish == "length", passed


def test_a_ticket_from_the_model_rests_on_a_call_that_ended_well(day: Day) -> None:
    """As many tickets of the model as calls that passed every check, and the rest fallbacks."""
    well = sum(call["status"] == "ok" for call in day.finished().values())
    sources = Counter(row.ticket["source"] for row in day.rows)
    assert sources["model"] == well
    assert sources["model"] + sources["fallback"] == LINES

"""The review queue over HTTP: found, decided, exported."""

from __future__ import annotations

import csv
import gzip
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from service import Service, problem

from logdocket.ticket import Severity

NAMES = {"rev-a": "an-invented-token-one", "rev-b": "an-invented-token-two"}
LEAD = "an-invented-token-tri"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with two reviewers and an admin, whose token is sent unless told otherwise."""
    tokens = ",".join(f"{name}:review:{secret}" for name, secret in NAMES.items())
    with Service(
        tmp_path_factory.mktemp("queue"),
        tokens=f"{tokens},lead:admin:{LEAD}",
        keep_text="true",
        fallback_ttl="0",
    ) as running:
        running.http.headers["Authorization"] = f"Bearer {LEAD}"
        yield running


def open_group(service: Service, line: str) -> dict[str, Any]:
    """The open group of a line that was just sent; its evidence is the line's last part."""
    assert service.extract(line).json()["needs_human"] is True
    text = line.rpartition(": ")[2]
    (group,) = service.http.get("/queue", params={"text": text}).json()["groups"]
    found: dict[str, Any] = group
    return found


def decide(at: Service, id: int, who: str | None = None, **body: Any) -> httpx.Response:
    """The answer to a verdict."""
    headers = {} if who is None else {"Authorization": f"Bearer {NAMES[who]}"}
    return at.http.post(f"/queue/{id}/verdict", json=body, headers=headers)


# Finding


def test_a_ticket_that_needs_a_person_is_in_the_list_at_once(service: Service) -> None:
    """With all that there is to know before looking closer."""
    group = open_group(service, "2026-01-02T15:04:05Z ERROR pay: card reader lost")
    assert (group["state"], group["service"], group["severity"]) == ("open", "pay", "high")
    assert (group["count"], group["version"], group["verdict"]) == (1, 0, None)
    assert group["first_seen"] == group["last_seen"] == "2026-01-02T15:04:05Z"
    service.extract("2026-01-02T16:04:05Z ERROR pay: card reader lost")
    (again,) = service.http.get("/queue", params={"text": "reader lost"}).json()["groups"]
    assert (again["id"], again["count"]) == (group["id"], 2)
    assert again["last_seen"] == "2026-01-02T16:04:05Z"


def test_filters_choose(service: Service) -> None:
    """Each alone, and several at once."""
    open_group(service, "2026-01-02T15:04:05Z WARN stock: shelf nearly empty")
    open_group(service, "2026-01-02T15:04:05Z FATAL stock: shelf fell over")

    def found(**filters: Any) -> set[str]:
        page = service.http.get("/queue", params={"text": "shelf", **filters}).json()
        return {group["evidence"] for group in page["groups"]}

    both = {"shelf nearly empty", "shelf fell over"}
    assert found() == found(service="stock") == found(state="all") == both
    assert found(severity="critical") == {"shelf fell over"}
    assert found(severity=["critical", "medium"]) == both
    assert found(text="SHELF FELL") == {"shelf fell over"}
    assert found(source="fallback", reason="model_not_configured") == both
    for nothing in (
        {"state": "resolved"},
        {"service": "stoc"},
        {"severity": "low"},
        {"source": "model"},
        {"reason": "circuit_open"},
        {"text": "100%_"},
    ):
        assert found(**nothing) == set()


@pytest.mark.parametrize("sort", ["severity", "newest", "oldest", "count"])
def test_pages_follow_one_another(service: Service, sort: str) -> None:
    """Every group once, in the order that was asked for."""
    for word in ("ash", "birch", "cedar", "elm", "fir"):
        service.extract(f"2026-01-02T15:04:05Z ERROR wood: {word} tree {sort} fell")
    everything = {"text": f"tree {sort} fell", "sort": sort}
    whole = service.http.get("/queue", params=everything).json()
    assert (len(whole["groups"]), whole["next"]) == (5, None)
    seen, cursor = [], None
    while True:
        query = {**everything, "limit": 2, **({} if cursor is None else {"cursor": cursor})}
        page = service.http.get("/queue", params=query).json()
        seen += page["groups"]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == whole["groups"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("stat=open", "stat is no parameter"),
        (
            "state=closed",
            "state is none of 'open', 'resolved', 'dismissed', 'snoozed' or 'all': see /docs",
        ),
        ("severity=bad", "severity is none of"),
        ("sort=age", "sort is none of"),
        ("limit=0", "limit is less than 1"),
        ("limit=501", "limit is more than 500"),
        ("cursor=x", "cursor is none of this list's"),
        ("text=" + "x" * 1001, "text has more than 1000 characters"),
    ],
)
def test_what_is_wrong_with_a_filter_is_told(service: Service, query: str, said: str) -> None:
    """In one line that names it."""
    answer = service.http.get(f"/queue?{query}")
    assert (answer.status_code, problem(answer)) == (422, "query-invalid")
    assert answer.json()["detail"].startswith(said)


def test_a_cursor_belongs_to_its_list(service: Service) -> None:
    """With other filters it would leave some out."""
    for word in ("north", "south"):
        service.extract(f"2026-01-02T15:04:05Z ERROR wind: {word} gale blew")
    page = service.http.get("/queue", params={"text": "gale", "limit": 1}).json()
    answer = service.http.get("/queue", params={"text": "other", "cursor": page["next"]})
    assert problem(answer) == "query-invalid"


def test_one_group_with_all_about_it(service: Service) -> None:
    """Its ticket as the ledger has it, the lines, what was decided."""
    line = "2026-01-02T15:04:05Z ERROR mail: outbox jammed"
    group = open_group(service, line)
    answer = service.http.get(f"/queue/{group['id']}")
    assert answer.headers["etag"] == '"0"'
    assert answer.headers["cache-control"] == "no-store"
    detail = answer.json()
    assert detail["group"] == group
    stored = service.http.get(f"/tickets/{group['ticket']}").json()
    assert detail["ticket"] == stored
    assert [ticket["line"] for ticket in detail["tickets"]] == [line]
    assert (detail["verdicts"], detail["calls"]) == ([], [])


@pytest.mark.parametrize("id", ["0", "-1", "x", str(2**53), "1.5", "%00"])
def test_a_number_that_is_none_is_told(service: Service, id: str) -> None:
    """As a parameter that is malformed."""
    answer = service.http.get(f"/queue/{id}")
    assert (answer.status_code, problem(answer)) == (422, "query-invalid")


def test_a_group_that_is_not_there(service: Service) -> None:
    """404, to look at and to decide about."""
    for answer in (
        service.http.get("/queue/999999"),
        decide(service, 999_999, verdict="right", version=0),
    ):
        assert (answer.status_code, problem(answer)) == (404, "not-found")


# Deciding


def test_a_verdict_is_an_entry_and_answers_the_next_line(service: Service) -> None:
    """Who, what, before and after; and the same template is answered by it."""
    group = open_group(service, "2026-01-02T15:04:05Z ERROR lift: door 7 stuck")
    answer = decide(
        service, group["id"], "rev-a", verdict="corrected", version=0, severity="critical"
    )
    assert answer.status_code == 200
    done = answer.json()
    assert done["group"]["state"] == "resolved"
    assert (done["group"]["decided_by"], done["group"]["version"]) == ("rev-a", done["verdict"])
    (verdict,) = service.http.get(f"/queue/{group['id']}").json()["verdicts"]
    assert (verdict["id"], verdict["who"], verdict["answers"]) == (
        done["verdict"],
        "rev-a",
        "template",
    )
    assert (verdict["before"]["severity"], verdict["after"]["severity"]) == ("high", "critical")
    ledger = service.http.get("/ledger?kind=verdict&limit=1").json()["entries"]
    assert ledger[0]["seq"] == done["verdict"]
    next = service.extract("2026-01-03T15:04:05Z ERROR lift: door 7 stuck").json()
    assert (next["source"], next["severity"]) == ("cache", "critical")
    assert "reviewed" in next["review_reasons"]
    assert service.http.get("/ledger/verify").json()["ok"] is True


def test_nobody_is_overwritten_silently(service: Service) -> None:
    """Whoever comes second is shown how things stand, and may decide on that."""
    group = open_group(service, "2026-01-02T15:04:05Z ERROR gate: hinge torn")
    first = decide(service, group["id"], "rev-a", verdict="right", version=0).json()
    late = decide(service, group["id"], "rev-b", verdict="not_a_problem", version=0)
    assert (late.status_code, problem(late)) == (409, "review-conflict")
    assert late.json()["group"] == first["group"]
    second = decide(
        service, group["id"], "rev-b", verdict="not_a_problem", version=first["group"]["version"]
    )
    assert second.json()["group"]["state"] == "dismissed"


def test_only_an_admin_takes_back_what_another_decided(service: Service) -> None:
    """One's own anyone may, named or as the latest."""
    group = open_group(service, "2026-01-02T15:04:05Z ERROR ship: anchor dragging")
    id, first = group["id"], decide(service, group["id"], "rev-a", verdict="right", version=0)
    number = first.json()["verdict"]
    for body in ({}, {"undoes": number}):
        refused = decide(service, id, "rev-b", verdict="undone", version=number, **body)
        assert (refused.status_code, problem(refused)) == (403, "role-required")
        assert f"verdict {number} is by rev-a" in refused.json()["detail"]
    own = decide(service, id, "rev-a", verdict="undone", version=number).json()
    assert own["group"]["state"] == "open"
    version = own["group"]["version"]
    again = decide(service, id, "rev-a", verdict="right", version=version).json()["verdict"]
    lead = decide(service, id, verdict="undone", version=again, undoes=again)
    assert lead.json()["group"]["state"] == "open"


def test_in_bulk_another_s_verdict_is_one_refusal_among_others(service: Service) -> None:
    """The rest go on, in their order."""
    groups = [
        open_group(service, f"2026-01-02T15:04:05Z ERROR rail: {word} signal dark")
        for word in ("amber", "blue", "green")
    ]
    done = decide(service, groups[0]["id"], "rev-a", verdict="right", version=0).json()
    asks = [
        {"group": groups[0]["id"], "verdict": "undone", "version": done["verdict"]},
        {"group": groups[1]["id"], "verdict": "not_a_problem", "version": 0},
        {"group": 999_999, "verdict": "right", "version": 0},
        {"group": groups[1]["id"], "verdict": "right", "version": 0},
        {"group": groups[2]["id"], "verdict": "snoozed", "version": 0},
        {
            "group": groups[2]["id"],
            "verdict": "snoozed",
            "version": 0,
            "until": "2026-12-31T00:00:00+01:00",
        },
    ]
    answer = service.http.post(
        "/queue/verdicts",
        json={"verdicts": asks},
        headers={"Authorization": f"Bearer {NAMES['rev-b']}"},
    )
    assert answer.status_code == 200
    told = [
        result["group"]["state"] if "verdict" in result else result["problem"]["type"][22:]
        for result in answer.json()["results"]
    ]
    assert told == [
        "role-required",
        "dismissed",
        "not-found",
        "review-conflict",
        "verdict-invalid",
        "snoozed",
    ]
    named = [
        (ask["group"], result["id"])
        for ask, result in zip(asks, answer.json()["results"], strict=True)
    ]
    assert all(asked == told for asked, told in named), named
    conflict = answer.json()["results"][3]
    assert conflict["group"]["state"] == "dismissed"
    assert "group" not in conflict["problem"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"verdict": "corrected", "version": 0, "evidence": "not in it"}, "evidence"),
        ({"verdict": "corrected", "version": 0, "service": "elsewhere"}, "service"),
        (
            {"verdict": "corrected", "version": 0, "first_seen": "2001-01-01T00:00:00Z"},
            "first_seen",
        ),
        ({"verdict": "corrected", "version": 0}, "verdict corrected"),
        ({"verdict": "snoozed", "version": 0}, "until"),
        ({"verdict": "right", "version": 0, "severity": "low"}, "severity"),
        ({"verdict": "right", "version": 0, "ticket": 999_999}, "ticket"),
        ({"verdict": "right", "version": 0, "note": "x" * 1_001}, "note"),
        ({"verdict": "undone", "version": 0}, "verdict undone"),
    ],
)
def test_the_laws_bind_people_too(service: Service, body: dict[str, Any], said: str) -> None:
    """422 that names the field; nothing is entered."""
    group = open_group(service, "2026-01-02T15:04:05Z ERROR pump: valve leaks")
    answer = decide(service, group["id"], **body)
    assert (answer.status_code, problem(answer)) == (422, "verdict-invalid")
    assert answer.json()["detail"].startswith(said)
    assert service.http.get(f"/queue/{group['id']}").json()["verdicts"] == []


@pytest.mark.parametrize(
    ("body", "status", "word", "said"),
    [
        (b'{"verdict": "right"}', 422, "body-invalid", "version is missing"),
        (b'{"verdict": "right", "version": "0"}', 422, "body-invalid", "version is not a whole"),
        (b'{"verdict": "right", "version": true}', 422, "body-invalid", "version is not a whole"),
        (b'{"verdict": "right", "version": -1}', 422, "body-invalid", "version is less than 0"),
        (b'{"verdict": "wrong", "version": 0}', 422, "body-invalid", "verdict is none of"),
        (b'{"verdict": "right", "version": 0, "vote": 1}', 422, "body-invalid", "vote is no field"),
        (b'{"verdict": "right", "version": 0, "note": 1}', 422, "body-invalid", "note is no text"),
        (
            b'{"verdict": "snoozed", "version": 0, "until": "{}"}',
            422,
            "body-invalid",
            "until ",
        ),
        (b"[]", 422, "body-invalid", "the body is no object"),
        (b"null", 422, "body-invalid", "the body is "),
        (b"", 422, "body-invalid", "the body is missing"),
        (b"{", 400, "json-invalid", ""),
        (b"\xff\xfe", 400, "json-invalid", ""),
        (b'{"verdict": ' + b"[" * 100_000, 400, "json-invalid", ""),
        (b" " * 1_100_000, 413, "body-too-large", "the body has more than"),
    ],
)
def test_a_malformed_body_is_told(
    service: Service, body: bytes, status: int, word: str, said: str
) -> None:
    """And is no fault of the service."""
    answer = service.http.post(
        "/queue/1/verdict", content=body, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, problem(answer)) == (status, word)
    assert answer.json()["detail"].startswith(said)


def test_a_body_may_be_compressed(service: Service) -> None:
    """As that of a line may."""
    group = open_group(service, "2026-01-02T15:04:05Z ERROR tape: reel empty")
    answer = service.http.post(
        f"/queue/{group['id']}/verdict",
        content=gzip.compress(b'{"verdict": "right", "version": 0.0}'),
        headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
    )
    assert answer.status_code == 200


def test_more_than_five_hundred_at_once_are_too_many(service: Service) -> None:
    """And none is too few."""
    one = {"group": 1, "verdict": "right", "version": 0}
    for number in (0, 501):
        answer = service.http.post("/queue/verdicts", json={"verdicts": [one] * number})
        assert (answer.status_code, problem(answer)) == (422, "body-invalid")
    answer = service.http.post(
        "/queue/verdicts", json={"verdicts": [{**one, "group": 999_999}] * 500}
    )
    assert len(answer.json()["results"]) == 500


def test_bytes_that_are_no_text_come_through(tmp_path: Path) -> None:
    """A line from a file may hold any; they are shown and sent as halves of surrogate pairs."""
    with Service(tmp_path, keep_text="true") as local:
        subprocess.run(
            [sys.executable, "-m", "logdocket", "extract", "-", "--db", str(local.db)],
            input=b"2026-01-02T15:04:05Z ERROR disk: \xff\xfe lost\n",
            check=True,
            capture_output=True,
        )
        raw = local.http.get("/queue").content
        assert rb"\udcff\udcfe lost" in raw
        (group,) = json.loads(raw)["groups"]
        body = json.dumps({"verdict": "corrected", "version": 0, "evidence": "\udcff\udcfe"})
        answer = local.http.post(
            f"/queue/{group['id']}/verdict",
            content=body,
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 200, answer.text
        assert rb'"evidence":"\udcff\udcfe"' in local.http.get(f"/queue/{group['id']}").content
        late = local.http.post(
            f"/queue/{group['id']}/verdict",
            content=body,
            headers={"Content-Type": "application/json"},
        )
        assert late.status_code == 409
        assert rb"\udcff" in late.content


# Exporting


def test_groups_are_exported_as_they_are_listed(service: Service) -> None:
    """With the same filters, as lines of JSON and for a spreadsheet."""
    for word in ("=1+1", "plain"):
        service.extract(f"2026-01-02T15:04:05Z ERROR form: {word} sheet torn")
    chosen = {"text": "sheet torn"}
    listed = service.http.get("/queue", params=chosen).json()["groups"]
    answer = service.http.get("/queue/export", params={"format": "jsonl", **chosen})
    assert answer.headers["content-type"] == "application/jsonl"
    assert answer.headers["content-disposition"] == 'attachment; filename="queue.jsonl"'
    assert [json.loads(row) for row in answer.text.split("\n") if row] == listed
    table = service.http.get("/queue/export", params={"format": "csv", **chosen})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(table.text.split("\r\n")))
    assert [int(row["id"]) for row in rows] == [group["id"] for group in listed]
    assert not any(row["evidence"].startswith("=") for row in rows)


def test_an_export_goes_on_over_many_pages(service: Service) -> None:
    """Every group once."""
    words = [f"{first}{second}" for first in "abcdefghi" for second in "abcdefghi"]
    rows = "\n".join(
        f"2026-01-02T15:04:05Z ERROR many: {word}x item{kind} gone"
        for word in words
        for kind in "abcdefgh"
    )
    sent = service.http.post(
        "/extract/batch", content=rows.encode(), headers={"Content-Type": "text/plain"}
    )
    assert sent.is_success
    answer = service.http.get("/queue/export", params={"format": "jsonl", "service": "many"})
    ids = [json.loads(row)["id"] for row in answer.text.split("\n") if row]
    assert len(ids) == len(set(ids)) == 648


def test_what_people_said_is_exported_as_labels_and_as_a_fixture(service: Service) -> None:
    """A correction becomes a row that expects it."""
    line = "2026-01-02T15:04:05Z ERROR lamp: bulb out"
    group = open_group(service, line)
    decide(service, group["id"], verdict="corrected", version=0, severity="low").raise_for_status()

    def exported(form: str) -> list[dict[str, Any]]:
        answer = service.http.get("/queue/export", params={"format": form})
        assert answer.headers["content-type"] == "application/jsonl"
        rows = [json.loads(row) for row in answer.text.split("\n") if row]
        return [row for row in rows if row["line"] == line]

    (labelled,) = exported("labelled")
    assert (labelled["severity"], labelled["service"]) == ("low", "lamp")
    (fixture,) = exported("fixture")
    assert fixture["expect"]["severity"] == "low"


# Faults


def test_a_queue_that_cannot_be_written_is_still_read(tmp_path: Path) -> None:
    """And a verdict that cannot be entered is told as such."""
    with Service(tmp_path, busy_timeout="0.2") as local:
        local.extract("ERROR it broke")
        (group,) = local.http.get("/queue").json()["groups"]
        other = sqlite3.connect(local.db, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            assert local.http.get("/queue").json()["groups"] == [group]
            answer = decide(local, group["id"], verdict="right", version=0)
            assert (answer.status_code, problem(answer)) == (503, "ledger-unavailable")
            assert int(answer.headers["retry-after"]) > 0
            bulk = local.http.post(
                "/queue/verdicts",
                json={"verdicts": [{"group": group["id"], "verdict": "right", "version": 0}]},
            )
            assert (bulk.status_code, problem(bulk)) == (503, "ledger-unavailable")
        finally:
            other.execute("ROLLBACK")
            other.close()
        assert decide(local, group["id"], verdict="right", version=0).status_code == 200


def test_a_queue_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """By a problem, on every route of it."""
    with Service(tmp_path, busy_timeout="0.1") as local:
        local.extract("ERROR it broke")
        local.http.get("/queue").raise_for_status()
        broken = sqlite3.connect(local.db, isolation_level=None)
        broken.execute("DROP TABLE queue_group")
        broken.close()
        for path in ("/queue", "/queue/1", "/queue/export", "/queue/changes?after=0"):
            answer = local.http.get(path)
            assert (answer.status_code, problem(answer)) == (503, "ledger-unavailable"), path
        assert local.http.get("/metrics").is_success
        assert local.extract("ERROR another broke").is_success


def test_where_the_setting_is_off_the_queue_still_follows(tmp_path: Path) -> None:
    """Whoever reads it brings it up to date."""
    with Service(tmp_path, queue="false") as local:
        local.extract("ERROR it broke")
        assert len(local.http.get("/queue").json()["groups"]) == 1


def test_severities_are_those_of_tickets(service: Service) -> None:
    """Every word of them is a filter."""
    for severity in Severity:
        assert service.http.get("/queue", params={"severity": severity}).is_success

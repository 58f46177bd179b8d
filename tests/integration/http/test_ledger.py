"""Reading the ledger over HTTP: filters, pages, sums, the walk over the chain, single tickets."""

from __future__ import annotations

import concurrent.futures
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from service import LINE, Service, problem

Entries = list[dict[str, Any]]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose ledger holds 25 tickets: 20 of them fallbacks, 5 cache hits."""
    folder = tmp_path_factory.mktemp("ledger")
    with Service(folder, fallback_ttl="3600", keep_text="true") as running:
        for number in range(20):
            running.extract(f"2026-01-02T15:04:05Z ERROR pay: refusal {number}")
        for number in range(5):
            running.extract(f"2026-01-02T15:04:05Z ERROR pay: refusal {number}")
        yield running


def get(service: Service, path: str, **parameters: Any) -> Any:
    """What a route gives."""
    answer = service.http.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def pages(service: Service, **parameters: Any) -> Entries:
    """All entries, page by page."""
    found: Entries = []
    cursor: dict[str, int] = {}
    while True:
        page = get(service, "/ledger", **parameters, **cursor)
        found += page["entries"]
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


def test_entries_come_newest_first(service: Service) -> None:
    """Each with its place in the chain and its hash."""
    entries = get(service, "/ledger")["entries"]
    numbers = [entry["seq"] for entry in entries]
    assert numbers == list(range(len(numbers), 0, -1))
    assert all(len(entry["hash"]) == 64 for entry in entries)
    assert all(entry["at"].endswith("Z") for entry in entries)


@pytest.mark.parametrize("limit", [1, 7, 24, 25, 26])
def test_pages_leave_out_and_repeat_nothing(service: Service, limit: int) -> None:
    """Whether or not the last page is full."""
    numbers = [entry["seq"] for entry in pages(service, limit=limit)]
    assert numbers == list(range(numbers[0], 0, -1))


def test_pages_hold_while_entries_are_added(service: Service) -> None:
    """The pages of a walk show what stood when it began, whatever comes meanwhile."""
    first = get(service, "/ledger", limit=3)
    seen = [entry["seq"] for entry in first["entries"]]
    cursor, number = first["next"], 0
    while cursor is not None:
        number += 1
        service.extract(f"an entry in between, number {number}")
        page = get(service, "/ledger", limit=3, cursor=cursor)
        seen += [entry["seq"] for entry in page["entries"]]
        cursor = page["next"]
    assert seen == list(range(seen[0], 0, -1))


def test_entries_by_source(service: Service) -> None:
    """Cache hits are told from first answers."""
    hits = pages(service, source="cache", limit=2)
    assert len(hits) == 5
    assert {entry["source"] for entry in hits} == {"cache"}
    assert pages(service, source="model") == []


def test_entries_by_reason(service: Service) -> None:
    """Only tickets on which the reason stands."""
    service.extract("nothing known of this one")
    found = pages(service, reason="service_unknown")
    assert found
    assert all("service_unknown" in entry["reasons"] for entry in found)
    assert len(pages(service, reason="model_not_configured")) == len(pages(service))


def test_entries_by_kind(service: Service) -> None:
    """Where no model is set up, all of them are tickets."""
    assert pages(service, kind="ticket") == pages(service)
    assert pages(service, kind="call_started") == []


def test_entries_by_time(service: Service) -> None:
    """From a moment on, and before a moment: together they are all there is."""
    entries = pages(service)
    middle = entries[len(entries) // 2]["at"]
    later, earlier = pages(service, since=middle, limit=4), pages(service, until=middle, limit=4)
    assert later + earlier == entries
    assert later[-1]["at"] >= middle > earlier[0]["at"]
    shifted = middle.replace("Z", "+00:00")
    assert pages(service, since=shifted) == later


def test_the_summary_adds_up(service: Service) -> None:
    """Tickets are the sum over their sources, in the whole and in each part."""
    entries = [entry for entry in pages(service) if entry["kind"] == "ticket"]
    summary = get(service, "/ledger/summary")
    assert summary["tickets"] == sum(summary["by_source"].values()) == len(entries)
    assert summary["by_source"]["cache"] == 5
    assert summary["hit_ratio"] == pytest.approx(5 / len(entries))
    assert summary["unledgered"] == 0
    assert summary["calls"]["started"] == summary["budget"]["spent"]["tokens"] == 0
    assert (summary["calls_avoided"], summary["by_day"]) == (0, [])
    middle = entries[7]["at"]
    parts = [
        get(service, "/ledger/summary", **part) for part in ({"since": middle}, {"until": middle})
    ]
    for key in ("model", "cache", "fallback"):
        assert sum(part["by_source"][key] for part in parts) == summary["by_source"][key]


def test_a_summary_of_nothing_has_no_ratio(service: Service) -> None:
    """Before there was a service, there were no tickets."""
    summary = get(service, "/ledger/summary", until="2001-01-01T00:00:00Z")
    assert (summary["tickets"], summary["hit_ratio"]) == (0, None)


def test_the_chain_verifies_and_holds_an_earlier_head(service: Service) -> None:
    """A head that was noted stays in the chain; one that never was does not."""
    noted = get(service, "/ledger/verify")
    assert noted["ok"] is True
    assert noted["head"] == get(service, "/ledger", limit=1)["entries"][0]["hash"]
    service.extract("one more after the head was noted")
    later = get(service, "/ledger/verify", head=noted["head"])
    assert later["ok"] is True
    assert later["entries"] == noted["entries"] + 1
    never = get(service, "/ledger/verify", head="f" * 64)
    assert never["ok"] is False
    assert never["problem"]


def test_a_ticket_has_an_address(service: Service) -> None:
    """The answer tells it, and there the ticket stands with the spans it was read from."""
    line = "2026-01-02T15:04:05Z ERROR pay: größer als erlaubt"
    answer = service.extract(line)
    stored = get(service, answer.headers["content-location"])
    assert stored["ticket"] == answer.json()
    assert stored["line"] == line
    start, end = stored["reading"]["evidence"]
    assert line.encode()[start:end].decode() == stored["ticket"]["evidence"]
    again = service.extract(line)
    assert again.json()["source"] == "cache"
    assert again.headers["content-location"] == answer.headers["content-location"]


def test_the_entry_of_a_cache_hit_leads_to_the_first_answer(service: Service) -> None:
    """Its ticket is the one that it repeated."""
    (hit, *_) = pages(service, source="cache")
    stored = get(service, f"/tickets/{hit['seq']}")
    assert stored["id"] == hit["detail"]["original"]
    assert stored["ticket"]["source"] == "fallback"


def test_a_line_that_is_no_text_can_be_shown(service: Service) -> None:
    """Lines from files may hold such; their bytes appear as escapes, as in the ticket."""
    done = subprocess.run(
        [sys.executable, "-m", "logdocket", "extract", "-", "--db", str(service.db)],
        input=b"2026-01-02T15:04:05Z ERROR pay: odd \xff\xfe bytes\n",
        capture_output=True,
        check=True,
    )
    assert rb"odd \udcff\udcfe bytes" in done.stdout
    (newest, *_) = get(service, "/ledger", limit=1)["entries"]
    answer = service.http.get(f"/tickets/{newest['seq']}")
    assert answer.status_code == 200
    assert rb'"evidence":"odd \udcff\udcfe bytes"' in answer.content


@pytest.mark.parametrize("id", ["999999", "9223372036854775807"])
def test_an_entry_that_is_not_there(service: Service, id: str) -> None:
    """404, as a problem."""
    answer = service.http.get(f"/tickets/{id}")
    assert (answer.status_code, problem(answer)) == (404, "not-found")


@pytest.mark.parametrize(
    "path",
    [
        "/tickets/0",
        "/tickets/-1",
        "/tickets/x",
        "/tickets/9223372036854775808",
        "/ledger?limit=0",
        "/ledger?limit=1001",
        "/ledger?limit=ten",
        "/ledger?limit=",
        "/ledger?cursor=0",
        "/ledger?cursor=9223372036854775808",
        "/ledger?source=oracle",
        "/ledger?kind=call",
        "/ledger?reason=because",
        "/ledger?since=yesterday",
        "/ledger?since=1700000000",
        "/ledger?since=2026-01-02",
        "/ledger?since=2026-01-02T03:04:05",
        "/ledger?since=2026-02-30T03:04:05Z",
        "/ledger?until=2026-01-02T03:04:05+01:00",
        "/ledger?sorce=cache",
        "/ledger/summary?since=x",
        "/ledger/summary?source=cache",
        "/ledger/verify?head=x",
        "/ledger/verify?head=" + "A" * 64,
        "/ledger/verify?haed=x",
    ],
)
def test_a_malformed_parameter_is_refused(service: Service, path: str) -> None:
    """A misspelt one, too: it would filter nothing. An unescaped + is a space."""
    answer = service.http.get(path)
    assert (answer.status_code, problem(answer)) == (422, "query-invalid")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/ledger?limt=1", "limt is no parameter: see /docs"),
        ("/ledger?limit=ten", "limit is not a whole number: see /docs"),
        ("/ledger?limit=0", "limit is less than 1: see /docs"),
        ("/ledger?limit=1001", "limit is more than 1000: see /docs"),
        ("/ledger?source=x", "source is none of 'model', 'cache' or 'fallback': see /docs"),
        ("/tickets/abc", "id is not a whole number: see /docs"),
        ("/tickets/0", "id is less than 1: see /docs"),
    ],
)
def test_what_is_wrong_with_a_parameter_is_told_in_plain_words(
    service: Service, path: str, said: str
) -> None:
    """Whether it stands in the path or behind it; no library's own words."""
    told = service.http.get(path).json()
    assert (told["title"], told["detail"]) == ("A parameter is malformed", said)


def test_no_parameter_is_told_in_a_librarys_words(service: Service) -> None:
    """Not even what is wrong with a moment."""
    detail = service.http.get("/ledger?since=x").json()["detail"]
    assert detail.startswith("since 'x' is not RFC 3339")
    assert "Value error" not in detail


@pytest.mark.parametrize(
    "moment",
    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-14:00", "2016-12-31T23:59:60Z"],
)
def test_moments_at_the_ends_of_the_calendar(service: Service, moment: str) -> None:
    """And within a leap second."""
    get(service, "/ledger", since=moment)
    get(service, "/ledger/summary", until=moment)


def test_probes_pass_while_all_readers_are_busy(service: Service) -> None:
    """Many who verify at once do not keep the service from saying that it is ready."""
    with concurrent.futures.ThreadPoolExecutor(60) as pool:
        walks = [pool.submit(get, service, "/ledger/verify") for _ in range(60)]
        ready = service.http.get("/readyz")
        assert ready.status_code == 200
        assert ready.elapsed.total_seconds() < 1
        assert all(walk.result()["ok"] for walk in walks)


def test_a_ledger_that_was_tampered_with_is_told(tmp_path: Any) -> None:
    """The walk names the first bad entry, and tickets that make no sense are not shown."""
    with Service(tmp_path) as service:
        for number in range(3):
            service.extract(f"{LINE} {number}")
        with sqlite3.connect(service.db) as intruder:
            for (name,) in intruder.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                intruder.execute(f"DROP TRIGGER {name}")
            intruder.execute("UPDATE ticket SET body = 'no ticket' WHERE rowid = 2")
        intruder.close()
        found = get(service, "/ledger/verify")
        assert (found["ok"], found["bad_seq"]) == (False, 2)
        answer = service.http.get("/tickets/2")
        assert (answer.status_code, problem(answer)) == (503, "ledger-unavailable")

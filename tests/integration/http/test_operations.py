"""What operators and machines ask: probes, metrics, the schema, the page that explains it all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.metadata import version
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from service import LINE, Service, problem, wait_for

from logdocket.schema import ticket_schema
from logdocket.ticket import ReviewReason, Source


def samples(service: Service) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample of ``/metrics`` by name and labels."""
    answer = service.http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_health_says_that_the_process_answers(service: Service) -> None:
    """And nothing more."""
    assert service.http.get("/healthz").json() == {"status": "ok"}


def test_readiness_says_that_tickets_can_be_entered(service: Service) -> None:
    """It tries."""
    assert service.http.get("/readyz").json() == {"status": "ready"}


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/metrics", "/ledger", "/openapi.json", "/docs", "/"]
)
def test_head_is_get_without_the_body(service: Service, path: str) -> None:
    """Probes of some load balancers ask so."""
    answer = service.http.head(path)
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer.headers["content-type"] == service.http.get(path).headers["content-type"]


def test_a_slash_behind_the_page_leads_to_it(service: Service) -> None:
    """Its own files are named from there."""
    answer = service.http.get("/docs/")
    assert (answer.status_code, answer.headers["location"]) == (308, "/docs")


@pytest.mark.parametrize("path", ["/nowhere", "/extract/", "/healthz/", "/docs/x.js", "/%ff"])
def test_a_path_that_is_not_served(service: Service, path: str) -> None:
    """404, as a problem, and no redirect that would lose a body."""
    answer = service.http.get(path)
    assert (answer.status_code, problem(answer)) == (404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/extract", "POST"),
        ("PUT", "/extract", "POST"),
        ("OPTIONS", "/extract", "POST"),
        ("DELETE", "/extract/batch", "POST"),
        ("POST", "/ledger", "GET, HEAD"),
        ("OPTIONS", "/healthz", "GET, HEAD"),
        ("PATCH", "/tickets/1", "GET, HEAD"),
    ],
)
def test_a_method_that_is_not_served(
    service: Service, method: str, path: str, allowed: str
) -> None:
    """405 names those that are."""
    answer = service.http.request(method, path)
    assert (answer.status_code, problem(answer)) == (405, "method-not-allowed")
    assert answer.headers["allow"] == allowed


def test_a_body_on_the_wrong_path_does_not_hang_the_sender(service: Service) -> None:
    """The refusal comes, and the rest of the body passes by."""
    answer = service.http.post("/nowhere", content=(b" " * 60_000 for _ in range(20)))
    assert (answer.status_code, problem(answer)) == (404, "not-found")


def test_the_schema_is_the_packages_own(service: Service) -> None:
    """The same document as in the wheel."""
    assert service.http.get("/schema/ticket").json() == ticket_schema()


def test_the_root_tells_where_to_go_on(service: Service) -> None:
    """For a person who only knows the port."""
    assert service.http.get("/").json()["docs"] == "/docs"


class Page(HTMLParser):
    """The addresses and inline scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag loads."""
        given = dict(attrs)
        self.addresses += [given[name] or "" for name in ("src", "href") if name in given]
        self._script = tag == "script"
        self.inline += [name for name in given if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        """Note a script within the page."""
        if self._script and data.strip():
            self.inline.append(data)


def test_the_docs_page_needs_no_network(service: Service) -> None:
    """All that it loads is served here, and its policy lets it load nothing else."""
    answer = service.http.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    page = Page()
    page.feed(answer.text)
    assert page.inline == []
    loaded = [address for address in page.addresses if not address.startswith("data:")]
    assert len(loaded) >= 4
    for address in loaded:
        assert not re.match(r"[a-z]+:|//|/", address), address
        asset = service.http.get("/" + address)
        assert asset.status_code == 200
        assert asset.content
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"https?:|\*", policy)
    script = next(address for address in loaded if address.endswith("start.js"))
    assert not re.search(r"https?:", service.http.get("/" + script).text)


def test_the_docs_files_are_what_they_say(service: Service) -> None:
    """A browser that is told not to guess takes them."""
    kinds = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
    for name, kind in kinds.items():
        answer = service.http.get(f"/docs/{name}")
        assert answer.headers["content-type"].startswith(kind)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert len(answer.content) > 10_000


def test_the_document_names_this_version(service: Service) -> None:
    """As installed, where it is installed."""
    told = service.http.get("/openapi.json").json()["info"]["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", told)
    try:
        installed = version("logdocket")
    except ImportError:
        return
    assert told == installed


def test_metrics_follow_the_pattern_of_names(service: Service) -> None:
    """Ours begin with the product's name; counters end in total, durations in seconds."""
    service.extract(LINE)
    families = {
        family.name: family
        for family in text_string_to_metric_families(service.http.get("/metrics").text)
    }
    ours = {name: family for name, family in families.items() if name.startswith("logdocket_")}
    assert {
        "logdocket_tickets",
        "logdocket_review_reasons",
        "logdocket_http_requests",
        "logdocket_http_request_duration_seconds",
        "logdocket_batch_rows_refused",
        "logdocket_ledger_up",
    } <= set(ours)
    for family in ours.values():
        assert family.documentation
        names = {sample.name for sample in family.samples} - {f"{family.name}_created"}
        if family.type == "counter":
            assert names <= {f"{family.name}_total"}
    assert "process_resident_memory_bytes" in families


def test_labels_do_not_grow_with_what_strangers_send(service: Service) -> None:
    """Paths and methods that are not ours share one name."""
    for number in range(30):
        service.http.get(f"/stranger/{number}")
        service.http.get(f"/tickets/{number + 1}")
        service.http.get(f"/docs/{number}")
        service.http.request("PROPFIND", f"/stranger/{number}")
    routes = {dict(labels).get("route", "other") for _, labels in samples(service)}
    assert not any(re.search(r"\d|stranger", route) for route in routes)
    assert "/tickets/{id}" in routes


@pytest.fixture
def counted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """A fresh service with that many workers."""
    workers = str(request.param)
    folder = tmp_path_factory.mktemp("counted")
    with Service(folder, "--workers", workers, fallback_ttl="3600") as running:
        yield running


@pytest.mark.parametrize("counted", [1, 2], indirect=True, ids=["one worker", "two workers"])
def test_metrics_agree_with_the_ledger(counted: Service) -> None:
    """Whichever process answers, the counts are those of all, and the ledger's."""
    for number in range(30):
        # A connection each, so that both workers get some.
        answer = counted.http.post(
            "/extract",
            json={"line": f"ERROR pay: refusal {number % 20}"},
            headers={"Connection": "close"},
        )
        assert answer.status_code == 200
    rows = b"ERROR pay: refusal 1\n\nERROR pay: refusal of a batch\n"
    counted.http.post("/extract/batch", content=rows, headers={"Content-Type": "text/plain"})
    counted.extract("")
    summary = counted.http.get("/ledger/summary").json()
    assert summary["tickets"] == 32
    assert summary["by_source"]["cache"] == 11
    wait_for(
        lambda: ("logdocket_http_requests_total", _request("/extract", "422")) in samples(counted)
    )
    found = samples(counted)
    assert _totals(found, "logdocket_tickets_total", "source", Source) == summary["by_source"]
    by_reason = _totals(found, "logdocket_review_reasons_total", "reason", ReviewReason)
    assert {word: count for word, count in by_reason.items() if count} == summary["by_reason"]
    assert found[("logdocket_http_requests_total", _request("/extract", "200"))] == 30
    assert found[("logdocket_http_requests_total", _request("/extract", "422"))] == 1
    assert found[("logdocket_http_requests_total", _request("/extract/batch", "200"))] == 1
    count = "logdocket_http_request_duration_seconds_count"
    assert found[(count, (("route", "/extract"),))] == 31
    refused = ("logdocket_batch_rows_refused_total", (("problem", "line-blank"),))
    assert found[refused] == 1
    assert any(name == "logdocket_ledger_up" and value == 1 for (name, _), value in found.items())


def _request(route: str, status: str) -> tuple[tuple[str, str], ...]:
    return (("method", "POST"), ("route", route), ("status", status))


def _totals(found: dict[Any, float], name: str, label: str, words: Any) -> Counter[str]:
    return Counter(
        {word.value: int(found.get((name, ((label, word.value),)), 0)) for word in words}
    )

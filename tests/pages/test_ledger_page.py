"""``/ui/ledger``: its numbers are those of the API, and its downloads those of the export."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from reviewing import LATER, LINE, OTHER, THIRD, decide, group, send
from service import Service

from logdocket.testing import Fault, ModelServer

_FAULTS = [Fault.GOOD, Fault.GOOD, Fault.INVENTED_EVIDENCE, Fault.GOOD, Fault.HTTP_400]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that has asked a model, which misbehaved at times, and a person."""
    settings = {
        "keep_text": "true",
        "model_key": "any-word",
        "deadline": "10",
        "breaker_failures": "100",
        "cache_scope": "line",
        "budget_tokens": "100000",
        "second_looks": "0",
    }
    with (
        ModelServer(_FAULTS) as model,
        Service(tmp_path_factory.mktemp("kept"), model_url=model.url, **settings) as running,
    ):
        send(running, LINE, OTHER, THIRD, LINE, "ERROR web-1.example: disk gone", LINE)
        decide(running, group(running, "disk gone"), "right")
        yield running


@pytest.fixture
def looking(browser: Browser, kept: Service) -> Iterator[Page]:
    """A page that looks at it."""
    with chromium.fresh(browser, kept, accept_downloads=True) as made:
        yield opened(made)


def opened(context: BrowserContext) -> Page:
    """The ledger's page, once it has counted all."""
    page = context.new_page()
    page.goto("/ui/ledger")
    while page.get_by_text("being counted").count():
        page.reload()
    return page


def number(count: int) -> str:
    """A number as the page has it."""
    return f"{count:,}"


def test_its_sums_are_those_of_the_api(looking: Page, kept: Service) -> None:
    """Today and in 30 days, which here are the same."""
    told = kept.http.get("/ledger/summary").json()
    assert min(told["by_source"].values()) >= 1
    table = looking.get_by_role("region", name="Sums").get_by_role("table")
    for name, count in {
        "Tickets": told["tickets"],
        "From the model": told["by_source"]["model"],
        "From the cache": told["by_source"]["cache"],
        "By the rules alone": told["by_source"]["fallback"],
        "Calls of the model": told["calls"]["started"],
        "Calls that the cache avoided": told["calls_avoided"],
        "Tokens in": told["calls"]["tokens_in"],
        "Tokens out": told["calls"]["tokens_out"],
    }.items():
        row = table.get_by_role("row").filter(
            has=looking.get_by_role("rowheader", name=name, exact=True)
        )
        expect(row.get_by_role("cell")).to_have_text([number(count)] * 2)


def test_calls_are_told_by_how_they_ended(looking: Page, kept: Service) -> None:
    """Each status of the API with its number and a sentence, and as a chart that names them."""
    calls = kept.http.get("/ledger/summary").json()["calls"]
    by_status = {word: count for word, count in calls["by_status"].items() if count}
    assert len(by_status) >= 2
    part = looking.get_by_role("region", name="Calls by how they ended")
    part.get_by_text("The same as a table").click()
    for word, count in by_status.items():
        row = part.get_by_role("row").filter(
            has=looking.get_by_role("rowheader", name=word, exact=True)
        )
        expect(row.get_by_role("cell").nth(1)).to_have_text(number(count))
    chart = part.get_by_role("img")
    for word, count in by_status.items():
        expect(chart).to_contain_text(f"{word}: {number(count)}")


def test_days_are_told_by_source(looking: Page, kept: Service) -> None:
    """Thirty of them, the newest first, and all in it today."""
    told = kept.http.get("/ledger/summary").json()
    part = looking.get_by_role("region", name="Tickets in 30 days")
    part.get_by_text("The same as a table").click()
    days = part.get_by_role("row")
    expect(days).to_have_count(31)
    today = [told["by_source"][word] for word in ("model", "cache", "fallback")]
    expect(days.nth(1).get_by_role("cell")).to_have_text(
        [*map(number, today), number(told["tickets"])]
    )
    expect(days.nth(1).get_by_role("rowheader")).to_have_text(f"{datetime.now(UTC):%Y-%m-%d}")
    expect(part.get_by_role("img")).to_contain_text(f"{number(told['tickets'])} from")


def test_the_budget_and_the_breaker_are_told(looking: Page, kept: Service) -> None:
    """What is spent of the day's tokens, and that calls go through."""
    budget = kept.http.get("/ledger/summary").json()["budget"]
    part = looking.get_by_role("region", name="Today's budget")
    expect(part).to_contain_text(
        f"{number(budget['spent']['tokens'])} tokens spent, 0 tokens reserved"
    )
    expect(part).to_contain_text("100,000")
    expect(looking.get_by_role("region", name="The model", exact=True)).to_contain_text("Closed")


def test_the_chain_is_walked_when_asked(looking: Page, kept: Service) -> None:
    """And its last hash is the one that the command would be given."""
    (last,) = kept.http.get("/ledger", params={"limit": "1"}).json()["entries"]
    chain = looking.get_by_role("region", name="The chain")
    expect(chain).to_contain_text(last["hash"])
    chain.get_by_role("button", name="Verify the chain now").click()
    expect(looking.get_by_role("status").filter(has_text="The chain is whole.")).to_contain_text(
        f"All {number(last['seq'])} entries"
    )


@pytest.mark.parametrize(("name", "ending"), [("CSV", "csv"), ("JSON lines", "jsonl")])
def test_what_is_downloaded_is_the_whole_ledger(
    looking: Page, kept: Service, name: str, ending: str
) -> None:
    """Every entry, oldest first, with its hash."""
    with looking.expect_download() as begun:
        looking.get_by_role("button", name=name).click()
    assert begun.value.suggested_filename == f"logdocket-ledger.{ending}"
    text = begun.value.path().read_text("utf-8")
    entries = list(reversed(kept.http.get("/ledger", params={"limit": "1000"}).json()["entries"]))
    found = (
        list(csv.DictReader(io.StringIO(text)))
        if ending == "csv"
        else [json.loads(line) for line in text.split("\n") if line]
    )
    assert [(int(row["seq"]), row["kind"], row["hash"]) for row in found] == [
        (entry["seq"], entry["kind"], entry["hash"]) for entry in entries
    ]
    details = [json.loads(row["detail"]) if ending == "csv" else row["detail"] for row in found]
    assert details == [entry["detail"] for entry in entries]


def test_a_day_without_entries_downloads_none(looking: Page) -> None:
    """The bounds are those that were put in."""
    looking.get_by_label("From day").fill("2001-01-01")
    looking.get_by_label("To day").fill("2001-01-02")
    with looking.expect_download() as begun:
        looking.get_by_role("button", name="JSON lines").click()
    assert begun.value.path().read_bytes() == b""


def test_entries_are_filtered_and_opened(looking: Page, kept: Service) -> None:
    """By kind, source and reason; the filter stands in the address, and a ticket leads on."""
    part = looking.get_by_role("region", name="Entries, newest first")
    part.get_by_label("Kind").select_option("ticket")
    part.get_by_label("Source").select_option("fallback")
    part.get_by_role("button", name="Show", exact=True).click()
    expect(looking).to_have_url(re.compile(r"kind=ticket&source=fallback"))
    wanted = kept.http.get("/ledger", params={"kind": "ticket", "source": "fallback"}).json()
    numbers = [number(entry["seq"]) for entry in wanted["entries"]]
    expect(part.get_by_role("rowheader")).to_have_text(numbers)
    part.locator("summary").first.click()
    part.get_by_role("link", name=re.compile("^See ticket")).first.click()
    expect(looking.get_by_role("heading", name="The line")).to_be_visible()
    looking.go_back()
    part.get_by_label("Reason").select_option("severity_unstated")
    part.get_by_role("button", name="Show", exact=True).click()
    expect(part.get_by_text("No entry is like that.")).to_be_visible()
    part.get_by_role("link", name="Show all").first.click()
    expect(part.get_by_role("row")).not_to_have_count(0)


def test_older_entries_follow(browser: Browser, kept: Service) -> None:
    """Twenty on a page, and a link to the newest again."""
    send(kept, *[LATER] * 30)
    with chromium.fresh(browser, kept) as context:
        page = opened(context)
        part = page.get_by_role("region", name="Entries, newest first")
        first = part.get_by_role("rowheader").all_text_contents()
        assert len(first) == 20
        part.get_by_role("link", name="Older").click()
        page.wait_for_url(re.compile("before="))
        older = part.get_by_role("rowheader").all_text_contents()
        plain = [int(text.replace(",", "")) for text in (*first, *older)]
        assert plain == list(range(plain[0], plain[-1] - 1, -1))
        part.get_by_role("link", name="Newest").click()
        expect(part.get_by_role("rowheader").first).to_have_text(first[0])

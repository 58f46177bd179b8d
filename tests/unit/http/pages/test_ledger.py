"""The ledger's page: sums, calls, budget, breaker, chain, entries, export."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from panels import Pages, now, words

from logdocket.calls import CallStatus, Spend, Usage
from logdocket.docket import Caps
from logdocket.http.pages.sums import DAY, day_name
from logdocket.ticket import ReviewReason

LINE = "2026-01-02T15:04:05Z ERROR payments: card refused"


@pytest.fixture
async def pages(tmp_path: Path) -> AsyncIterator[Pages]:
    """The application over an empty ledger, with a budget."""
    async with Pages(tmp_path, caps=Caps(tokens=1000, nano_usd=2_000_000)) as made:
        yield made


def row(html: str, name: str) -> list[str]:
    """The cells of the row of a table with this head."""
    found = re.search(rf'<tr><th scope="row">{re.escape(name)}</th>(.*?)</tr>', html, re.S)
    assert found is not None, name
    return [words(cell).strip() for cell in re.findall(r"<td.*?>(.*?)</td>", found[1], re.S)]


def entries(html: str) -> list[int]:
    """The numbers of the entries that the page lists."""
    found = re.findall(r'<th scope="row" class="num">([0-9,]+)</th>', html)
    return [int(number.replace(",", "")) for number in found]


async def test_an_empty_ledger_says_what_to_do(pages: Pages) -> None:
    """And shows no number that is none."""
    said = words(await pages.get("/ui/ledger"))
    assert "It has no entry yet." in said
    assert "There is no entry yet. Try a line" in said
    assert "No ticket yet today." in said
    assert "No model was called in this time." in said
    assert "No model is set up" in said


async def test_tickets_of_today_and_of_30_days_by_source(pages: Pages) -> None:
    """As counts in a table and in the chart's description."""
    await pages.extract(LINE, LINE, "another one")
    html = await pages.get("/ui/ledger")
    assert row(html, "Tickets") == ["3", "3"]
    assert row(html, "From the cache") == ["1", "1"]
    assert row(html, "By the rules alone") == ["2", "2"]
    assert row(html, "Hit ratio of the cache") == ["33.3%", "33.3%"]
    today = day_name(now() // DAY)
    assert row(html, today) == ["0", "1", "2", "3"]
    assert f"0 from the model, 1 from the cache, 2 by the rules alone. Most on {today}: 3." in html


async def test_calls_by_status_tokens_and_money(pages: Pages) -> None:
    """With what each status means; what the day was charged stands against its budget."""
    used = Usage(tokens_in=400, tokens_out=100)
    charge = Spend(500, 1_500_000)
    await pages.call(1, CallStatus.OK, usage=used, nano_usd=1_500_000, charge=charge)
    await pages.call(2, CallStatus.TIMEOUT)
    html = await pages.get("/ui/ledger")
    assert row(html, "Calls of the model") == ["2", "2"]
    assert row(html, "Tokens in") == ["400", "400"]
    assert row(html, "Price of what was reported") == ["0.0015 USD", "0.0015 USD"]
    assert row(html, "timeout") == ["1", "1", CallStatus.TIMEOUT.sentence]
    assert "ok: 1; timeout: 1" in html
    said = words(html)
    assert "500 tokens spent, 0 tokens reserved, of 1,000 tokens." in said
    assert "0.0015 USD spent, 0 USD reserved, of 0.002 USD." in said
    assert "50% spent, 0% reserved." in html


async def test_without_a_bound_the_budget_says_how_to_set_one(tmp_path: Path) -> None:
    """There is nothing to draw then."""
    async with Pages(tmp_path) as pages:
        html = await pages.get("/ui/ledger")
    assert "There is no bound: LOGDOCKET_BUDGET_TOKENS sets one." in words(html)
    assert "chart-meter" not in html


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ([], "No ticket waits for one."),
        ([True], "1 ticket fell back for a fault of the model and waits for a second look. All of"),
        ([True, False], "The lines of 1 are kept, so the model can be asked about those."),
        ([False], "None of their lines is kept"),
    ],
)
async def test_tickets_that_wait_for_a_second_look_are_counted(
    kept: list[bool], told: str, pages: Pages
) -> None:
    """And how many of them the model can be asked about."""
    await pages.extract(LINE)
    for number, text in enumerate(kept):
        await pages.call(number, CallStatus.TIMEOUT, kept=text)
    assert told in words(await pages.get("/ui/ledger"))


async def test_where_none_is_made_by_itself_it_is_told(pages: Pages) -> None:
    """Where the model can be asked at all; else nothing is said of when."""
    await pages.extract(LINE)
    await pages.call(0, CallStatus.TIMEOUT, kept=False)
    assert "begins none" not in words(await pages.get("/ui/ledger"))
    await pages.call(1, CallStatus.TIMEOUT, kept=True)
    assert "This service begins none by itself." in words(await pages.get("/ui/ledger"))


async def test_the_chain_shows_its_last_entry(pages: Pages) -> None:
    """Its hash is what one keeps elsewhere."""
    await pages.extract(LINE, "two")
    html = await pages.get("/ui/ledger")
    last = pages.store.verify().head
    assert last is not None
    assert f'<code class="hash">{last}</code>' in html
    assert "2 entries, each holding the hash of the one before." in words(html)
    assert "The chain is whole" not in html


async def test_a_whole_chain_is_told(pages: Pages) -> None:
    """With how many entries were checked; the next look at the page still says so."""
    await pages.extract(LINE, "two")
    said = words(await pages.get("/ui/ledger?verify=1"))
    assert "The chain is whole. All 2 entries and every law were checked just now" in said
    assert "The chain is whole." in words(await pages.get("/ui/ledger"))


async def test_a_broken_chain_is_told(pages: Pages) -> None:
    """With the entry and what is wrong with it."""
    await pages.extract(LINE, "two", "three")
    with closing(sqlite3.connect(pages.store.path)) as connection:
        connection.execute("DROP TRIGGER entry_update")
        connection.execute("UPDATE entry SET at = at + 1 WHERE seq = 2")
        connection.commit()
    html = await pages.get("/ui/ledger?verify=1")
    assert "The chain is broken at entry 2." in words(html)
    assert 'role="alert"' in html


async def test_entries_are_listed_page_by_page(pages: Pages) -> None:
    """Newest first, nothing twice, nothing left out."""
    await pages.extract(*(f"line {number}" for number in range(120)))
    seen, address = [], "/ui/ledger"
    while address:
        html = await pages.get(address)
        seen += entries(html)
        more = re.search(r'rel="next" href="([^"#]*)', html)
        address = more[1].replace("&amp;", "&") if more else ""
    assert seen == list(range(120, 0, -1))


async def test_entries_are_filtered(pages: Pages) -> None:
    """By kind, source and reason; the next page keeps the filter."""
    await pages.extract(LINE, LINE, "no time in it")
    await pages.call(1, CallStatus.JUNK)
    assert entries(await pages.get("/ui/ledger?kind=call_started")) == [4]
    assert entries(await pages.get("/ui/ledger?source=cache")) == [2]
    reason = ReviewReason.TIMESTAMP_ABSENT
    assert entries(await pages.get(f"/ui/ledger?reason={reason}&kind=ticket")) == [3]
    assert entries(await pages.get("/ui/ledger?reason=model_timeout&source=fallback")) == [6]
    assert entries(await pages.get("/ui/ledger?before=3")) == [2, 1]
    assert "No entry is like that." in words(await pages.get("/ui/ledger?source=model"))


@pytest.mark.parametrize(
    "query",
    ["kind=%3Cscript%3E", "source=nobody", "reason=x", "before=-1", "before=9" + "9" * 30],
)
async def test_a_filter_that_is_none_is_told(query: str, pages: Pages) -> None:
    """In place, and escaped; the entries are there all the same."""
    await pages.extract(LINE)
    html = await pages.get(f"/ui/ledger?{query}", 422)
    assert "It filters nothing here." in html
    assert "<script>" not in html
    assert entries(html) == [1]


async def test_calls_are_told_in_a_few_words(pages: Pages) -> None:
    """As the command line does."""
    await pages.call(1, CallStatus.OK, usage=Usage(5, 6), charge=Spend(11, 0))
    html = await pages.get("/ui/ledger")
    assert "attempt 1, example:tiny, 900 tokens reserved" in html
    assert "call 1: ok, 12 ms, 5 + 6 tokens" in html


async def test_what_others_wrote_is_shown_as_text(pages: Pages) -> None:
    """Also a detail, or a kind, that some other program put into the database."""
    await pages.extract(LINE)
    hostile = '</pre><script>alert("1")</script>\u202e'
    detail = json.dumps({"model": hostile, "attempt": 1})
    with closing(sqlite3.connect(pages.store.path)) as connection:
        connection.execute(
            "INSERT INTO entry VALUES (2, ?, 'call_started', NULL, '', ?, zeroblob(32))",
            (now(), detail),
        )
        connection.execute(
            "INSERT INTO entry VALUES (3, ?, ?, NULL, '', '{}', zeroblob(32))", (now(), hostile)
        )
        connection.commit()
    html = await pages.get("/ui/ledger")
    assert "<script>alert" not in html
    assert "</pre><script" not in html
    assert "\u202e" not in html


async def test_a_ticket_leads_to_its_group(pages: Pages) -> None:
    """And one that needs nobody, or an entry that is no ticket, to what it is."""
    await pages.extract(LINE, LINE)
    for number in (1, 2):
        answer = await pages.http.get(f"/ui/ledger/{number}")
        assert answer.status_code == 303
        assert re.fullmatch(r"/ui/group/[0-9]+", answer.headers["location"])
    other = await pages.http.get("/ui/ledger/77")
    assert other.headers["location"] == "/tickets/77"
    assert "no number" in words(await pages.get("/ui/ledger/%3Cb%3E", 404))


async def test_the_export_holds_every_entry(pages: Pages) -> None:
    """As JSON lines and as CSV, in the form of the command line's."""
    await pages.extract(LINE, LINE, "three")
    lines = await pages.http.get("/ui/ledger/export?format=jsonl")
    found = [json.loads(text) for text in lines.text.split("\n") if text]
    assert [entry["seq"] for entry in found] == [1, 2, 3]
    assert lines.headers["content-disposition"] == 'attachment; filename="logdocket-ledger.jsonl"'
    table = await pages.http.get("/ui/ledger/export?format=csv")
    rows = list(csv.DictReader(io.StringIO(table.text, newline="")))
    assert [found["hash"] for found in rows] == [entry["hash"] for entry in found]
    assert table.headers["content-type"] == "text/csv; charset=utf-8"


async def test_the_export_keeps_to_its_days(pages: Pages) -> None:
    """The last of them with it; moments bound it too."""
    await pages.extract(LINE)
    day = day_name(now() // DAY)
    yesterday = day_name(now() // DAY - 1)
    export = "/ui/ledger/export?format=jsonl"
    assert '"seq":1' in await pages.get(f"{export}&since={day}&until={day}")
    assert await pages.get(f"{export}&until={yesterday}") == ""
    moment = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    assert await pages.get(f"{export}&since={moment}") == ""
    assert '"seq":1' in await pages.get(f"{export}&until={moment}&since=")


@pytest.mark.parametrize(
    "query", ["format=xml", "format=csv&since=yesterday", "format=csv&until=2026-02-30"]
)
async def test_an_export_that_cannot_be_is_told(query: str, pages: Pages) -> None:
    """On a page, with how to write it."""
    assert words(await pages.get(f"/ui/ledger/export?{query}", 422))


async def test_a_ledger_that_cannot_be_read_is_told_as_a_page(pages: Pages) -> None:
    """With what to do; the export says so before it begins."""
    pages.store.path.rename(pages.store.path.with_suffix(".away"))
    pages.store.path.mkdir()
    assert "logdocket doctor" in words(await pages.get("/ui/ledger", 503))
    assert "logdocket doctor" in words(await pages.get("/ui/ledger/export?format=csv", 503))
    pages.store.path.rmdir()
    pages.store.path.with_suffix(".away").rename(pages.store.path)


async def test_no_script_or_style_stands_in_the_page(pages: Pages) -> None:
    """Its own policy would stop them."""
    await pages.extract(LINE)
    await pages.call(1, CallStatus.OK)
    html = await pages.get("/ui/ledger?verify=1")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", html)
    assert all('src="/ui/static/' in tag for tag in re.findall(r"<script[^>]*>", html))

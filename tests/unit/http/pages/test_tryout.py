"""The page to try a line: a real ticket, and why it says what it says."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from panels import LONGEST, Pages, words

from logdocket.http.pages.tryout import SAMPLES
from logdocket.http.roles import Role, Token
from logdocket.ticket import ReviewReason

LINE = "2026-01-02T15:04:05Z ERROR payments: card refused"
HOSTILE = 'ERROR payments: <script>alert("1")</script> \x1b[31mred \u202eti dna\u202c </textarea>'


@pytest.fixture
async def pages(tmp_path: Path) -> AsyncIterator[Pages]:
    """The application over an empty ledger."""
    async with Pages(tmp_path) as made:
        yield made


async def tried(pages: Pages, status: int = 200, **fields: str) -> str:
    """The page that comes of sending the form."""
    answer = await pages.post("/ui/try", on="/ui/try", **fields)
    assert answer.status_code == status, answer.text
    return answer.text


def typed(html: str, name: str) -> str:
    """What stands in a field of the form."""
    if name == "line":
        found = re.search(r'<textarea id="line".*?>\n(.*?)</textarea>', html, re.S)
    else:
        found = re.search(rf'<input id="{name}" name="{name}" value="(.*?)"', html, re.S)
    assert found is not None
    return unescape(found[1])


def given(html: str) -> dict[str, object]:
    """The ticket as JSON."""
    found = re.search(r'<pre class="raw json".*?>(.*?)</pre>', html, re.S)
    assert found is not None
    document: dict[str, object] = json.loads(unescape(found[1]))
    return document


async def test_the_form_is_there_without_a_line(pages: Pages) -> None:
    """With lines to click; nothing is entered by looking."""
    html = await pages.get("/ui/try")
    assert html.count('name="sample"') == len(SAMPLES)
    assert typed(html, "line") == ""
    assert pages.store.verify().entries == 0


async def test_a_line_gets_a_real_ticket(pages: Pages) -> None:
    """The one that POST /extract gives, in the ledger and in the queue."""
    html = await tried(pages, line=LINE)
    said = words(html)
    assert "This is a real ticket: it stands in the ledger as ticket 1 ." in said
    assert re.search(r'In the queue it belongs to <a href="/ui/group/[0-9]+">', html)
    answer = await pages.http.post("/extract", json={"line": LINE})
    assert {**answer.json(), "source": "fallback"} == given(html)
    stored = pages.store.ticket(1)
    assert stored is not None
    assert stored.text == LINE.encode()


async def test_a_ticket_is_counted_as_any_other(pages: Pages) -> None:
    """Among those that the metrics tell of."""
    before = await pages.get("/metrics")
    await tried(pages, line=LINE)
    after = await pages.get("/metrics")

    def tickets(told: str) -> float:
        found = re.search(r'^logdocket_tickets_total{source="fallback"} (.*)$', told, re.M)
        return 0 if found is None else float(found[1])

    assert tickets(after) == tickets(before) + 1


async def test_a_line_given_again_says_what_it_repeats(pages: Pages) -> None:
    """A cache hit has no ticket of its own."""
    await tried(pages, line=LINE)
    html = await tried(pages, line=LINE)
    assert "given from the cache: it repeats ticket 1 , made just now" in words(html)
    assert pages.store.verify().entries == 2


async def test_the_line_is_marked_where_it_says_so(pages: Pages) -> None:
    """Field by field, with the bytes and by whom."""
    html = await tried(pages, line=LINE)
    assert '<mark class="of-time">2026-01-02T15:04:05Z</mark>' in html
    assert '<mark class="of-severity">ERROR</mark>' in html
    assert '<mark class="of-service">payments</mark>' in html
    assert '<mark class="of-evidence">card refused</mark>' in html
    said = words(html)
    assert "service payments the rules" in said
    assert "severity high the rules : a level word in the line 21 to 26" in said
    assert "first_seen 2026-01-02T15:04:05Z the rules 0 to 20" in said


async def test_reasons_are_told_with_what_to_do(pages: Pages) -> None:
    """Each in its sentence, and by its word."""
    html = await tried(pages, line="something went wrong")
    for reason in (ReviewReason.TIMESTAMP_ABSENT, ReviewReason.SERVICE_UNKNOWN):
        assert reason.sentence in unescape(html)
        assert reason.mend in unescape(html)
        assert f"<code>{reason}</code>" in html


async def test_the_confidence_is_told_with_its_counts(pages: Pages) -> None:
    """How many tickets read so were right."""
    said = words(await tried(pages, line=LINE))
    assert re.search(r"Of [0-9,]+ labelled tickets read this way, [0-9,]+ were right", said)


async def test_what_is_known_beside_the_line_counts(pages: Pages) -> None:
    """Service, arrival and time zone, as in a request's context; the form keeps them."""
    beside = {"service": "mailer", "received_at": "2026-03-01T00:00:00Z", "timezone": "+02:00"}
    html = await tried(pages, line="Jan  2 15:04:05 failed to send", **beside)
    assert given(html)["service"] == "mailer"
    assert given(html)["first_seen"] == "2026-01-02T15:04:05+02:00"
    assert {name: typed(html, name) for name in beside} == beside


@pytest.mark.parametrize("place", range(len(SAMPLES)))
async def test_a_sample_is_tried_by_one_click(place: int, pages: Pages) -> None:
    """It stands in the field afterwards, to be changed."""
    html = await tried(pages, sample=str(place))
    assert typed(html, "line") == SAMPLES[place][1]
    assert "This is a real ticket" in html


@pytest.mark.parametrize("sample", ["-1", "99", "x", "٣"])
async def test_a_sample_that_is_none_is_no_line(sample: str, pages: Pages) -> None:
    """As if nothing had been sent."""
    await tried(pages, 422, sample=sample)


@pytest.mark.parametrize(
    ("status", "fields", "wrong"),
    [
        (422, {"line": " \r\n "}, "line"),
        (413, {"line": "x" * (LONGEST + 1)}, "line"),
        (422, {"line": LINE, "received_at": "yesterday"}, "received_at"),
        (422, {"line": LINE, "received_at": "2026-01-02T15:04:05"}, "received_at"),
        (422, {"line": LINE, "timezone": "Mars/Olympus"}, "timezone"),
        (422, {"line": LINE, "service": "a\x1b[31mb"}, "service"),
    ],
)
async def test_what_is_wrong_is_told_in_its_place(
    status: int, fields: dict[str, str], wrong: str, pages: Pages
) -> None:
    """What was typed is kept, the field is marked, and nothing is entered."""
    html = await tried(pages, status, **fields)
    assert f'id="{wrong}-wrong"' in html
    assert html.count('aria-invalid="true"') == 1
    assert re.search(rf'id="{wrong}"[^>]*aria-describedby="{wrong}-wrong', html)
    for name, value in fields.items():
        assert typed(html, name) == value.replace("\r\n", "\n").strip("\n")
    assert pages.store.verify().entries == 0


async def test_a_line_that_lies_stays_text(pages: Pages) -> None:
    """No script, no end of a field; what is not seen is named where the line is shown."""
    html = await tried(pages, line=HOSTILE)
    assert "<script>alert" not in html
    assert typed(html, "line") == HOSTILE
    shown = html.replace(html[html.index("<textarea") : html.index("</textarea>")], "")
    assert "\u202e" not in shown
    assert "\x1b" not in shown
    assert "RLO" in shown


async def test_ends_of_lines_are_what_was_pasted(pages: Pages) -> None:
    """Browsers send two characters for each; the last one belongs to nobody."""
    trace = "ERROR payments: boom\r\n  at pay (pay.js:1)\r\n"
    await tried(pages, line=trace)
    stored = pages.store.ticket(1)
    assert stored is not None
    assert stored.text == b"ERROR payments: boom\n  at pay (pay.js:1)"


async def test_a_long_line_is_shown_in_bounds(tmp_path: Path) -> None:
    """As much as the pages show of any line; the ticket is about all of it."""
    async with Pages(tmp_path, longest=65_536) as pages:
        html = await tried(pages, line="ERROR payments: " + "A" * 60_000)
    assert "bytes more" in html


async def test_a_ticket_outside_the_ledger_is_told(pages: Pages) -> None:
    """It has its reason, and the rules say again what they read."""
    form = await pages.get("/ui/try")
    away = pages.store.path.with_suffix(".away")
    pages.store.path.rename(away)
    pages.store.path.mkdir()
    proof = re.search(r'name="csrf" value="(.*?)"', form)
    assert proof is not None
    answer = await pages.http.post(
        "/ui/try", data={"csrf": proof[1], "line": LINE}, headers={"Origin": "http://127.0.0.1"}
    )
    assert answer.status_code == 200
    assert "could not be entered" in answer.text
    assert '<mark class="of-service">payments</mark>' in answer.text
    pages.store.path.rmdir()
    away.rename(pages.store.path)


async def test_a_form_of_another_page_enters_nothing(pages: Pages) -> None:
    """Without the proof, or with one of somebody else's."""
    for fields in ({"line": LINE}, {"line": LINE, "csrf": "0" * 64}):
        answer = await pages.http.post(
            "/ui/try", data=fields, headers={"Origin": "http://127.0.0.1"}
        )
        assert answer.status_code == 403
    assert pages.store.verify().entries == 0


async def test_whoever_may_only_read_is_told_so(tmp_path: Path) -> None:
    """The form has no button, and what is sent all the same is refused."""
    tokens = (Token("on-call", (Role.READ,), "a-token-to-read"),)
    async with Pages(tmp_path, tokens=tokens) as pages:
        await pages.post("/ui/sign-in", on="/ui/sign-in", token="a-token-to-read")
        html = await pages.get("/ui/try")
        assert "Make the ticket" not in html
        assert "the role extract" in words(html)
        answer: httpx.Response = await pages.post("/ui/try", on="/ui/try", line=LINE)
        assert answer.status_code == 403
        assert pages.store.verify().entries == 0

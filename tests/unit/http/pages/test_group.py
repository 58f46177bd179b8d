"""The page of one ticket without JavaScript: what it tells, and decisions on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import Browser, Element, Page

from logdocket import Docket
from logdocket.settings import Settings

Site = Callable[..., Browser]
PAY = "2026-11-30T08:00:00Z ERROR pay: card refused by issuer"
BARE = "disk almost full"


def opened(browser: Browser, address: str = "/") -> Page:
    """The page of the first ticket of a list."""
    row = browser.get(address).root.all("li", cls="row")[0]
    return browser.get(row.one("a", cls="row-open")["href"])


def form(page: Page) -> Element:
    """Where one decides."""
    return page.root.one("form", id="verdict")


def decide(browser: Browser, page: Page, word: str, **fields: Any) -> Page:
    """The page after a button of the form was pressed."""
    return browser.send(page, form(page), verdict=word, **fields)


def section(page: Page, heading: str) -> Element:
    """The section under a heading."""
    (found,) = [
        one
        for one in page.root.all("section")
        if one.all("h2")[:1] and one.all("h2")[0].words == heading
    ]
    return found


def overtake(browser: Browser, page: Page, word: str = "not_a_problem") -> None:
    """Someone else's decision about the ticket of ``page``."""
    id = page.root.one(id="ticket")["data-id"]
    version = int(page.fields(form(page))["version"][0])
    body = {"verdict": word, "version": version}
    assert browser.client.post(f"/queue/{id}/verdict", json=body).status_code == 200


def test_each_field_is_marked_in_the_line(site: Site) -> None:
    """And named beside, so that colour is not all that tells."""
    line = opened(site(PAY)).root.one(id="line")
    assert line.one("mark", cls="of-evidence").text == "card refused by issuer"
    assert line.one("mark", cls="of-service").text == "pay"
    assert line.one("mark", cls="of-severity").text == "ERROR"
    assert line.one("mark", cls="of-time").text == "2026-11-30T08:00:00Z"
    assert [tag.text for tag in line.all(cls="tag")] == ["time", "severity", "service", "evidence"]


def test_each_field_says_by_whom_it_is(site: Site) -> None:
    """And how it was found."""
    table = opened(site(BARE)).root.one("table", cls="fields")
    told = {
        row.one("th").words: [cell.words for cell in row.all("td")]
        for row in table.one("tbody").all("tr")
    }
    assert told["Service"] == ["unknown", "nobody: the line names none"]
    assert told["First seen"] == ["unknown", "nobody: the line carries no time"]
    assert told["Evidence"] == ["disk almost full", "the rules"]
    assert told["Severity"][0] == "medium"


def test_reasons_come_with_what_to_do(site: Site) -> None:
    """Sentence and mend of each."""
    why = section(opened(site(BARE)), "Why it needs a person")
    assert "The line names no service." in why.words
    assert "Send context.service with the line, or name it on the ticket." in why.words


def test_the_confidence_says_what_it_stands_on(site: Site) -> None:
    """The signals in words, and the counts behind the number."""
    sure = section(opened(site(PAY)), "How sure the ticket is")
    assert "Severity: a level word in the line." in sure.words
    assert "No model's answer took part." in sure.words
    assert "labelled tickets read this way" in sure.words


def test_own_times_and_arrival_are_kept_apart(site: Site) -> None:
    """The lines' own, and when they came to the service."""
    times = section(opened(site(PAY)), "When and where from")
    told = {term.one("dt").words: term.one("dd").words for term in times.one("dl").all("div")}
    assert told["The lines' own times"] == "2026-11-30T08:00:00Z"
    assert told["Came to the service"].endswith("UTC")
    assert told["Written by"] == "fallback ×1"


def test_without_a_model_the_page_says_that_none_was_asked(site: Site) -> None:
    """In place of an empty table."""
    assert "No model was asked" in section(opened(site(PAY)), "Attempts to ask a model").words


def test_right_leads_back_to_the_list(site: Site) -> None:
    """The one that one came from, with what was done and the way to undo it."""
    browser = site(PAY)
    page = opened(browser, "/?severity=high")
    after = decide(browser, page, "right", note="seen in the runbook")
    assert "severity=high" in str(after.response.url)
    assert after.root.one(id="flash").words.startswith("Right: pay, “card refused by issuer”.")
    again = opened(browser, "/?state=resolved")
    decisions = section(again, "Decisions")
    assert decisions.words.startswith("Decisions right by local just now")
    assert decisions.one("blockquote").words == "seen in the runbook"


def test_a_correction_is_shown_as_before_and_after(site: Site) -> None:
    """Only of what it changes."""
    browser = site(PAY)
    page = opened(browser)
    decide(browser, page, "corrected", evidence="card refused", severity="critical")
    decisions = section(opened(browser, "/?state=resolved"), "Decisions")
    (changes,) = decisions.one("ol").all("ul")
    assert [change.words for change in changes.all("li")] == [
        "Severity: high → critical",
        "Evidence: card refused by issuer → card refused",
    ]
    assert (
        "and lines that differ from it only in times, ids, addresses, and numbers"
        in decisions.words
    )


def test_a_correction_answers_the_line_from_then_on(site: Site) -> None:
    """The service gives what the person said."""
    browser = site(PAY)
    decide(browser, opened(browser), "corrected", severity="critical")
    ticket = browser.client.post("/extract", json={"line": PAY}).json()
    assert (ticket["severity"], ticket["source"]) == ("critical", "cache")
    assert "reviewed" in ticket["review_reasons"]


def test_fields_that_are_sent_as_they_stood_are_not_changed(site: Site) -> None:
    """A form sends all of them."""
    browser = site(PAY)
    after = decide(browser, opened(browser), "corrected")
    assert after.status == 422
    assert "nothing is changed, so say right" in after.root.one(id="alert").words


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("evidence", "never said", "is no quote of the line"),
        ("evidence", " ", "is blank"),
        ("service", "web", "stands neither in the line nor in its context"),
        ("first_seen", "yesterday", "First seen 'yesterday' is no time"),
    ],
)
def test_a_correction_is_held_to_the_laws(field: str, value: str, told: str, site: Site) -> None:
    """What was put in is kept, the field that breaks a law is pointed at, nothing is entered."""
    browser = site(PAY)
    page = opened(browser)
    after = decide(browser, page, "corrected", **{field: value, "note": "my note"})
    assert after.status == 422
    assert told in after.root.one(id="alert").words
    kept = after.fields(form(after))
    assert kept[field] == [value]
    assert kept["note"] == ["my note"]
    assert after.root.one(id=field)["aria-invalid"] == "true"
    assert after.root.one("details", id="correct").get("open") is not None
    assert "Nobody has decided" in section(after, "Decisions").words


def test_a_conflict_says_who_decided_what_and_keeps_what_was_put_in(site: Site) -> None:
    """The page shows how things stand; sent again, it holds."""
    browser = site(PAY)
    page = opened(browser)
    overtake(browser, page)
    late = decide(browser, page, "corrected", evidence="card refused", note="my note")
    assert late.status == 409
    alert = late.root.one(id="alert").words
    assert "not a problem by local just now" in alert
    assert "Nothing of yours was entered" in alert
    kept = late.fields(form(late))
    assert (kept["evidence"], kept["note"]) == (["card refused"], ["my note"])
    assert kept["version"] != page.fields(form(page))["version"]
    after = decide(browser, late, "corrected")
    assert after.root.one(id="flash").words.startswith("Corrected: pay")


@pytest.mark.parametrize("word", ["not_a_problem", "snoozed", "right"])
def test_other_buttons_pay_no_heed_to_the_fields(word: str, site: Site) -> None:
    """What stands in them is a correction only for the button that corrects."""
    browser = site(PAY)
    after = decide(browser, opened(browser), word, evidence="never said", for_="3600")
    assert after.status == 200
    assert after.root.one(id="flash").all("form")


def test_enter_in_a_field_decides_nothing(site: Site) -> None:
    """The form's first button, which a browser presses then, is disabled."""
    first, *_ = form(opened(site(PAY))).all("button")
    assert first.get("disabled") is not None


def test_a_decision_is_undone_from_the_history(site: Site) -> None:
    """The ticket's page stays, open again."""
    browser = site(PAY)
    decide(browser, opened(browser), "right")
    page = opened(browser, "/?state=resolved")
    after = browser.send(page, section(page, "Decisions").one("form"), verdict="undone")
    assert after.root.one(id="flash").words.startswith("Taken back: pay")
    assert after.root.one("header", cls="head").one(cls="pill").words == "open"
    history = section(after, "Decisions").one("ol")
    assert "taken back" in history.words
    assert history.all("form") == []


def test_a_decided_ticket_can_be_opened_again(site: Site) -> None:
    """Or decided anew."""
    browser = site(PAY)
    decide(browser, opened(browser), "not_a_problem")
    page = opened(browser, "/?state=dismissed")
    assert section(page, "Decide anew")
    after = decide(browser, page, "reopened")
    assert after.root.one("header", cls="head").one(cls="pill").words == "open"


def test_what_is_seen_of_odd_characters_may_be_quoted(site: Site) -> None:
    """And means the bytes of the line."""
    browser = site("2026-11-30T08:00:00Z ERROR term: \x1b[31mred\x1b[0m disk \u202efull")
    page = opened(browser)
    assert "disk ‹RLO›full" in page.root.one(id="line").text
    decide(browser, page, "corrected", evidence="disk ‹RLO›full")
    id = page.root.one(id="ticket")["data-id"]
    (verdict,) = browser.client.get(f"/queue/{id}").json()["verdicts"]
    assert verdict["after"]["evidence"] == "disk \u202efull"
    assert verdict["after"]["service"] == "term"


def test_a_line_whose_text_is_not_kept_can_be_pasted(site: Site) -> None:
    """As a browser sends it; any other line is refused, and what was put in is kept."""
    browser = site(PAY, keep_text=False)
    page = opened(browser)
    assert "The line's text is not kept" in section(page, "The line").words
    fields = {"evidence": "card", "service": "issuer"}
    wrong = decide(browser, page, "corrected", line="another line", **fields)
    assert wrong.status == 422
    assert wrong.fields(form(wrong))["line"] == ["another line"]
    after = decide(browser, wrong, "corrected", line=f"{PAY}\r\n")
    assert after.root.one(id="flash").words.startswith("Corrected: pay")


def test_hostile_text_is_text_everywhere(site: Site) -> None:
    """In the title, the headings, the line, the fields and the form."""
    hostile = "</title></textarea><script>alert(1)</script>"
    browser = site()
    context = {"service": hostile}
    sent = {"line": f"ERROR {hostile} \x00\u202e", "context": context}
    assert browser.client.post("/extract", json=sent).status_code == 200
    page = opened(browser)
    assert [script for script in page.root.all("script") if script.text] == []
    kept = page.fields(form(page))
    assert hostile in kept["service"][0] + kept["evidence"][0]
    assert "\x00" not in page.response.text
    assert "\u202e" not in page.response.text


def test_a_line_of_64_kib_is_cut_with_a_note(site: Site) -> None:
    """The page stays small."""
    browser = site("2026-11-30T08:00:00Z ERROR long: " + "A" * 65_000)
    page = opened(browser)
    assert "bytes more" in page.root.one(id="line").words
    assert len(page.response.content) < 60_000
    assert len(browser.get("/").response.content) < 20_000


@pytest.mark.parametrize("id", ["0", "99", "x", "-1", "9" * 30, "%00"])
def test_a_ticket_that_there_is_not_is_told_on_a_page(id: str, site: Site) -> None:
    """With the way back to the queue."""
    page = site(PAY).get(f"/ui/group/{id}")
    assert page.status == 404
    assert page.root.one("main").all("a", href="/")


@pytest.mark.parametrize(
    "where", ["https://elsewhere.example/", "//elsewhere.example", "javascript:1"]
)
def test_the_way_back_leads_nowhere_else(where: str, site: Site) -> None:
    """Whatever the address says."""
    browser = site(PAY)
    id = opened(browser).root.one(id="ticket")["data-id"]
    page = browser.get(f"/ui/group/{id}?from={where}")
    assert page.root.one("a", id="back")["href"] == f"/#t{id}"
    assert page.fields(form(page))["from"] == ["/"]


@pytest.mark.parametrize(
    "changes", [{"version": None}, {"version": "x"}, {"verdict": None}, {"verdict": "wrong"}]
)
def test_a_form_that_no_page_made_is_refused(changes: dict[str, Any], site: Site) -> None:
    """With the mend, and nothing is entered."""
    browser = site(PAY)
    page = opened(browser)
    after = browser.send(page, form(page), **{"verdict": "right", **changes})
    assert after.status == 422
    assert browser.get("/").root.all("li", cls="row")


def test_only_an_admin_takes_back_what_others_decided(site: Site) -> None:
    """The button is not there for others."""
    tokens = (
        "rev-a:review+extract:an-invented-token-1,rev-b:review:an-invented-token-2,"
        "lead:admin:an-invented-token-3"
    )
    browser = site(tokens=tokens)
    first = {"Authorization": "Bearer an-invented-token-1"}
    browser.client.post("/extract", json={"line": PAY}, headers=first)
    browser.client.get("/queue", headers=first)
    (group,) = browser.client.get("/queue", headers=first).json()["groups"]
    body = {"verdict": "right", "version": 0}
    path = f"/queue/{group['id']}/verdict"
    assert browser.client.post(path, json=body, headers=first).status_code == 200
    offered = {}
    for token in ("an-invented-token-2", "an-invented-token-3"):
        enter = browser.get("/ui/sign-in")
        (sign_in,) = [one for one in enter.root.all("form") if one.all(name="token")]
        browser.send(enter, sign_in, token=token)
        page = browser.get(f"/ui/group/{group['id']}")
        offered[token[-1]] = bool(section(page, "Decisions").all("form"))
    assert offered == {"2": False, "3": True}


async def test_bytes_that_are_no_text_are_shown_and_can_be_quoted(
    site: Site, tmp_path: Path
) -> None:
    """A line that did not come over HTTP may hold any."""
    settings = Settings(db=tmp_path / "pages.db", keep_text=True)
    async with Docket(settings) as docket:
        await docket.extract(b"2026-11-30T08:00:00Z ERROR pay: card \xff\xfe refused")
    browser = site()
    assert "card ‹FF›‹FE› refused" in browser.get("/").root.one("li", cls="row").text
    page = opened(browser)
    assert page.fields(form(page))["evidence"] == ["card ‹FF›‹FE› refused"]
    after = decide(browser, page, "corrected", evidence="‹FE› refused")
    assert after.root.one(id="flash").words.startswith("Corrected: pay, “card ‹FF›‹FE› refused”.")
    id = page.root.one(id="ticket")["data-id"]
    (verdict,) = browser.client.get(f"/queue/{id}").json()["verdicts"]
    assert verdict["after"]["evidence"] == "\udcfe refused"


def test_what_was_corrected_is_told_where_the_ticket_is_listed_and_shown(site: Site) -> None:
    """In the row, at the top of the page, and beside what the ticket says."""
    browser = site(PAY)
    decide(browser, opened(browser), "corrected", severity="low", service="issuer")
    row = browser.get("/?state=resolved").root.one("li", cls="row")
    said = "corrected by local just now: Service → issuer, Severity high → low"
    assert row.one(cls="stands").words == said
    page = opened(browser, "/?state=resolved")
    assert page.root.one("header", cls="head").one(cls="stands").words == f"This group was {said}"
    told = [one.words for one in page.root.one("table", cls="fields").all(cls="said")]
    assert told == ["→ issuer a reviewer says", "→ low a reviewer says"]


def test_a_correction_begins_with_the_one_that_stands(site: Site) -> None:
    """What it said stays, unless it is changed again."""
    browser = site(PAY)
    decide(browser, opened(browser), "corrected", severity="low")
    page = opened(browser, "/?state=resolved")
    assert page.fields(form(page))["severity"] == ["low"]
    decide(browser, page, "corrected", evidence="card refused")
    id = page.root.one(id="ticket")["data-id"]
    latest, _ = browser.client.get(f"/queue/{id}").json()["verdicts"]
    assert (latest["after"]["severity"], latest["after"]["evidence"]) == ("low", "card refused")
    again = opened(browser, "/?state=resolved")
    decide(browser, again, "corrected", severity="high")
    latest, *_ = browser.client.get(f"/queue/{id}").json()["verdicts"]
    assert (latest["after"]["severity"], latest["after"]["evidence"]) == ("high", "card refused")


def test_what_needs_the_whole_line_points_at_its_field(site: Site) -> None:
    """In the box of the correction, in the page's own words, what was put in kept."""
    browser = site("2026-11-30T08:00:00Z ERROR pay: card refused by web-1.example", keep_text=False)
    page = opened(browser)
    assert page.root.one("details", id="correct").one("textarea", name="line").text == "\n"
    after = decide(browser, page, "corrected", service="ERROR")
    assert after.status == 422
    assert "paste the line under “The whole line”, or unknown" in after.root.one(id="alert").words
    assert after.root.one("details", id="correct").get("open") is not None
    wrong = [one["name"] for one in form(after).all(aria_invalid="true")]
    assert wrong == ["line"]
    assert after.fields(form(after))["service"] == ["ERROR"]


def test_a_group_and_its_tickets_have_their_own_names(site: Site) -> None:
    """The group's number is that of its first ticket; the others have their own."""
    page = opened(site(PAY, PAY.replace("08:00", "09:00")))
    assert page.root.one("h1").words == "pay group 1"
    side = section(page, "When and where from")
    assert [one.words for one in side.all("a")] == ["ticket 2"]
    samples = section(page, "Its newest tickets")
    assert [one.words for one in samples.all("a")] == ["ticket 2", "ticket 1"]

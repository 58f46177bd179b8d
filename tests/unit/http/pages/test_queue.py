"""The queue's page without JavaScript, and what its script loads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import Browser, Element, Page

Site = Callable[..., Browser]
PAY = "2026-11-30T08:00:00Z ERROR pay: card refused by issuer"
CART = "2026-11-30T08:01:00Z CRITICAL cart: price list lost"
BARE = "disk almost full"


def rows(page: Page) -> list[Element]:
    """The rows that a page shows."""
    return page.root.all("li", cls="row")


def pick(page: Page, text: str) -> str:
    """What stands for the row with ``text`` in a form."""
    (row,) = [row for row in rows(page) if text in row.text]
    return row["data-pick"]


def decide(browser: Browser, page: Page, **fields: Any) -> Page:
    """The page after a button of the list was pressed."""
    return browser.send(page, page.root.one("form", id="bulk"), **fields)


def note(page: Page) -> str:
    """What the page says was done."""
    return page.root.one(id="flash").words


def verdict(browser: Browser, of: str, word: str) -> None:
    """Someone else's decision."""
    group, version = of.split(":")
    body = {"verdict": word, "version": int(version)}
    assert browser.client.post(f"/queue/{group}/verdict", json=body).status_code == 200


def test_a_row_tells_what_one_decides_by(site: Site) -> None:
    """Severity in words, service, evidence marked in its line, why, count and ages."""
    (row,) = rows(site(PAY, PAY).get("/"))
    assert row.one(cls="row-sev").words == "high"
    assert row.one("a", cls="row-open").words == "pay"
    assert row.one("a", cls="row-open")["href"] == f"/ui/group/{row['data-id']}"
    assert row.one("mark").text == "card refused by issuer"
    assert row.one(cls="row-line").words == f"pay {PAY}"
    assert "No model is set up, so the rules alone wrote this ticket." in row.words
    assert "×2" in row.words
    assert all(time["datetime"].endswith("Z") for time in row.all("time"))


def test_without_kept_text_the_evidence_stands_alone(site: Site) -> None:
    """And nothing pretends to be the line."""
    (row,) = rows(site(PAY, keep_text=False).get("/"))
    assert row.one(cls="row-line").words == "pay card refused by issuer"


def test_more_reasons_are_there_on_demand(site: Site) -> None:
    """The one that tells where to look stands first."""
    (row,) = rows(site(BARE).get("/"))
    why = row.one(cls="row-why")
    assert why.words.startswith("The line names no service.")
    assert "The line carries no time of its own." in why.one("details").words


def test_the_most_severe_come_first(site: Site) -> None:
    """Unless another order is asked for."""
    browser = site(CART, PAY)
    assert [row.one(cls="row-sev").words for row in rows(browser.get("/"))] == ["critical", "high"]
    oldest = rows(browser.get("/?sort=newest"))
    assert [row.one(cls="row-sev").words for row in oldest] == ["high", "critical"]


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("/?text=ISSUER", ["pay"]),
        ("/?severity=critical", ["cart"]),
        ("/?severity=critical&severity=medium", ["cart", "unknown"]),
        ("/?service=pay", ["pay"]),
        ("/?reason=service_unknown", ["unknown"]),
        ("/?source=cache", []),
        ("/?state=resolved", []),
        ("/?state=all&text=list", ["cart"]),
    ],
)
def test_filters_live_in_the_address(address: str, found: list[str], site: Site) -> None:
    """The page shows what passes, and the form what was asked for."""
    page = site(PAY, CART, BARE).get(address)
    assert [row.one("a", cls="row-open").words for row in rows(page)] == found
    sent = page.fields(page.root.one("form", id="filters"))
    asked = [pair.split("=") for pair in address.partition("?")[2].split("&")]
    assert all(value in sent[name] for name, value in asked)


def test_an_empty_queue_says_what_would_bring_tickets(site: Site) -> None:
    """With a line to send."""
    page = site().get("/")
    assert "Nothing waits for a person" in page.root.one("main").words
    assert "http://127.0.0.1:8000/extract" in page.root.one("pre").text


def test_a_decided_queue_says_that_it_is(site: Site) -> None:
    """Not that nothing ever came."""
    browser = site(PAY)
    page = browser.get("/")
    decided = decide(browser, page, only=f"right:{pick(page, 'pay')}")
    assert "Every ticket is decided" in decided.root.one("main").words


def test_where_nothing_matches_the_filters_can_be_cleared(site: Site) -> None:
    """The order and the state are kept."""
    page = site(PAY).get("/?text=nothing&sort=newest")
    assert "No ticket matches" in page.root.one("main").words
    links = {link.words: link["href"] for link in page.root.one(cls="empty").all("a")}
    assert links["Clear the filters"] == "/?sort=newest"
    assert links["Look in all states"] == "/?state=all&text=nothing&sort=newest"


def test_a_word_that_there_is_not_is_told_on_a_page(site: Site) -> None:
    """With the way back."""
    page = site().get("/?state=lost")
    assert page.status == 422
    assert "is none of open, resolved, dismissed, snoozed" in page.root.one("main").words
    assert page.root.one("main").all("a", href="/")


def test_tabs_count_the_groups_in_each_state(site: Site) -> None:
    """Over all, whatever the filters."""
    browser = site(PAY, CART)
    page = browser.get("/")
    decide(browser, page, only=f"not_a_problem:{pick(page, 'pay')}")
    tabs = browser.get("/?text=nothing").root.one("nav", cls="tabs")
    assert tabs.words == "Open 1 Snoozed 0 Resolved 0 Not a problem 1 All 2"


def test_a_row_is_decided_by_its_own_button(site: Site) -> None:
    """Whatever else is ticked; the note tells what was done."""
    browser = site(PAY, CART)
    page = browser.get("/")
    after = decide(browser, page, only=f"right:{pick(page, 'pay')}", pick=pick(page, "cart"))
    assert note(after).startswith("Right: pay, “card refused by issuer”.")
    assert [row.one("a", cls="row-open").words for row in rows(after)] == ["cart"]


def test_ticked_rows_are_decided_together(site: Site) -> None:
    """By one of the buttons above."""
    browser = site(PAY, CART, BARE)
    page = browser.get("/")
    picks = [pick(page, "pay"), pick(page, "cart")]
    after = decide(browser, page, verdict="not_a_problem", pick=picks)
    assert note(after).startswith("Not a problem: 2 tickets.")
    assert len(rows(after)) == 1


def test_a_decision_is_undone_from_its_note(site: Site) -> None:
    """For all that it was about."""
    browser = site(PAY, CART)
    page = browser.get("/")
    after = decide(browser, page, verdict="right", pick=[pick(page, "pay"), pick(page, "cart")])
    form = after.root.one(id="flash").one("form")
    undone = browser.send(after, form, verdict="undone")
    assert note(undone) == "Taken back: 2 tickets."
    assert len(rows(undone)) == 2


def test_snoozed_rows_come_back(site: Site) -> None:
    """After the time that was chosen, and the note says when."""
    browser = site(PAY)
    page = browser.get("/")
    after = decide(browser, page, verdict="snoozed", pick=pick(page, "pay"), for_="604800")
    assert note(after).startswith("Snoozed: pay, “card refused by issuer”, back in 7 d.")
    (row,) = rows(browser.get("/?state=snoozed"))
    assert "comes back in 7 d" in row.words


def test_what_someone_else_decided_first_is_told_and_left(site: Site) -> None:
    """The rest is done, and both are named."""
    browser = site(PAY, CART)
    page = browser.get("/")
    picks = [pick(page, "pay"), pick(page, "cart")]
    verdict(browser, picks[0], "not_a_problem")
    after = decide(browser, page, verdict="right", pick=picks)
    assert note(after).startswith("Right: cart, “price list lost”. Not decided: pay")
    assert "not a problem by local just now" in note(after)
    (row,) = rows(browser.get("/?state=dismissed"))
    assert "not a problem by local" in row.words


def test_where_all_came_too_late_nothing_can_be_undone(site: Site) -> None:
    """The other's decision is not ours to offer."""
    browser = site(PAY)
    page = browser.get("/")
    verdict(browser, pick(page, "pay"), "right")
    after = decide(browser, page, verdict="not_a_problem", pick=pick(page, "pay"))
    assert "“card refused by issuer” was judged right by local just now" in note(after)
    assert after.root.one(id="flash").all("form") == []


def test_nothing_ticked_is_told(site: Site) -> None:
    """And nothing is entered."""
    browser = site(PAY)
    after = decide(browser, browser.get("/"), verdict="right")
    assert note(after) == "No ticket was ticked: tick some, then decide."
    assert len(rows(after)) == 1


def test_the_filters_outlive_a_decision(site: Site) -> None:
    """One comes back to the list that one looked at."""
    browser = site(PAY, CART)
    page = browser.get("/?severity=high&sort=count")
    after = decide(browser, page, only=f"right:{pick(page, 'pay')}")
    address = str(after.response.url)
    assert "severity=high&sort=count" in address
    tabs = after.root.one("nav", cls="tabs").all("a")
    assert all("did=" not in tab["href"] for tab in tabs)


@pytest.mark.parametrize(
    "where",
    ["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example", "javascript:1"],
)
def test_a_form_leads_nowhere_else(where: str, site: Site) -> None:
    """Only to a path of this service."""
    browser = site(PAY)
    page = browser.get("/")
    after = decide(browser, page, only=f"right:{pick(page, 'pay')}", next=where)
    assert after.response.url.host == "127.0.0.1"
    assert after.response.url.path == "/"


@pytest.mark.parametrize(
    "address",
    [
        "/?did=right&on=1",
        "/?did=right&on=99",
        "/?did=undone&on=99",
        "/?did=wrong&on=1",
        "/?did=right&on=<script>",
        "/?did=right",
    ],
)
def test_an_address_cannot_claim_what_was_not_done(address: str, site: Site) -> None:
    """A note is made of how things stand, whoever wrote the address."""
    page = site(PAY).get(address)
    assert page.status == 200
    assert page.root.one(id="flash").all("form") == []
    assert "Right" not in note(page)


def test_a_form_without_its_proof_is_refused(site: Site) -> None:
    """As another site's page would send it."""
    browser = site(PAY)
    page = browser.get("/")
    after = decide(browser, page, only=f"right:{pick(page, 'pay')}", csrf="0" * 64)
    assert after.status == 403
    assert len(rows(browser.get("/"))) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"only": "right:1"},
        {"only": "right:1:0:0"},
        {"only": "wrong:1:0"},
        {"verdict": "right", "pick": "one"},
        {"verdict": "", "pick": "1:0"},
        {"only": "corrected:1:0"},
    ],
)
def test_a_form_that_no_page_made_is_refused(fields: dict[str, str], site: Site) -> None:
    """With the mend."""
    browser = site(PAY)
    after = decide(browser, browser.get("/"), **fields)
    assert after.status == 422
    assert rows(browser.get("/"))


def test_hostile_lines_are_text(site: Site) -> None:
    """On the page and in what its script loads."""
    hostile = "ERROR web: <script>alert(1)</script> \u202egnp\x1b[31m <img src=x onerror=alert(1)>"
    browser = site(hostile)
    for page in (browser.get("/"), browser.get("/?fragment=rows")):
        (row,) = rows(page)
        assert row.all("script") == []
        assert row.all("img") == []
        assert "<script>alert(1)</script> ‹RLO›gnp‹ESC›[31m" in row.text


def test_a_decided_row_says_by_whom_and_lets_one_back(site: Site) -> None:
    """In the list of its state."""
    browser = site(PAY)
    page = browser.get("/")
    decide(browser, page, only=f"right:{pick(page, 'pay')}")
    resolved = browser.get("/?state=resolved")
    (row,) = rows(resolved)
    assert "right by local just now" in row.words
    after = decide(browser, resolved, only=f"undone:{row['data-pick']}")
    assert note(after) == "Taken back: pay, “card refused by issuer”, now open again."


def test_pages_follow_one_another(site: Site) -> None:
    """Fifty rows each; the last says that it is."""
    words = [chr(97 + one // 26) + chr(97 + one % 26) for one in range(60)]
    browser = site(*(f"2026-11-30T08:00:00Z ERROR svc-{word}: it broke" for word in words))
    first = browser.get("/")
    assert len(rows(first)) == 50
    second = browser.get(first.root.one("a", id="next")["href"])
    assert len(rows(second)) == 10
    assert not {row["id"] for row in rows(first)} & {row["id"] for row in rows(second)}
    assert "That is all of them." in second.root.one(id="pager").words


def test_a_cursor_of_another_list_is_refused_on_a_page(site: Site) -> None:
    """With what to do."""
    page = site(PAY).get("/?cursor=nonsense")
    assert page.status == 422
    assert "open the queue anew" in page.root.one("main").words


def test_the_script_gets_the_list_alone(site: Site) -> None:
    """No frame around it, and addresses that are those of the page."""
    page = site(PAY).get("/?severity=high&fragment=rows")
    assert page.root.all("html") == []
    assert len(rows(page)) == 1
    assert page.root.one("form", id="bulk").one(name="next")["value"] == "/?severity=high"


def test_the_script_gets_rows_as_they_now_are(site: Site) -> None:
    """By number; those that are no more are left out."""
    browser = site(PAY)
    page = browser.get("/")
    group = pick(page, "pay").partition(":")[0]
    verdict(browser, pick(page, "pay"), "right")
    made = browser.client.get(f"/ui/rows?id={group}&id=99&id=x").json()
    assert list(made) == [group]
    assert 'data-state="resolved"' in made[group]


def test_the_script_is_told_what_became_of_a_decision(site: Site) -> None:
    """The note, the rows as they now are, and the counts."""
    browser = site(PAY, CART)
    page = browser.get("/")
    sent = page.fields(page.root.one("form", id="bulk"))
    chosen = [pick(page, "pay"), pick(page, "cart")]
    answer = browser.client.post(
        "/ui/verdicts",
        data={**sent, "verdict": "right", "pick": chosen},
        headers={"Accept": "application/json", "Origin": "http://127.0.0.1:8000"},
    )
    told = answer.json()
    assert "Right: 2 tickets." in told["flash"]
    assert set(told["rows"]) == {one.partition(":")[0] for one in chosen}
    assert told["counts"]["by_state"]["resolved"] == 2


@pytest.mark.parametrize("path", ["/", "/ui/group/1"])
def test_without_its_ledger_the_page_says_what_to_do(path: str, site: Site, tmp_path: Path) -> None:
    """And that tickets are still given."""
    page = site(db=tmp_path).get(path)
    assert page.status == 503
    main = page.root.one("main")
    assert "The ledger cannot be read or written now" in main.one("h1").words
    assert "logdocket doctor" in main.words
    assert [link.words for link in main.all("a")] == ["Load again", "To the queue"]


def test_the_script_may_ask_for_many_rows(site: Site) -> None:
    """And each leads back to the list that is looked at."""
    browser = site(PAY)
    group = pick(browser.get("/"), "pay").partition(":")[0]
    ids = "&".join(f"id={id}" for id in range(1, 201))
    made = browser.client.get(f"/ui/rows?{ids}&back=%2F%3Fstate%3Dall").json()
    assert f"/ui/group/{group}?from=/%3Fstate%3Dall" in made[group]
    assert browser.client.get(f"/ui/rows?id={'9' * 40}").json() == {}


def test_no_more_than_500_are_decided_at_once(site: Site) -> None:
    """And none of them where there are more."""
    browser = site(PAY)
    page = browser.get("/")
    after = decide(browser, page, verdict="right", pick=[f"{id}:0" for id in range(1, 502)])
    assert after.status == 422
    assert "the most at once is 500" in after.root.one("main").words
    assert len(rows(browser.get("/"))) == 1

"""The frame of every page: headers, files, who looks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browsing import Browser, Page

from logdocket.http.pages.layout import assets

Site = Callable[..., Browser]
TOKENS = (
    "rev-a:review:an-invented-token-1,reader:read:an-invented-token-2,"
    "all:admin:an-invented-token-3,sender:extract:an-invented-token-4"
)


def sign_in(browser: Browser, token: str) -> Page:
    """The page that signing in leads to."""
    page = browser.get("/ui/sign-in")
    (form,) = [form for form in page.root.all("form") if form.all(name="token")]
    return browser.send(page, form, token=token)


@pytest.mark.parametrize("path", ["/", "/ui/group/1", "/ui/group/99", "/ui/nowhere"])
def test_every_page_is_protected(path: str, site: Site) -> None:
    """No script but the service's own, no frame, nothing kept by the browser."""
    headers = site("disk almost full").get(path).response.headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/ui/group/1", "/ui/nowhere"])
def test_no_script_and_no_style_stands_in_a_page(path: str, site: Site) -> None:
    """The policy would not run it."""
    page = site("disk almost full").get(path)
    assert all(script.get("src") and not script.text for script in page.root.all("script"))
    assert page.root.all("style") == []
    for element in page.root.all():
        inline = [name for name in element.attributes if name == "style" or name.startswith("on")]
        assert inline == []


@pytest.mark.parametrize("path", ["/", "/ui/group/1", "/ui/nowhere"])
def test_pages_ask_for_nothing_from_elsewhere(path: str, site: Site) -> None:
    """Every address is a path of the service, and every file is there."""
    browser = site("disk almost full")
    page = browser.get(path)
    named = [
        (one.get("src") or one.get("href"))
        for one in page.root.all()
        if one.tag in ("script", "link")
    ]
    assert named
    for address in named:
        assert address is not None
        assert address.startswith("/ui/static/")
        assert browser.client.get(address).status_code == 200


def test_modules_find_each_other(site: Site) -> None:
    """What one script imports is a file that there is."""
    browser = site()
    scripts = [name for name in assets() if name.endswith(".js")]
    for name in scripts:
        text = browser.client.get(f"/ui/static/{name}").text
        for imported in re.findall(r'from "\./([^"]+)"', text):
            assert imported in assets()


@pytest.mark.parametrize("path", ["/", "/ui/group/1", "/ui/nowhere"])
def test_a_page_can_be_found_one_s_way_in(path: str, site: Site) -> None:
    """Language, title, one main heading, landmarks, a link that skips what is repeated."""
    root = site("disk almost full").get(path).root
    assert root.one("html")["lang"] == "en"
    assert root.one("title").text.strip().endswith("Logdocket")
    assert len(root.all("h1")) == 1
    assert len(root.all("main")) == 1
    assert root.one("a", cls="skip")["href"] == "#main"
    names = {label["for"] for label in root.all("label") if label.get("for")}
    fields = [one for one in root.all() if one.tag in ("input", "select", "textarea")]
    for field in fields:
        labelled = field.get("id") in names or field.get("aria-label") or _within_label(field)
        assert field.get("type") == "hidden" or labelled, field.attributes
    ids = [one["id"] for one in root.all() if one.get("id")]
    assert len(ids) == len(set(ids))


def _within_label(element: object) -> bool:
    at = getattr(element, "parent", None)
    while at is not None:
        if at.tag == "label":
            return True
        at = at.parent
    return False


def test_a_file_is_kept_as_long_as_it_is_the_same(site: Site) -> None:
    """An address with the file's tag is kept for good; a plain one is asked about each time."""
    client = site().client
    tag = assets()["style.css"].tag
    named = client.get(f"/ui/static/style.css?v={tag}")
    assert "immutable" in named.headers["cache-control"]
    plain = client.get("/ui/static/style.css")
    assert plain.headers["cache-control"] == "no-cache"
    again = client.get("/ui/static/style.css", headers={"If-None-Match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name", ["docs.html", "start.js", "../app.py", "none.css", "style.css.bak"]
)
def test_other_files_are_not_served(name: str, site: Site) -> None:
    """Only what the pages load."""
    assert site().client.get(f"/ui/static/{name}").status_code == 404


def test_programs_still_get_the_service_s_name(site: Site) -> None:
    """Whoever does not ask for a page."""
    client = site().client
    for accept in ("*/*", "application/json"):
        assert client.get("/", headers={"Accept": accept}).json()["service"] == "logdocket"


def test_whoever_has_not_signed_in_is_led_to_where_one_does(site: Site) -> None:
    """And comes back to what they wanted."""
    browser = site(tokens=TOKENS)
    answer = browser.get("/?severity=high").response
    assert answer.status_code == 303
    assert answer.headers["location"] == "/ui/sign-in?next=/%3Fseverity%3Dhigh".replace(
        "/%3F", "%2F%3F"
    )


def test_a_page_names_who_looks_and_lets_them_go(site: Site) -> None:
    """By the name of their token."""
    browser = site(tokens=TOKENS)
    page = sign_in(browser, "an-invented-token-1")
    assert page.status == 200
    assert "rev-a" in page.root.one(cls="who").words
    form = page.root.one("form", action="/ui/sign-out")
    assert browser.send(page, form).root.all(name="token")
    assert browser.get("/").status == 303


def test_whoever_only_reads_sees_no_forms_to_decide(site: Site) -> None:
    """On the queue and on a ticket; the service would not take them either."""
    browser = site(tokens=TOKENS)
    deciding = {"Authorization": "Bearer an-invented-token-3"}
    sent = browser.client.post("/extract", json={"line": "disk almost full"}, headers=deciding)
    assert sent.status_code == 200
    sign_in(browser, "an-invented-token-2")
    queue = browser.get("/")
    (row,) = queue.root.all("li", cls="row")
    ticket = browser.get(row.one("a", cls="row-open")["href"])
    for page in (queue, ticket):
        assert page.status == 200
        actions = {form.get("action") for form in page.root.all("form")}
        assert actions <= {"/", "/ui/sign-out", None}
        assert page.root.all(name="verdict") == page.root.all(name="only") == []
    form = queue.root.one("form", action="/ui/sign-out")
    form.attributes["action"] = "/ui/verdicts"
    assert browser.send(queue, form, only="right:1:0").status == 403


def menu(page: Page) -> list[str]:
    """The pages that the navigation leads to."""
    return [link.words for nav in page.root.all("nav", aria_label="Pages") for link in nav.all("a")]


@pytest.mark.parametrize(
    ("token", "pages"),
    [
        (1, ["Queue", "Ledger"]),
        (2, ["Queue", "Ledger"]),
        (3, ["Queue", "Ledger", "Try"]),
        (4, ["Try"]),
    ],
)
def test_the_menu_names_what_one_may_use(token: int, pages: list[str], site: Site) -> None:
    """By the roles of the token; nothing where nobody has signed in."""
    browser = site(tokens=TOKENS)
    assert menu(browser.get("/ui/sign-in")) == []
    assert menu(sign_in(browser, f"an-invented-token-{token}")) == pages


def test_whoever_only_sends_lines_begins_where_one_does(site: Site) -> None:
    """The page lets them send one, and links to nothing that they may not see."""
    browser = site(tokens=TOKENS)
    page = sign_in(browser, "an-invented-token-4")
    assert page.status == 200
    assert page.root.one("h1").words == "Try a line"
    (form,) = [form for form in page.root.all("form") if form.all("textarea", name="line")]
    tried = browser.send(page, form, line="disk almost full")
    assert "it stands in the ledger as ticket 1." in tried.root.one(id="main").words
    led = [link["href"] for link in tried.root.all("a")]
    assert set(led) <= {"/ui/try", "/docs", "#main"}


def test_a_page_that_one_may_not_see_offers_another_token(site: Site) -> None:
    """And the way back to what one may."""
    browser = site(tokens=TOKENS)
    sign_in(browser, "an-invented-token-4")
    page = browser.get("/ui/ledger?kind=ticket")
    assert page.status == 403
    told = page.root.one("section", cls="problem")
    assert "sign in with a token that has it" in told.words
    anew, back = told.all("a")
    assert (back.words, back["href"]) == ("Try a line", "/ui/try")
    form = browser.get(anew["href"])
    (sent,) = [one for one in form.root.all("form") if one.all(name="token")]
    assert browser.send(form, sent, token="an-invented-token-2").root.one("h1").words == "Ledger"

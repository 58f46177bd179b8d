"""``/ui/sign-in``: who gets in with which token, and what the pages then offer."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Final

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from queue_page import note, ready, row
from reviewing import LINE, OTHER, THIRD
from service import Service

from logdocket.http.roles import Role, Token
from logdocket.http.sessions import Sessions

_SECRETS: Final = {
    role: f"an-invented-token-for-{role}" for role in ("read", "extract", "review", "admin")
}
_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a token for each role, and three tickets in its queue."""
    tokens = ",".join(f"the-{role}:{role}:{secret}" for role, secret in _SECRETS.items())
    folder = tmp_path_factory.mktemp("guarded")
    with Service(folder, keep_text="true", tokens=tokens) as running:
        for line in (LINE, OTHER, THIRD):
            running.extract(line, headers=bearer("admin")).raise_for_status()
        yield running


@pytest.fixture
def visitor(browser: Browser, guarded: Service) -> Iterator[BrowserContext]:
    """A fresh profile that has not signed in."""
    with chromium.fresh(browser, guarded) as made:
        yield made


def bearer(role: str) -> dict[str, str]:
    """How another client says who it is."""
    return {"Authorization": f"Bearer {_SECRETS[role]}"}


def sign_in(context: BrowserContext, role: str, where: str = "/") -> Page:
    """A page of somebody who wanted to go to ``where`` and has signed in."""
    page = context.new_page()
    page.goto(where)
    page.get_by_label("Token").fill(_SECRETS[role])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


def carry(context: BrowserContext, session: str) -> None:
    """Have a profile come with this session."""
    context.add_cookies(
        [
            {
                "name": "logdocket_session",
                "value": session,
                "domain": "127.0.0.1",
                "path": "/",
                "httpOnly": True,
                "sameSite": "Strict",
            }
        ]
    )


def decided(service: Service) -> list[tuple[str, str]]:
    """Who decided what, oldest first."""
    answer = service.http.get("/ledger", params={"kind": "verdict"}, headers=bearer("read"))
    details = [entry["detail"] for entry in reversed(answer.json()["entries"])]
    return [(detail["who"], detail["verdict"]) for detail in details]


def test_a_stranger_is_led_to_sign_in_and_sees_nothing(visitor: BrowserContext) -> None:
    """Whatever page was asked for; it is remembered."""
    page = visitor.new_page()
    for where in ("/", "/ui/group/1", "/ui/ledger", "/ui/try", "/ui/group/999"):
        page.goto(where)
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert page.url.endswith(f"/ui/sign-in?next={where.replace('/', '%2F')}") or (
            page.url.endswith(f"/ui/sign-in?next={where}")
        )
        assert "payments" not in page.content()


def test_whoever_has_a_token_is_led_on(visitor: BrowserContext) -> None:
    """To the page that was asked for, filters and all."""
    page = sign_in(visitor, "read", "/?state=all&text=card")
    expect(page).to_have_url(re.compile(r"/\?state=all&text=card$"))
    expect(page.get_by_role("banner")).to_contain_text("the-read")
    expect(row(page, "payments")).to_be_visible()


def test_no_script_and_no_other_site_gets_the_cookies(visitor: BrowserContext) -> None:
    """HttpOnly and SameSite=Strict, and neither of them holds the token."""
    page = sign_in(visitor, "review")
    cookies = {cookie["name"]: cookie for cookie in visitor.cookies()}
    assert set(cookies) == {"logdocket_session", "logdocket_visitor"}
    for cookie in cookies.values():
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Strict"
        assert cookie["path"] == "/"
        assert _SECRETS["review"] not in cookie["value"]
    assert page.evaluate("() => document.cookie") == ""
    assert _SECRETS["review"] not in page.content()


def test_a_wrong_token_is_refused_and_not_shown_again(visitor: BrowserContext) -> None:
    """In words, in the form, which is empty again."""
    page = visitor.new_page()
    page.goto("/ui/sign-in")
    page.get_by_label("Token").fill("no-token-of-this-service")
    with page.expect_response(lambda answer: answer.status == 401):
        page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("no token of this service")
    expect(page.get_by_label("Token")).to_have_value("")
    assert "no-token-of-this-service" not in page.content()
    assert [cookie["name"] for cookie in visitor.cookies()] == ["logdocket_visitor"]


@pytest.mark.parametrize("change", ["another name", "a later end", "another proof", "nothing"])
def test_a_session_that_was_changed_is_none(visitor: BrowserContext, change: str) -> None:
    """Each part of it is covered by its proof."""
    page = sign_in(visitor, "read")
    (session,) = (one for one in visitor.cookies() if one["name"] == "logdocket_session")
    name, expires, nonce, proof = session["value"].split(".")
    forged = {
        "another name": ("the-admin", expires, nonce, proof),
        "a later end": (name, str(int(expires) + 3600), nonce, proof),
        "another proof": (name, expires, nonce, proof[::-1]),
        "nothing": (name, expires, nonce, ""),
    }[change]
    carry(visitor, ".".join(forged))
    page.goto("/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(("hours", "heading"), [(11, "Queue"), (13, "Sign in")])
def test_a_session_ends_after_half_a_day(visitor: BrowserContext, hours: int, heading: str) -> None:
    """By the service's clock, whatever the browser does with its cookie."""
    token = Token("the-read", (Role.READ,), _SECRETS["read"])
    opened = Sessions([token], lambda: time.time() - hours * 3600).open(token.secret)
    assert opened is not None
    carry(visitor, opened)
    page = visitor.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)


def test_signing_out_ends_it(visitor: BrowserContext) -> None:
    """Also in the other pages of the same browser."""
    page = sign_in(visitor, "review")
    other = visitor.new_page()
    other.goto("/ui/ledger")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(
    "aim",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "/\\elsewhere.example/",
        "javascript:alert(1)",
        "/%0d%0aSet-Cookie:x=y",
        "\t//elsewhere.example",
    ],
)
def test_nobody_is_led_to_another_site(visitor: BrowserContext, aim: str) -> None:
    """Whatever an address says is to come next."""
    page = visitor.new_page()
    strangers: list[str] = []
    page.on("request", lambda request: strangers.append(request.url))
    page.goto("/ui/sign-in")
    page.get_by_label("Token").wait_for()
    page.evaluate("(aim) => { document.querySelector('[name=next]').value = aim; }", aim)
    page.get_by_label("Token").fill(_SECRETS["read"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/ui/sign-in" not in url)
    assert all(url.startswith("http://127.0.0.1:") for url in strangers)
    assert page.url.startswith("http://127.0.0.1:")
    assert [one["name"] for one in visitor.cookies() if one["name"] == "x"] == []


def test_read_looks_and_is_offered_nothing_else(visitor: BrowserContext) -> None:
    """No ticks, no buttons to decide with, no form that sends a line."""
    page = sign_in(visitor, "read")
    expect(row(page, "payments")).to_be_visible()
    expect(page.get_by_role("checkbox", name=re.compile("^Tick"))).to_have_count(0)
    for name in ("Right", "Not a problem", "Snooze", "Correct"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    row(page, "payments").get_by_role("link", name="payments").click()
    expect(page.get_by_role("heading", name="The line")).to_be_visible()
    expect(page.get_by_role("heading", name="Decide")).to_have_count(0)
    page.goto("/ui/try")
    expect(page.get_by_role("main")).to_contain_text("the role extract")
    expect(page.get_by_role("button", name="Make the ticket")).to_have_count(0)
    page.goto("/ui/ledger")
    expect(page.get_by_role("heading", name="Ledger")).to_be_visible()


def test_keys_decide_nothing_for_whoever_may_only_read(
    visitor: BrowserContext, guarded: Service
) -> None:
    """They find no button to press."""
    before = decided(guarded)
    page = sign_in(visitor, "read")
    ready(page)
    page.keyboard.press("j")
    for key in "adsxz":
        page.keyboard.press(key)
    page.goto("/ui/group/1")
    ready(page)
    for key in "adsz":
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="The line")).to_be_visible()
    assert decided(guarded) == before


def test_extract_alone_may_not_look(visitor: BrowserContext) -> None:
    """It begins where lines are sent; other pages say which role they take, and how to go on."""
    page = visitor.new_page()
    page.goto("/")
    page.get_by_label("Token").fill(_SECRETS["extract"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Try a line")
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link")).to_have_text(["Try"])
    page.goto("/")
    expect(page.get_by_role("main")).to_contain_text("has not the role read")
    assert "payments" not in page.content()
    page.get_by_role("link", name="Sign in with another token").click()
    page.get_by_label("Token").fill(_SECRETS["read"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("list", name="Tickets")).to_contain_text("payments")


def test_what_is_decided_bears_the_name_and_others_may_not_take_it_back(
    browser: Browser, guarded: Service
) -> None:
    """But admin may; who decided stands in the row for everyone."""
    with chromium.fresh(browser, guarded) as first, chromium.fresh(browser, guarded) as second:
        reviewer = sign_in(first, "review")
        row(reviewer, "payments").get_by_role("button", name="Not a problem").click()
        expect(note(reviewer)).to_contain_text("Not a problem: payments")
        expect(note(reviewer).get_by_role("button", name="Undo")).to_be_visible()
        assert decided(guarded)[-1] == ("the-review", "not_a_problem")
        admin = sign_in(second, "admin", "/?state=dismissed")
        expect(row(admin, "payments")).to_contain_text("not a problem by the-review")
        row(admin, "payments").get_by_role("button", name="Undo").click()
        expect(note(admin)).to_contain_text("Taken back: payments")
        assert decided(guarded)[-1] == ("the-admin", "undone")
        row(admin, "payments").get_by_role("button", name="Right").click()
        expect(note(admin)).to_contain_text("Right: payments")
        reviewer.goto("/?state=resolved")
        expect(row(reviewer, "payments")).to_contain_text("right by the-admin")
        expect(row(reviewer, "payments").get_by_role("button", name="Undo")).to_have_count(0)


def test_a_form_of_another_session_decides_nothing(
    visitor: BrowserContext, guarded: Service
) -> None:
    """Who signs in anew has forms anew: an old page says what to do."""
    page = sign_in(visitor, "review", "/ui/group/2")
    before = decided(guarded)
    page.evaluate(
        "() => { for (const one of document.getElementsByName('csrf')) one.value = 'x'; }"
    )
    page.get_by_role("button", name="Right", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="The line")).to_have_count(0)
    assert decided(guarded) == before


def test_every_page_keeps_to_the_policy(visitor: BrowserContext) -> None:
    """The same for all of them, and none holds a script, a style or a handler of its own."""
    page = visitor.new_page()
    page.goto("/")
    page.get_by_label("Token").fill(_SECRETS["admin"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    for where in (
        "/",
        "/ui/group/1",
        "/ui/ledger",
        "/ui/try",
        "/ui/sign-in",
        "/ui/none",
        "/?state=x",
    ):
        answer = page.goto(where)
        assert answer is not None
        headers = answer.all_headers()
        policy = dict(
            part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
        )
        assert _POLICY.items() <= policy.items()
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert page.locator("style, script:not([src]), [style]").count() == 0

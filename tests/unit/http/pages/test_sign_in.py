"""Signing in with a token, and out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from panels import Pages, words

from logdocket.http.roles import Role, Token

SECRET = "a-token-of-rev-a"
TOKENS = (Token("rev-a", (Role.REVIEW,), SECRET), Token("ops", (Role.ADMIN,), "a-token-of-ops"))


@pytest.fixture
async def pages(tmp_path: Path) -> AsyncIterator[Pages]:
    """The application, open to those with a token."""
    async with Pages(tmp_path, tokens=TOKENS) as made:
        yield made


async def test_a_page_leads_to_the_form_and_from_there_back(pages: Pages) -> None:
    """With all that the address asked for."""
    answer = await pages.http.get("/ui/ledger?kind=ticket")
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert where.startswith("/ui/sign-in?next=")
    assert 'name="next" value="/ui/ledger?kind=ticket"' in await pages.get(where)
    led = await pages.post(
        "/ui/sign-in", on=where, token=f" {SECRET}\n", next="/ui/ledger?kind=ticket"
    )
    assert (led.status_code, led.headers["location"]) == (303, "/ui/ledger?kind=ticket")
    html = await pages.get("/ui/ledger")
    assert "rev-a" in html
    assert "Sign out" in html


async def test_the_field_is_for_secrets(pages: Pages) -> None:
    """Browsers show dots, and offer to remember it."""
    html = await pages.get("/ui/sign-in")
    field = re.search(r'<input [^>]*id="token"[^>]*>', html)
    assert field is not None
    assert 'type="password"' in field[0]
    assert 'autocomplete="current-password"' in field[0]


@pytest.mark.parametrize("token", ["", "wrong", SECRET + "x", SECRET[:-1], "\x00", "é" * 5000])
async def test_a_token_that_is_none_is_told(token: str, pages: Pages) -> None:
    """In place, without showing it again, and without a session."""
    answer = await pages.post("/ui/sign-in", on="/ui/sign-in", token=token, next="/ui/try")
    assert answer.status_code == 401
    assert "This is no token of this service." in words(answer.text)
    assert 'name="next" value="/ui/try"' in answer.text
    assert "logdocket_session" not in answer.headers.get("set-cookie", "")
    assert not re.search(r'<input [^>]*id="token"[^>]*value=', answer.text)
    assert (await pages.http.get("/ui/ledger")).status_code == 303


@pytest.mark.parametrize(
    "aim",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "/\\elsewhere.example",
        "javascript:alert(1)",
        "/\r\nSet-Cookie: a=b",
        "ledger",
        "",
    ],
)
async def test_nobody_is_led_elsewhere(aim: str, pages: Pages) -> None:
    """What is no path of this service leads to the queue."""
    html = (await pages.http.get("/ui/sign-in", params={"next": aim})).text
    assert 'name="next" value="/"' in html
    led = await pages.post("/ui/sign-in", on="/ui/sign-in", token=SECRET, next=aim)
    assert led.headers["location"] == "/"


async def test_the_session_is_kept_from_scripts_and_other_sites(pages: Pages) -> None:
    """And from whatever is no HTTP request of this host."""
    led = await pages.post("/ui/sign-in", on="/ui/sign-in", token=SECRET)
    cookie = next(
        value
        for value in led.headers.get_list("set-cookie")
        if value.startswith("logdocket_session")
    )
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert SECRET not in cookie


async def test_signing_out_ends_the_session(pages: Pages) -> None:
    """The next page leads to the form again."""
    await pages.post("/ui/sign-in", on="/ui/sign-in", token=SECRET)
    led = await pages.post("/ui/sign-out", on="/ui/ledger")
    assert (led.status_code, led.headers["location"]) == (303, "/ui/sign-in")
    assert (await pages.http.get("/ui/ledger")).status_code == 303


async def test_a_form_of_another_page_signs_nobody_in(pages: Pages) -> None:
    """Or it could have someone decide under a name that is not theirs."""
    answer = await pages.http.post(
        "/ui/sign-in", data={"token": SECRET}, headers={"Origin": "http://127.0.0.1"}
    )
    assert answer.status_code == 403


async def test_without_tokens_none_is_needed(tmp_path: Path) -> None:
    """The page says so, and leads on."""
    async with Pages(tmp_path) as pages:
        html = await pages.get("/ui/sign-in?next=/ui/try")
        assert "No token is needed" in html
        assert 'href="/ui/try"' in html
        assert 'type="password"' not in html
        assert "Sign out" not in await pages.get("/ui/ledger")

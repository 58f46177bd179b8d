"""Signing in with a token, and what a browser with a session may and may not be made to do."""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from service import Service, problem

TOKENS = {
    "on-call": "an-invented-token-one",
    "rev-a": "an-invented-token-two",
    "lead": "an-invented-token-tri",
}
ROLES = {"on-call": "read+extract", "rev-a": "review", "lead": "admin"}
PAGE = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with three named tokens and a few tickets that need a person."""
    tokens = ",".join(f"{name}:{ROLES[name]}:{secret}" for name, secret in TOKENS.items())
    with Service(tmp_path_factory.mktemp("sessions"), tokens=tokens) as running:
        for word in ("disk", "fan", "link", "card", "clock", "lease", "quota", "shard"):
            headers = {"Authorization": f"Bearer {TOKENS['lead']}"}
            assert running.extract(f"ERROR {word} gone", headers=headers).status_code == 200
        yield running


class Browser:
    """Someone at a browser: cookies, the proof of the last page, and the headers browsers send."""

    def __init__(self, service: Service) -> None:
        self.base = f"http://127.0.0.1:{service.port}"
        self.http = httpx.Client(base_url=self.base, trust_env=False, timeout=30, headers=PAGE)
        self.csrf = ""

    def get(self, path: str, **headers: str) -> httpx.Response:
        """A page; its proof is remembered."""
        answer = self.http.get(path, headers=headers)
        found = re.search(r'name="csrf" value="(\w+)"', answer.text)
        self.csrf = found[1] if found else self.csrf
        return answer

    def post(self, path: str, fields: dict[str, str], **headers: str) -> httpx.Response:
        """A form, sent from a page of the service unless ``headers`` say otherwise."""
        sent = {"Origin": self.base, "Sec-Fetch-Site": "same-origin", **headers}
        kept = {name: value for name, value in sent.items() if value}
        return self.http.post(path, data={"csrf": self.csrf, **fields}, headers=kept)

    def sign_in(self, token: str, next: str = "/") -> httpx.Response:
        """Fetch the form and send it."""
        self.get("/ui/sign-in")
        return self.post("/ui/sign-in", {"token": token, "next": next})

    def session(self) -> str:
        """The session's cookie."""
        return str(self.http.cookies["logdocket_session"])


@pytest.fixture
def stranger(guarded: Service) -> Iterator[Browser]:
    """A browser that has never been here."""
    browser = Browser(guarded)
    with browser.http:
        yield browser


@pytest.fixture
def reviewer(stranger: Browser) -> Browser:
    """A browser in which a reviewer has signed in."""
    assert stranger.sign_in(TOKENS["rev-a"]).status_code == 303
    assert stranger.get("/").status_code == 200
    return stranger


def verdict(browser: Browser, id: int, **headers: str) -> httpx.Response:
    """Decide about a group as its page does; each test takes one of its own."""
    return browser.post(
        f"/ui/group/{id}/verdict", {"verdict": "not_a_problem", "version": "0"}, **headers
    )


def state(guarded: Service, id: int) -> str:
    """The state of a group."""
    headers = {"Authorization": f"Bearer {TOKENS['lead']}"}
    return str(guarded.http.get(f"/queue/{id}", headers=headers).json()["group"]["state"])


# Signing in


def test_a_browser_without_a_session_is_led_to_the_form(stranger: Browser) -> None:
    """And from there to where it wanted to go."""
    answer = stranger.get("/ui/group/1?tab=calls&x=%C3%A9")
    assert answer.status_code == 303
    assert answer.headers["location"] == (
        "/ui/sign-in?next=%2Fui%2Fgroup%2F1%3Ftab%3Dcalls%26x%3D%25C3%25A9"
    )
    form = stranger.get(answer.headers["location"])
    assert form.status_code == 200
    done = stranger.post(
        "/ui/sign-in", {"token": TOKENS["rev-a"], "next": "/ui/group/1?tab=calls&x=%C3%A9"}
    )
    assert (done.status_code, done.headers["location"]) == (
        303,
        "/ui/group/1?tab=calls&x=%C3%A9",
    )


@pytest.mark.parametrize("path", ["/queue", "/ledger", "/tickets/1", "/metrics"])
def test_programs_are_not_led_anywhere(stranger: Browser, path: str) -> None:
    """What is no page answers 401, whatever it is asked for as."""
    answer = stranger.get(path)
    assert (answer.status_code, problem(answer)) == (401, "token-required")


def test_a_script_of_a_page_is_told_that_the_session_is_over(stranger: Browser) -> None:
    """It asks for no HTML, so it gets a problem document and no page."""
    answer = stranger.get("/", Accept="application/json")
    assert (answer.status_code, problem(answer)) == (401, "token-required")


def test_the_cookies_are_out_of_reach(stranger: Browser) -> None:
    """No script reads them, no other site's page has them sent; they bear no secret."""
    first = stranger.get("/ui/sign-in").headers["set-cookie"]
    second = stranger.sign_in(TOKENS["rev-a"]).headers["set-cookie"]
    for cookie, name in ((first, "logdocket_visitor"), (second, "logdocket_session")):
        value, *attributes = cookie.split("; ")
        assert value.startswith(f"{name}=")
        assert {"Path=/", "HttpOnly", "SameSite=Strict"} <= set(attributes)
        assert "Secure" not in attributes
        assert TOKENS["rev-a"] not in cookie


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-Proto": "https"},
        {"Origin": "https://tickets.example", "Host": "tickets.example", "Sec-Fetch-Site": ""},
    ],
)
def test_behind_https_the_cookie_is_sent_by_no_other_way(
    stranger: Browser, headers: dict[str, str]
) -> None:
    """Whether the proxy says so or the browser."""
    stranger.get("/ui/sign-in")
    answer = stranger.post("/ui/sign-in", {"token": TOKENS["rev-a"], "next": "/"}, **headers)
    assert answer.status_code == 303
    assert "; Secure" in answer.headers["set-cookie"]


def test_a_session_opens_what_its_token_does(reviewer: Browser) -> None:
    """Pages and API alike."""
    assert reviewer.get("/queue").status_code == 200
    assert reviewer.get("/ledger/summary").status_code == 200


def test_a_wrong_token_opens_nothing(stranger: Browser, guarded: Service) -> None:
    """No cookie is set, and what was sent stands nowhere."""
    answer = stranger.sign_in("a-wrong-one-to-look-for")
    assert answer.status_code in (401, 403)
    assert "logdocket_session" not in answer.headers.get("set-cookie", "")
    assert "a-wrong-one-to-look-for" not in answer.text + guarded.log()


def test_signing_out_ends_it(reviewer: Browser) -> None:
    """The cookie is gone, and the next page is the form."""
    assert reviewer.post("/ui/sign-out", {}).status_code == 303
    assert "logdocket_session" not in reviewer.http.cookies
    assert reviewer.get("/").headers["location"].startswith("/ui/sign-in")


@pytest.mark.parametrize(
    "next",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "/\t/evil.example",
        " /ui",
        "javascript:alert(1)",
        "/x\r\nSet-Cookie: logdocket_session=stolen",
        "/x\x00",
        "/\u2028x",
        "ui/ledger",
        "",
        "/" + "x" * 5_000,
    ],
)
def test_signing_in_leads_to_no_other_place(stranger: Browser, next: str) -> None:
    """Only to a path of this service; and nothing is added to the answer's head."""
    answer = stranger.sign_in(TOKENS["rev-a"], next)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers.get_list("set-cookie") == [answer.headers["set-cookie"]]
    assert "stolen" not in str(answer.headers)


# Sessions that are none


def signed(told: str, secret: str) -> str:
    """A session's cookie as the service signs it."""
    key, text = secret.encode(), b"session\0" + told.encode()
    return f"{told}.{hmac.new(key, text, sha256).hexdigest()}"


def test_this_test_signs_as_the_service_does(stranger: Browser) -> None:
    """So those below fail for their own faults."""
    later = int(time.time()) + 60
    stranger.http.cookies["logdocket_session"] = signed(f"rev-a.{later}.0", TOKENS["rev-a"])
    assert stranger.get("/").status_code == 200


def forged() -> dict[str, str]:
    """Cookies that open nothing, by what is wrong with them."""
    later, earlier = int(time.time()) + 3_600, int(time.time()) - 1
    good = signed(f"on-call.{later}.0", TOKENS["on-call"])
    return {
        "expired": signed(f"rev-a.{earlier}.0", TOKENS["rev-a"]),
        "another's name": "lead" + good.removeprefix("on-call"),
        "another's key": signed(f"lead.{later}.0", TOKENS["on-call"]),
        "a longer life": good.replace(f".{later}.", f".{later + 1}."),
        "another nonce": good.replace(f".{later}.0.", f".{later}.1."),
        "a cut signature": good[:-1],
        "a longer signature": good + "0",
        "no signature": good.rpartition(".")[0] + ".",
        "an unknown name": signed(f"nobody.{later}.0", TOKENS["rev-a"]),
        "an unknown name and no key": signed(f"nobody.{later}.0", ""),
        "a token that was removed": signed(f"rev-a.{later}.0", "an-invented-token-old"),
        "the token itself": TOKENS["rev-a"],
        "dots": "...",
        "nothing": "",
        "bytes": "\xff.\xfe.\xfd.\xfc",
        "no number": signed("rev-a.soon.0", "another"),
    }


@pytest.mark.parametrize("fault", forged())
def test_a_cookie_that_was_not_signed_here_opens_nothing(guarded: Service, fault: str) -> None:
    """It is as if there were none, and never a fault of the service."""
    cookie = b"logdocket_session=" + forged()[fault].encode("latin-1")
    answer = guarded.http.get("/queue", headers=[(b"cookie", cookie)])
    assert (answer.status_code, problem(answer)) == (401, "token-required")


def test_a_session_by_another_cookies_name_opens_nothing(
    guarded: Service, reviewer: Browser
) -> None:
    """Only the one name counts."""
    cookie = f"logdocket_visitor={reviewer.session()}; session={reviewer.session()}"
    answer = guarded.http.get("/queue", headers={"Cookie": cookie})
    assert answer.status_code == 401


def test_a_session_does_not_help_a_wrong_token(guarded: Service, reviewer: Browser) -> None:
    """Whoever sends a token is judged by it; else a page could leave out the proof."""
    answer = guarded.http.post(
        "/queue/verdicts",
        headers={
            "Authorization": "Bearer x",
            "Cookie": f"logdocket_session={reviewer.session()}",
        },
        json={"verdicts": [{"group": 1, "verdict": "not_a_problem", "version": 0}]},
    )
    assert (answer.status_code, problem(answer)) == (401, "token-required")


def test_a_session_sends_no_lines(reviewer: Browser, guarded: Service) -> None:
    """The path of programs does not look for cookies, not even an admin's."""
    cookie = signed(f"lead.{int(time.time()) + 60}.0", TOKENS["lead"])
    answer = guarded.extract("a line", headers={"Cookie": f"logdocket_session={cookie}"})
    assert (answer.status_code, problem(answer)) == (401, "token-required")


def test_a_session_ends_with_its_token(tmp_path: Path) -> None:
    """And outlives a restart as long as its token does."""
    named = f"rev-a:review:{TOKENS['rev-a']}"
    with Service(tmp_path, tokens=named) as first:
        browser = Browser(first)
        browser.sign_in(TOKENS["rev-a"])
        cookie = {"Cookie": f"logdocket_session={browser.session()}"}
        browser.http.close()
        assert first.http.get("/queue", headers=cookie).status_code == 200
    with Service(tmp_path, tokens=named) as second:
        assert second.http.get("/queue", headers=cookie).status_code == 200
    with Service(tmp_path, tokens="rev-a:review:an-invented-token-new") as third:
        assert third.http.get("/queue", headers=cookie).status_code == 401
    with Service(tmp_path, tokens=f"rev-a:extract:{TOKENS['rev-a']}") as fourth:
        assert fourth.http.get("/queue", headers=cookie).status_code == 403


# Forms


def test_a_form_of_the_service_decides(reviewer: Browser, guarded: Service) -> None:
    """With the proof of its page."""
    assert verdict(reviewer, 1).status_code == 303
    assert state(guarded, 1) == "dismissed"


@pytest.mark.parametrize("csrf", ["", "0" * 64, "\xe9", "a" * 10_000])
def test_a_form_without_the_proof_decides_nothing(
    reviewer: Browser, guarded: Service, csrf: str
) -> None:
    """Wrong or none; the answer is a page that says what to do."""
    reviewer.csrf = csrf
    answer = verdict(reviewer, 2)
    assert answer.status_code == 403
    assert "csrf-invalid" in answer.text
    assert state(guarded, 2) == "open"


def test_a_form_may_hold_any_text(reviewer: Browser, guarded: Service) -> None:
    """The proof is found beside it."""
    fields = {
        "verdict": "not_a_problem",
        "version": "99",
        "note": "caf\xe9 \u2028 \U0001f600 \x00&csrf=x",
    }
    answer = reviewer.post("/ui/group/2/verdict", fields)
    assert answer.status_code == 409
    assert state(guarded, 2) == "open"


def test_a_proof_from_another_visitor_decides_nothing(reviewer: Browser, guarded: Service) -> None:
    """Not even one who has signed in with the same token."""
    other = Browser(guarded)
    other.sign_in(TOKENS["rev-a"])
    other.get("/")
    other.http.close()
    reviewer.csrf = other.csrf
    assert verdict(reviewer, 2).status_code == 403
    assert state(guarded, 2) == "open"


def test_a_visitors_cookie_that_was_put_there_does_not_help(
    reviewer: Browser, guarded: Service
) -> None:
    """Whoever can set that one, from another port of the machine, still lacks the session's."""
    value = "0" * 64
    reviewer.http.cookies.delete("logdocket_visitor")
    reviewer.http.cookies["logdocket_visitor"] = value
    reviewer.csrf = hmac.new(value.encode(), b"csrf\0", sha256).hexdigest()
    assert verdict(reviewer, 2).status_code == 403
    assert state(guarded, 2) == "open"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example", "Sec-Fetch-Site": ""},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "null", "Sec-Fetch-Site": ""},
        {"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": ""},
        {"Origin": "", "Sec-Fetch-Site": ""},
    ],
)
def test_a_form_from_elsewhere_decides_nothing(
    reviewer: Browser, guarded: Service, headers: dict[str, str]
) -> None:
    """Even with the proof and the cookies."""
    answer = verdict(reviewer, 2, **headers)
    assert answer.status_code == 403
    assert "origin-refused" in answer.text
    assert state(guarded, 2) == "open"


def test_a_proxy_that_changes_host_is_no_other_site(reviewer: Browser, guarded: Service) -> None:
    """The browser's own word on the site counts."""
    headers = {"Origin": "https://tickets.example", "Sec-Fetch-Site": "same-origin"}
    assert verdict(reviewer, 3, **headers).status_code == 303
    assert state(guarded, 3) == "dismissed"


def test_a_plain_http_site_is_known_by_its_origin(reviewer: Browser, guarded: Service) -> None:
    """Browsers say nothing else there."""
    assert verdict(reviewer, 4, **{"Sec-Fetch-Site": ""}).status_code == 303
    assert state(guarded, 4) == "dismissed"


def test_signing_in_wants_the_proof_too(stranger: Browser) -> None:
    """Else another site's page could sign someone in as somebody else."""
    stranger.get("/ui/sign-in")
    stranger.csrf = ""
    answer = stranger.post("/ui/sign-in", {"token": TOKENS["rev-a"], "next": "/"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers or "session" not in answer.headers["set-cookie"]


@pytest.mark.parametrize("path", ["/queue/5/verdict", "/queue/verdicts"])
def test_a_script_sends_the_proof_in_a_header(
    reviewer: Browser, guarded: Service, path: str
) -> None:
    """The API with a session wants it as well."""
    one = {"verdict": "not_a_problem", "version": 0}
    body = one if path == "/queue/5/verdict" else {"verdicts": [{"group": 6, **one}]}
    headers = {"Origin": reviewer.base, "Accept": "application/json"}
    without = reviewer.http.post(path, json=body, headers=headers)
    assert (without.status_code, problem(without)) == (403, "csrf-invalid")
    foreign = reviewer.http.post(
        path, json=body, headers={"X-CSRF-Token": reviewer.csrf, "Origin": "https://evil.example"}
    )
    assert (foreign.status_code, problem(foreign)) == (403, "origin-refused")
    headers["X-CSRF-Token"] = reviewer.csrf
    assert reviewer.http.post(path, json=body, headers=headers).status_code == 200
    assert state(guarded, 5 if path == "/queue/5/verdict" else 6) == "dismissed"


def test_any_other_request_that_changes_something_wants_it(reviewer: Browser) -> None:
    """Also where no route reads it: the refusal comes first."""
    answer = reviewer.http.delete("/queue/1", headers={"Origin": reviewer.base})
    assert (answer.status_code, problem(answer)) == (403, "csrf-invalid")


def test_a_program_with_a_token_needs_no_proof(guarded: Service) -> None:
    """No page of another site has one to send."""
    answer = guarded.http.post(
        "/queue/7/verdict",
        headers={"Authorization": f"Bearer {TOKENS['rev-a']}"},
        json={"verdict": "not_a_problem", "version": 0},
    )
    assert answer.status_code == 200


def test_a_page_with_a_proof_is_kept_nowhere(reviewer: Browser) -> None:
    """It is one visitor's own."""
    for path in ("/", "/ui/sign-in", "/ui/group/8"):
        assert reviewer.get(path).headers["cache-control"] == "no-store"


def test_a_form_that_is_too_large_is_refused(reviewer: Browser) -> None:
    """Before anything is made of it."""
    answer = reviewer.post("/ui/group/8/verdict", {"note": "x" * 1_100_000})
    assert answer.status_code == 413


def test_after_the_session_a_form_gets_a_page(reviewer: Browser) -> None:
    """That says to sign in, rather than a document for programs."""
    reviewer.http.cookies.delete("logdocket_session")
    answer = verdict(reviewer, 8)
    assert answer.status_code == 401
    assert "/ui/sign-in" in answer.text
    assert answer.headers["content-type"].startswith("text/html")


# Without tokens


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service without tokens."""
    with Service(tmp_path_factory.mktemp("local")) as running:
        for word in ("disk", "fan", "link", "card"):
            assert running.extract(f"ERROR {word} gone").status_code == 200
        yield running


def test_without_tokens_pages_are_open_here(local: Service) -> None:
    """Nobody signs in, and forms want the proof all the same."""
    browser = Browser(local)
    with browser.http:
        assert browser.get("/").status_code == 200
        assert verdict(browser, 1).status_code == 303
        browser.csrf = ""
        assert verdict(browser, 2).status_code == 403
        got = [local.http.get(f"/queue/{id}").json()["group"] for id in (1, 2)]
        assert [group["state"] for group in got] == ["dismissed", "open"]
        assert got[0]["decided_by"] == "local"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "", "Origin": ""},
        {"Host": "rebound.example", "Origin": "http://rebound.example"},
    ],
)
def test_without_tokens_no_other_page_decides(local: Service, headers: dict[str, str]) -> None:
    """Nor one that comes under a name of its own."""
    browser = Browser(local)
    with browser.http:
        browser.get("/")
        assert verdict(browser, 3, **headers).status_code == 403
        assert local.http.get("/queue/3").json()["group"]["state"] == "open"


@pytest.mark.parametrize("path", ["/", "/queue", "/queue/1", "/queue/changes", "/ui/ledger"])
def test_without_tokens_nothing_is_told_under_a_strange_name(local: Service, path: str) -> None:
    """A page whose name was pointed to this machine reads nothing."""
    answer = local.http.get(path, headers={"Host": f"rebound.example:{local.port}"})
    assert (answer.status_code, problem(answer)) == (403, "origin-refused")


def test_without_tokens_a_form_that_is_no_json_decides_nothing(local: Service) -> None:
    """A page of another site can have a browser send a form, and no JSON."""
    body = b'{"verdict": "not_a_problem", "version": 0}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = local.http.post("/queue/4/verdict", content=body, headers={"Content-Type": kind})
        assert (answer.status_code, problem(answer)) == (415, "media-type-unsupported")

"""Who may ask what: tokens, open paths, and pages of other sites."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from service import LINE, Service, exchange, head, problem

TOKENS = ("an-invented-token-one", "an-invented-token-two")
PROTECTED = [
    ("POST", "/extract"),
    ("POST", "/extract/batch"),
    ("GET", "/ledger"),
    ("GET", "/ledger/summary"),
    ("GET", "/ledger/verify"),
    ("GET", "/tickets/1"),
    ("GET", "/queue"),
    ("GET", "/queue/1"),
    ("POST", "/queue/1/verdict"),
    ("POST", "/queue/verdicts"),
    ("GET", "/queue/export"),
    ("GET", "/metrics"),
    ("GET", "/"),
    ("GET", "/nowhere"),
    ("GET", "/docs.html"),
    ("DELETE", "/extract"),
    ("HEAD", "/ledger"),
]
OPEN = ["/healthz", "/readyz", "/docs", "/docs/start.js", "/openapi.json", "/schema/ticket"]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that two tokens open."""
    folder = tmp_path_factory.mktemp("guarded")
    with Service(folder, tokens=" , ".join(TOKENS)) as running:
        yield running


def test_the_paths_under_test_are_all_there_are(guarded: Service) -> None:
    """A new route must be put in one of the two lists."""
    paths = guarded.http.get("/openapi.json").json()["paths"]
    known = {path.replace("/1", "/{id}") for _, path in PROTECTED} | set(OPEN)
    # It has no end: tests of its own listen to it.
    known.add("/queue/changes")
    assert set(paths) <= known


@pytest.mark.parametrize(("method", "path"), PROTECTED)
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer wrong",
        f"Bearer {TOKENS[0][:-1]}",
        f"Bearer {TOKENS[0]}x",
        f"Bearer {','.join(TOKENS)}",
        f"Basic {TOKENS[0]}",
        TOKENS[0],
        b"Bearer \xff\xfe",
    ],
)
def test_without_a_right_token_nothing_is_told(
    guarded: Service, method: str, path: str, authorization: str | bytes | None
) -> None:
    """401 with the challenge, whether or not the path exists."""
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = guarded.http.request(method, path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    if method != "HEAD":
        assert problem(answer) == "token-required"


@pytest.mark.parametrize(("method", "path"), PROTECTED)
@pytest.mark.parametrize("token", TOKENS)
def test_each_token_opens_everything(guarded: Service, method: str, path: str, token: str) -> None:
    """What follows is the path's own answer."""
    answer = guarded.http.request(method, path, headers={"Authorization": f"bearer  {token}"})
    assert answer.status_code not in (401, 403, 500)


def test_a_token_opens_the_ticket(guarded: Service) -> None:
    """A whole request with a token."""
    headers = {"Authorization": f"Bearer {TOKENS[1]}"}
    answer = guarded.extract(LINE, headers=headers)
    assert answer.status_code == 200
    stored = guarded.http.get(answer.headers["content-location"], headers=headers)
    assert stored.json()["ticket"] == answer.json()


@pytest.mark.parametrize("path", OPEN)
def test_what_stands_open(guarded: Service, path: str) -> None:
    """Probes carry no token, and what the service can do is no secret."""
    assert guarded.http.get(path).status_code == 200


def test_a_large_body_without_a_token_is_refused_before_it_comes(guarded: Service) -> None:
    """Strangers cannot make the service read."""
    with guarded.connect() as connection:
        request = head("/extract", "Content-Type: application/json", "Content-Length: 900000")
        answer = exchange(connection, request)
        assert (answer.status_code, problem(answer)) == (401, "token-required")


def test_tokens_are_never_written_down(guarded: Service) -> None:
    """Neither right nor wrong ones reach the log."""
    guarded.http.get("/ledger", headers={"Authorization": "Bearer a-wrong-one-to-look-for"})
    guarded.http.get("/ledger", headers={"Authorization": f"Bearer {TOKENS[0]}"})
    log = guarded.log()
    assert "a-wrong-one-to-look-for" not in log
    assert TOKENS[0] not in log


def serve(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """``logdocket serve`` where it is expected to refuse."""
    return subprocess.run(
        [sys.executable, "-m", "logdocket", "serve", *arguments],
        env={**os.environ, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_it_does_not_listen_to_strangers_without_tokens(tmp_path: Path, host: str) -> None:
    """One line says why and what to do, and nothing was opened."""
    done = serve(tmp_path, "--host", host)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "LOGDOCKET_TOKENS" in line
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_told_in_one_line(guarded: Service, tmp_path: Path) -> None:
    """And without a trace of the program's inside."""
    done = serve(tmp_path, "--port", str(guarded.port))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert str(guarded.port) in line
    assert "--port" in line


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin", "Host": "rebound.example"},
        {"Origin": "http://rebound.example", "Host": "rebound.example"},
        {"Sec-Fetch-Site": "same-origin", "Host": "localhost.evil.example:8000"},
        {"Sec-Fetch-Site": "same-origin", "Host": "["},
    ],
)
@pytest.mark.parametrize("path", ["/extract/batch", "/ledger"])
def test_pages_of_other_sites_cannot_ask(
    service: Service, path: str, headers: dict[str, str]
) -> None:
    """A page open in a browser on this machine can reach loopback; the browser says who asks."""
    method = "GET" if path == "/ledger" else "POST"
    answer = service.http.request(
        method, path, content=b"a row", headers={"Content-Type": "text/plain", **headers}
    )
    assert (answer.status_code, problem(answer)) == (403, "origin-refused")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_the_services_own_page_can_ask(service: Service, host: str) -> None:
    """The page at /docs sends requests to where it came from."""
    place = f"{host}:{service.port}"
    headers = {"Host": place, "Origin": f"http://{place}", "Sec-Fetch-Site": "same-origin"}
    assert service.extract(LINE, headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/ledger", "/ledger/summary", "/ledger/verify", "/tickets/1"])
def test_what_others_sent_is_not_told_under_a_strange_name(service: Service, path: str) -> None:
    """A page whose name was pointed to this machine reads without Origin or Sec-Fetch-Site."""
    answer = service.http.get(path, headers={"Host": f"rebound.example:{service.port}"})
    assert (answer.status_code, problem(answer)) == (403, "origin-refused")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_may_come_under_any_name(service: Service, path: str) -> None:
    """They tell nothing that anyone has sent."""
    assert service.http.get(path, headers={"Host": "logdocket.internal.example"}).is_success


def test_programs_are_not_asked_for_an_origin(service: Service) -> None:
    """Whatever name they send lines to."""
    assert service.extract(LINE, headers={"Host": "tickets.internal.example"}).status_code == 200


def test_with_a_token_any_page_may_ask(guarded: Service) -> None:
    """A page that knows a token was given it."""
    headers = {"Authorization": f"Bearer {TOKENS[0]}", "Origin": "https://desk.example"}
    assert guarded.extract(LINE, headers=headers).status_code == 200

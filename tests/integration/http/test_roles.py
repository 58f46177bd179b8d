"""What each role may do: every route is tried with every role, over the wire."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from service import Service, problem

from logdocket.bootstrap import build_app
from logdocket.settings import ROLES, Settings

SECRETS = {role: f"an-invented-token-{role}" for role in ROLES}
READS, SENDS, DECIDES = {"read", "review", "admin"}, {"extract", "admin"}, {"review", "admin"}

# Who may ask for each route that is not open.
MAY = {
    ("POST", "/extract"): SENDS,
    ("POST", "/extract/batch"): SENDS,
    ("POST", "/ui/try"): SENDS,
    ("GET", "/ledger"): READS,
    ("GET", "/ledger/summary"): READS,
    ("GET", "/ledger/verify"): READS,
    ("GET", "/tickets/{id}"): READS,
    ("GET", "/metrics"): READS,
    ("GET", "/"): READS,
    ("GET", "/queue"): READS,
    ("GET", "/queue/{id}"): READS,
    ("GET", "/queue/changes"): READS,
    ("GET", "/queue/export"): READS,
    ("POST", "/queue/{id}/verdict"): DECIDES,
    ("POST", "/queue/verdicts"): DECIDES,
    ("POST", "/ui/verdicts"): DECIDES,
    ("POST", "/ui/group/{id}/verdict"): DECIDES,
    ("GET", "/ui/try"): set(ROLES),
    ("POST", "/ui/sign-out"): set(ROLES),
}
OPEN = {
    ("GET", path)
    for path in (
        "/healthz",
        "/readyz",
        "/docs",
        "/docs/",
        "/docs/{name}",
        "/openapi.json",
        "/schema/ticket",
        "/ui/sign-in",
        "/ui/static/{name}",
    )
} | {("POST", "/ui/sign-in")}


def flat(routes: Any) -> Iterator[Any]:
    """Routes with a path, those of included routers too."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from flat(inner.routes)
        else:
            yield route


def wanted(method: str, path: str) -> set[str]:
    """Who may ask; what the table does not name is read."""
    return MAY.get((method, path), READS)


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Method and path of every route that is not open."""
    app = build_app(Settings(db=tmp_path_factory.mktemp("routes") / "routes.db"))
    real = {
        (method, route.path_format) if hasattr(route, "path_format") else (method, route.path)
        for route in flat(app.routes)
        for method in route.methods - {"HEAD"}
    }
    return sorted(real - OPEN)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a token for each role."""
    tokens = ",".join(f"{role}-er:{role}:{secret}" for role, secret in SECRETS.items())
    with Service(tmp_path_factory.mktemp("roles"), tokens=tokens) as running:
        yield running


def status(service: Service, method: str, path: str, secret: str) -> tuple[int, str]:
    """The status, and the word where it is a problem; only the head is waited for."""
    with service.http.stream(
        method,
        re.sub(r"\{[^}]*\}", "1", path),
        headers={"Authorization": f"Bearer {secret}"},
        json={} if method == "POST" else None,
    ) as answer:
        if answer.headers.get("content-type") != "application/problem+json":
            return answer.status_code, ""
        answer.read()
        return answer.status_code, problem(answer)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_opens_its_routes_and_no_others(
    guarded: Service, routes: list[tuple[str, str]], role: str
) -> None:
    """Each route that is not open, once; what follows the door is the route's own answer."""
    refused = {
        (method, path)
        for method, path in routes
        if status(guarded, method, path, SECRETS[role]) == (403, "role-required")
    }
    assert refused == {route for route in routes if role not in wanted(*route)}


def test_the_table_names_only_routes_that_are(routes: list[tuple[str, str]]) -> None:
    """And every route that changes anything is in it."""
    assert set(MAY) <= set(routes)
    assert {route for route in routes if route[0] != "GET"} <= set(MAY)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/extract/"),
        ("PUT", "/extract"),
        ("POST", "/queue/1/verdict/"),
        ("DELETE", "/queue/1"),
        ("PATCH", "/ui/group/1/verdict"),
        ("POST", "/%71ueue/verdicts"),
        ("POST", "/queue%2Fverdicts"),
        ("POST", "/ui/../queue/verdicts"),
        ("POST", "//queue/verdicts"),
        ("HEAD", "/queue"),
    ],
)
def test_no_spelling_of_a_path_gets_by_without_a_role(
    guarded: Service, method: str, path: str
) -> None:
    """Whoever may only send lines decides nothing and reads nothing."""
    with guarded.connect() as connection:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        head += f"Authorization: Bearer {SECRETS['extract']}\r\n"
        body = '{"verdicts": [{"group": 1, "verdict": "right", "version": 0}]}'
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body.encode())
        line = connection.recv(65_536).split(b"\r\n")[0]
    assert line.split()[1] == b"403"


def test_a_refusal_for_want_of_a_role_says_whose_and_which(guarded: Service) -> None:
    """But never the token."""
    answer = guarded.http.get("/queue", headers={"Authorization": f"Bearer {SECRETS['extract']}"})
    assert (answer.status_code, problem(answer)) == (403, "role-required")
    assert "extract-er has not the role read" in answer.json()["detail"]
    assert SECRETS["extract"] not in answer.text + guarded.log()

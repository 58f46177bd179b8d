"""What a service says of its queue and of what people decided, for tests that look at both."""

from __future__ import annotations

from typing import Any

from service import Service

LINE = "2026-01-02T15:04:05Z ERROR payments: task 17 refused by the card network"
LATER = "2026-01-03T01:02:03Z ERROR payments: task 99 refused by the card network"
"""Another line of its template."""
OTHER = "2026-01-02T15:04:06Z WARN disk: volume nearly full"
THIRD = "2026-01-02T15:04:07Z ERROR mail: the relay is gone"
BARE = "the relay at web-1.example gave up on 2026-01-02T15:04:05Z"
"""A line whose service nobody can tell by rules."""


def send(service: Service, *lines: str) -> None:
    """Have each of the lines made a ticket."""
    for line in lines:
        service.extract(line).raise_for_status()


def groups(service: Service, **filters: str) -> list[dict[str, Any]]:
    """The queue as the API lists it, in all states unless ``filters`` say so."""
    answer = service.http.get("/queue", params={"state": "all", "limit": "200", **filters})
    answer.raise_for_status()
    found: list[dict[str, Any]] = answer.json()["groups"]
    return found


def group(service: Service, text: str) -> dict[str, Any]:
    """The one group in whose service or evidence ``text`` stands."""
    (found,) = groups(service, text=text)
    return found


def entered(service: Service) -> list[dict[str, Any]]:
    """What the ledger has of every verdict, oldest first."""
    answer = service.http.get("/ledger", params={"kind": "verdict", "limit": "100"})
    answer.raise_for_status()
    return [entry["detail"] for entry in reversed(answer.json()["entries"])]


def decide(service: Service, about: dict[str, Any], verdict: str, **more: Any) -> None:
    """Decide about a group as another client does, beside the pages."""
    body = {"verdict": verdict, "version": about["version"], **more}
    answer = service.http.post(f"/queue/{about['id']}/verdict", json=body)
    assert answer.status_code == 200, answer.text


def fields(ticket: dict[str, Any]) -> dict[str, str]:
    """What a person judges of a ticket."""
    return {name: ticket[name] for name in ("evidence", "first_seen", "service", "severity")}


def reviewed(service: Service, line: str) -> dict[str, Any]:
    """The ticket of a line that a person's decision answers."""
    ticket: dict[str, Any] = service.extract(line).json()
    assert ticket["source"] == "cache", ticket
    assert "reviewed" in ticket["review_reasons"], ticket
    return ticket


def whole(service: Service) -> None:
    """Fails unless the ledger keeps all its laws."""
    found = service.http.get("/ledger/verify").json()
    assert found["ok"], found

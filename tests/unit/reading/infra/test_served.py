"""Access logs with the time first."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_served

BALANCED = "0.000 0.001 0.000"
REQUEST = '"GET http://shop.example:80/ HTTP/1.1" "curl/8" - -'


@pytest.mark.parametrize(
    ("head", "tail", "severity"),
    [
        ("192.0.2.10 GET /a - 80 - 198.51.100.7 Mozilla/5.0", "- 500 0 64 15", "high"),
        ("W3SVC1 web-1 192.0.2.10 POST /a q=1 443 amy 198.51.100.7 x", "404 0 2 15", "medium"),
        ("192.0.2.10 GET /a - 80 - 198.51.100.7 x", "200 0 0 812 310 15", "low"),
        ("192.0.2.10 GET /a - 80 - 198.51.100.7 x", "- -", None),
    ],
)
def test_iis_tells_the_status_near_the_end(
    find, head: str, tail: str, severity: str | None
) -> None:
    """Status, substatus, Windows status, perhaps sizes, and how long it took."""
    found = find(parse_served, f"2026-06-14 15:16:01 {head} {tail}")
    assert found[:2] == ("access-w3c", "2026-06-14T15:16:01")
    assert (found.severity, found.name) == (severity, None)
    assert found.message.startswith(("GET /a", "POST /a"))


@pytest.mark.parametrize("kind", ["h2 ", "https ", ""])
@pytest.mark.parametrize(("status", "severity"), [("502", "high"), ("200", "low"), ("-", None)])
def test_a_balancer_tells_its_own_status_first(
    find, kind: str, status: str, severity: str | None
) -> None:
    """The target's comes after it."""
    head = f"{kind}2026-06-14T15:16:01.123456Z app/lb-1/50dc6c49 192.0.2.1:28 198.51.100.1:80"
    found = find(parse_served, f"{head} {BALANCED} {status} 200 34 366 {REQUEST}")
    assert found[:2] == ("access-elb", "2026-06-14T15:16:01.123456Z")
    assert (found.severity, found.name, found.message) == (severity, None, REQUEST)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "h2 ok",
        "2026-06-14 15:16:01 ERROR GET /a - 80 - failed",
        "2026-06-14 15:16:01 192.0.2.10 said hello 200 0 0 1",
        "2026-06-14T15:16:01.123456Z web-1 app: x",
    ],
)
def test_another_programs_line_is_left_alone(find, line: str) -> None:
    """A method, a path and a port, or three durations and two statuses."""
    assert find(parse_served, line) is None

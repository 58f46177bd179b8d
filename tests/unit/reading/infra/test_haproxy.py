"""HAProxy's traffic logs."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_haproxy

CLIENT = "192.0.2.1:33317 [14/Jun/2026:15:16:01.655]"
TIME = "2026-06-14T15:16:01.655"


@pytest.mark.parametrize(
    ("rest", "status", "severity", "name"),
    [
        (
            'web cart/srv1 10/0/30/69/109 200 27 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/1.1"',
            "200",
            "low",
            "cart",
        ),
        (
            'web~ cart/srv1 10/0/30/69/109 503 27 - - SC-- 1/1/1/1/0 0/0 {a|b} {} "GET /"',
            "503",
            "high",
            "cart",
        ),
        (
            'web web/<NOSRV> -1/-1/-1/-1/2 404 +27 - - PR-- 1/1/0/0/+3 0/0 "<BADREQ>"',
            "404",
            "medium",
            "web",
        ),
        ('web cart/srv1 10/0/-1/+69 -1 0 - - CR-- 1/1/1/1/0 0/0 "GET /"', None, None, "cart"),
    ],
)
def test_an_http_line_is_judged_by_its_status(
    find, rest: str, status: str | None, severity: str | None, name: str
) -> None:
    """And named by its backend; a request without an answer states nothing."""
    found = find(parse_haproxy, f"{CLIENT} {rest}")
    assert found[:4] == ("haproxy-http", TIME, status, severity)
    assert (found.name, found.name_basis, found.message) == (name, "logger", rest)


def test_a_tcp_line_has_no_status(find) -> None:
    """Only its backend is told."""
    found = find(parse_haproxy, f"{CLIENT} db pg/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0")
    assert (found.format, found.level, found.name) == ("haproxy-tcp", None, "pg")


def test_a_failed_connection_has_only_a_frontend(find) -> None:
    """It never had a backend."""
    found = find(parse_haproxy, f"{CLIENT} web/https: SSL handshake failure")
    assert (found.format, found.name) == ("haproxy-tcp", "web")
    assert found.message == "web/https: SSL handshake failure"


def test_the_program_in_front_is_the_name(find) -> None:
    """As a syslog message without its time."""
    found = find(parse_haproxy, f"haproxy[12]: {CLIENT} db pg/srv1 0/0/57 212 -- 0/0/0/0/3 0/0")
    assert (found.name, found.name_basis) == ("haproxy", "app")


@pytest.mark.parametrize("client", ["2001:db8::1:33317", "::1:9"])
def test_a_client_may_have_an_ipv6_address(find, client: str) -> None:
    """The port is what stands behind the last colon."""
    line = f"{client} [14/Jun/2026:15:16:01.655] db pg/srv1 0/0/57 212 -- 0/0/0/0/3 0/0"
    assert find(parse_haproxy, line).time == TIME


@pytest.mark.parametrize(
    "line",
    [
        "",
        " [14/Jun/2026:15:16:01.655] x",
        f"{CLIENT} x",
        f"{CLIENT} web cart/srv1 fast 200",
        '192.0.2.1 - - [14/Jun/2026:15:16:01 +0000] "GET /" 200 5',
        "192.0.2.1:9 [14/Foo/2026:15:16:01.655] db pg/srv1 0/0/57 212 -- 0/0/0/0/3 0/0",
    ],
)
def test_other_lines_with_a_time_in_brackets_are_left_alone(find, line: str) -> None:
    """Route, timers and counts have to stand."""
    assert find(parse_haproxy, line) is None

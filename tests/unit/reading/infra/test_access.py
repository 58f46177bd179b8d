"""Access logs of web servers."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_access

WHEN = "[14/Jun/2026:15:16:01 +0200]"
TIME = "2026-06-14T15:16:01+02:00"


@pytest.mark.parametrize(
    ("line", "shape", "message"),
    [
        (f'192.0.2.1 - - {WHEN} "GET / HTTP/1.1" 200 26', "common", '"GET / HTTP/1.1" 200 26'),
        (f'192.0.2.1 - amy {WHEN} "GET / HTTP/1.1" 200 -', "common", '"GET / HTTP/1.1" 200 -'),
        (f'192.0.2.1 - amy lee {WHEN} "GET /" 200 5 "-" "x"', "combined", '"GET /" 200 5'),
        (f'2001:db8::1 - - {WHEN} "GET /" 200 5 "-" "x"', "combined", '"GET /" 200 5'),
        (f'client.example - - {WHEN} "GET /" 200 5 "-" "x"', "combined", '"GET /" 200 5'),
        (f'- - - {WHEN} "GET /" 200 5', "common", '"GET /" 200 5'),
        (f'192.0.2.1 {WHEN} "GET /" 200 5', "common", '"GET /" 200 5'),
        (f'192.0.2.1, 192.0.2.2 - - {WHEN} "GET /" 200 5', "common", '"GET /" 200 5'),
        (f'192.0.2.1 - - {WHEN} "-" 200 0 "-" "-"', "combined", '"-" 200 0'),
        (f'192.0.2.1 - - {WHEN} "\\x16\\x03" 200 0', "common", '"\\x16\\x03" 200 0'),
        (f'192.0.2.1 - - {WHEN} "GET /\\"q\\"" 200 0', "common", '"GET /\\"q\\"" 200 0'),
        (f'192.0.2.1 - - {WHEN} "GET /" 200 5 "-" "x" 0.003 z', "combined", '"GET /" 200 5'),
        (f'192.0.2.1 - - {WHEN} "GET /" 200', "common", '"GET /" 200'),
    ],
)
def test_request_status_and_size_are_the_message(find, line: str, shape: str, message: str) -> None:
    """An access log names no service; referrer, agent and further fields only tell the shape."""
    found = find(parse_access, line)
    assert found == (f"access-{shape}", TIME, "200", "low", "status", None, None, message, None)


@pytest.mark.parametrize(
    ("status", "severity"),
    [("101", "low"), ("304", "low"), ("404", "medium"), ("499", "medium"), ("503", "high")],
)
def test_the_status_bears_the_severity_out(find, status: str, severity: str) -> None:
    """5xx is high, 4xx medium, all below low."""
    found = find(parse_access, f'192.0.2.1 - - {WHEN} "GET / HTTP/1.1" {status} 5')
    assert (found.level, found.severity, found.basis) == (status, severity, "status")


def test_a_status_that_is_none_states_nothing(find) -> None:
    """Some servers write 000 for a connection that was dropped."""
    assert find(parse_access, f'192.0.2.1 - - {WHEN} "GET /" 000 0').level is None


@pytest.mark.parametrize("vhost", ["shop.example:443", "shop.example"])
def test_a_virtual_host_in_front_is_the_name(find, vhost: str) -> None:
    """Without its port."""
    found = find(parse_access, f'{vhost} 192.0.2.1 - - {WHEN} "GET /" 200 5')
    assert (found.name, found.name_basis) == ("shop.example", "prefix")


def test_a_development_server_writes_a_blank_in_its_time(find) -> None:
    """And no zone."""
    found = find(parse_access, '192.0.2.1 - - [14/Jun/2026 15:16:01] "GET / HTTP/1.1" 404 -')
    assert (found.time, found.severity) == ("2026-06-14T15:16:01", "medium")


def test_a_proxy_may_begin_with_the_time(find) -> None:
    """Envoy's default form."""
    line = '[2026-06-14T15:16:01.123Z] "GET /x HTTP/1.1" 503 UF 0 91 10 - "-" "x"'
    found = find(parse_access, line)
    assert (found.time, found.severity) == ("2026-06-14T15:16:01.123Z", "high")
    assert found.message == '"GET /x HTTP/1.1" 503'


@pytest.mark.parametrize(
    "line",
    [
        "",
        f"192.0.2.1 - - {WHEN}",
        f"192.0.2.1 - - {WHEN} no request",
        f'192.0.2.1 - - {WHEN} "GET / 200',
        f'192.0.2.1 - - {WHEN} "GET /" OK',
        f'192.0.2.1 - - {WHEN} "GET /" 2000 5',
        f'2026-06-14 15:16:01,123 INFO web 192.0.2.1 - - {WHEN} "GET /" 200 5',
        f'Jun 14 15:16:01 web-1 web: 192.0.2.1 - - {WHEN} "GET /" 200 5',
        f'<14>web: 192.0.2.1 - - {WHEN} "GET /" 200 5',
        '192.0.2.1 - - [14/Foo/2026:15:16:01 +0200] "GET /" 200 5',
        "user [admin] logged in",
        "[main] x",
        "[2026-06-14T15:16:01.123Z] x",
    ],
)
def test_a_record_that_quotes_an_access_log_is_left_alone(find, line: str) -> None:
    """Its own time and name come first, and a broken line is no access log."""
    assert find(parse_access, line) is None

"""Error logs of web servers."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_apache_error, parse_nginx_error

AT = "[Sun Jun 14 15:16:01.123456 2026]"


@pytest.mark.parametrize(
    ("line", "level", "severity", "name", "message"),
    [
        (
            f"{AT} [core:error] [pid 1:tid 2] [client 192.0.2.1:9] AH00135: x",
            "error",
            "high",
            None,
            "AH00135: x",
        ),
        (f"{AT} [ssl:warn] [pid 1] AH01909: x", "warn", "medium", "ssl", "AH01909: x"),
        (f"{AT} [proxy_http:trace1] [pid 1] x", "trace1", "low", "proxy_http", "x"),
        (f"{AT} [-:emerg] x", "emerg", "critical", None, "x"),
        (f"{AT} [:notice] [pid 1] [remote 192.0.2.1:9] x", "notice", "low", None, "x"),
        (
            f"{AT} [mpm_event:notice] [pid 1:tid 2] [other] x",
            "notice",
            "low",
            "mpm_event",
            "[other] x",
        ),
    ],
)
def test_apaches_module_is_its_logger(
    find, line: str, level: str, severity: str, name: str | None, message: str
) -> None:
    """Unless it is the core, which is the server and no part of it."""
    found = find(parse_apache_error, line)
    assert found[:4] == ("apache-error", "2026-06-14T15:16:01.123456", level, severity)
    assert (found.basis, found.name, found.message) == ("level", name, message)


def test_the_older_apache_names_no_module(find) -> None:
    """Version 2.2 writes the level alone."""
    found = find(parse_apache_error, "[Sun Jun 14 15:16:01 2026] [error] [client 192.0.2.1] x")
    assert found[:4] == ("apache-error", "2026-06-14T15:16:01", "error", "high")
    assert (found.name, found.message) == (None, "x")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "[Sun Jun 14 15:16:01 2026] x",
        "[Sun Jun 14 15:16:01 2026] [main] x",
        "[Sun Jun 14 15:16:01 2026] [core:loud] x",
        "[Sun Foo 14 15:16:01 2026] [error] x",
        "[abc d] [error] x",
    ],
)
def test_other_brackets_are_no_apache_log(find, line: str) -> None:
    """A time as ctime writes it and a level have to stand."""
    assert find(parse_apache_error, line) is None


@pytest.mark.parametrize(
    ("line", "severity", "message"),
    [
        ("2026/06/14 15:16:01 [error] 12#34: *56 open() failed", "high", "open() failed"),
        ("2026/06/14 15:16:01 [notice] 1#1: start worker", "low", "start worker"),
        ("2026/06/14 15:16:01 [crit] 12#34: *56 SSL failed", "critical", "SSL failed"),
        ("2026/06/14 15:16:01 [warn] 12#0: conflicting", "medium", "conflicting"),
    ],
)
def test_nginx_names_no_service(find, line: str, severity: str, message: str) -> None:
    """Its lines do not say who wrote them."""
    found = find(parse_nginx_error, line)
    assert found[:2] == ("nginx-error", "2026-06-14T15:16:01")
    assert (found.severity, found.name, found.message) == (severity, None, message)


def test_nginx_names_itself_on_a_console(find) -> None:
    """Before its log is open it has no time to give."""
    found = find(parse_nginx_error, "nginx: [emerg] bind() failed")
    assert (found.time, found.severity, found.name) == (None, "critical", "nginx")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "2026/06/14 15:16:01 [error] x",
        "2026/06/14 15:16:01 [loud] 1#1: x",
        "2026/06/14 15:16:01 x",
        "2026/13/45 x",
        "nginx: started",
        "nginx: [hello] x",
    ],
)
def test_other_slashes_are_no_nginx_log(find, line: str) -> None:
    """Level, process and thread have to stand behind the time."""
    assert find(parse_nginx_error, line) is None

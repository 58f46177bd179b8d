"""Squid's native access log."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_squid

TAIL = "4021 GET http://shop.example/ - HIER_DIRECT/198.51.100.2 text/html"


@pytest.mark.parametrize(
    ("result", "severity"),
    [
        ("TCP_MISS/503", "high"),
        ("TCP_DENIED/403", "medium"),
        ("TCP_HIT/200", "low"),
        ("TCP_MISS_ABORTED/000", None),
        ("NONE_NONE/400", "medium"),
    ],
)
def test_the_status_bears_the_severity_out(find, result: str, severity: str | None) -> None:
    """It stands behind the result; no answer is no status."""
    found = find(parse_squid, f"1781450161.123    123 192.0.2.7 {result} {TAIL}")
    assert found[:2] == ("squid", "2026-06-14T15:16:01.123Z")
    assert (found.severity, found.basis) == (severity, severity and "status")
    assert (found.name, found.message) == (None, f"{result} {TAIL}")


@pytest.mark.parametrize(
    "line",
    [
        "",
        f"1781450161.123 192.0.2.7 TCP_MISS/503 {TAIL}",
        f"1781450161 123 192.0.2.7 TCP_MISS/503 {TAIL}",
        f"1781450161.123    123 192.0.2.7 some/503 {TAIL}",
        "1781450161.123    123 web-1 ERROR gone",
    ],
)
def test_another_programs_line_is_left_alone(find, line: str) -> None:
    """A count of seconds at the start is not enough."""
    assert find(parse_squid, line) is None

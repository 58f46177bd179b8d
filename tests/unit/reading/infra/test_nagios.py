"""Events of Nagios and its kin."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_nagios


@pytest.mark.parametrize(
    ("event", "severity"),
    [
        ("SERVICE ALERT: web-1;HTTP;CRITICAL;HARD;3;CRITICAL - no answer", "critical"),
        ("SERVICE ALERT: web-1;HTTP;WARNING;SOFT;1;CRITICAL soon", "medium"),
        ("SERVICE ALERT: web-1;HTTP;OK;HARD;3;HTTP OK", "low"),
        ("CURRENT SERVICE STATE: web-1;DISK;UNKNOWN;HARD;1;x", "medium"),
        ("HOST ALERT: web-1;DOWN;HARD;3;no route", "high"),
        ("HOST ALERT: web-1;UP;HARD;3;back", "low"),
        ("SERVICE NOTIFICATION: ops;web-1;HTTP;CRITICAL;by-mail;x", "critical"),
        ("SERVICE FLAPPING ALERT: web-1;HTTP;STARTED; unsteady", None),
    ],
)
def test_the_state_is_the_level_rather_than_the_word_alert(
    find, event: str, severity: str | None
) -> None:
    """A change of state is an alert, whichever way it goes."""
    found = find(parse_nagios, f"[1781450161] {event}")
    assert (found.time, found.severity) == ("2026-06-14T15:16:01Z", severity)
    assert (found.name, found.message) == (None, event)


@pytest.mark.parametrize(
    "line", ["", "[1781450161] Auto-save of retention data", "SERVICE ALERT: nothing", "[12] x;OK"]
)
def test_another_line_is_left_alone(find, line: str) -> None:
    """A state has to stand in its column."""
    assert find(parse_nagios, line) is None

"""WebSphere and Chromium."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_chromium, parse_websphere


@pytest.mark.parametrize(
    ("letter", "severity"),
    [
        ("F", "critical"),
        ("E", "high"),
        ("W", "medium"),
        ("A", "low"),
        ("I", "low"),
        ("3", "low"),
        (">", "low"),
        ("O", None),
        ("R", None),
    ],
)
def test_webspheres_letter_is_the_level(find, letter: str, severity: str | None) -> None:
    """What a program printed has none; the zone in the brackets is no name."""
    line = f"[6/14/26 15:16:01:250 CEST] 0000002a QuayChannel   {letter}   QUAY0030E: no berth"
    found = find(parse_websphere, line)
    assert (found.time, found.severity, found.name) == ("ambiguous", severity, "QuayChannel")
    assert found.message == "QUAY0030E: no berth"


@pytest.mark.parametrize(
    ("head", "time", "severity"),
    [
        ("812:840:0614/151601.250123:ERROR:gpu_channel.cc(12)", ".250123", "high"),
        ("0614/151601:WARNING:a/b/dns.cc(7)", "", "medium"),
        ("812:0614/151601.250:VERBOSE1:net.cc(7)", ".250", "low"),
        ("1:1:0614/151601.250:INFO:CONSOLE(12)", ".250", "low"),
        ("812:840:0614/151601.250:FATAL:main.cc:12", ".250", "critical"),
    ],
)
def test_chromiums_bracket_holds_time_and_level(find, head: str, time: str, severity: str) -> None:
    """Month before day; the source file is no name."""
    found = find(parse_chromium, f"[{head}] error in page")
    assert (found.time, found.severity) == (f"2026-06-14T15:16:01{time}", severity)
    assert (found.name, found.message) == (None, "error in page")


@pytest.mark.parametrize(
    "line",
    ["", "[12:34] ERROR: x", "[0614/151601:LOUD:a.cc(1)] x", "[1/2/26 1:02:03] 2a X  E  short"],
)
def test_other_brackets_are_left_alone(find, line: str) -> None:
    """Each part has its form."""
    assert find(parse_chromium, line) is None
    assert find(parse_websphere, line) is None

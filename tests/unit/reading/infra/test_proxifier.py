"""Proxifier's log."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_proxifier


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("app.exe", "app.exe"),
        ("app.exe *64", "app.exe"),
        ("Some App.exe", "Some App.exe"),
        (r"Some Dir\system32\app.exe *64", "app.exe"),
    ],
)
def test_the_program_is_the_name(find, program: str, name: str) -> None:
    """With or without the mark of a 64-bit one; the year is that of the arrival."""
    found = find(parse_proxifier, f"[05.30 16:49:06] {program} - proxy.example:5070 error : x")
    assert found[:2] == ("proxifier", "2026-05-30T16:49:06")
    assert (found.name, found.name_basis) == (name, "head")
    assert found.message == "proxy.example:5070 error : x"


def test_an_order_that_could_be_two_is_ambiguous(find) -> None:
    """Nothing but the number says that the month comes first."""
    assert find(parse_proxifier, "[05.06 16:49:06] a.exe - b.example:1 x").time == "ambiguous"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[05.30 16:49:06] app.exe started - and x",
        "[05.30 16:49:06] ERROR app - gone",
        "[05-30 16:49:06] app.exe - proxy.example:5070 x",
    ],
)
def test_another_programs_line_is_left_alone(find, line: str) -> None:
    """An address has to follow the dash."""
    assert find(parse_proxifier, line) is None

"""The unified log of macOS and iOS."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_unified


@pytest.mark.parametrize(
    ("columns", "severity", "name"),
    [
        ("0x1a2b     Default     0x0                  321    0    seald: ", "low", "seald"),
        ("0x1a2b     Info        0x0                  321    0    seald: ", "low", "seald"),
        ("0x1a2b     Error       0x7f                 321    ferryd: ", "high", "ferryd"),
        (
            "0x1f       Fault       0x0                  321    14   Tide Clock: ",
            "critical",
            "Tide Clock",
        ),
        ("Df seald[321:1a2b] ", "low", "seald"),
        ("E  ferryd[321:1a2b] ", "high", "ferryd"),
        ("F  ferryd[321:1a2b] ", "critical", "ferryd"),
    ],
)
def test_the_type_is_the_level_and_the_process_the_name(
    find, columns: str, severity: str, name: str
) -> None:
    """In columns, and in the compact style's letters."""
    found = find(parse_unified, f"2026-06-14 15:16:01.250123-0700 {columns}(Hull) no lock")
    assert found.time == "2026-06-14T15:16:01.250123-07:00"
    assert (found.severity, found.basis) == (severity, "level")
    assert (found.name, found.name_basis) == (name, "app")
    assert found.message == "(Hull) no lock"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "2026-06-14 15:16:01.250 E seald: no brackets",
        "2026-06-14 15:16:01.250123-0700 0x1a2b Odd 0x0 321 0 seald: no such type",
        "2026-06-14 15:16:01 Df seald[321:1a2b] no fraction",
    ],
)
def test_another_programs_line_is_left_alone(find, line: str) -> None:
    """All columns have to stand."""
    assert find(parse_unified, line) is None

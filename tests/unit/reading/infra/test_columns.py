"""Records exported in quotes."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_columns


@pytest.mark.parametrize(
    ("line", "severity", "name", "message"),
    [
        (
            '"2026-06-14 15:16:01","web-1.example","auth","err","sshd[812]: no more tries left"',
            "high",
            "sshd",
            "no more tries left",
        ),
        (
            '"2026-06-14 15:16:01";"WARNING";"tide.gauge";"water is ""high"" at gauge 4"',
            "medium",
            "tide.gauge",
            'water is ""high"" at gauge 4',
        ),
        (
            r'"2026-06-14 15:16:01","web-1.example","err","sshd[812]: said \"no\", \"no more\""',
            "high",
            "sshd",
            r"said \"no\", \"no more\"",
        ),
        (
            r'"2026-06-14 15:16:01","C:\tide\","WARN","gauge.files","no gauge file there at all"',
            "medium",
            "gauge.files",
            "no gauge file there at all",
        ),
        (
            '"web-1.example","2026-06-14 15:16:01",notice,"cart","0 errors in the last hour"',
            "low",
            None,
            "0 errors in the last hour",
        ),
    ],
)
def test_a_whole_column_is_the_time_or_the_level(
    find, line: str, severity: str, name: str | None, message: str
) -> None:
    """The longest column is the message; a program's tag in it gives the name."""
    found = find(parse_columns, line)
    assert found.time == "2026-06-14T15:16:01"
    assert (found.severity, found.name, found.message) == (severity, name, message)


@pytest.mark.parametrize(
    "line",
    [
        "",
        '"error" is a word',
        '"GET /","500"',
        '"a","b","c"',
        '"unclosed,"error","x',
        '"x" "err","y"',
    ],
)
def test_a_quote_alone_is_no_column(find, line: str) -> None:
    """Three columns with a time or a level have to stand."""
    assert find(parse_columns, line) is None

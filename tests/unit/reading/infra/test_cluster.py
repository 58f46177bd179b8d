"""Supercomputers' logs."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_cluster

SECONDS = 1781450161
AT = "2026-06-14T15:16:01Z"


@pytest.mark.parametrize("tag", ["-", "VAPI", "R_EXT_CCISS"])
@pytest.mark.parametrize(
    "record", ["Jun 14 15:16:01 dn1/dn1 crond(pam_unix)[7]: x", "Jun  4 15:16:01 a@b kernel: x"]
)
def test_a_tag_and_a_count_stand_before_a_syslog_record(find, tag: str, record: str) -> None:
    """The count is the time; the record speaks for itself."""
    found = find(parse_cluster, f"{tag} {SECONDS} 2026.06.14 dn1 {record}")
    assert found == ("cluster", AT, None, None, None, None, None, record, record)


@pytest.mark.parametrize(
    ("component", "state"),
    [("unix.hw", "state_change.unavailable"), ("boot_cmd", "new"), ("node", "psu")],
)
def test_the_third_column_is_the_component(find, component: str, state: str) -> None:
    """Id, node, component, state, seconds, flag, message."""
    found = find(parse_cluster, f"134681 node-246 {component} {state} {SECONDS} 1 gone: x")
    assert found[:2] == ("cluster", AT)
    assert (found.name, found.name_basis, found.message) == (component, "logger", "gone: x")
    assert found.level is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        f"- {SECONDS} 2026.06.14 R01-M0 2026-06-14-15.16.01.123456 R01-M0 RAS KERNEL INFO x",
        f"x {SECONDS} 2026.06.14 dn1 Jun 14 15:16:01 dn1/dn1 crond[7]: x",
        f"12 node-246 unix.hw {SECONDS} 1 x",
        f"12 node-246 unix.hw up down {SECONDS} 1 x",
        "12 node-246 unix.hw up 99 1 x",
    ],
)
def test_another_programs_line_is_left_alone(find, line: str) -> None:
    """Every column has to stand."""
    assert find(parse_cluster, line) is None

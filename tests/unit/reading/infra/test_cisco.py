"""Heads of Cisco's systems."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_cisco


@pytest.mark.parametrize(
    ("line", "time", "severity", "name"),
    [
        ("%SYS-5-CONFIG_I: Configured", None, "low", "SYS"),
        ("*Mar  1 18:46:11.123: %LINK-3-UPDOWN: x", "2026-03-01T18:46:11.123", "high", "LINK"),
        (
            "<189>29: rtr-1: 000123: *Jun 14 2026 15:16:01.123 UTC: %SYS-2-MALLOCFAIL: x",
            "2026-06-14T15:16:01.123Z",
            "critical",
            "SYS",
        ),
        (
            "<166>Jun 14 2026 15:16:01 fw-1 : %ASA-4-106023: Deny",
            "2026-06-14T15:16:01",
            "medium",
            "ASA",
        ),
        (
            "2026 Jun 14 15:16:01 sw-1 %ETHPORT-3-IF_DOWN: x",
            "2026-06-14T15:16:01",
            "high",
            "ETHPORT",
        ),
        (
            "RP/0/RSP0/CPU0:Jun 14 15:16:01.123 UTC: config[65]: %MGBL-CONFIG-6-DB_COMMIT : x",
            "2026-06-14T15:16:01.123Z",
            "low",
            "MGBL-CONFIG",
        ),
        (
            "2026-06-14T15:16:01Z sw-1 %DAEMON-3-SYSTEM_MSG: x",
            "2026-06-14T15:16:01Z",
            "high",
            "DAEMON",
        ),
    ],
)
def test_the_heads_digit_is_the_severity(
    find, line: str, time: str | None, severity: str, name: str
) -> None:
    """And its facility the name, whatever stands before it."""
    found = find(parse_cisco, line)
    assert (found.time, found.severity, found.basis) == (time, severity, "priority")
    assert (found.name, found.name_basis) == (name, "logger")
    assert found.message.startswith(f"%{name}-{found.level}-")


@pytest.mark.parametrize(
    ("line", "severity", "name"),
    [
        ("Jun 14 15:16:01 sw-1 %%01SSH/4/LOGIN_FAIL(l)[12]:No login.", "medium", "SSH"),
        ("%Jun 14 15:16:01 2026 sw-1 %%10IFNET/3/LINK_UPDOWN: Link is down.", "high", "IFNET"),
        ("Jun 14 15:16:01 mx-1 rpd[812]: %DAEMON-3-RPD_SLIP: 5 s", "high", "rpd"),
        ("Jun 14 15:16:01 mx-1 mgd[812]: %INTERACT-6: commit", "low", "mgd"),
    ],
)
def test_huawei_h3c_and_junos_have_heads_of_their_own(
    find, line: str, severity: str, name: str
) -> None:
    """Slashes for dashes; Junos' facilities are syslog's, so the program is the name."""
    found = find(parse_cisco, line)
    assert (found.time, found.severity, found.name) == ("2026-06-14T15:16:01", severity, name)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "disk 97% full",
        "%SYS-9-CONFIG_I: no such severity",
        "%sys-5-config: small letters",
        "x%SYS-5-CONFIG_I: glued",
        'he said "no": %SYS-5-CONFIG_I: quoted',
        "%SYS-5-CONFIG_I no colon",
        "." * 300 + " %SYS-5-CONFIG_I: far away",
    ],
)
def test_a_percent_sign_alone_is_no_head(find, line: str) -> None:
    """Facility, digit, mnemonic and colon all have to stand, near the beginning."""
    assert find(parse_cisco, line) is None

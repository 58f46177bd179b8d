"""Syslog of RFC 3164, its relatives, and the journal's short forms."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_syslog_3164

NOON = "2026-06-14T15:16:01"


@pytest.mark.parametrize(
    ("line", "name", "message"),
    [
        ("Jun 14 15:16:01 web-1 sshd[1993]: session opened", "sshd", "session opened"),
        ("Jun 14 15:16:01 combo sshd(pam_unix)[1993]: check pass", "sshd", "check pass"),
        ("Jun 14 15:16:01 combo su(pam_unix)[214]: opened", "su", "opened"),
        ("Jun 14 15:16:01 combo syslogd 1.4.1: restart.", "syslogd", "restart."),
        ("Jun 14 15:16:01 combo  -- root[24]: ROOT LOGIN ON tty2", "root", "ROOT LOGIN ON tty2"),
        ("Jun 14 15:16:01 combo kernel: eth0: link up", "kernel", "eth0: link up"),
        ("Jun 14 15:16:01 combo systemd[1]: Started a unit.", "systemd", "Started a unit."),
        ("Jun 14 15:16:01 combo (systemd)[12]: pam_open", "systemd", "pam_open"),
        ("Jun 14 15:16:01 combo snap.store.web[9]: up", "snap.store.web", "up"),
        ("Jun 14 15:16:01 combo postfix/smtpd[9]: connect", "postfix/smtpd", "connect"),
        ("Jun 14 15:16:01 combo /USR/SBIN/CRON[9]: (root) CMD", "CRON", "(root) CMD"),
        ("Jun 14 15:16:01 combo cron[9] no colon", "cron", "no colon"),
        ("Jun 14 15:16:01 combo cron[9]:no blank", "cron", "no blank"),
        ("Jun 14 15:16:01 combo CRON [9]: apart", "CRON", "apart"),
        ("Jun 14 15:16:01 mac-1 Word Count[14]: spelt", "Word Count", "spelt"),
        ("Jun 14 15:16:01 mac-1 com.shop.d[1] (com.shop.x[3]): exited", "com.shop.d", "exited"),
        ("Jun 14 15:16:01 2001:db8::1 sshd[1]: over IPv6", "sshd", "over IPv6"),
        ("Jun 14 15:16:01 192.0.2.7 sshd[1]: over IPv4", "sshd", "over IPv4"),
        ("Jun 14 15:16:01 rack2/rack2 crond[1]: two names", "crond", "two names"),
        ("Jun 14 15:16:01 sshd[1]: no host", "sshd", "no host"),
        ("Jun 14 15:16:01 sshd: no host, no pid", "sshd", "no host, no pid"),
        ("Jun 14 15:16:01 2026 web-1 sshd[1]: with a year", "sshd", "with a year"),
        ("Jun 14 2026 15:16:01 web-1 sshd[1]: year between", "sshd", "year between"),
        ("Sun Jun 14 15:16:01 2026 web-1 sshd[1]: as ctime", "sshd", "as ctime"),
    ],
)
def test_the_tag_names_the_service(find, line: str, name: str, message: str) -> None:
    """Without its process id and module; what follows is the message and a record of its own."""
    found = find(parse_syslog_3164, line)
    assert found == ("syslog-3164", NOON, None, None, None, name, "app", message, message)


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("2026-01-02T15:04:05.123456+01:00 web-1 app[1]: x", "2026-01-02T15:04:05.123456+01:00"),
        ("2026-01-02T15:04:05Z web-1 app: x", "2026-01-02T15:04:05Z"),
        ("2026-01-02T15:04:05Z localhost app: x", "2026-01-02T15:04:05Z"),
        ("2026-01-02T15:04:05Z app[worker.1]: x", "2026-01-02T15:04:05Z"),
        ("2026-01-02 15:04:05 combo app[1]: x", "2026-01-02T15:04:05"),
        ("Fri Jan  2 15:04:05 UTC 2026 web-1 app[1]: x", "2026-01-02T15:04:05Z"),
        ("Jan  2 15:04:05 CET 2026 web-1 app[1]: x", "2026-01-02T15:04:05"),
        ("Fri Jan  2 15:04:05 2026 UTC web-1 app: x", "2026-01-02T15:04:05Z"),
    ],
)
def test_a_relay_may_write_iso_stamps(find, line: str, time: str) -> None:
    """Relays rewrite the stamp and leave the rest of the header as it was."""
    found = find(parse_syslog_3164, line)
    assert found[:2] == ("syslog-3164", time)
    assert found.name == "app"


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("2026-01-02T15:04:05+0100 web-1 app[1]: x", "2026-01-02T15:04:05+01:00"),
        ("Jun 14 15:16:01.123456 web-1 app[1]: x", "2026-06-14T15:16:01.123456"),
        ("Sun 2026-06-14 15:16:01 UTC combo app[1]: x", "2026-06-14T15:16:01Z"),
        ("1781450161.123456 web-1 app[1]: x", "2026-06-14T15:16:01.123456Z"),
        ("1781450161.123456 web-1 app: x", "2026-06-14T15:16:01.123456Z"),
        ("[   12.345678] web-1 app[1]: x", "no_date"),
        ("[   12.345678] web-1 app[1]: kernel: x", "no_date"),
    ],
)
def test_stamps_that_only_the_journal_writes_tell_its_shape(find, line: str, time: str) -> None:
    """short-iso, short-precise, short-full, short-unix and short-monotonic."""
    found = find(parse_syslog_3164, line)
    assert found[:2] == ("journald-short", time)
    assert found.name == "app"


@pytest.mark.parametrize(
    ("line", "level", "severity", "name"),
    [
        ("<34>Jun 14 15:16:01 web-1 su: x", "34", "critical", "su"),
        ("<6>Jun 14 15:16:01 web-1 su[12]: x", "6", "low", "su"),
        ("<12>su[12]: no stamp", "12", "medium", "su"),
        ("<13>1 2026-01-02T15:04:05Z web-1 app[1]: a relay's version", "13", "low", "app"),
        ("88 <11>Jun 14 15:16:01 web-1 su: counted", "11", "high", "su"),
        ("Jun 14 15:16:01 <auth.crit> web-1 su[12]: x", "crit", "critical", "su"),
        ("Jun 14 15:16:01 web-1 daemon.err app[1]: x", "err", "high", "app"),
        ("Jun 14 15:16:01 web-1 auth|security:info sshd[1]: x", "info", "low", "sshd"),
        ("Sun Jun 14 15:16:01 2026 user.warn app: x", "warn", "medium", "app"),
        ("Jun 14 15:16:01 web-1 sshd[1]: [ID 800047 auth.notice] x", "notice", "low", "sshd"),
        ("<14>Jun 14 15:16:01 web-1 local0.alert app: x", "alert", "critical", "app"),
        ("Jun 14 15:16:01 lb-1 err tmm1[12]: 01010028:3: x", "err", "high", "tmm1"),
        ("Jun 14 15:16:01 lb-1 notice mcpd[12]: x", "notice", "low", "mcpd"),
        ("2026-06-14T15:16:01.250Z Wa(164) Hostd[12]: x", "164", "medium", "Hostd"),
        ("2026-06-14T15:16:01.250Z Er(179) vmkernel: cpu3:2097)x", "179", "high", "vmkernel"),
    ],
)
def test_the_priority_bears_the_severity_out(
    find, line: str, level: str, severity: str, name: str
) -> None:
    """A number, or a word with its facility, which is nearer to the record than the number."""
    found = find(parse_syslog_3164, line)
    assert found[2:6] == (level, severity, "priority", name)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Jun 14 15:16:01 web-1 last message repeated 3 times", "last message repeated 3 times"),
        ("Jun 14 15:16:01 last message repeated 3 times", "last message repeated 3 times"),
        ("Jun 14 15:16:01 web-1 -- MARK --", "-- MARK --"),
        ("Jun 14 15:16:01 web-1 out of space", "web-1 out of space"),
        ("<13>Jun 14 15:16:01 web-1 out of space", "out of space"),
        ("<13>Jun 14 15:16:01 out of space", "out of space"),
        ("<13>out of space", "out of space"),
        ("<13>Jun 14 15:16:01 web-1 ERROR: x", "ERROR: x"),
        ("<13>Jun 14 15:16:01 web-1 Jun 14 15:16:00 a sshd[1]: x", "Jun 14 15:16:00 a sshd[1]: x"),
    ],
)
def test_a_record_without_a_tag_names_nothing(find, line: str, message: str) -> None:
    """A host is cut off only where it is sure to be one."""
    found = find(parse_syslog_3164, line)
    assert (found.name, found.message) == (None, message)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Jun",
        "Jun 14 15:16:01 ERROR something: failed",
        "Jun 14 15:16:01 something happened",
        "Jun 14 25:16 web-1 sshd[1]: x",
        "Jun 14 15:16:01web-1 sshd[1]: x",
        "June was 14 15:16:01 web-1 sshd[1]: x",
        "2026-01-02T15:04:05Z INFO app: x",
        "2026-01-02T15:04:05Z connection refused: x",
        "2026-01-02T15:04:05Z worker-3 TypeError: x is undefined",
        "2026-01-02T15:04:05Z WARN worker[12]: x",
        "2026-01-02 15:04:05 worker: x",
        "2026-01-02 15:04:05.123 UTC [12] x",
        "2026-01-02 15:04:05,123 - INFO [main]: x",
        "[   12.345678] usb 1-1: x",
        "[12.34] web-1 app[1]: x",
        "<192>Jun 14 15:16:01 web-1 su: x",
        "<a>Jun 14 15:16:01 web-1 su: x",
        "<1234>x",
        "<13",
    ],
)
def test_another_programs_line_is_left_alone(find, line: str) -> None:
    """A level where the host would be, a stamp that is none, a priority out of range."""
    assert find(parse_syslog_3164, line) is None


def test_an_impossible_date_is_told_as_such(find) -> None:
    """The header stands even where its date names no day."""
    found = find(parse_syslog_3164, "Feb 30 15:16:01 web-1 sshd[1]: x")
    assert (found.time, found.name) == ("impossible", "sshd")


def test_a_header_without_a_message_is_quoted_whole(find) -> None:
    """Something has to stand for the record, and there is nothing to read inside."""
    found = find(parse_syslog_3164, "Jun 14 15:16:01 web-1 sshd[1]: ")
    assert (found.message, found.inner) == ("Jun 14 15:16:01 web-1 sshd[1]:", None)


@pytest.mark.parametrize("header", ["Jun 14 15:16:01 router-1 45: ", "<189>29: router-1: "])
def test_a_cisco_head_behind_a_syslog_header_is_read_as_such(find, header: str) -> None:
    """Its own digit and facility say more than the header does."""
    found = find(parse_syslog_3164, f"{header}%LINK-3-UPDOWN: Gi0/1 down")
    assert (found.level, found.severity, found.name) == ("3", "high", "LINK")

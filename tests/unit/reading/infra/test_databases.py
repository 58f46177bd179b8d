"""Logs of databases."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_mongodb, parse_mysql, parse_postgresql, parse_redis

PG = "2026-06-14 15:16:01.123 UTC [123]"


@pytest.mark.parametrize(
    ("line", "level", "severity"),
    [
        (f"{PG} amy@shop LOG:  x", "LOG", "low"),
        (f"{PG} DEBUG2:  x", "DEBUG", "low"),
        (f"{PG} NOTICE:  x", "NOTICE", "low"),
        (f"{PG} amy@shop WARNING:  x", "WARNING", "medium"),
        (f"{PG} amy@shop ERROR:  x", "ERROR", "high"),
        (f"{PG} [unknown]@[unknown] FATAL:  x", "FATAL", "critical"),
        (f"{PG} PANIC:  x", "PANIC", "critical"),
        (f"{PG} STATEMENT:  x", "STATEMENT", "low"),
        (f"{PG} HINT:  x", "HINT", "low"),
        ("2026-06-14 15:16:01.123 UTC:192.0.2.1(512):amy@shop:[123]:ERROR:  x", "ERROR", "high"),
        ("2026-06-14 15:16:01.123 UTC [123]: [1-1] user=amy,db=shop LOG:  x", "LOG", "low"),
    ],
)
def test_postgresqls_head_is_the_level(find, line: str, level: str, severity: str) -> None:
    """Whatever prefix the site has set, as long as the process id is in it."""
    found = find(parse_postgresql, line)
    assert found[:4] == ("postgresql", "2026-06-14T15:16:01.123Z", level, severity)
    assert (found.basis, found.name, found.message) == ("level", None, "x")


def test_an_application_in_postgresqls_prefix_is_the_name(find) -> None:
    """`app=%a` is the field that sites use for it."""
    found = find(parse_postgresql, f"{PG}: [1-1] user=amy,app=billing,client=192.0.2.1 LOG:  x")
    assert (found.name, found.name_basis) == ("billing", "key")


@pytest.mark.parametrize(
    ("stamp", "time"),
    [
        ("2026-06-14 15:16:01 CEST", "2026-06-14T15:16:01"),
        ("2026-06-14 15:16:01.123 +02", "2026-06-14T15:16:01.123+02:00"),
        ("2026-06-14 15:16:01.123+00", "2026-06-14T15:16:01.123Z"),
        ("2026-06-14 15:16:01-03", "2026-06-14T15:16:01-03:00"),
        ("2026-06-14 15:16:01.5+05:30", "2026-06-14T15:16:01.5+05:30"),
        ("2026-06-14 15:16:01", "2026-06-14T15:16:01"),
    ],
)
def test_postgresqls_zone_is_the_sites(find, stamp: str, time: str) -> None:
    """An abbreviation that means several zones gives none."""
    assert find(parse_postgresql, f"{stamp} [123] LOG:  x").time == time


@pytest.mark.parametrize(
    "line",
    [
        "",
        "LOG:  x",
        "2026-06-14 15:16:01.123 ERROR:  no process id",
        f"{PG} amy@shop LOUD:  x",
        f"{PG} amy@shop LOG: one blank",
        "2026-06-14T15:16:01.123Z [123] LOG:  x",
        "2026-06-99 15:16:01 [123] LO:  x",
    ],
)
def test_other_heads_are_no_postgresql_log(find, line: str) -> None:
    """Time, process id and one of its heads with two blanks have to stand."""
    assert find(parse_postgresql, line) is None


ISO = "2026-06-14T15:16:01.123456Z"


@pytest.mark.parametrize(
    ("line", "time", "severity", "name"),
    [
        (f"{ISO} 0 [Warning] [MY-010068] [Server] x", ISO, "medium", "Server"),
        (f"{ISO} 12 [ERROR] [MY-012592] [InnoDB] x", ISO, "high", "InnoDB"),
        (f"{ISO} 0 [System] [MY-010116] [Server] x", ISO, "low", "Server"),
        (f"{ISO} 0 [Note] InnoDB: x", ISO, "low", "InnoDB"),
        ("2026-06-14 15:16:01 0 [ERROR] x", "2026-06-14T15:16:01", "high", None),
        (
            "2026-06-14 15:16:01+00:00 [Note] [Entrypoint]: x",
            "2026-06-14T15:16:01Z",
            "low",
            "Entrypoint",
        ),
        ("260614 15:16:01 [Note] x", "ambiguous", "low", None),
    ],
)
def test_mysqls_subsystem_is_its_logger(
    find, line: str, time: str, severity: str, name: str | None
) -> None:
    """In the words of versions 5 and 8 and of MariaDB."""
    found = find(parse_mysql, line)
    assert (found.format, found.time, found.severity) == ("mysql", time, severity)
    assert (found.name, found.message) == (name, "x")


@pytest.mark.parametrize(
    "line", ["", "0 [Note] x", f"{ISO} 0 [INFO] x", f"{ISO} main [Note] x", f"{ISO} [Nota] x"]
)
def test_other_brackets_are_no_mysql_log(find, line: str) -> None:
    """Only its own four words are levels here."""
    assert find(parse_mysql, line) is None


@pytest.mark.parametrize(
    ("sign", "severity"), [(".", "low"), ("-", "low"), ("*", "low"), ("#", "medium")]
)
def test_redis_states_its_level_by_a_sign(find, sign: str, severity: str) -> None:
    """Debug, verbose, notice, warning."""
    found = find(parse_redis, f"1:M 14 Jun 2026 15:16:01.123 {sign} x")
    assert found == (
        "redis", "2026-06-14T15:16:01.123", sign, severity, "level", None, None, "x", None,
    )  # fmt: skip


def test_an_older_redis_writes_no_year_and_no_role(find) -> None:
    """The year follows from the line's arrival."""
    found = find(parse_redis, "[1234] 14 Jun 15:16:01.123 * x")
    assert (found.time, found.level) == ("2026-06-14T15:16:01.123", "*")


def test_redis_writes_seconds_from_a_signal_handler(find) -> None:
    """It can format no date there, and states no level."""
    found = find(parse_redis, "1:signal-handler (1781450161) Received SIGTERM")
    assert (found.time, found.level) == ("2026-06-14T15:16:01Z", None)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "1:M x",
        "1:M 14 Jun 2026 15:16:01.123 x",
        "[12] 14 Foo 15:16:01 * x",
        "12:30 lunch",
        "[x]",
    ],
)
def test_other_numbers_are_no_redis_log(find, line: str) -> None:
    """Process, time and sign have to stand."""
    assert find(parse_redis, line) is None


@pytest.mark.parametrize(
    ("line", "severity", "name"),
    [
        ("2026-06-14T15:16:01.123+0000 I NETWORK  [conn1] x", "low", "NETWORK"),
        ("2026-06-14T15:16:01.123Z W  STORAGE  [main] x", "medium", "STORAGE"),
        ("2026-06-14T15:16:01.123+0000 E -        [main] x", "high", None),
        ("2026-06-14T15:16:01.123+0000 D2 QUERY    [conn1] x", "low", "QUERY"),
        ("2026-06-14T15:16:01.123+0000 F CONTROL  [main] x", "critical", "CONTROL"),
    ],
)
def test_mongodbs_component_is_its_logger(find, line: str, severity: str, name: str | None) -> None:
    """A dash in its place is none."""
    found = find(parse_mongodb, line)
    assert found[:2] == ("mongodb", "2026-06-14T15:16:01.123Z")
    assert (found.severity, found.name, found.message) == (severity, name, "x")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "2026-06-14T15:16:01.123Z INFO [main] x",
        "2026-06-14T15:16:01.123Z I network [main] x",
        "2026-06-14T15:16:01.123Z I NETWORK x",
        "2026-06-14 15:16:01.123 I NETWORK [main] x",
    ],
)
def test_other_letters_are_no_mongodb_log(find, line: str) -> None:
    """Letter, component in capitals and context have to stand."""
    assert find(parse_mongodb, line) is None

"""What containers, orchestrators and runners put before a line."""

from __future__ import annotations

import time

import pytest

from logdocket.line import NO_CONTEXT, Severity
from logdocket.reading.parts import Parts
from logdocket.reading.wrappers import parse_wrapper

STAMP = "2026-01-02T15:04:05.123456789Z"


def parse(line: str) -> Parts | None:
    """The parts of the wrapper of ``line``."""
    return parse_wrapper(line, 0, len(line), NO_CONTEXT)


@pytest.mark.parametrize(
    ("prefix", "format", "stamp", "name"),
    [
        (f"{STAMP} stdout F ", "cri", STAMP, None),
        (f"{STAMP} stderr P ", "cri", STAMP, None),
        ("2026-01-02T15:04:05.5+01:00 stdout F ", "cri", "2026-01-02T15:04:05.5+01:00", None),
        ("web-1  | ", "compose", None, "web-1"),
        ("web_12 | ", "compose", None, "web_12"),
        ("shop-web-1      | ", "compose", None, "shop-web-1"),
        ("web  | ", "compose", None, "web"),
        ("web | ", "compose", None, "web"),
        ("web.1.abcdefghijklmnopqrstuvwxy@node-1    | ", "compose", None, "web"),
        ("0|web-api      | ", "pm2", None, "web-api"),
        ("12|Worker | ", "pm2", None, "Worker"),
        ("PM2        | ", "compose", None, "PM2"),
        ("[pod/web-5d9c8b7f6d-x2x4z/server] ", "kubectl", None, "server"),
        ("web-5d9c8b7f6d-x2x4z server ", "stern", None, "server"),
        ("shop web-5d9c8b7f6d-x2x4z server ", "stern", None, "server"),
        (
            "2026-01-02T15:04:05.123456+00:00 app[web.1]: ",
            "heroku",
            "2026-01-02T15:04:05.123456Z",
            "web",
        ),
        ("2026-01-02T15:04:05+00:00 heroku[router]: ", "heroku", "2026-01-02T15:04:05Z", "router"),
    ],
)
@pytest.mark.parametrize("wrapped", ["hello", '{"level":"error"}', "a | b", "x"])
def test_prefixes_are_taken_off(
    prefix: str, format: str, stamp: str | None, name: str | None, wrapped: str
) -> None:
    """Time and name come from the prefix; what stands behind it is a record of its own."""
    if prefix in ("web | ", "PM2        | ") and "|" in wrapped:
        return
    line = prefix + wrapped
    parts = parse(line)
    assert parts is not None
    assert parts.format == format
    assert (parts.stamp and parts.stamp.value) == stamp
    assert (parts.name and line[parts.name.start : parts.name.end]) == name
    assert parts.inner == parts.message
    assert line[slice(*parts.message)] == wrapped


@pytest.mark.parametrize(
    ("command", "severity"),
    [
        ("##[error]", Severity.HIGH),
        ("##[warning]", Severity.MEDIUM),
        ("##[notice]", Severity.LOW),
        ("##[group]", None),
        ("::error::", Severity.HIGH),
        ("::warning file=a.py,line=3::", Severity.MEDIUM),
    ],
)
@pytest.mark.parametrize("time_before", ["", "2026-01-02T15:04:05.1234567Z "])
def test_a_runner_s_command_states_the_severity(
    command: str, severity: Severity | None, time_before: str
) -> None:
    """The word in brackets is the level; a group has none."""
    if time_before and command.startswith("::"):
        return
    line = f"{time_before}{command}Process completed"
    parts = parse(line)
    assert parts is not None
    assert parts.format == "github-actions"
    assert (parts.level and parts.level.value) == severity
    assert line[slice(*parts.message)] == "Process completed"


def test_a_wrapper_around_nothing_has_no_inner_record() -> None:
    """An empty line of a container is all prefix."""
    parts = parse(f"{STAMP} stdout F ")
    assert parts is not None
    assert parts.inner is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "plain words",
        "error | disk full",
        "WARN | disk full",
        "Name | Count",
        "id | name | state",
        "42 | answer",
        "a|b",
        "2026-01-02 | INFO | started",
        f"{STAMP} stdout something else",
        f"{STAMP} INFO hello",
        f"{STAMP} nginx[12]: hello",
        f"{STAMP} ##[unheard-of]x",
        "##[unheardof]x",
        "## heading",
        "::1 connected",
        "[pod/web] hello",
        "[error] hello",
        "well-known-facts about it",
        "re-entrant-calls are bad here",
        "one-two-three-four five six",
    ],
)
def test_what_might_be_something_else_is_left_alone(line: str) -> None:
    """Tables, levels, heads and hyphenated prose are no wrappers."""
    assert parse(line) is None


@pytest.mark.parametrize("start", ["", f"{STAMP} ", "[pod/", "web-1 ", "::error ", "##["])
@pytest.mark.parametrize("unit", ["a", " ", "|", "-", "a-", "1", "[", ":", "a ", " |", "a."])
def test_time_is_linear_on_hostile_lines(start: str, unit: str) -> None:
    """64 KiB of anything are looked at only near their start."""
    line = start + unit * (65_536 // len(unit))
    began = time.process_time()
    parse(line)
    assert time.process_time() - began < 0.05


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("web-1 exited with code 137", "web-1"),
        ("shop_db_2 exited with code 0", "shop_db_2"),
        ("process exited with code 1", None),
        ("web-1 exited with code 1 after 3 s", None),
        ("Name | Value", None),
        ("Total  | 5 | 6", None),
    ],
)
def test_compose_s_last_word_on_a_container_names_it(line: str, name: str | None) -> None:
    """Whatever else exits is not said by Compose, and a table's head is no prefix."""
    parts = parse(line)
    assert (parts and parts.name and line[parts.name.start : parts.name.end]) == name

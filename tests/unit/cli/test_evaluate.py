from __future__ import annotations

import json
import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import shown

from logdocket.evaluation import shipped_sets, system

from .conftest import Command

STAMP = "2026-01-02T15:04:05Z"
RIGHT = {
    "line": f"{STAMP} ERROR pay: card refused",
    "severity": "high",
    "first_seen": [STAMP],
    "service": "pay",
    "template": "T1",
}
WRONG = {**RIGHT, "severity": "low", "template": "T2"}
OPEN = {
    "line": "Jun 14 15:16:01 web-1 sshd[7]: error: no route",
    "severity": "high",
    "first_seen": ["unknown"],
    "service": "sshd",
    "template": "T3",
}
Told = Callable[..., tuple[int, str]]


def written(folder: Path, *rows: object, name: str = "north") -> Path:
    """A set of these rows."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_sets_are_evaluated_as_they_are_named(tmp_path: Path, logdocket: Command) -> None:
    """One table for each field, a row for each set."""
    north, south = written(tmp_path, RIGHT), written(tmp_path, RIGHT, WRONG, name="south")
    done = logdocket("eval", south, north)
    assert (done.code, done.err) == (0, "")
    severity = done.out.split("\n\n")[0].split("\n")
    assert [row.split()[0] for row in severity] == ["severity", "south", "north", "all"]
    assert "\nsouth T2" in done.out


def test_the_shipped_sets_are_evaluated_where_none_is_named(logdocket: Command) -> None:
    """All of them."""
    done = logdocket("eval", "--json")
    assert done.code == 0
    assert [found["set"] for found in json.loads(done.out)["sets"]] == [
        system(path) for path in shipped_sets()
    ]


def test_nothing_is_written_anywhere(tmp_path: Path, logdocket: Command) -> None:
    """No ledger is opened."""
    (before,) = written(tmp_path, RIGHT).parent.iterdir()
    logdocket("eval", before)
    assert list(tmp_path.iterdir()) == [before]
    assert list(Path.cwd().glob("*.db*")) == []


def test_an_arrival_gives_years(tmp_path: Path, logdocket: Command) -> None:
    """Times that the set leaves open are then counted as resolved."""
    path = written(tmp_path, OPEN)
    done = logdocket("eval", path, "--json", "--received-at", "2026-06-15T00:00:00Z")
    assert json.loads(done.out)["all"]["fields"]["first_seen"]["resolved"] == 1
    done = logdocket("eval", path, "--json")
    assert json.loads(done.out)["all"]["fields"]["first_seen"]["unknown"] == 1


def test_lines_of_one_outcome_are_shown(tmp_path: Path, logdocket: Command) -> None:
    """As many as were asked for, with what was given, what was right and what was read."""
    path = written(tmp_path, RIGHT, WRONG, WRONG, WRONG)
    done = logdocket("eval", path, "--show", "wrong", "severity", 2)
    assert done.code == 0
    assert done.out.split("\n")[:5] == [
        "north:2: severity wrong",
        f"  line   {STAMP} ERROR pay: card refused",
        "  given  high",
        "  right  low",
        '  read   "ERROR" at 21:26 (level), as app',
    ]
    assert done.out.count("north:") == 2


def test_shown_lines_can_be_json(tmp_path: Path, logdocket: Command) -> None:
    """An object for each line."""
    path = written(tmp_path, RIGHT, WRONG)
    done = logdocket("eval", path, "--json", "--show", "wrong", "severity", 9)
    (shown,) = map(json.loads, done.out.splitlines())
    assert shown == {
        "set": "north",
        "number": 2,
        "template": "T2",
        "format": "app",
        "field": "severity",
        "outcome": "wrong",
        "given": "high",
        "right": ["low"],
        "basis": "level",
        "read": "ERROR",
        "span": [21, 26],
        "line": RIGHT["line"],
    }


def test_a_shown_line_cannot_forge_another(tmp_path: Path, logdocket: Command) -> None:
    """What would end the line or move the cursor is escaped."""
    path = written(tmp_path, {**WRONG, "line": "ERROR a\n  right  low\x1b[2J"})
    done = logdocket("eval", path, "--show", "wrong", "severity", 1)
    assert "  line   ERROR a\\n  right  low\\x1b[2J\n" in done.out


def test_where_there_is_no_such_line_it_is_said(tmp_path: Path, logdocket: Command) -> None:
    """In words for people, and with nothing for programs."""
    wish = ("--show", "wrong", "service", 1)
    path = written(tmp_path, RIGHT)
    assert logdocket("eval", path, *map(str, wish)).out == "no line whose service is wrong\n"
    assert logdocket("eval", path, "--json", *map(str, wish)).out == ""


@pytest.mark.parametrize(
    ("bound", "code", "said"),
    [
        (("--min-right", "severity=0.5"), 0, ""),
        (("--min-right", "severity=0.51"), 1, "severity: 0.5000 right, where at least 0.51 was"),
        (("--max-wrong", "severity=0.5"), 0, ""),
        (("--max-wrong", "severity=0"), 1, "severity: 0.5000 wrong, where at most 0 was asked"),
        (("--min-right", "first_seen=1"), 0, ""),
    ],
)
def test_a_bound_that_is_broken_gives_exit_code_1(
    bound: tuple[str, str], code: int, said: str, tmp_path: Path, logdocket: Command
) -> None:
    """The counts are printed all the same."""
    done = logdocket("eval", written(tmp_path, RIGHT, {**WRONG, "first_seen": [STAMP]}), *bound)
    assert done.code == code
    assert said in done.err
    assert bool(done.err) == bool(said)
    assert done.out.startswith("severity")


def test_a_bound_on_a_field_without_labels_is_broken(tmp_path: Path, logdocket: Command) -> None:
    """What cannot be measured is not met."""
    path = written(tmp_path, {"line": "nothing to see"})
    done = logdocket("eval", path, "--min-right", "service=0")
    assert (done.code, done.err) == (1, "logdocket: service: no line has a label\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--show", "bad", "severity", "1"), "--show bad: give one of right, resolved, unknown, "),
        (("--show", "wrong", "line", "1"), "--show line: give one of severity, first_seen, "),
        (("--show", "wrong", "severity", "0"), "--show 0: say how many lines, 1 or more"),
        (("--min-right", "severity"), "--min-right severity: give FIELD=SHARE, such as "),
        (("--max-wrong", "line=1"), "--max-wrong line: give one of severity, first_seen, "),
        (("--min-right", "severity=99"), "--min-right severity=99: give FIELD=SHARE"),
        (("--min-right", "severity=nan"), "--min-right severity=nan: give FIELD=SHARE"),
        (("--received-at", "noon"), "received_at 'noon' is not RFC 3339"),
    ],
)
def test_wrong_options_are_told_in_one_line(words: tuple[str, ...], said: str, told: Told) -> None:
    """Before any set is read."""
    code, line = told("eval", "none.jsonl", *words)
    assert code == 2
    assert line.startswith(said)


def test_a_bad_set_is_told_with_its_place(tmp_path: Path, told: Told) -> None:
    """And nothing is printed of those before it."""
    path = written(tmp_path, RIGHT, {"line": ""})
    code, line = told("eval", written(tmp_path, RIGHT, name="south"), path)
    assert code == 2
    assert line.startswith(f"{path}:2: has a bad line")


def test_a_long_set_tells_how_far_it_is(
    tmp_path: Path, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal, and nothing is left of it in the end."""
    path = written(tmp_path, *[RIGHT] * 2500)
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        assert logdocket("eval", path).code == 0
    told = shown(ours).decode()
    os.close(ours)
    assert told == "\r1,000 lines\r2,000 lines\r\x1b[K"

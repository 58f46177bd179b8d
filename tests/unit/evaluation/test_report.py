from __future__ import annotations

import json

import pytest

from logdocket.evaluation.accuracy import Accuracy
from logdocket.evaluation.report import lines, shown_share, to_json

from .conftest import Looked

STAMP = "2026-01-02T15:04:05Z"
LINE = f"{STAMP} ERROR pay: card refused"


@pytest.fixture
def accuracy(look: Looked) -> Accuracy:
    """Two sets with a fault each."""
    found = Accuracy()
    right = look(LINE, "high", (STAMP,), "pay", template="T1")
    list(found.add("north", [right, look(LINE, "low", template="T2", number=2)]))
    list(found.add("south", [right, look("nothing to see", "low", template=None, number=7)]))
    return found


def test_tables_tell_each_field_by_set(accuracy: Accuracy) -> None:
    """Columns that nothing falls in are left out, but for the three kinds."""
    severity, first_seen = "\n".join(lines(accuracy, 10)).split("\n\n")[:2]
    assert severity.split("\n") == [
        "severity  labelled  right          unknown          wrong",
        "north            2      1  0.5000        0  0.0000      1  0.5000",
        "south            2      1  0.5000        1  0.5000      0  0.0000",
        "all              4      2  0.5000        1  0.2500      1  0.2500",
    ]
    assert first_seen.startswith("first_seen  labelled  right          unknown          wrong\n")


def test_the_last_tables_tell_where_the_faults_are(accuracy: Accuracy) -> None:
    """Severities against each other, what bore them out, and the worst templates."""
    confusion, bases, worst = "\n".join(lines(accuracy, 10)).split("\n\n")[4:]
    assert confusion.split("\n")[1].split() == ["low", "0", "0", "1", "0", "1"]
    assert bases.split("\n")[1:] == [
        "level                      2        0      1",
        "unstated                   0        1      0",
    ]
    assert worst.split("\n")[1:] == [
        "north T2                      1           2  severity 1  -",
        "south without a template      1           7  -           severity 1",
    ]


def test_without_faults_there_is_no_table_of_them(look: Looked) -> None:
    """And with one set no sum."""
    found = Accuracy()
    list(found.add("north", [look(LINE, "high")]))
    printed = "\n".join(lines(found, 10))
    assert "worst" not in printed
    assert "\nall " not in printed


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "-"),
        (0, "0.0000"),
        (1, "1.0000"),
        (1 / 3, "0.3333"),
        (0.99999, "0.9999"),
        (0.000001, "0.0001"),
    ],
)
def test_a_share_is_never_rounded_to_all_or_nothing(value: float | None, shown: str) -> None:
    """One fault among many stays to be seen."""
    assert shown_share(value) == shown


def test_json_tells_all_that_the_tables_do(accuracy: Accuracy) -> None:
    """Every word is there, whatever was counted, so that programs need not ask."""
    found = json.loads(json.dumps(to_json(accuracy, 1)))
    assert [tally["set"] for tally in found["sets"]] == ["north", "south"]
    assert found["all"]["fields"]["severity"] == {
        "labelled": 4,
        "right": 2,
        "resolved": 0,
        "unknown": 1,
        "needless": 0,
        "wrong": 1,
        "shares": {"right": 0.5, "resolved": 0, "unknown": 0.25, "needless": 0, "wrong": 0.25},
    }
    assert found["all"]["severities"]["low"] == {
        "low": 0,
        "medium": 0,
        "high": 1,
        "critical": 0,
        "unknown": 1,
    }
    assert found["templates"] == [
        {
            "set": "north",
            "template": "T2",
            "lines": 1,
            "first": 2,
            "wrong": {"severity": 1},
            "unknown": {},
        }
    ]


def test_a_failing_rule_is_told(monkeypatch: pytest.MonkeyPatch, look: Looked) -> None:
    """Such a line counts as unknown, but it is a fault of ours."""

    def fail(line: object, context: object) -> None:
        raise RuntimeError("no rule can do this")

    monkeypatch.setattr("logdocket.docket.judge.read", fail)
    found = Accuracy()
    list(found.add("north", [look(LINE, "high")]))
    assert list(lines(found, 10))[-1] == "reading failed in 1 of 1 lines"
    assert to_json(found, 0)["all"]["failed"] == 1

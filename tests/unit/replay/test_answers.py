from __future__ import annotations

import json
from pathlib import Path

import pytest

from logdocket.replay import answers

RIGHT: dict[str, object] = {
    "service": "harbour",
    "severity": "high",
    "first_seen": "2026-01-02T03:04:05Z",
    "source": "fallback",
    "reasons_include": ["model_not_configured"],
    "evidence_contains": "crane",
}


def wrong(folder: Path, expect: dict[str, object]) -> list[str]:
    """What is said of a row with these answers."""
    path = folder / "made.jsonl"
    row = {
        "id": "crane",
        "at": "2026-01-02T03:04:06Z",
        "line": "2026-01-02T03:04:05Z ERROR harbour: crane stopped",
        "expect": expect,
    }
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return [str(each) for each in answers(path)]


def test_right_answers_leave_nothing_to_say(tmp_path: Path) -> None:
    """Every kind of answer at once."""
    assert wrong(tmp_path, RIGHT) == []


def test_an_answer_that_is_not_told_is_not_compared(tmp_path: Path) -> None:
    """A row may tell as little as its author knows."""
    assert wrong(tmp_path, {}) == []


def test_any_answer_of_a_list_is_right(tmp_path: Path) -> None:
    """Where the line leaves a choice."""
    choices = {"service": ["crane", "harbour"], "severity": ["critical", "high"]}
    assert wrong(tmp_path, choices) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"service": "pier"}, "service is harbour, right is pier"),
        ({"service": ["pier", "sea"]}, "service is harbour, right is pier or sea"),
        ({"severity": "low"}, "severity is high, right is low"),
        ({"first_seen": "unknown"}, "first_seen is 2026-01-02T03:04:05Z, right is unknown"),
        ({"source": "cache"}, "source is fallback, right is cache"),
        ({"reasons_include": ["service_unknown"]}, "right is among others service_unknown"),
        ({"evidence_contains": "pier"}, "right is one that holds 'pier'"),
    ],
)
def test_a_wrong_answer_is_told_with_the_right_one(
    changed: dict[str, object], said: str, tmp_path: Path
) -> None:
    """One sentence for each field that is wrong."""
    (sentence,) = wrong(tmp_path, RIGHT | changed)
    assert sentence.startswith("crane: ")
    assert said in sentence


def test_every_wrong_answer_is_told(tmp_path: Path) -> None:
    """Not only the first."""
    assert len(wrong(tmp_path, {"service": "pier", "severity": "low", "source": "cache"})) == 3

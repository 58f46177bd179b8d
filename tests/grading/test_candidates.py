"""The grader is graded: each answer here is right but for one fault, which alone it is told of."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

_CANDIDATES: Final = Path(__file__).parent / "candidates"
_NAMES: Final = sorted(path.parent.name for path in _CANDIDATES.glob("*/case.toml"))
_ENOUGH: Final = 85.0
"""Points that an honest answer earns at least before a person has looked."""
_SHORT: Final = 120
"""Lines below which the program of the honest answer stays."""
_LOST: Final = ("fail", "partial")

pytestmark = pytest.mark.timeout(180)


def _case(name: str) -> dict[str, Any]:
    return tomllib.loads((_CANDIDATES / name / "case.toml").read_text())


def _of(report: dict[str, Any], *verdicts: str) -> list[str]:
    """The ids of the probes that ended so, for the fault of the answer and nobody else's."""
    return [p["id"] for p in report["probes"] if p["verdict"] in verdicts]


def _needed(case: dict[str, Any]) -> None:
    program = case.get("needs")
    if program is not None and shutil.which(program) is None:
        pytest.skip(f"there is no {program} here")


def _told(report: dict[str, Any]) -> str:
    """What the report says of all that is not well, for whoever reads a failed test."""
    return "\n".join(
        f"{p['verdict']} {p['id']}: {p['seen']}" for p in report["probes"] if p["verdict"] != "pass"
    )


@pytest.mark.parametrize("name", _NAMES)
def test_a_candidate_fails_its_intended_probes_and_keeps_the_rest(
    name: str, checkout: Callable[[str], Path], grade: Callable[..., dict[str, Any]]
) -> None:
    """A fault costs what it should, and costs nothing else; an honest answer has none."""
    case = _case(name)
    _needed(case)
    report = grade(checkout(name))
    assert sorted(_of(report, *_LOST)) == sorted(case["fails"]), _told(report)
    assert sorted(_of(report, "skipped")) == sorted(case["skips"]), _told(report)
    if not case["fails"]:
        assert report["score"]["low"] >= _ENOUGH, _told(report)


def test_the_honest_answer_is_short() -> None:
    """What the exercise asks for fits into one file that is read in minutes."""
    program = _CANDIDATES / "honest" / "service.py"
    assert len(program.read_text().splitlines()) < _SHORT


def test_the_same_seed_gives_the_same_bytes(
    checkout: Callable[[str], Path], grade: Callable[..., dict[str, Any]]
) -> None:
    """Two gradings of one answer differ in their times and logs alone."""
    folder = checkout("ledger-lies")
    first, second = (grade(folder, "--seed", "7") for _ in range(2))
    assert first.pop("times") != second.pop("times")
    del first["logs"], second["logs"]
    assert first == second


def test_there_are_enough_faults() -> None:
    """Fourteen faults at least, two of them not in Python, as they are met in the wild."""
    cases = {name: _case(name) for name in _NAMES}
    assert sum(bool(case["fails"]) for case in cases.values()) >= 14
    assert sum("needs" in case for case in cases.values()) >= 2

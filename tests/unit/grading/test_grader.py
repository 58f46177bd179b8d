from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from logdocket.errors import BadManifest, GradingError
from logdocket.grading.finding import Verdict
from logdocket.grading.grader import Step, Wish, grade
from logdocket.grading.order import OVER
from logdocket.grading.report.document import Judged, Report

README = """\
# An answer

Start it with `python3 service.py`, test it with `python3 -m unittest`. It takes one line of a log
at a time and gives a ticket for it, with the words of the line that bear it out, or says that a
person has to look at the line.

## Limits

It remembers nothing once it has been stopped, and reads one form of timestamp alone.
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies are made, which must be empty afterwards."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    """A checkout that has only a runbook."""
    folder = tmp_path / "the answer"
    folder.mkdir()
    (folder / "README.md").write_text(README)
    return folder


def found(report: Report, name: str) -> Judged:
    """What a probe found."""
    return next(probe for probe in report.probes if probe.id == name)


def test_a_copy_is_graded_and_is_gone_afterwards(answer: Path, temporary: Path) -> None:
    """The checkout is as it was; the report says whose it is and what was gone by."""
    steps: list[Step] = []
    report = grade(Wish(folder=answer, only="communication/"), "9.9", steps.append)
    assert (report.candidate, report.grader) == ("the answer", "logdocket 9.9")
    assert found(report, "communication/runbook/limits").verdict is Verdict.PASS
    assert found(report, "communication/runbook/limits-argued").verdict is Verdict.NEEDS_HUMAN
    assert "service.start" in {fact.key for fact in report.facts}
    assert steps[0].what == "Copying the checkout"
    assert steps[-1].of == len(report.probes) > steps[-1].done > steps[-2].done
    assert [path.name for path in answer.iterdir()] == ["README.md"]
    assert list(temporary.iterdir()) == []


def test_a_copy_can_be_kept(answer: Path, temporary: Path) -> None:
    """And its place is told."""
    steps: list[Step] = []
    wish = Wish(folder=answer, only="communication/runbook/present", keep=True)
    grade(wish, "1", steps.append)
    (kept,) = temporary.iterdir()
    assert steps[-1].what.endswith(str(kept))
    assert (kept / "checkout" / "README.md").read_text() == README


def test_a_set_up_that_fails_is_told_where_it_matters(answer: Path) -> None:
    """What runs nothing is judged nevertheless, and the log is there."""
    told = {"setup.command": "echo no such package >&2; exit 4"}
    report = grade(Wish(folder=answer, told=told, only="reproducibility/"), "1")
    assert found(report, "reproducibility/tests/known").seen == "The set-up failed: exit code 4."
    assert found(report, "reproducibility/dependencies/pinned").verdict is Verdict.PASS
    log = next(log for log in report.logs if log.name == "setup")
    assert (log.said, log.err) == ("exit code 4", "no such package\n")


def test_what_is_not_reached_in_time_is_skipped(answer: Path) -> None:
    """And earns nothing."""
    report = grade(Wish(folder=answer, seconds=0.0, only="communication/runbook/present"), "1")
    (probe,) = report.probes
    assert (probe.verdict, probe.seen) == (Verdict.SKIPPED, OVER)
    assert report.score.high == 0


def test_what_cannot_be_graded_is_refused(answer: Path, tmp_path: Path, temporary: Path) -> None:
    """Before anything is run, and nothing is left behind."""
    (answer / "grade.toml").write_text("[service]\nstrat = 1\n")
    with pytest.raises(BadManifest, match="did you mean `start`"):
        grade(Wish(folder=answer), "1")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(GradingError, match="holds nothing: name a checkout"):
        grade(Wish(folder=empty), "1")
    for folder in (tmp_path / "nowhere", answer / "README.md"):
        with pytest.raises(GradingError, match="is no folder"):
            grade(Wish(folder=folder), "1")
    with pytest.raises(GradingError, match="nothing to grade"):
        grade(Wish(), "1")
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("target", ["{outside}", "grade.toml", "nowhere.toml"])
def test_a_manifest_that_leads_to_no_file_of_the_checkout_is_refused(
    target: str, tmp_path: Path
) -> None:
    """What it leads to is no business of the answer's, and is not read."""
    answer, outside = tmp_path / "answer", tmp_path / "outside.toml"
    answer.mkdir()
    outside.write_text('[service]\nstart = "python3 service.py"\n')
    (answer / "grade.toml").symlink_to(target.format(outside=outside))
    with pytest.raises(BadManifest, match="leads out of the checkout"):
        grade(Wish(folder=answer, only="communication/"), "0")

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logdocket.testing import closed_port

from .conftest import Command

MINUTE = """
[service]
start = "python3 -c 'import time; time.sleep(60)'"
"""


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        ((), "name one of DIR, --url and --report"),
        ((".", "--url", "http://127.0.0.1:1"), "name one of DIR, --url and --report"),
        ((".", "--model-port", "9"), "--model-port belongs to --url"),
        (("nowhere",), "nowhere is no folder: name a checkout"),
        (("--url", "http://answer.example:80"), "not a service on this machine"),
        (("--url", "https://127.0.0.1:1"), "give http://127.0.0.1:PORT"),
        (("--url", "http://127.0.0.1:1/extract"), "--set service.path=/extract"),
        (("--url", "http://127.0.0.1:port"), "is no address"),
        ((".", "--set", "ledger.file"), "is no KEY=VALUE"),
        ((".", "--set", "service.strat=run"), "did you mean `start`?"),
        (("--report", "nowhere.json"), "nowhere.json cannot be read: No such file"),
        (("--report", "nowhere.json", "--only", "failure/"), "belong to a new grading"),
        (("--report", "nowhere.json", "--test", "make test"), "belong to a new grading"),
        ((".", "--manifest", "nowhere.toml"), "nowhere.toml"),
        ((".", "--human", "nowhere.toml"), "nowhere.toml"),
        ((".", "--only", "nothing/"), "no probe's id begins with 'nothing/'"),
        ((".", "--json", "-", "--html", "-"), "standard output takes one form"),
        ((".", "--json", "one", "--junit", "one"), "one holds one form"),
        (("--report", "/dev/zero"), "longer than any report"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_graded_is_told_in_one_line(
    words: tuple[str, ...], mend: str, tmp_path: Path, logdocket: Command
) -> None:
    """With the bad input and the mend, exit code 2, and no word on standard output."""
    done = logdocket("grade", *words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.splitlines()[-1].startswith("logdocket: ")
    assert mend in done.err.splitlines()[-1]


def test_a_service_that_is_not_there_is_graded(logdocket: Command) -> None:
    """It earns nothing in what was asked of it, and what needs a checkout stays open."""
    done = logdocket("grade", "--url", f"http://127.0.0.1:{closed_port()}", "--json", "-")
    assert done.code == 0
    report = json.loads(done.out)
    assert report["score"]["low"] == 0
    areas = {area["area"]: area["score"] for area in report["areas"]}
    assert areas["reproducibility"] == {"low": 0, "high": 25, "of": 25}


def test_too_few_points_can_fail_a_build(logdocket: Command) -> None:
    """What is earned counts, not what is still open."""
    url = f"http://127.0.0.1:{closed_port()}"
    words = ("grade", "--url", url, "--only", "communication/", "--json", "-", "--min-score")
    assert logdocket(*words, "0").code == 0
    assert logdocket(*words, "1").code == 1


@pytest.mark.parametrize("told", ["nan", "-1", "101", "many"])
def test_a_least_score_is_a_number_of_points(told: str, logdocket: Command) -> None:
    """From 0 to 100: fewer points than no number are never earned."""
    done = logdocket("grade", ".", "--min-score", told)
    assert done.code == 2
    assert "--min-score" in done.err


@pytest.mark.parametrize("option", ["--json", "--junit", "--markdown", "--html"])
@pytest.mark.parametrize("path", ["nowhere/report", "."])
def test_a_file_that_cannot_be_written_is_told_before_the_grading(
    option: str, path: str, tmp_path: Path, logdocket: Command
) -> None:
    """Not when minutes were spent: nothing was begun."""
    done = logdocket("grade", tmp_path, option, tmp_path / path)
    assert done.code == 4
    assert done.err.count("\n") == 1
    assert "cannot be written" in done.err


def test_a_report_that_cannot_be_written_is_shown(logdocket: Command) -> None:
    """A disk that is full at the end takes nothing from the others, nor from the terminal."""
    url = f"http://127.0.0.1:{closed_port()}"
    words = ("grade", "--url", url, "--only", "communication/", "--json", "/dev/full")
    done = logdocket(*words)
    assert done.code == 4
    assert "No space left" in done.err
    assert "communication" in done.out


def test_verdicts_about_no_probe_are_told_before_the_grading(
    tmp_path: Path, logdocket: Command
) -> None:
    """With the id that is meant, and nothing was begun."""
    file = tmp_path / "verdicts.toml"
    file.write_text('["failure/timeout/fall-back"]\nverdict = "pass"\n')
    done = logdocket("grade", tmp_path, "--human", file)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "failure/timeout/falls-back" in done.err


def test_who_leaves_the_prompt_keeps_the_grading(
    tmp_path: Path, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not answered stays open, and the report is written."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    url = f"http://127.0.0.1:{closed_port()}"
    report = tmp_path / "report.json"
    done = logdocket("grade", "--url", url, "--only", "communication/", "--ask", "--json", report)
    assert done.code == 0
    assert json.loads(report.read_bytes())["score"]["high"] > 0


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_the_grading_and_leaves_nothing(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    """One line says so, the exit code is the shell's for it, and the copy is gone."""
    answer, temporary = tmp_path / "answer", tmp_path / "temporary"
    answer.mkdir()
    temporary.mkdir()
    (answer / "grade.toml").write_text(MINUTE)
    grading = subprocess.Popen(
        [sys.executable, "-m", "logdocket", "grade", answer],
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert grading.stderr is not None
    for line in grading.stderr:
        if "correctness/service/starts" in line:
            break
    time.sleep(0.2)
    grading.send_signal(number)
    out, err = grading.communicate(timeout=20)
    assert (grading.returncode, out) == (code, "")
    assert err.startswith("logdocket: ended by ")
    assert err.count("\n") == 1
    assert list(temporary.iterdir()) == []

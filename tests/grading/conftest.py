"""Makes the checkouts that the grader is graded on, and grades them as a user would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

collect_ignore = ["candidates"]
"""Their tests are theirs: the grader runs them, this suite does not."""

_CANDIDATES = Path(__file__).parent / "candidates"
_LEFT = shutil.ignore_patterns("__pycache__", ".ruff_cache", "ledger.jsonl", "case.toml")
_GIT = ("git", "-c", "user.name=Candidate", "-c", "user.email=candidate@web-1.example")
_LONGEST = 170.0
"""Seconds after which a grading is given up."""


@pytest.fixture
def checkout(tmp_path: Path) -> Callable[[str], Path]:
    """A function that writes the checkout of a candidate, by the name of its folder."""

    def write(name: str) -> Path:
        folder = tmp_path / "answer"
        _write(name, folder)
        return folder

    return write


@pytest.fixture
def grade(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """A function that grades a checkout by the command, and gives the report that it wrote."""

    def run(folder: Path, *options: str) -> dict[str, Any]:
        report = tmp_path / "report.json"
        done = subprocess.run(
            [sys.executable, "-m", "logdocket", "grade", folder, "--json", report, *options],
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        told: dict[str, Any] = json.loads(report.read_bytes())
        return told

    return run


def _write(name: str, folder: Path) -> None:
    """What the candidate is laid over, then its own files, then its changes, all committed."""
    source = _CANDIDATES / name
    case = tomllib.loads((source / "case.toml").read_text())
    for layer in (case.get("over"), name):
        if layer is not None:
            shutil.copytree(_CANDIDATES / layer, folder, ignore=_LEFT, dirs_exist_ok=True)
    for change in case.get("change", ()):
        _change(folder / change["file"], change["old"], change["new"])
    _git(folder, "init", "-q", "-b", "main")
    if (committed := case.get("committed")) is not None:
        path = folder / committed["file"]
        path.write_text("".join(committed["parts"]) + "\n")
        _commit(folder, "Answer the exercise")
        path.unlink()
    _commit(folder, "Tidy up")


def _change(path: Path, old: str, new: str) -> None:
    """Put ``new`` in the one place of ``old``."""
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} holds this {text.count(old)} times: {old}"
    path.write_text(text.replace(old, new))


def _commit(folder: Path, subject: str) -> None:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", subject)


def _git(folder: Path, *arguments: str) -> None:
    # Of whoever runs the tests, neither settings nor a repository that git is busy with.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run([*_GIT, *arguments], cwd=folder, env=env, check=True, capture_output=True)

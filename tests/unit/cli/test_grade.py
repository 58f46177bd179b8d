from __future__ import annotations

import json
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
        ((".", "--manifest", "nowhere.toml"), "nowhere.toml"),
        ((".", "--human", "nowhere.toml"), "nowhere.toml"),
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

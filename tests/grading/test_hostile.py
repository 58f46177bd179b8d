"""An answer that means harm does none, and its grading ends in time."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from logdocket.grading.sandbox import Isolation

_SOURCE: Final = Path(__file__).parent / "candidates" / "hostile"
_TIMEOUT: Final = 60
"""Seconds that the grading is told to take at most."""
_GRACE: Final = 30
"""Seconds beyond it: what is under way ends, the rest is told as skipped, the copy is removed."""
_MANIFEST: Final = """\
[setup]
command = "true"

[service]
start = "python3 hostile.py serve {mark}"
answer_seconds = 1.0
failure_cache_seconds = 1.0

[test]
command = "python3 hostile.py test {mark}"
seconds = 4.0

[replay]
command = "python3 hostile.py replay {mark}"
seconds = 4.0

[ledger]
command = "python3 hostile.py replay {mark}"
"""

pytestmark = pytest.mark.timeout(180)


class _Scene:
    """The hostile checkout, and around it what it must not touch."""

    def __init__(self, root: Path, port: int, how: str) -> None:
        self.mark = uuid.uuid4().hex
        self.folder = root / "answer"
        self.canary = root / "canary"
        self.temporary = root / "temporary"
        self.temporary.mkdir()
        self.canary.write_text("alive")
        shutil.copytree(_SOURCE, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "expendable").write_text(how)
        (self.folder / "grade.toml").write_text(_MANIFEST.replace("{mark}", self.mark))
        targets = {"canary": str(self.canary), "port": port}
        (self.folder / "targets.json").write_text(json.dumps(targets))
        self.before = self.files()

    def files(self) -> dict[str, bytes]:
        """What lies in the checkout that was given, by path."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def grade(self) -> tuple[dict[str, Any], float]:
        """The report, and the seconds that it took."""
        report = self.temporary.parent / "report.json"
        began = time.monotonic()
        done = subprocess.run(
            [
                *(sys.executable, "-m", "logdocket", "grade", self.folder),
                *("--json", report, "--timeout", str(_TIMEOUT)),
            ],
            env=os.environ | {"TMPDIR": str(self.temporary)},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT + 2 * _GRACE,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        told: dict[str, Any] = json.loads(report.read_bytes())
        return told, time.monotonic() - began

    def alive(self) -> list[str]:
        """Processes that the checkout has started and that are still there."""
        found = []
        for process in psutil.process_iter(["cmdline"]):
            command = " ".join(process.info["cmdline"] or ())
            if self.mark in command:
                found.append(command)
        return found


@pytest.mark.parametrize("how", ["stay", "vanish"])
def test_a_hostile_answer_harms_nothing_and_ends_in_time(how: str, tmp_path: Path) -> None:
    """Fork bomb, endless output, a daemon, a deleted checkout, deaf ears: all of it is bounded."""
    isolation = Isolation.detect()
    with socket.create_server(("127.0.0.1", 0)) as neighbour:
        neighbour.settimeout(0)
        scene = _Scene(tmp_path, neighbour.getsockname()[1], how)
        report, seconds = scene.grade()
        assert seconds < _TIMEOUT + _GRACE
        assert scene.alive() == []
        assert scene.files() == scene.before
        assert list(scene.temporary.iterdir()) == []
        if isolation.files == "read-only" or isolation.user == "own":
            assert scene.canary.read_text() == "alive"
        if isolation.network == "namespace":
            with pytest.raises(BlockingIOError):
                neighbour.accept()
    assert report["probes"]
    assert report["score"]["low"] < 30, report["score"]

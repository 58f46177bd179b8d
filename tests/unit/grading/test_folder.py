"""The folder a grading works in."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from logdocket.grading.folder import working

_HOLDS = """
import time
from logdocket.grading.folder import working
with working({keep}, print) as root:
    (root / "file").write_text("written")
    print(root, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files of its own."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def grown_old(folder: Path) -> None:
    """As if it had been made an hour ago."""
    os.utime(folder, (time.time() - 3600,) * 2)


def told(keep: bool = False) -> list[str]:
    """What is told in the course of a grading."""
    said: list[str] = []
    with working(keep, said.append) as root:
        (root / "file").write_text("written")
    return said


def test_it_goes_with_the_grading(temporary: Path) -> None:
    """And nothing is said of it."""
    assert told() == []
    assert list(temporary.iterdir()) == []


def test_it_stays_where_that_is_wished_for(temporary: Path) -> None:
    """Also when other gradings come after it."""
    said = told(keep=True)
    (kept,) = temporary.iterdir()
    assert said == [f"The copy is kept in {kept.resolve()}"]
    grown_old(kept)
    assert told() == []
    assert (kept / "file").read_text() == "written"


def test_what_a_killed_grading_left_goes_with_the_next(temporary: Path) -> None:
    """Not before it was killed, however long it takes."""
    script = [sys.executable, "-c", _HOLDS.format(keep=False)]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        grown_old(left)
        assert told() == []
        assert (left / "file").exists()
        process.send_signal(signal.SIGKILL)
        process.wait(20)
    assert told() == []
    assert list(temporary.iterdir()) == []


def test_what_may_have_been_made_just_now_is_left_alone(temporary: Path) -> None:
    """Another grading may be about to hold it; a file or a link is none of ours at all."""
    (temporary / "logdocket-grade-new").mkdir()
    (temporary / "logdocket-grade-link").symlink_to("logdocket-grade-new")
    (temporary / "logdocket-grade-file").touch()
    assert told() == []
    assert len(list(temporary.iterdir())) == 3


def test_a_copy_whose_folders_are_closed_is_removed_and_no_link_followed(tmp_path: Path) -> None:
    """An answer that forbids its own folders is gone all the same, and nothing else is changed."""
    copy, canary = tmp_path / "copy", tmp_path / "canary"
    canary.write_text("alive")
    canary.chmod(0o400)
    closed = copy / "closed" / "within"
    closed.mkdir(parents=True)
    (closed / "link").symlink_to(canary)
    (copy / "folder").symlink_to(tmp_path)
    closed.chmod(0)
    closed.parent.chmod(0)
    script = "import sys; from pathlib import Path; from logdocket.grading import folder; "
    script += "folder._remove(Path(sys.argv[1]), print)"
    command = [sys.executable, "-c", script, str(copy)]
    if os.geteuid() == 0:
        # Root enters whatever is closed: be one without that right.
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert not copy.exists()
    assert stat.S_IMODE(canary.stat().st_mode) == 0o400

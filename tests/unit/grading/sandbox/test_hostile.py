"""Programs that mean harm: each is bounded, and nothing of it is left."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from logdocket.grading.sandbox import End, Isolation, Sandbox

Make = Callable[..., Sandbox]
MIB = 1024 * 1024


def python(program: str, *words: str) -> str:
    """The command that runs ``program``."""
    return shlex.join(["python3", "-c", program, *words])


def left(mark: str) -> list[str]:
    """Processes on whose command line ``mark`` stands."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            command = process.cmdline()
            if mark in command and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(command))
    return found


def gone(mark: str) -> bool:
    """Whether none of them is left, or will be in a moment."""
    until = time.monotonic() + 5
    while left(mark):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def mark() -> str:
    """A word that no other command has."""
    return uuid.uuid4().hex


def test_endless_output_is_ended(make: Make) -> None:
    """Its beginning and its end are kept."""
    ended = make(output=MIB).run("echo first; yes", env={}, seconds=20)
    assert (ended.end, ended.cut) == (End.OUTPUT, True)
    assert ended.out.startswith(b"first\ny\n")
    assert len(ended.out) < 200_000


def test_a_fork_bomb_is_ended(make: Make, mark: str) -> None:
    """It would stop by itself at sixty processes, were nothing done."""
    program = (
        "import os, time\n"
        "for _ in range(60):\n"
        "    try:\n"
        "        if os.fork() == 0: break\n"
        "    except OSError: break\n"
        "time.sleep(30)"
    )
    ended = make(processes=20).run(python(program, mark), env={}, seconds=20)
    assert ended.end is End.PROCESSES
    assert gone(mark)


def test_a_fork_fails_beyond_a_bound(make: Make, isolation: Isolation) -> None:
    """Where the command is a user of its own, the kernel counts."""
    if isolation.user == "same":
        pytest.skip("the processes of the user who grades would be counted with it")
    program = (
        "import os, time\n"
        "made = 0\n"
        "for _ in range(100):\n"
        "    try:\n"
        "        if os.fork() == 0: time.sleep(5); os._exit(0)\n"
        "    except OSError: break\n"
        "    made += 1\n"
        "print(made, flush=True)"
    )
    ended = make(processes=20).run(python(program), env={}, seconds=20)
    assert int(ended.out) < 45, ended


def test_a_daemon_ends_with_its_command(make: Make, mark: str) -> None:
    """Though it left session and parents."""
    program = (
        "import os, sys, time\n"
        "if os.fork(): os.wait(); sys.exit()\n"
        "os.setsid()\n"
        "if os.fork(): os._exit(0)\n"
        "for number in range(3): os.close(number)\n"
        "time.sleep(60)"
    )
    ended = make().run(python(program, mark), env={}, seconds=20)
    assert ended.ok, ended
    assert ended.seconds < 10
    assert gone(mark)


@pytest.mark.parametrize("number", ["TERM", "INT", "HUP"])
def test_deaf_ears_do_not_help(make: Make, mark: str, number: str) -> None:
    """It is asked to end, and then made to."""
    command = f"trap '' {number} TERM; echo deaf; while :; do sleep 1 {mark} 2> /dev/null; done"
    with make().start(command, env={}) as running:
        ended = running.stop(grace=0.2)
    assert ended.end is End.STOPPED
    assert ended.seconds < 5
    assert gone(mark)


def test_memory_of_all_is_bounded(make: Make, mark: str) -> None:
    """Of all processes together."""
    program = (
        "import os, time\nos.fork(); os.fork()\nheld = b'x' * (40 * 1024 * 1024)\ntime.sleep(30)"
    )
    ended = make(total_memory=100 * MIB).run(python(program, mark), env={}, seconds=20)
    assert ended.end is End.MEMORY
    assert gone(mark)


def test_memory_of_one_is_bounded(make: Make) -> None:
    """The kernel refuses it."""
    program = "held = b'x' * (300 * 1024 * 1024)"
    ended = make(memory=100 * MIB).run(python(program), env={}, seconds=20)
    assert b"MemoryError" in ended.err


def test_a_large_file_is_refused(make: Make) -> None:
    """No file grows beyond the bound."""
    sandbox = make(file=MIB)
    ended = sandbox.run("head -c 4000000 /dev/zero > large", env={}, seconds=20)
    assert ended.code != 0
    assert (sandbox.checkout / "large").stat().st_size == MIB


def test_a_filled_disk_is_noticed(make: Make, tmp_path: Path) -> None:
    """By all of its files together."""
    command = "for i in 1 2 3 4 5 6 7 8; do head -c 8000000 /dev/zero > $i; done; sync . ; sleep 30"
    ended = make(disk=16 * MIB).run(command, env={}, seconds=20)
    assert ended.end is End.DISK


def test_it_can_delete_its_own_folder(make: Make) -> None:
    """And the grader goes on."""
    sandbox = make()
    ended = sandbox.run('rm -rf "$PWD"/* "$PWD"; cd /; echo gone', env={}, seconds=20)
    assert ended.out == b"gone\n"
    with sandbox.start("sleep 60", env={}) as running:
        assert running.stop(0.1).end in (End.STOPPED, End.EXITED)


def test_killing_its_first_process_frees_nobody(make: Make, mark: str) -> None:
    """What it started bears a mark."""
    command = f"setsid python3 -c 'import time; time.sleep(60)' {mark} & kill -9 $PPID; sleep 0.3"
    ended = make().run(command, env={}, seconds=20)
    assert ended.end is End.EXITED
    assert gone(mark)


def test_everything_dies_with_the_grader(tmp_path: Path, isolation: Isolation, mark: str) -> None:
    """Killed, it cannot end anything itself."""
    (tmp_path / "root").mkdir()
    grader = subprocess.Popen(
        [sys.executable, "-c", _GRADER, *(str(word) for word in _words(tmp_path, isolation, mark))],
        stdout=subprocess.PIPE,
    )
    try:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"started\n"
        assert len(left(mark)) >= 2
    finally:
        os.kill(grader.pid, signal.SIGKILL)
        grader.wait()
        grader.stdout.close()
    assert gone(mark)


def _words(root: Path, isolation: Isolation, mark: str) -> tuple[object, ...]:
    return (root / "root", mark, *(getattr(isolation, name) for name in _FIELDS))


_FIELDS = ("network", "processes", "files", "user")
_GRADER = """
import sys, time
from pathlib import Path
from logdocket.grading.sandbox import Isolation, Sandbox
root, mark, *doors = sys.argv[1:]
sandbox = Sandbox(Path(root), Isolation(*doors))
daemon = "import os, time; os.setsid(); time.sleep(60)"
command = f"python3 -c '{daemon}' {mark} & python3 -c '{daemon}' {mark} & echo up > up; wait"
running = sandbox.start(command, env={})
while not (sandbox.checkout / "up").exists(): time.sleep(0.01)
time.sleep(0.2)
print("started", flush=True)
time.sleep(60)
"""

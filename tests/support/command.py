"""The command line as a process of its own."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from processes import nursery

_SETTINGS = ("LOGDOCKET_", "MODEL_")
COMMAND = [sys.executable, "-m", "logdocket"]


def run(
    *arguments: str | Path, lines: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What the command does with ``lines`` on its standard input.

    It starts by a fork of a process that has imported it, unless it is to start others, or Python
    itself is to start in another way.
    """
    words = [str(argument) for argument in arguments]
    python_is_told = any(not name.startswith(_SETTINGS) for name in environment or {})
    if not python_is_told and not {"--jobs", "--workers"} & set(words):
        return _run_forked(words, lines, os.environ | (environment or {}))
    return subprocess.run(
        [*COMMAND, *words],
        input=lines,
        env=os.environ | (environment or {}),
        capture_output=True,
        timeout=40,
        check=False,
    )


def _run_forked(
    words: list[str], lines: bytes, environment: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        given, printed, told = (Path(folder, name) for name in ("given", "printed", "told"))
        given.write_bytes(lines)
        process = nursery().start(
            Path.cwd(), told, words, environment, given=given, printed=printed
        )
        try:
            code = process.wait(40)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            raise
        return subprocess.CompletedProcess(words, code, printed.read_bytes(), told.read_bytes())


def rows(printed: bytes) -> list[dict[str, Any]]:
    """What was printed, row by row; every row must be whole."""
    assert not printed or printed.endswith(b"\n"), printed[-200:]
    return [json.loads(row) for row in printed.splitlines()]


class Running:
    """A command at work, in a process group of its own; left, it is gone with all it started."""

    def __init__(self, *arguments: str | Path) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        self.printed = b""

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def send(self, data: bytes) -> None:
        """Write to its standard input, which stays open."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def next_rows(self, count: int, patience: float = 20) -> list[dict[str, Any]]:
        """The next ``count`` rows, as soon as they are there."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + patience
        while self.printed.count(b"\n") < count:
            left = deadline - time.monotonic()
            assert left > 0, f"no more than this came: {self.printed!r}"
            if select.select([self.process.stdout], [], [], left)[0]:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                assert data, f"it ended: {self.end()}"
                self.printed += data
        *taken, self.printed = self.printed.split(b"\n", count)
        return [json.loads(row) for row in taken]

    def end(self, number: int | None = None, *, group: bool = False) -> tuple[int, bytes, str]:
        """Send a signal, to the ``group`` as a terminal does, or else end its input; wait. Gives
        the exit code, what it printed since the last rows, and what it told."""
        if number is not None and group:
            os.killpg(self.process.pid, number)
        elif number is not None:
            self.process.send_signal(number)
        printed, told = self.process.communicate(timeout=20)
        printed, self.printed = self.printed + printed, b""
        return self.process.returncode, printed, told.decode()

    def children(self) -> list[int]:
        """Processes that read lines for it."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    words = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if parent == self.process.pid and b"spawn_main" in words:
                    found.append(int(entry.name))
        return found


def alive(pid: int) -> bool:
    """Whether a process still runs; one that ended and nobody asked for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_until_gone(pids: list[int], patience: float = 10) -> None:
    """Fails when one of ``pids`` is still there after ``patience`` seconds."""
    deadline = time.monotonic() + patience
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, "a process was left behind"
        time.sleep(0.02)

"""``logdocket`` as a process of its own, started as a user would, or fast."""

from __future__ import annotations

import atexit
import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

NURSERY = Path(__file__).with_name("nursery.py")


class Process(Protocol):
    """What tests do with a process."""

    pid: int

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        ...

    def wait(self, timeout: float) -> int:
        """The exit code; raises subprocess.TimeoutExpired."""
        ...

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        ...


class Forked:
    """A process that the nursery has started."""

    def __init__(self, pid: int, ended: Path) -> None:
        self.pid = pid
        self._ended = ended

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        try:
            text = self._ended.read_text()
        except FileNotFoundError:
            return None
        return int(text) if text.endswith("\n") else None

    def wait(self, timeout: float) -> int:
        """The exit code; raises subprocess.TimeoutExpired."""
        deadline = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(["logdocket"], timeout)
            time.sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)


class Nursery:
    """Starts processes by forking one that has imported everything."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._number = 0
        atexit.register(self._close)

    def start(
        self,
        folder: Path,
        log: Path,
        arguments: list[str],
        environment: dict[str, str],
        *,
        given: Path = Path(os.devnull),
        printed: Path | None = None,
    ) -> Forked:
        """``logdocket`` with these arguments, running in ``folder``.

        What it prints goes to ``printed`` (else into the log), what it tells into ``log``.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._number += 1
        ended = log.with_name(f".ended-{self._number}")
        order = {
            "arguments": arguments,
            "environment": environment,
            "folder": str(folder),
            "given": str(given),
            "printed": str(printed or log),
            "log": str(log),
            "ended": str(ended),
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Forked(int(self._process.stdout.readline()), ended)

    def _close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)


@functools.cache
def nursery() -> Nursery:
    """The one nursery of this test process."""
    return Nursery()


def start(
    folder: Path, log: Path, arguments: list[str], environment: dict[str, str], *, fast: bool
) -> Process:
    """``logdocket`` with these arguments, running in ``folder``, writing into ``log``.

    ``fast`` starts it by a fork; else Python itself is started, as a user would.
    """
    if fast:
        return nursery().start(folder, log, arguments, environment)
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "logdocket", *arguments],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )


def end(process: Process, number: int = signal.SIGTERM, patience: float = 20) -> int:
    """Send a signal to a process that runs, and wait for its end; the exit code.

    Raises subprocess.TimeoutExpired when it does not end, after it was killed.
    """
    if process.poll() is None:
        process.send_signal(number)
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait(patience)
        raise

"""A command that runs, and its end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import psutil

from logdocket.grading.sandbox.ended import End, Ended
from logdocket.grading.sandbox.environment import MARK
from logdocket.grading.sandbox.output import Output

__all__ = ["Running"]

_ENTER: Final = str(Path(__file__).with_name("enter.py"))
_PATIENCE: Final = 8.0
"""Seconds beyond the grace until its first process is killed from outside."""
_STREAMS: Final = 2.0
"""Seconds that its streams are read on after it ended."""
_CLEAN: Final = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
"""The environment until the command has its own, which may be hostile."""
_NOT_RUN: Final = 126


class Running:
    """A command that was started; leaving it as a context ends all that it started."""

    def __init__(self, prefix: list[str], order: dict[str, Any], output: int) -> None:
        self._order = order
        self._began = time.monotonic()
        self._end: End | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._ended: Ended | None = None
        status, write = os.pipe()
        try:
            self._process = subprocess.Popen(
                [*prefix, sys.executable, "-I", "-S", "-X", "utf8", _ENTER, str(write)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_CLEAN,
                cwd="/",
                pass_fds=(write,),
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            os.close(status)
            raise
        finally:
            os.close(write)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._say(json.dumps(order).encode())
        streams = (self._process.stdout.fileno(), self._process.stderr.fileno())
        self._output = Output(streams, output, lambda: self._stop(End.OUTPUT, 0.0))
        threading.Thread(target=self._await, args=(status,), daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the command itself still runs."""
        return not self._over.is_set()

    @property
    def ended(self) -> Ended | None:
        """How it ended, None while it runs."""
        return self._ended

    def wait(self, seconds: float) -> Ended:
        """How it ended; after ``seconds`` it is ended with all that it started."""
        if not self._over.wait(seconds):
            self._finish(End.LATE, 1.0)
        return self._whole()

    def stop(self, grace: float = 2.0) -> Ended:
        """How it ended: asked to, and killed after ``grace`` seconds, with all it started."""
        if not self._over.is_set():
            self._finish(End.STOPPED, grace)
        return self._whole()

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _whole(self) -> Ended:
        self._over.wait()
        assert self._ended is not None
        return self._ended

    # Ending it.

    def _finish(self, end: End, grace: float) -> None:
        self._stop(end, grace)
        if not self._over.wait(grace + _PATIENCE):
            self._kill()

    def _stop(self, end: End, grace: float) -> None:
        with self._lock:
            if self._end is not None:
                return
            self._end = end
        self._say(f"stop {grace}".encode())

    def _say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        # It may have ended, or been killed by the command.
        with contextlib.suppress(OSError, ValueError):
            view = memoryview(line + b"\n")
            while view:
                view = view[self._process.stdin.write(view) or 0 :]

    def _kill(self) -> None:
        """Kill from outside whatever can be found."""
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(self._process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    child.kill()
        self._process.kill()

    def _sweep(self) -> None:
        """Kill those that bear the mark, though their first process is gone."""
        mark = self._order["env"][MARK]
        for _ in range(20):
            found = [one for one in psutil.process_iter() if _marked(one, mark)]
            if not found:
                return
            for one in found:
                with contextlib.suppress(psutil.Error):
                    one.send_signal(signal.SIGKILL)
            psutil.wait_procs(found, timeout=0.2)

    # Its end.

    def _await(self, status: int) -> None:
        """Wait for the end, in a thread of its own."""
        with os.fdopen(status, "rb") as told:
            lines = told.read().split(b"\n")
        self._process.wait()
        answer = _answer(lines)
        if answer is None or answer.get("left"):
            self._sweep()
        out, err, cut = self._output.whole(_STREAMS)
        end, code = self._reason(answer or {})
        failed = (answer or {}).get("failed")
        if failed is not None:
            err += f"the sandbox could not start it: {failed}\n".encode()
        seconds = time.monotonic() - self._began
        self._ended = Ended(end, code, out, err, cut, seconds)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
        self._over.set()

    def _reason(self, answer: dict[str, Any]) -> tuple[End, int]:
        code = _NOT_RUN if "failed" in answer else answer.get("code")
        if code is None:
            # Its first process did not live to tell, or the command was killed with the rest.
            code = -signal.SIGKILL if answer else self._process.returncode
        with self._lock:
            asked, self._end = self._end, self._end or End.EXITED
        told = answer.get("end")
        return End[told] if told else asked or End.EXITED, code


def _answer(lines: list[bytes]) -> dict[str, Any] | None:
    """What the first process told; a failure goes before all else."""
    told: list[dict[str, Any]] = []
    for line in lines:
        with contextlib.suppress(ValueError):
            told.append(json.loads(line))
    return min(told, key=lambda one: "failed" not in one, default=None)


def _marked(process: psutil.Process, mark: str) -> bool:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.environ().get(MARK) == mark
    except (psutil.Error, OSError):
        return False

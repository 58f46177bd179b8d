"""Servers for a benchmark, each a process of its own for as long as it is needed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(
    command: Sequence[str], environment: Mapping[str, str], out: Path = Path(os.devnull)
) -> Iterator[int]:
    """The port of ``python COMMAND PORT``, which listens by then; told to end afterwards. What it
    prints goes to ``out``.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with out.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, *command, str(port)],
            env={**os.environ, **environment},
            stdout=sink,
        )
    try:
        _wait(port)
        yield port
    finally:
        process.terminate()
        process.wait(30)


def _wait(port: int) -> None:
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"no server came up on port {port}")

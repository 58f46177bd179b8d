"""Starts the service again and again, fast: each time in a fork of a process that has imported it.

Run as ``python nursery.py DATABASE PORT``. For each line on standard input it starts a service,
writes its process number, waits for its end, and writes how it ended.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import uvicorn.lifespan.on  # noqa: F401 - what the service would import at its start
import uvloop  # noqa: F401

import logdocket.bootstrap
import logdocket.http.protocol  # noqa: F401
from logdocket.cli.serve import run


def main(db: Path, port: int) -> None:
    """Start a service for each line."""
    while sys.stdin.readline():
        child = os.fork()
        if child == 0:
            os._exit(run(host="127.0.0.1", port=port, workers=1, db=db))
        _say(child)
        _, status = os.waitpid(child, 0)
        _say(os.waitstatus_to_exitcode(status))


def _say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

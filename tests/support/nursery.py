"""Starts ``logdocket`` again and again, fast: each time in a fork of a process that imported it.

Each line on standard input is a JSON object that says what to start: ``arguments``,
``environment``, ``folder`` (to run in), ``given`` (what stands on its standard input),
``printed`` and ``log`` (for its output and its errors) and ``ended`` (a file for its exit code).
For each the process number is written to standard output. At the end of input this process ends.
"""

from __future__ import annotations

import functools
import json
import os
import select
import sys
from pathlib import Path
from typing import Any

import uvicorn.lifespan.on  # noqa: F401 - what the service would import at its start
import uvloop  # noqa: F401
from pydantic import SecretStr

import logdocket.bootstrap
import logdocket.cli.doctor
import logdocket.cli.extract
import logdocket.cli.ledger
import logdocket.cli.serve
import logdocket.http.protocol
from logdocket.cli import main
from logdocket.settings import Settings


@functools.cache
def load_model() -> None:
    """Import what calls models, which takes seconds: so only once one is set up."""
    settings = Settings(model_url="http://127.0.0.1:1/v1", model_key=SecretStr("any-word"))
    logdocket.bootstrap.build_model(settings)


def start(order: dict[str, Any]) -> int:
    """The number of a new process."""
    if {"MODEL_URL", "MODEL_NAME"} & set(order["environment"]):
        load_model()
    child = os.fork()
    if child:
        return child
    code: object = 1
    try:
        os.chdir(order["folder"])
        os.environ.clear()
        os.environ.update(order["environment"])
        os.dup2(os.open(order["given"], os.O_RDONLY), 0)
        for descriptor, name in ((1, "printed"), (2, "log")):
            file = os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(file, descriptor)
        sys.argv[1:] = order["arguments"]
        main()
        code = 0
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def serve() -> None:
    """Start what is ordered, and note how it ends."""
    running: dict[int, Path] = {}
    waiting = b""
    while True:
        if select.select([0], [], [], 0.005 if running else None)[0]:
            data = os.read(0, 65_536)
            if not data:
                return
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                order = json.loads(line)
                child = start(order)
                running[child] = Path(order["ended"])
                os.write(1, b"%d\n" % child)
        while running:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                break
            running.pop(child).write_text(f"{os.waitstatus_to_exitcode(status)}\n")


if __name__ == "__main__":
    serve()

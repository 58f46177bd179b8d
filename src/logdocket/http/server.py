"""Runs the service: one process, or several on one socket."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing import resource_tracker
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.supervisors import Multiprocess

from logdocket.http import logs
from logdocket.http.listen import listen
from logdocket.http.protocol import Connection

# Long enough for the largest line under the slowest disk; a batch may be cut.
_GRACE: Final = 30
_log = logging.getLogger("logdocket.http")


def run(factory: str, *, host: str, port: int, workers: int, log_level: str) -> bool:
    """Serve the application that ``factory`` (``module:function``) makes, until told to stop.

    SIGTERM and SIGINT let requests in flight finish for up to 30 s. Gives back whether it started.
    Raises SettingsError where it cannot listen.
    """
    sockets = listen(host, port)
    counters = None
    if workers > 1:
        # prometheus-client reads this when first imported, in each worker.
        counters = tempfile.mkdtemp(prefix="logdocket-metrics-")
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
    config = uvicorn.Config(
        factory,
        factory=True,
        host=host,
        port=sockets[0].getsockname()[1],
        workers=workers,
        http=Connection,
        ws="none",
        proxy_headers=False,
        log_config=logs.configuration(log_level),
        log_level=None,
        access_log=False,
        server_header=False,
        date_header=True,
        lifespan="on",
        timeout_graceful_shutdown=_GRACE,
    )
    _log.info("listening on %s", ", ".join(_address(bound) for bound in sockets))
    try:
        return _serve(config, sockets)
    finally:
        if counters is not None:
            shutil.rmtree(counters, ignore_errors=True)


class _Workers(Multiprocess):
    """uvicorn's supervisor, whose workers leave Ctrl-C to it.

    A terminal sends it to all of them, and one that is still loading would end with a traceback. A
    signal that is blocked when a process starts stays blocked in it.
    """

    def init_processes(self) -> None:
        with _without_interrupts():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        with _without_interrupts():
            super().keep_subprocess_alive()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    # Started on the way to the first process, it would lift the block again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(config: uvicorn.Config, sockets: list[socket.socket]) -> bool:
    if config.workers > 1:
        _Workers(config, sockets=sockets).run()
        return True
    # uvicorn stops in good order and then raises the signal again: that is no failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _done)
    server = uvicorn.Server(config)
    server.run(sockets)
    return server.started


def _done(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


def _address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

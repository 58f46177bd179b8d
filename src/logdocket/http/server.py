"""Runs the service: one process, or several on one socket."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Final

import uvicorn
from uvicorn.supervisors import Multiprocess

from logdocket.http import logs

# Long enough for the largest line under the slowest disk; a batch may be cut.
_GRACE: Final = 30


def run(factory: str, *, host: str, port: int, workers: int, log_level: str) -> bool:
    """Serve the application that ``factory`` (``module:function``) makes, until told to stop.

    SIGTERM and SIGINT let requests in flight finish for up to 30 s. Gives back whether it started.
    """
    counters = None
    if workers > 1:
        # prometheus-client reads this when first imported, in each worker.
        counters = tempfile.mkdtemp(prefix="logdocket-metrics-")
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
    config = uvicorn.Config(
        factory,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_config=logs.configuration(log_level),
        log_level=None,
        access_log=False,
        server_header=False,
        date_header=True,
        lifespan="on",
        timeout_graceful_shutdown=_GRACE,
    )
    try:
        return _serve(config)
    finally:
        if counters is not None:
            shutil.rmtree(counters, ignore_errors=True)


def _serve(config: uvicorn.Config) -> bool:
    if config.workers > 1:
        Multiprocess(config, sockets=[config.bind_socket()]).run()
        return True
    server = uvicorn.Server(config)
    server.run()
    return server.started

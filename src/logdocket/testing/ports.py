"""A port that refuses."""

from __future__ import annotations

import atexit
import functools
import socket

__all__ = ["closed_port"]


def closed_port() -> int:
    """A loopback port that refuses every connection, for as long as the process lives."""
    return int(_held().getsockname()[1])


@functools.cache
def _held() -> socket.socket:
    # Bound and never listening: it refuses every connection, and nobody else can be given its port.
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    held.bind(("127.0.0.1", 0))
    atexit.register(held.close)
    return held

from __future__ import annotations

import socket

import pytest

from logdocket.testing import closed_port


def test_a_closed_port_refuses() -> None:
    """At once, and every time."""
    for _ in range(2):
        with socket.socket() as caller, pytest.raises(ConnectionRefusedError):
            caller.connect(("127.0.0.1", closed_port()))


def test_nobody_else_can_listen_on_a_closed_port() -> None:
    """So that it stays closed."""
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", closed_port()))

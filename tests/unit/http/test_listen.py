"""The service listens where it is told, and says in one line why it cannot."""

from __future__ import annotations

import socket

import pytest

from logdocket.errors import SettingsError
from logdocket.http.listen import listen


def test_every_address_of_a_name_is_listened_on() -> None:
    """With port 0, all on the same free one."""
    sockets = listen("localhost", 0)
    try:
        ports = {bound.getsockname()[1] for bound in sockets}
        assert len(ports) == 1
        for bound in sockets:
            with socket.create_connection(bound.getsockname()[:2], 5):
                pass
    finally:
        for bound in sockets:
            bound.close()


def test_a_port_that_is_taken_is_told() -> None:
    """With what to do about it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port}.*--port"):
            listen("127.0.0.1", port)


def test_an_address_that_is_not_here_is_told() -> None:
    """Before anything else was opened."""
    with pytest.raises(SettingsError, match=r"cannot listen on 192\.0\.2\.1 port 0"):
        listen("192.0.2.1", 0)


def test_a_port_can_be_taken_again_at_once() -> None:
    """A restart does not wait for connections of the last run to be forgotten."""
    (first,) = listen("127.0.0.1", 0)
    port = first.getsockname()[1]
    with socket.create_connection(("127.0.0.1", port), 5) as caller:
        served, _ = first.accept()
        served.close()
        caller.recv(1)
        first.close()
    (second,) = listen("127.0.0.1", port)
    second.close()

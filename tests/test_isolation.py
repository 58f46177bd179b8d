"""The suite's own promises: it stays on this machine and sees nothing of who runs it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError


def _try(call: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"import socket; {call}"],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1"])
def test_a_connection_beyond_loopback_is_refused(host: str) -> None:
    """No test can reach another machine."""
    with socket.socket() as caller, pytest.raises(SocketConnectBlockedError):
        caller.connect((host, 80))


def test_a_name_is_not_looked_up() -> None:
    """Not even a question to a name server leaves this machine."""
    with pytest.raises(RuntimeError, match="tests stay on loopback"):
        socket.getaddrinfo("web-1.example", 80)


def test_a_datagram_beyond_loopback_is_refused() -> None:
    """Datagrams need no connection, and are refused as well."""
    with (
        socket.socket(type=socket.SOCK_DGRAM) as caller,
        pytest.raises(RuntimeError, match="tests stay on loopback"),
    ):
        caller.sendto(b"x", ("192.0.2.1", 9))


@pytest.mark.parametrize(
    "call",
    ["socket.create_connection(('192.0.2.1', 80))", "socket.getaddrinfo('web-1.example', 80)"],
)
def test_a_process_started_by_a_test_is_held_to_the_same(call: str) -> None:
    """A server or a command under test is as offline as the test itself."""
    done = _try(call)
    assert done.returncode == 1
    assert "tests stay on loopback" in done.stderr


def test_loopback_is_open() -> None:
    """Real servers on loopback can be talked to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=lambda: server.accept()[0].close())
        thread.start()
        with socket.create_connection(server.getsockname(), timeout=5) as caller:
            assert caller.recv(1) == b""
        thread.join()


def test_each_test_has_an_empty_folder(tmp_path: Path) -> None:
    """What a test writes, no other test finds."""
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_no_setting_of_the_operator_reaches_a_test() -> None:
    """A suite run on an operator's machine does not depend on how the service there is set up."""
    assert [name for name in os.environ if name.startswith(("LOGDOCKET_", "MODEL_"))] == []

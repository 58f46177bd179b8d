"""The network of the process that asks."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from logdocket.grading.sandbox import Isolation, network_prefix

_ASKER = """
import json, socket, sys
from pathlib import Path
from logdocket.grading.sandbox import Isolation, Sandbox, raise_loopback
root, port, *doors = sys.argv[1:]
isolation = Isolation(*doors)
raise_loopback(isolation)
with socket.create_server(("127.0.0.1", 0)) as own:
    told = Sandbox(Path(root), isolation).run(
        f"python3 try.py {port} {own.getsockname()[1]}", env={}, seconds=20
    )
print(json.dumps([told.out.decode(), told.err.decode()]))
"""
_TRY = """
import socket, sys
outer, own = map(int, sys.argv[1:])
for address in (("192.0.2.1", 80), ("127.0.0.1", outer), ("127.0.0.1", own)):
    try:
        socket.create_connection(address, timeout=0.5).close()
        print("reached")
    except OSError as error:
        print("not reached")
"""


def test_only_its_own_loopback_is_reached(tmp_path: Path, most: Isolation) -> None:
    """Neither another host, nor a service of the machine that grades."""
    if most.network != "namespace":
        pytest.skip("a network namespace is not permitted")
    (tmp_path / "root/checkout").mkdir(parents=True)
    (tmp_path / "root/checkout/try.py").write_text(_TRY)
    doors = [most.network, most.processes, most.files, most.user]
    with socket.create_server(("127.0.0.1", 0)) as machine:
        words = [str(tmp_path / "root"), str(machine.getsockname()[1]), *doors]
        done = subprocess.run(
            [*network_prefix(most), sys.executable, "-c", _ASKER, *words],
            capture_output=True,
            check=False,
            timeout=30,
        )
        machine.settimeout(0)
        with pytest.raises(BlockingIOError):
            machine.accept()
    assert done.returncode == 0, done.stderr
    out, err = json.loads(done.stdout)
    assert out.splitlines() == ["not reached", "not reached", "reached"], err


def test_without_permission_nothing_is_put_before_it() -> None:
    """The process that asks runs as it is."""
    assert network_prefix(Isolation.none()) == []

"""Keeps a Python process off the network: everything but loopback raises.

Installed in the test process by ``conftest.py``, and in every Python process that a test starts by
this folder's place on ``PYTHONPATH``. An audit hook sees connections, datagrams and name look-ups
of the standard library's sockets, whichever library makes them.
"""

from __future__ import annotations

import ipaddress
import sys

_ADDRESSED = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_LOOKED_UP = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


class NetworkBlocked(RuntimeError):
    """A test tried to leave this machine. Not an OSError, so that no code takes it for weather."""


def _numeric(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _block(event: str, arguments: tuple[object, ...]) -> None:
    if event in _ADDRESSED:
        address = arguments[1]
        if not isinstance(address, tuple):
            return
        host = str(address[0])
        number = _numeric(host)
        if host in {"", "localhost"} or (number is not None and number.is_loopback):
            return
    elif event in _LOOKED_UP:
        host = arguments[0]
        host = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
        if host in {"", "localhost"} or _numeric(host) is not None:
            return
    else:
        return
    raise NetworkBlocked(f"{event} of {host!r}: tests stay on loopback")


sys.addaudithook(_block)

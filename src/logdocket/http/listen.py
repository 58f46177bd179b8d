"""The sockets that the service listens on."""

from __future__ import annotations

import errno
import socket
from typing import Final

from logdocket.errors import SettingsError

_BACKLOG: Final = 2048
_MENDS: Final = {
    errno.EADDRINUSE: "end what holds it, or choose another with --port",
    errno.EACCES: "choose a port from 1024 on with --port",
}
"""What to do, by the number of the error; else the address is at fault."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets for every address that ``host`` names; with ``port`` 0, all on one free port.

    Raises:
        SettingsError: there is no such address here, or the port is taken; its cause is the
            OSError.
    """
    try:
        found = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_ADDRCONFIG
        )
    except OSError as error:
        raise _cannot(host, port, error) from error
    sockets: list[socket.socket] = []
    try:
        for family, address in dict.fromkeys((family, address) for family, *_, address in found):
            sockets.append(_bind(family, (address[0], port, *address[2:])))
            port = sockets[0].getsockname()[1]
    except OSError as error:
        for bound in sockets:
            bound.close()
        raise _cannot(host, port, error) from error
    return sockets


def _bind(family: int, address: tuple[object, ...]) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # An IPv4 address beside this one has a socket of its own.
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)
    except OSError:
        bound.close()
        raise
    bound.set_inheritable(True)
    return bound


def _cannot(host: str, port: int, error: OSError) -> SettingsError:
    mend = _MENDS.get(error.errno or 0, "name an address of this machine with --host")
    return SettingsError(f"cannot listen on {host} port {port} ({error.strerror}): {mend}")

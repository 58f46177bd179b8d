"""A network with nothing on it but a loopback of its own."""

from __future__ import annotations

import fcntl
import socket
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from logdocket.grading.sandbox.isolation import Isolation

__all__ = ["network_prefix", "raise_loopback"]

# From Linux's <linux/sockios.h> and <linux/if.h>.
_GET_FLAGS: Final = 0x8913
_SET_FLAGS: Final = 0x8914
_UP: Final = 1
_REQUEST: Final = struct.Struct("16sH22x")
"""struct ifreq: the interface's name, then its flags."""


def network_prefix(isolation: Isolation) -> list[str]:
    """What goes before the arguments of a process that shall have a network of its own.

    Empty where that is not permitted. The process has to call ``raise_loopback`` before it opens
    a socket; it is process 1 of its namespace, and all in it dies when it does.
    """
    if isolation.network != "namespace":
        return []
    return [*unshare(isolation.user == "mapped", alone=isolation.processes == "namespace"), "--net"]


def unshare(mapped: bool, *, alone: bool) -> list[str]:
    """``unshare`` as root, or as one who becomes root of a user namespace where ``mapped``."""
    words = ["unshare"]
    if mapped:
        words += ["--user", "--map-root-user"]
    if alone:
        words += ["--pid", "--fork", "--kill-child", "--mount-proc"]
    return words


def raise_loopback(isolation: Isolation) -> None:
    """Switch on the loopback of the network that this process alone has, if it has one.

    Raises OSError where that is not permitted.
    """
    if isolation.network == "namespace":
        _raise()


def _raise() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        name = b"lo"
        answer = fcntl.ioctl(asking, _GET_FLAGS, _REQUEST.pack(name, 0))
        flags = _REQUEST.unpack(answer)[1]
        fcntl.ioctl(asking, _SET_FLAGS, _REQUEST.pack(name, flags | _UP))


if __name__ == "__main__":
    _raise()

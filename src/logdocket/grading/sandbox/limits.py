"""How much a command may take."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["Limits"]

_MIB: Final = 1024 * 1024
_GIB: Final = 1024 * _MIB


class Limits(msgspec.Struct, frozen=True):
    """What a command and all that it starts may take; sizes are in bytes.

    ``memory`` is the private memory that one process may ask for, ``total_memory`` what all of
    them may hold together, ``file`` the size of one file, ``output`` what may be written to
    standard output and error, and ``disk`` what copy, home and temporary files may take.
    """

    memory: int = 2 * _GIB
    total_memory: int = 4 * _GIB
    processes: int = 512
    file: int = 512 * _MIB
    output: int = 64 * _MIB
    disk: int = 4 * _GIB

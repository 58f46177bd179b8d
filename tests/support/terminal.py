"""What was shown on a terminal."""

from __future__ import annotations

import os


def piece(terminal: int) -> bytes:
    """The next bytes shown on it, as many as have come; none where nobody writes to it any more."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how a terminal says so
        return b""


def shown(terminal: int) -> bytes:
    """All that is shown on it, to its end: what is written reaches a reader in pieces."""
    return b"".join(iter(lambda: piece(terminal), b""))

"""Plain files of a folder that others filled, read without trust in what they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["beginning", "is_plain"]


def is_plain(root: Path, path: str) -> bool:
    """Whether ``path``, relative to ``root``, is a plain file that does not lead out of it."""
    try:
        whole = _inside(root, path)
        return whole is not None and whole.is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def beginning(root: Path, path: str, most: int) -> bytes | None:
    """The first ``most`` bytes of the plain file ``path`` below ``root``; None where there is none,
    where it leads out of ``root`` or is no plain file, and where it cannot be read.
    """
    try:
        whole = _inside(root, path)
        if whole is None:
            return None
        # The answer may put something else there meanwhile: what was opened is what counts.
        descriptor = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError, RuntimeError):
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        try:
            return file.read(most)
        except OSError:
            return None


def _inside(root: Path, path: str) -> Path | None:
    """Where ``path`` leads to, None where that is not below ``root``."""
    whole = (root / path).resolve()
    return whole if whole.is_relative_to(root.resolve()) else None

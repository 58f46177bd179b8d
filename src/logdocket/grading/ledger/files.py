"""Files of a checkout that may be its ledger, read without trust in what they are."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["named_ledger", "read"]

MOST: Final = 32 * 1024 * 1024
"""Bytes of a ledger that are read."""
_ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".log", ".db", ".sqlite", ".sqlite3")
_ASIDE: Final = frozenset("node_modules venv site-packages __pycache__ tests test".split())
_DEPTH: Final = 2
"""Folders inside one another that are looked into, below the root."""
_NAMES: Final = 8
"""Files of that name that are tried."""
_FOLDERS: Final = 2_000


def read(root: Path, name: str, most: int = MOST) -> bytes | None:
    """The content of the plain file ``name`` below ``root``; None where there is none, where it
    leads out of ``root``, is no plain file, or has more than ``most`` bytes.
    """
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root.resolve()):
            return None
        # The answer may put something else there meanwhile: what was opened is what counts.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError, RuntimeError):
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        try:
            content = file.read(most + 1)
        except OSError:
            return None
    return content if len(content) <= most else None


def named_ledger(root: Path) -> list[str]:
    """Files near the root whose names say that they are a ledger, sorted."""
    return sorted(itertools.islice(_named(root), _NAMES))


def _named(root: Path) -> Iterator[str]:
    for at, folders, names in itertools.islice(os.walk(root), _FOLDERS):
        inside = Path(at).relative_to(root)
        near = len(inside.parts) < _DEPTH
        folders[:] = sorted(
            name for name in folders if near and name not in _ASIDE and not name.startswith(".")
        )
        for name in sorted(filter(str.isprintable, names)):
            if "ledger" in name.lower() and name.lower().endswith(_ENDINGS):
                yield (inside / name).as_posix()

"""Files of a checkout that may be its ledger."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from logdocket.grading.plain import beginning

__all__ = ["ENDINGS", "named_ledger", "read"]

_MOST: Final = 32 * 1024 * 1024
"""Bytes of a ledger that are read."""
ENDINGS: Final = ("jsonl", "ndjson", "json", "csv", "log", "db", "sqlite", "sqlite3")
"""What stands after the last dot in the name of a file that may be a ledger."""
_ASIDE: Final = frozenset("node_modules venv site-packages __pycache__ tests test".split())
_DEPTH: Final = 2
"""Folders inside one another that are looked into, below the root."""
_NAMES: Final = 8
"""Files of that name that are tried."""
_FOLDERS: Final = 2_000


def read(root: Path, name: str) -> bytes | None:
    """The content of the plain file ``name`` below ``root``; None where there is none, and where
    it is larger than a ledger that can be read: a part of it would give wrong counts.
    """
    content = beginning(root, name, _MOST + 1)
    return None if content is None or len(content) > _MOST else content


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
            if "ledger" in name.lower() and name.lower().rpartition(".")[2] in ENDINGS:
                yield (inside / name).as_posix()

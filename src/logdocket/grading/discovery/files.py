"""Bounded looks at a checkout that may be hostile."""

from __future__ import annotations

import functools
import json
import os
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any, Final

from logdocket.grading.plain import beginning, is_plain

__all__ = ["Files", "lines"]

_BYTES: Final = 256 * 1024
"""Bytes of a file that are read; of a lock file nothing but its presence matters here."""
_WIDTH: Final = 2000
"""Characters of a line that are read: no command that a person types is longer."""
_ENTRIES: Final = 2000
"""Entries of one folder, and paths in all, that are looked at."""
_DEPTH: Final = 3
_ASIDE: Final = frozenset(
    "node_modules vendor site-packages target build dist venv env __pycache__".split()
)


class Files:
    """The files of a checkout, by their paths relative to it, links out of it left out."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    @functools.cached_property
    def paths(self) -> tuple[str, ...]:
        """The files near the root, those of a folder before those below it, sorted by name."""
        return tuple(islice(self._walk("", 0), _ENTRIES))

    def has(self, path: str) -> bool:
        """Whether ``path`` is a plain file of the checkout."""
        return is_plain(self._root, path)

    def like(self, *patterns: str) -> list[str]:
        """The files whose path, in lower case, is like one of ``patterns``, in that order."""
        return list(
            dict.fromkeys(
                path
                for pattern in patterns
                for path in self.paths
                if fnmatchcase(path.lower(), pattern) and path.count("/") == pattern.count("/")
            )
        )

    def text(self, path: str) -> str:
        """The beginning of the text in ``path``, empty where there is no such file."""
        return (beginning(self._root, path, _BYTES) or b"").decode("utf-8", "replace")

    def toml(self, path: str) -> dict[str, Any]:
        """The tables of ``path``, empty where there are none to be read."""
        try:
            return tomllib.loads(self.text(path))
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}

    def json(self, path: str) -> dict[str, Any]:
        """The object in ``path``, empty where there is none to be read."""
        try:
            value = json.loads(self.text(path))
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def _walk(self, folder: str, depth: int) -> Iterator[str]:
        below = []
        for name, is_folder in self._listed(folder):
            path = f"{folder}/{name}" if folder else name
            if not is_folder:
                yield path
            elif depth < _DEPTH and name.lower() not in _ASIDE and not name.startswith("."):
                below.append(path)
        for path in below:
            yield from self._walk(path, depth + 1)

    def _listed(self, folder: str) -> list[tuple[str, bool]]:
        try:
            with os.scandir(self._root / folder) as entries:
                return sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in islice(entries, _ENTRIES)
                    if entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)
                )
        except OSError:
            return []


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of ``text`` with their numbers from 1, what is too long cut off."""
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line[:_WIDTH].rstrip()

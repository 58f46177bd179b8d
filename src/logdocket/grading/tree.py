"""The files of a checkout that somebody committed, as far as that can be told."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import msgspec

from logdocket.grading.plain import beginning, is_plain

__all__ = ["Git", "Tree"]

_MOST: Final = 16 * 1024 * 1024
"""Bytes of a file that are read: lock files grow large, but not that large."""
_DEPTH: Final = 2
"""How deep below the root a part of the answer may declare dependencies of its own."""
_ASIDE: Final = frozenset(
    # Installed or made, not declared.
    "node_modules vendor site-packages target build dist venv env __pycache__ "
    # Not what runs: what these declare is an example.
    "test tests spec fixtures testdata example examples docs benchmarks".split()
)


Git = Callable[..., bytes | None]
"""``git(root, *arguments, stdin=…)``: what it prints, None where it fails."""


class Tree(msgspec.Struct, frozen=True):
    """The checkout at ``root``; ``committed`` are its files' paths, None where nobody knows.

    What a set-up writes, such as a lock file that was never committed, is not there.
    """

    root: Path
    committed: frozenset[str] | None = None

    @classmethod
    def of(cls, root: Path, git: Git) -> Tree:
        """The checkout at ``root``, by its repository where it has one that holds anything."""
        if not (root / ".git").exists():
            return cls(root)
        listed = git(root, "ls-files", "-z") or b""
        names = listed.decode("utf-8", "surrogateescape").split("\0")
        return cls(root, frozenset(filter(None, names)) or None)

    def has(self, path: str) -> bool:
        """Whether ``path``, relative to the root, is a file of the answer."""
        return self._theirs(path) and is_plain(self.root, path)

    def text(self, path: str) -> str:
        """The text of ``path``, empty where there is no such file."""
        found = beginning(self.root, path, _MOST) if self._theirs(path) else None
        return (found or b"").decode("utf-8", "replace")

    def _theirs(self, path: str) -> bool:
        return self.committed is None or path in self.committed

    def like(self, folder: str, *patterns: str) -> list[str]:
        """The files in ``folder`` whose names are like one of ``patterns``, sorted; a name that a
        report cannot show is like none.
        """
        try:
            names = sorted(filter(str.isprintable, os.listdir(self.root / folder)))
        except OSError:
            return []
        alike = (name for name in names if any(fnmatchcase(name, one) for one in patterns))
        paths = (f"{folder}/{name}" if folder else name for name in alike)
        return [path for path in paths if self.has(path)]

    def folders(self) -> Iterator[str]:
        """The root ("") and the folders near it that may declare dependencies, sorted."""
        for at, folders, _ in os.walk(self.root):
            inside = Path(at).relative_to(self.root)
            yield "" if inside == Path() else inside.as_posix()
            near = len(inside.parts) < _DEPTH
            folders[:] = sorted(
                name
                for name in folders
                if near and name.lower() not in _ASIDE and not name.startswith(".")
            )

    def above(self, folder: str, names: tuple[str, ...]) -> list[str]:
        """Those files of ``names`` that stand in ``folder`` or, failing that, nearest above it."""
        while True:
            found = self.like(folder, *names)
            if found or not folder:
                return found
            folder = folder.rpartition("/")[0]

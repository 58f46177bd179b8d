"""Searches a checkout and the whole of its history, within bounds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from logdocket.grading.plain import beginning
from logdocket.grading.secrets.leak import Leak, printable
from logdocket.grading.secrets.search import Search
from logdocket.grading.tree import Git, Tree

__all__ = ["Searched", "searched"]

_FILE: Final = 1024 * 1024
_OBJECTS: Final = 40_000
_BYTES: Final = 128 * 1024 * 1024
_BATCH: Final = 16 * 1024 * 1024
"""Bounds: of one file, of the objects in the history, of all that is read, and of one reading."""
_NOT_SEARCHED: Final = frozenset(".git node_modules __pycache__ site-packages".split())


class Searched(msgspec.Struct, frozen=True):
    """The ``leaks``, sorted; whether there was a ``history``; which ``bounds`` were met."""

    leaks: tuple[Leak, ...]
    history: bool
    bounds: tuple[str, ...] = ()


class _Object(msgspec.Struct, frozen=True):
    name: str
    size: int
    path: str


def searched(root: Path, git: Git) -> Searched:
    """What stands in the files under ``root``, and in every version of them that git keeps.

    With a repository, files that are not committed are not searched: nobody was given them.
    """
    search, bounds = Search(), []
    tracked = Tree.of(root, git).committed
    for path in sorted(_files(root) if tracked is None else tracked):
        content = _content(root, path)
        if content is None:
            continue
        if len(content) > _FILE:
            bounds.append(printable(path))
        search.through(path, content[:_FILE])
    said = [_large(bounds)] if bounds else []
    if tracked is not None:
        said += _past(search, root, git)
    return Searched(tuple(sorted(search.leaks)), tracked is not None, tuple(said))


def _large(paths: list[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"Only the first MiB of {paths[0]}{more} was searched."


def _files(root: Path) -> Iterator[str]:
    """Every file but those of environments and caches."""
    for at, folders, names in os.walk(root):
        if "pyvenv.cfg" in names:
            folders.clear()
            continue
        folders[:] = [name for name in folders if name not in _NOT_SEARCHED]
        for name in names:
            yield Path(at, name).relative_to(root).as_posix()


def _content(root: Path, path: str) -> bytes | None:
    """The beginning of a file, one byte more than is searched; None for what is no file, and for
    a link: what it leads to is searched where it stands.
    """
    return None if (root / path).is_symlink() else beginning(root, path, _FILE + 1)


def _past(search: Search, root: Path, git: Git) -> list[str]:
    """Search every version of every file that any branch, tag or stash reaches, each once."""
    listed = git(root, "rev-list", "--objects", "--all")
    if listed is None:
        return ["The history could not be read."]
    names = listed.decode("utf-8", "replace").split("\n")
    paths = dict(line.split(" ", 1) for line in names if " " in line and line[-1] != " ")
    objects = list(_blobs(paths, git(root, "cat-file", "--batch-check", stdin=_asking(paths))))
    fit, total = [], 0
    for one in objects[:_OBJECTS]:
        if one.size <= _FILE and total + one.size <= _BYTES:
            fit.append(one)
            total += one.size
    for batch in _batches(fit):
        names = [one.name for one in batch]
        contents = _contents(git(root, "cat-file", "--batch", stdin=_asking(names)) or b"")
        for one in batch:
            if one.name in contents:
                search.through(one.path, contents[one.name], past=True)
    left = len(objects) - len(fit)
    if left == 1:
        return ["1 old version of a file was too large, or one too many, to search."]
    return [f"{left} old versions of files were too large, or too many, to search."] if left else []


def _asking(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


def _blobs(paths: dict[str, str], checked: bytes | None) -> Iterator[_Object]:
    for line in (checked or b"").decode("ascii", "replace").split("\n"):
        words = line.split(" ")
        if len(words) == 3 and words[1] == "blob" and words[0] in paths:
            yield _Object(words[0], int(words[2]), paths[words[0]])


def _batches(objects: list[_Object]) -> Iterator[list[_Object]]:
    batch: list[_Object] = []
    total = 0
    for one in objects:
        if batch and total + one.size > _BATCH:
            yield batch
            batch, total = [], 0
        batch.append(one)
        total += one.size
    if batch:
        yield batch


def _contents(answer: bytes) -> dict[str, bytes]:
    """The objects that ``git cat-file --batch`` prints: a line of name, kind and size, then so
    many bytes and a line feed.
    """
    found: dict[str, bytes] = {}
    at = 0
    while (end := answer.find(b"\n", at)) > 0:
        words = answer[at:end].split(b" ")
        if len(words) != 3:
            at = end + 1
            continue
        size = int(words[2])
        found[words[0].decode("ascii")] = answer[end + 1 : end + 1 + size]
        at = end + size + 2
    return found

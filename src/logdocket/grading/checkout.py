"""The grader's own copy of an answer, and git that runs nothing of what it reads."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from logdocket.errors import GradingError
from logdocket.grading.sandbox import CHECKOUT

__all__ = ["copy", "git"]

_MOST_BYTES: Final = 2 * 1024**3
_MOST_FILES: Final = 200_000
_PATIENCE: Final = 120.0
"""Seconds that one command of git may take."""
_FIRST: Final = 10.0
"""Seconds for the first, which has only to read what the repository configures."""
_MADE: Final = frozenset(
    # What tools make anew: never copied unless it was committed.
    ".venv venv node_modules __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis "
    ".tox .nox .cache .gradle .DS_Store .coverage".split()
)
_HARMLESS: Final = {
    # Each of these can name a program, or a place elsewhere, in a repository's own configuration.
    "core.alternateRefsCommand": "false",
    "core.askPass": "false",
    "core.attributesFile": os.devnull,
    "core.editor": "false",
    "core.excludesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "gpg.program": "false",
    "log.showSignature": "false",
    "protocol.allow": "never",
    "safe.directory": "*",
    "submodule.recurse": "false",
}
_READING: Final = frozenset(
    "cat-file diff-tree for-each-ref log ls-files ls-tree rev-list rev-parse show".split()
)
"""Commands that look at no file of the working tree, which a filter of the repository would do."""
_SHOWING: Final = frozenset("diff-tree log show".split())


def copy(source: Path, root: Path) -> Path:
    """The copy of ``source`` in ``root``: what git knows of and its history, or the whole tree.

    Installed dependencies and caches stay behind, links stay links. Raises GradingError for what
    cannot be read, or is larger than 2 GiB or 200,000 files.
    """
    source = source.resolve()
    target = root / CHECKOUT
    target.mkdir()
    copied = _Copy(source, target)
    listed = _listed(source)
    history = source / ".git"
    try:
        for path in _walked(source) if listed is None else listed:
            copied.take(path)
        if history.is_dir() and not history.is_symlink():
            for path in _below(source, ".git", frozenset()):
                copied.take(path)
    except OSError as error:
        raise GradingError(f"{error.filename} cannot be copied: {error.strerror}") from error
    return target


def git(root: Path, *arguments: str, stdin: bytes | None = None) -> bytes | None:
    """What git prints about the checkout at ``root``; None where it fails or there is none.

    Nothing that the repository holds or configures is run, and nothing is fetched or written; so
    the first of ``arguments`` is one of a few commands, ValueError if not.
    """
    if not arguments or arguments[0] not in _READING:
        raise ValueError(f"git may be asked to {', '.join(sorted(_READING))}, not {arguments[:1]}")
    folder = root / ".git"
    if folder.is_symlink() or not folder.is_dir():
        return None
    words = [*arguments]
    if words[0] in _SHOWING:
        words[1:1] = ["--no-ext-diff", "--no-textconv"]
    return _said(root, words, stdin or b"", _PATIENCE) if _can_be_read(root) else None


@functools.cache
def _can_be_read(root: Path) -> bool:
    """Whether git comes to an end there: a configuration may include a pipe, and others wait."""
    return _said(root, ["rev-parse", "--git-dir"], b"", _FIRST) is not None


def _said(root: Path, words: list[str], stdin: bytes, seconds: float) -> bytes | None:
    """What git prints within so many seconds; None where it fails."""
    try:
        done = subprocess.run(
            ["git", "--no-pager", *words],
            cwd=root,
            env=_environment(root),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _environment(root: Path) -> dict[str, str]:
    set_to = {"GIT_CONFIG_COUNT": str(len(_HARMLESS))}
    for number, (key, value) in enumerate(_HARMLESS.items()):
        set_to |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return set_to | {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C",
        # Named, so that the repository's own core.worktree leads nowhere.
        "GIT_DIR": str(root / ".git"),
        "GIT_WORK_TREE": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _listed(source: Path) -> list[str] | None:
    """What git tracks or would track; None where it cannot tell."""
    tracked = git(source, "ls-files", "-z", "--cached")
    other = git(source, "ls-files", "-z", "--others", "--exclude-standard")
    if tracked is None or other is None:
        return None
    new = [path for path in _names(other) if not _MADE.intersection(path.split("/"))]
    paths = dict.fromkeys([*_names(tracked), *new])
    return [inside for path in paths for inside in _expanded(source, path)]


def _names(listed: bytes) -> list[str]:
    names = os.fsdecode(listed).split("\0")
    return [name.rstrip("/") for name in names if name and _sound(name.rstrip("/"))]


def _sound(path: str) -> bool:
    """Whether an index, which may be made up, names something below the root."""
    parts = path.split("/")
    return not os.path.isabs(path) and ".." not in parts and parts[0] != ".git"


def _expanded(source: Path, path: str) -> Iterator[str]:
    """``path``, or what is below it where it is a repository of its own."""
    full = source / path
    if full.is_dir() and not full.is_symlink():
        yield from _below(source, path, _MADE | {".git"})
    else:
        yield path


def _walked(source: Path) -> Iterator[str]:
    return _below(source, "", _MADE | {".git"})


def _below(source: Path, folder: str, without: frozenset[str]) -> Iterator[str]:
    """The paths of all files and empty folders below ``folder``."""

    def refuse(error: OSError) -> None:
        raise error

    for at, folders, names in os.walk(source / folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if name not in without)
        inside = os.path.relpath(at, source)
        links = [name for name in folders if os.path.islink(os.path.join(at, name))]
        for name in sorted({*names, *links} - without):
            yield os.path.normpath(os.path.join(inside, name))
        if not folders and not names:
            yield os.path.normpath(inside)


class _Copy:
    """A copy that is being made, within its bounds."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source = source
        self._target = target
        self._files = 0
        self._bytes = 0
        self._folders = {""}

    def take(self, path: str) -> None:
        """Copy one file, link or empty folder; what is special or not there stays behind."""
        parent = os.path.dirname(path)
        if not self._folder(parent):
            return
        origin, copied = self._source / path, self._target / path
        try:
            found = origin.lstat()
        except FileNotFoundError:
            return
        if stat.S_ISDIR(found.st_mode):
            self._folder("" if path == "." else path)
            return
        self._count(found.st_size)
        if stat.S_ISLNK(found.st_mode):
            copied.symlink_to(os.readlink(origin))
        elif stat.S_ISREG(found.st_mode):
            shutil.copyfile(origin, copied, follow_symlinks=False)
            os.chmod(copied, stat.S_IMODE(found.st_mode) & 0o777 | 0o600)
            os.utime(copied, ns=(found.st_atime_ns, found.st_mtime_ns))

    def _folder(self, path: str) -> bool:
        """Whether ``path`` is a folder of the answer, and not a link to one; it is made."""
        if path in self._folders:
            return True
        if not self._folder(os.path.dirname(path)):
            return False
        try:
            real = stat.S_ISDIR((self._source / path).lstat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return False
        if real:
            (self._target / path).mkdir(exist_ok=True)
            self._folders.add(path)
        return real

    def _count(self, size: int) -> None:
        self._files += 1
        self._bytes += size
        if self._files > _MOST_FILES or self._bytes > _MOST_BYTES:
            raise GradingError(
                f"{self._source} is larger than 2 GiB or {_MOST_FILES:,} files: "
                "remove or ignore what is not part of the answer"
            )

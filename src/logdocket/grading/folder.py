"""The folder a grading works in, which goes with it: at its end, or with the next grading."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

__all__ = ["working"]

_PREFIX: Final = "logdocket-grade-"
_KEPT: Final = "logdocket-kept-"
_YOUNG: Final = 60.0
"""Seconds in which a folder may have been made and not be held yet."""
_TRIES: Final = 5
"""How often a folder is removed until it is gone."""
_PAUSE: Final = 0.1
"""Seconds between two of these."""


@contextlib.contextmanager
def working(keep: bool, tell: Callable[[str], object]) -> Iterator[Path]:
    """A new folder, removed when it is left; kept where ``keep`` says so, and ``tell`` hears it.

    Whoever was killed could not remove theirs: folders of this user that nobody holds any more are
    removed first. A folder is held by a lock on it, which its process cannot outlive.
    """
    _sweep(tell)
    root = Path(tempfile.mkdtemp(prefix=_KEPT if keep else _PREFIX)).resolve()
    with _held(root):
        try:
            yield root
        finally:
            if keep:
                tell(f"The copy is kept in {root}")
            else:
                _remove(root, tell)


def _sweep(tell: Callable[[str], object]) -> None:
    """Remove what gradings that were killed left behind."""
    for path in sorted(Path(tempfile.gettempdir()).glob(f"{_PREFIX}*")):
        with contextlib.suppress(OSError):
            found = path.lstat()
            ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
            if ours and time.time() - found.st_mtime > _YOUNG:
                with _held(path):
                    _remove(path, tell)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Nobody else holds ``folder`` meanwhile. Raises BlockingIOError where somebody does."""
    entry = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(entry, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(entry)


def _remove(root: Path, tell: Callable[[str], object]) -> None:
    """Remove the folder, whatever rights its owner took from it."""
    for _ in range(_TRIES):
        shutil.rmtree(root, ignore_errors=True)
        if not root.exists():
            return
        # Something of the answer may have been at its end just now, and still written.
        time.sleep(_PAUSE)
        _open_up(root)
    tell(f"The copy could not be removed: {root}")


def _open_up(root: Path) -> None:
    """Give back to the grader what the answer's folders forbid; links are not followed."""
    for at, folders, _ in os.walk(root):
        for name in folders:
            path = os.path.join(at, name)
            if not os.path.islink(path):
                with contextlib.suppress(OSError):
                    os.chmod(path, stat.S_IRWXU)

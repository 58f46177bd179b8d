"""What stands at the database's path: the file and the two beside it that are part of it in use.

SQLite reads and writes the files that it has opened, whatever becomes of their names. Nothing in it
tells that its log was deleted, or that an older copy of the database lies in the old one's place:
it goes on, and what it says is durable is gone when the last process closes
(https://www.sqlite.org/howtocorrupt.html). So the names are looked at before each use.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class Ground(NamedTuple):
    """Device and inode of the file, its size in bytes, and the inodes of its log (``-wal``) and of
    the index to that (``-shm``), None where there is none."""

    file: tuple[int, int]
    size: int
    wal: int | None
    shm: int | None

    def lost(self, now: Ground) -> bool:
        """Whether the log or its index, once there, is ``now`` gone or another.

        While anyone has the database open, SQLite itself never removes them.
        """
        return (self.wal is not None and now.wal != self.wal) or (
            self.shm is not None and now.shm != self.shm
        )

    def alone(self, now: Ground) -> bool:
        """Whether nobody has begun a new log or index in the place of a lost one."""
        return now.wal in (None, self.wal) and now.shm in (None, self.shm)


def ground(path: Path) -> Ground | None:
    """What stands at ``path`` now; None where there is no file."""
    name = str(path)
    try:
        status = os.stat(name)
    except OSError:
        return None
    return Ground(
        (status.st_dev, status.st_ino), status.st_size, _inode(name + "-wal"), _inode(name + "-shm")
    )


def _inode(name: str) -> int | None:
    try:
        return os.stat(name).st_ino
    except OSError:
        return None

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
    """Device and inode of the file, the inodes of its log (``-wal``) and of the index to that
    (``-shm``), None where there is none, and the sizes of file and log in bytes."""

    file: tuple[int, int]
    wal: int | None
    shm: int | None
    size: int
    wal_size: int

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
    file = _status(name)
    if file is None:
        return None
    wal, shm = _status(name + "-wal"), _status(name + "-shm")
    return Ground(
        (file.st_dev, file.st_ino),
        None if wal is None else wal.st_ino,
        None if shm is None else shm.st_ino,
        file.st_size,
        0 if wal is None else wal.st_size,
    )


def _status(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)
    except OSError:
        return None

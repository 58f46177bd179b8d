"""Where a command writes what it gives."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from logdocket.errors import OutputError


@contextmanager
def sink(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output (None or ``-``), or a file that takes its name only when it is whole.

    Raises OutputError where the file cannot be written; what had its name before is left then.
    """
    if output is None or output == Path("-"):
        yield sys.stdout.buffer
        return
    # Through links, so that a file is replaced where it lies.
    target = Path(os.path.realpath(output))
    try:
        if _is_special(target):
            with target.open("wb") as file:
                yield file
            return
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise OutputError(f"--output {output} cannot be written ({why}): name a file") from None


def _is_special(path: Path) -> bool:
    """Whether it is there and no plain file: a device or a pipe must not be replaced by one."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False

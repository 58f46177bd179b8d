"""``logdocket interview init``."""

from __future__ import annotations

from pathlib import Path

from logdocket.grading.interview import init


def run(folder: Path, *, force: bool) -> int:
    """Write the kit into ``folder`` and print the names of its files; the exit code."""
    for path in init(folder, force=force):
        print(path)
    return 0

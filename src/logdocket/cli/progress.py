"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

from logdocket.cli.output import counted

if TYPE_CHECKING:
    import rich.progress


class Progress:
    """Shows how far a file of ``size`` bytes is read; for a stream (None), how many lines."""

    def __init__(self, size: int | None) -> None:
        self._bar: rich.progress.Progress | None = None
        # Where the tickets go to the same terminal, they are progress enough.
        if sys.stderr.isatty() and not sys.stdout.isatty():
            self._bar = _bar(size)
            self._task = self._bar.add_task("0 lines", total=size)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, count: int, lines: int) -> None:
        """Show ``count`` further bytes, and ``lines`` in all."""
        if self._bar is not None:
            self._bar.update(self._task, advance=count, description=counted(lines, "line"))


def _bar(size: int | None) -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    last = TimeElapsedColumn() if size is None else TimeRemainingColumn()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        last,
        console=Console(stderr=True),
    )

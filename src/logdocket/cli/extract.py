"""``logdocket extract``: lines in, tickets out, in order, as they come."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from logdocket.bootstrap import build_extractor, build_store
from logdocket.cli.pipeline import Pipeline, Tally
from logdocket.cli.pool import Pool
from logdocket.cli.progress import Progress
from logdocket.errors import SettingsError
from logdocket.line import Context
from logdocket.reading import check_context
from logdocket.settings import Settings
from logdocket.splitter import Splitter

_PIECE: Final = 1 << 18


def run(
    file: str,
    *,
    received_at: str | None,
    service: str | None,
    timezone: str | None,
    db: Path | None,
    no_ledger: bool,
    jobs: int,
) -> int:
    """Answer every line of ``file``; the exit code: 1 when some line got no ticket."""
    settings = Settings.load(db=db)
    context = _contexts(received_at, service, timezone)
    context()  # A malformed option is told before anything is read.
    with ExitStack() as open_things:
        source = _open(file, open_things)
        store = None
        if not no_ledger:
            store = build_store(settings)
            open_things.callback(store.close)
        pool = open_things.enter_context(Pool(jobs, settings.risk)) if jobs > 1 else None
        progress = open_things.enter_context(Progress(_size(source)))
        pipeline = Pipeline(
            build_extractor(settings, store), pool, settings.max_line, sys.stdout.buffer
        )
        _run(source, pipeline, context, Splitter(settings.max_line), progress)
    return _report(pipeline.tally, file)


def _run(
    source: int,
    pipeline: Pipeline,
    context: Callable[[], Context],
    splitter: Splitter,
    progress: Progress,
) -> None:
    for piece in _pieces(source, pipeline.flush):
        pipeline.feed(splitter.feed(piece), context())
        progress.advance(len(piece), pipeline.tally.lines)
    pipeline.feed(splitter.finish(), context())
    pipeline.flush()


def _pieces(source: int, idle: Callable[[], None]) -> Iterator[bytes]:
    """What comes from ``source``; ``idle`` is called before each wait for more."""
    import select

    regular = stat.S_ISREG(os.fstat(source).st_mode)
    while True:
        if not regular and not select.select([source], [], [], 0)[0]:
            idle()
        piece = os.read(source, _PIECE)
        if not piece:
            return
        yield piece


def _open(file: str, open_things: ExitStack) -> int:
    if file == "-":
        return sys.stdin.fileno()
    try:
        descriptor = os.open(file, os.O_RDONLY)
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise IsADirectoryError(21, "is a directory")
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}: name a file of log lines, or -") from None
    open_things.callback(os.close, descriptor)
    return descriptor


def _size(source: int) -> int | None:
    found = os.fstat(source)
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _contexts(
    received_at: str | None, service: str | None, timezone: str | None
) -> Callable[[], Context]:
    """What gives the context of the lines that come now.

    ``now`` is taken to the hour: it serves only to find a year, and lines stay equal within it.
    """
    if received_at != "now":
        fixed = check_context(received_at, service, timezone, None)
        return lambda: fixed

    def current() -> Context:
        hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
        return check_context(hour.isoformat(), service, timezone, None)

    return current


def _report(tally: Tally, file: str) -> int:
    name = "standard input" if file == "-" else file
    for count, what in (
        (tally.refused, "got no ticket: see the error rows"),
        (tally.unledgered, "got a ticket that is not in the ledger: see logdocket doctor"),
    ):
        if count:
            print(f"logdocket: {name}: {count:,} of {tally.lines:,} lines {what}", file=sys.stderr)
    return 1 if tally.refused or tally.unledgered else 0

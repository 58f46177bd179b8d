"""``logdocket extract``: lines in, tickets out, in order, as they come."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from logdocket.bootstrap import build_extractor, build_store
from logdocket.cli.asking import AskingPipeline
from logdocket.cli.output import counted, one_line
from logdocket.cli.pipeline import Pipeline, Tally
from logdocket.cli.pool import Pool
from logdocket.cli.progress import Progress
from logdocket.cli.stop import Stop, Woken
from logdocket.docket import Extractor
from logdocket.errors import LedgerUnavailable, SettingsError
from logdocket.line import Context
from logdocket.reading import check_context
from logdocket.settings import Settings, strangers
from logdocket.splitter import Splitter
from logdocket.store import SqliteStore

_PIECE: Final = 1 << 18
_HEAD: Final = 16
_WINDOW: Final = 2
"""Lines in flight for each call that may be made at once: answers from the cache need no call."""

_STDIN: Final = "standard input"
_COMPRESSED: Final = (
    (b"\x1f\x8b", "gzip", "zcat"),
    (b"\x28\xb5\x2f\xfd", "zstd", "zstdcat"),
    (b"\xfd7zXZ\0", "xz", "xzcat"),
    *((b"BZh%d1AY&SY" % level, "bzip2", "bzcat") for level in range(1, 10)),
)
"""How a compressed file begins, by what it was compressed, and what undoes it: RFC 1952 and 8878,
the .xz file format (tukaani.org/xz/xz-file-format.txt), bzip2's own headers."""


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
    """Answer every line of ``file``; the exit code: 1 when some line got no ticket or no entry."""
    settings = Settings.load(db=db)
    for name in strangers():
        print(f"logdocket: {one_line(name)} is no setting and has no effect", file=sys.stderr)
    context = _contexts(received_at, service, timezone)
    context()  # A malformed option is told before anything is read.
    with ExitStack() as open_things:
        source = _Source(file)
        open_things.callback(source.close)
        store = None
        if not no_ledger:
            store = build_store(settings)
            open_things.callback(store.close)
        extractor = build_extractor(settings, store)
        progress = open_things.enter_context(Progress(source.size))
        stop = open_things.enter_context(Stop())
        pipeline = open_things.enter_context(_pipeline(extractor, settings, jobs))
        splitter = Splitter(settings.max_line)
        for piece in source.pieces(stop, pipeline.flush):
            pipeline.feed(splitter.feed(piece), context())
            progress.advance(len(piece), pipeline.tally.lines)
        if stop.asked is None:
            pipeline.feed(splitter.finish(), context())
        pipeline.flush()
        why = _why(store) if pipeline.tally.unledgered else None
    lost = 0 if store is None else store.unentered
    code = _report(pipeline.tally, source.name, why, lost)
    return code if stop.asked is None else 128 + stop.asked


@contextmanager
def _pipeline(
    extractor: Extractor, settings: Settings, jobs: int
) -> Iterator[Pipeline | AskingPipeline]:
    """What the lines go through: the rules, in ``jobs`` processes, or a model that is asked."""
    out = sys.stdout.buffer
    if extractor.asks:
        most = _WINDOW * settings.model_concurrency
        with AskingPipeline(extractor, most, settings.max_line, out) as asking:
            yield asking
    elif jobs > 1:
        with Pool(jobs, settings.risk, extractor.judge.why_alone) as pool:
            yield Pipeline(extractor, pool, settings.max_line, out)
    else:
        yield Pipeline(extractor, None, settings.max_line, out)


class _Source:
    """A file of lines, or standard input for ``-``; raises SettingsError where there is none."""

    def __init__(self, file: str) -> None:
        self.name = _STDIN if file == "-" else file
        self._mine = file != "-"
        if not self._mine:
            if sys.stdin is None:
                raise SettingsError("standard input is closed: name a file, or send lines into it")
            self._descriptor = sys.stdin.fileno()
        else:
            try:
                self._descriptor = os.open(file, os.O_RDONLY)
            except OSError as error:
                raise self._unreadable(error) from None
        status = os.fstat(self._descriptor)
        if stat.S_ISDIR(status.st_mode):
            self.close()
            raise self._unreadable(IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
        self._regular = stat.S_ISREG(status.st_mode)
        if self._regular:
            self._check_plain(self._head())
        self._begun = self._regular
        self.size = status.st_size if self._regular else None

    def close(self) -> None:
        """Close the file, if this opened it."""
        if self._mine:
            os.close(self._descriptor)

    def pieces(self, stop: Stop, idle: Callable[[], None]) -> Iterator[bytes]:
        """What comes, until it ends or someone asks to stop; ``idle`` is called before each wait
        for more."""
        waits = [self._descriptor]
        while True:
            if not self._regular and not select.select(waits, [], [], 0)[0]:
                idle()
            piece = None
            try:
                with stop.waiting(), suppress(BlockingIOError):
                    if not self._regular:
                        select.select(waits, [], [])
                    piece = os.read(self._descriptor, _PIECE)
            except Woken:
                return
            except OSError as error:
                raise self._unreadable(error) from None
            if piece:
                if not self._begun:
                    self._begun = True
                    self._check_plain(piece)
                yield piece
            elif piece is not None:
                return

    def _head(self) -> bytes:
        try:
            start = os.lseek(self._descriptor, 0, os.SEEK_CUR)
            return os.pread(self._descriptor, _HEAD, start)
        except OSError as error:
            raise self._unreadable(error) from None

    def _check_plain(self, head: bytes) -> None:
        """Raise SettingsError where a file that begins with ``head`` is compressed."""
        for magic, form, tool in _COMPRESSED:
            if head.startswith(magic):
                file = "FILE" if self.name == _STDIN else self.name
                raise SettingsError(
                    f"{self.name} is compressed with {form}: {tool} {file} | logdocket extract"
                )

    def _unreadable(self, error: OSError) -> SettingsError:
        why = (error.strerror or str(error)).lower()
        return SettingsError(f"{self.name} cannot be read ({why}): name a file of log lines, or -")


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


def _why(store: SqliteStore | None) -> str:
    """Why lines were not entered, as far as it can still be seen."""
    if store is not None:
        try:
            store.check()
        except LedgerUnavailable as error:
            return str(error)
    return "the ledger can be written again: send these lines once more"


def _report(tally: Tally, name: str, why: str | None, lost: int) -> int:
    """Tell on standard error what went wrong; the exit code."""
    gap = f"; no gap in it tells of {lost:,} of them" if lost else ""
    for count, what in (
        (tally.refused, "got an error row instead of a ticket"),
        (tally.unledgered, f"got a ticket that is not in the ledger: {why}{gap}"),
    ):
        if count:
            told = f"logdocket: {name}: {count:,} of {counted(tally.lines, 'line')} {what}"
            print(one_line(told), file=sys.stderr)
    return 1 if tally.refused or tally.unledgered else 0

"""Lines as they come: a file or standard input in pieces, and the context that goes with them."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from logdocket.cli.stop import Stop, Woken
from logdocket.errors import SettingsError
from logdocket.line import Context
from logdocket.reading import check_context

_PIECE: Final = 1 << 18
_HEAD: Final = 16
_STDIN: Final = "standard input"
_COMPRESSED: Final = (
    (b"\x1f\x8b", "gzip", "zcat"),
    (b"\x28\xb5\x2f\xfd", "zstd", "zstdcat"),
    (b"\xfd7zXZ\0", "xz", "xzcat"),
    *((b"BZh%d1AY&SY" % level, "bzip2", "bzcat") for level in range(1, 10)),
)
"""How a compressed file begins, by what it was compressed, and what undoes it: RFC 1952 and 8878,
the .xz file format (tukaani.org/xz/xz-file-format.txt), bzip2's own headers."""


class Source:
    """A file of lines that ``command`` reads, or standard input for ``-``; raises SettingsError
    where there is none.
    """

    def __init__(self, file: str, command: str) -> None:
        self._command = command
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
                mend = f"{tool} {file} | logdocket {self._command}"
                raise SettingsError(f"{self.name} is compressed with {form}: {mend}")

    def _unreadable(self, error: OSError) -> SettingsError:
        why = (error.strerror or str(error)).lower()
        return SettingsError(f"{self.name} cannot be read ({why}): name a file of log lines, or -")


def contexts(
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

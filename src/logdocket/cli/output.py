"""Standard output as the commands use it: what cannot be written is told in one line."""

from __future__ import annotations

import io
import json
import os
import select
import sys
from typing import TYPE_CHECKING, Final

from logdocket.errors import OutputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_BUFFER: Final = 1 << 16
_STANDARD: Final = (0, 1, 2)


class ReaderGone(Exception):
    """Whoever read standard output has had enough, as ``head`` does: no error, and no more output.

    Not an OSError, so that no library on the way takes it for its own.
    """


class Output(io.RawIOBase):
    """Standard output, unbuffered; None stands for one that was closed before we started.

    Every write either takes all bytes sooner or later, or raises ReaderGone or OutputError.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        self._muted = False

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """The descriptor; raises OSError where there is none."""
        if self._descriptor is None:
            raise OSError("standard output is closed")
        return self._descriptor

    def isatty(self) -> bool:
        """Whether people watch it."""
        return self._descriptor is not None and os.isatty(self._descriptor)

    def mute(self) -> None:
        """Let what is still in buffers go nowhere."""
        self._muted = True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some of ``data``; gives how many bytes."""
        if self._muted:
            return memoryview(data).nbytes
        if self._descriptor is None:
            raise OutputError("standard output is closed: leave it open, or send it to a file")
        while True:
            try:
                return os.write(self._descriptor, data)
            except BlockingIOError:
                # Another program made the shared pipe or terminal non-blocking.
                select.select([], [self._descriptor], [])
            except BrokenPipeError:
                raise ReaderGone from None
            except OSError as error:
                raise OutputError(
                    f"standard output cannot be written ({error.strerror}): "
                    "make room, or send it elsewhere"
                ) from None


def install() -> Output:
    """Put an :class:`Output` in the place of ``sys.stdout``, and give it back.

    Descriptors that were closed before we started are opened on nothing, so that no file we open
    can take their number and be written by mistake.
    """
    output = Output(None if sys.stdout is None else sys.stdout.fileno())
    encoding = "utf-8" if sys.stdout is None else sys.stdout.encoding
    for descriptor in _STANDARD:
        _see_that_it_is_open(descriptor)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as we run
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output, _BUFFER),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=output.isatty(),
    )
    return output


def _see_that_it_is_open(descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        # The lowest free number is given, and those below are open by now.
        os.open(os.devnull, os.O_RDWR)


def counted(count: int, one: str, more: str | None = None) -> str:
    """``count`` with the word for it: ``1 ticket``, ``2,000 tickets``."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def compact(value: object) -> str:
    """``value`` as JSON on one line, with nothing but what JSON needs."""
    return json.dumps(value, separators=(",", ":"))


def one_line(text: str) -> str:
    """``text`` with every character escaped that could end the line or move a cursor."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )

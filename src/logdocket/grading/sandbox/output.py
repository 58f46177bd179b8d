"""What a command wrote: its beginning and its end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Final

__all__ = ["Output"]

_KEPT: Final = 64 * 1024
"""Bytes at the beginning, and as many at the end, that are kept of a stream."""
_GAP: Final = b"\n[...]\n"


class Output:
    """Reads both streams of a command, so that it never waits for a reader.

    ``full`` is called once when more than ``most`` bytes came of both together.
    """

    def __init__(self, streams: tuple[int, int], most: int, full: Callable[[], None]) -> None:
        self._most = most
        self._full = full
        self._total = 0
        self._lock = threading.Lock()
        self._kept = [_Kept(), _Kept()]
        self._threads = [
            threading.Thread(target=self._read, args=(stream, kept), daemon=True)
            for stream, kept in zip(streams, self._kept, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def whole(self, seconds: float) -> tuple[bytes, bytes, bool]:
        """What was written to the one and the other, and whether something was left out.

        Waits ``seconds`` at most for those that still hold the streams open.
        """
        for thread in self._threads:
            thread.join(seconds)
        out, err = self._kept
        return out.bytes, err.bytes, out.cut or err.cut

    def _read(self, stream: int, kept: _Kept) -> None:
        while True:
            try:
                read = os.read(stream, 65536)
            except OSError:
                return
            if not read:
                return
            kept.add(read)
            with self._lock:
                before, self._total = self._total, self._total + len(read)
            if before <= self._most < self._total:
                self._full()


class _Kept:
    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.cut = False

    def add(self, read: bytes) -> None:
        room = _KEPT - len(self._head)
        self._head += read[:room]
        self._tail += read[room:]
        if len(self._tail) > _KEPT:
            self.cut = True
            del self._tail[:-_KEPT]

    @property
    def bytes(self) -> bytes:
        return bytes(self._head) + (_GAP if self.cut else b"") + bytes(self._tail)

"""Ctrl-C and SIGTERM, taken between two groups of lines: what is printed is whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_GRACE: Final = 2.0
"""Seconds for the lines in hand."""


class Woken(Exception):
    """A signal came while there was nothing to do but wait."""


class Stop:
    """Once entered, the first signal only asks to stop; ``asked`` is its number, or None.

    A second signal, or the end of the grace for what is in hand, ends the command where it stands.
    """

    def __init__(self) -> None:
        self.asked: int | None = None
        self._waiting = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        for number in _SIGNALS:
            # A job in the background of a script is told to ignore Ctrl-C, and goes on doing so.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on)
        self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._on)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Around a wait that may be long; raises Woken as soon as someone asks to stop."""
        self._waiting = True
        try:
            if self.asked is not None:
                raise Woken
            yield
        finally:
            self._waiting = False

    def _on(self, number: int, frame: FrameType | None) -> None:
        first, self.asked = self.asked is None, self.asked or number
        if not first:
            raise SystemExit(128 + self.asked)
        if self._waiting:
            raise Woken
        signal.setitimer(signal.ITIMER_REAL, _GRACE)

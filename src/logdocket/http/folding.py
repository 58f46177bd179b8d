"""Brings the ledger into the review queue while the service runs, and leaves the requests room."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from anyio import to_thread

from logdocket.docket import ReviewDesk
from logdocket.errors import LedgerUnavailable

_log = logging.getLogger("logdocket.http")

_PIECE: Final = 0.02
"""Seconds of work at a time: so long a request may wait for the interpreter in turns with it."""
_PAUSE: Final = 0.25
_REST: Final = 9
"""Times as long as it worked it rests: it has a tenth of one core's time at most."""
_LONGEST_REST: Final = 30.0


class Folding:
    """A thread that follows the ledger. Any number of processes may have one: each entry counts
    once, whoever folds it."""

    def __init__(self, desk: ReviewDesk) -> None:
        self._desk = desk
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Begin."""
        self._over.clear()
        self._thread = threading.Thread(target=self._run, name="logdocket-folding", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """End, when the piece in hand is done."""
        if self._thread is not None:
            self._over.set()
            await to_thread.run_sync(self._thread.join)
            self._thread = None

    def _run(self) -> None:
        failing = False
        rest = 0.0
        while not self._over.wait(rest):
            began = time.perf_counter()
            try:
                self._desk.catch_up(_PIECE)
                failing = False
            except LedgerUnavailable as error:
                if not failing:
                    _log.warning("the review queue does not follow the ledger now: %s", error)
                failing = True
            except Exception:  # noqa: BLE001 - logged; the next piece may do better
                # It would say the same again and again.
                if not failing:
                    _log.exception("the review queue does not follow the ledger")
                failing = True
            worked = time.perf_counter() - began
            rest = min(max(_PAUSE, _REST * worked), _LONGEST_REST)

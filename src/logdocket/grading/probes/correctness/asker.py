"""Asks about lines, and stops when too many replies are late."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Sequence
from typing import Any, Final

from logdocket.grading.bench import Session
from logdocket.grading.lines import Line
from logdocket.grading.probes.asked import Asked
from logdocket.grading.reply import Reply, Silence
from logdocket.testing import Act, Fault

__all__ = ["Asker"]

_AT_ONCE: Final = 4
_PATIENCE: Final = 3
"""Late replies after which nothing more is asked: each has cost the whole time of an answer."""


class Asker:
    """Asks in ``session``; ``seconds`` is the longest that one answer may take.

    A service that takes one request at a time is given the time of all that are under way.
    """

    def __init__(self, session: Session, seconds: float) -> None:
        self._session = session
        self._seconds = seconds
        self._late = 0

    def one(self, line: Line, *acts: Fault | Act, answer: Any = None) -> Asked:
        """What comes about ``line`` when the model does ``acts``."""
        self._session.desk.expect(line, *acts, answer=answer)
        return self._noted(self._ask(line, at_once=1))

    def each(self, lines: Sequence[Line], *acts: Fault | Act, answer: Any = None) -> list[Asked]:
        """The same about ``lines``, which share no marker, some of them at the same time."""
        for line in lines:
            self._session.desk.expect(line, *acts, answer=answer)
        asked: list[Asked] = []
        with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
            for at in range(0, len(lines), _AT_ONCE):
                asked += map(self._noted, pool.map(self._ask, lines[at : at + _AT_ONCE]))
        return asked

    def post(self, body: bytes) -> Reply | None:
        """What comes back for ``body`` as it is."""
        if self._late >= _PATIENCE:
            return None
        reply = self._session.client.post(body, seconds=self._seconds)
        self._count(reply)
        return reply

    def _ask(self, line: Line, at_once: int = _AT_ONCE) -> Asked:
        if self._late >= _PATIENCE:
            return Asked(line, None)
        return Asked(line, self._session.ask(line, seconds=self._seconds * at_once))

    def _noted(self, asked: Asked) -> Asked:
        self._count(asked.reply)
        return asked

    def _count(self, reply: Reply | None) -> None:
        if reply is not None and reply.silence is Silence.LATE:
            self._late += 1

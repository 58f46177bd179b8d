"""When the next second look is due, and what came of the last ones, told to whoever runs this."""

from __future__ import annotations

import enum
import logging
import math
from typing import Final

import msgspec

from logdocket.docket.flights import Look, Looked

_log = logging.getLogger("logdocket.docket")


class Awaits(enum.StrEnum):
    """What the next second look waits for."""

    TURN = "turn"
    REST = "rest"
    BREAKER = "breaker"
    REQUESTS = "requests"
    LINES = "lines"


_SENTENCES: Final = {
    Awaits.TURN: "The next is due {when}.",
    Awaits.REST: "The model failed, or its budget is used up: the next is due {when}.",
    Awaits.BREAKER: "The breaker is not closed: the next is due {when}, or as soon as a request "
    "has found that the model works.",
    Awaits.REQUESTS: "Requests have all of the model's time now: the next begins as it has some.",
    Awaits.LINES: "The model failed of late on each line that waits: the next is due {when}.",
}


class Outlook(msgspec.Struct, frozen=True):
    """The next look may begin in ``seconds``; None where that hangs on requests alone."""

    awaits: Awaits
    seconds: float | None

    @property
    def sentence(self) -> str:
        """The same for people."""
        whole = 0 if self.seconds is None else math.ceil(self.seconds)
        return _SENTENCES[self.awaits].format(when=f"in {whole:,} s" if whole else "now")


class Spell:
    """Looks that follow one another, of which the log tells when they begin and when they end."""

    def __init__(self) -> None:
        self._forget()

    def begin(self) -> None:
        """A look begins."""
        if not self._begun:
            _log.info("second looks begin: the model is asked about tickets that fell back")
        self._begun += 1

    def hear(self, looked: Looked | None) -> None:
        """What came of a look; None where there was nothing to ask."""
        self._heard += 1
        if looked is not None:
            self._answered += looked.look is Look.ANSWERED
            self._shared += looked.shared
            self._failing += looked.look is Look.FAILING

    def end(self, outlook: Outlook) -> None:
        """No further look begins for now: the log tells, once each that was begun has ended."""
        if not self._begun or self._heard < self._begun:
            return
        _log.info(
            "second looks end: %d of %d lines answered, %d of them without a call, %d failing. %s",
            self._answered,
            self._heard,
            self._shared,
            self._failing,
            outlook.sentence if outlook.awaits is not Awaits.TURN else "No line waits any more.",
        )
        self._forget()

    def _forget(self) -> None:
        self._begun = self._heard = self._answered = self._shared = self._failing = 0

"""The circuit breaker: no calls for a while after the model failed several times in a row.

Closed, every call is admitted. ``failures`` failed ones in a row open it, or one whose response
says how long to stay away. Open, none is admitted. When that time is over it is half open: one
call is let through to see, and the others wait for what it finds.

Results arrive late and out of order, so each call knows in which era it was admitted; an era ends
when the breaker opens or closes. A result of an earlier era changes nothing, except that an
upstream which asks to be left alone for longer is heard while nobody is asking it.

It is made for one event loop and one upstream: no method waits, so there is nothing to lock.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Literal, TypeAlias

__all__ = ["LONGEST", "Breaker", "Pass"]

_log = logging.getLogger("logdocket.model")
# Where nobody has set logging up, the tickets tell.
_log.addHandler(logging.NullHandler())

State: TypeAlias = Literal["closed", "open", "half_open"]

LONGEST: Final = 3600.0
"""Seconds. No upstream keeps us away for longer at a time, whatever it asks for."""


class Pass:
    """Leave to make one call, to be given back with how the call went; the first word counts.

    As a context manager it is given back as void where nothing else was said. So is one that is
    forgotten: a probe that is lost must not keep the breaker from ever closing.
    """

    __slots__ = ("_breaker", "_era", "_said", "probe")

    probe: bool
    """Whether this call is the one that decides if a half-open breaker closes."""

    def __init__(self, breaker: Breaker, era: int, probe: bool) -> None:
        self._breaker = breaker
        self._era = era
        self._said = False
        self.probe = probe

    def succeeded(self) -> None:
        """The model works."""
        if self._first():
            self._breaker._succeeded(self._era)

    def failed(self, retry_after: float | None = None) -> None:
        """The model does not work; ``retry_after`` seconds is what it said of when it will."""
        if self._first():
            self._breaker._failed(self._era, retry_after)

    def void(self) -> None:
        """Nothing can be told of the model: the call was given up, or never made."""
        if self._first() and self.probe:
            self._breaker._void(self._era)

    def _first(self) -> bool:
        said, self._said = self._said, True
        return not said

    def __enter__(self) -> Pass:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.void()

    def __del__(self) -> None:
        self.void()


class Breaker:
    """Whether the model may be called now.

    ``failures`` (at least 1) failed calls in a row open it for ``seconds`` (at least 0). ``clock``
    gives seconds that never go back.

    ``opened_until`` is a time of that clock, None while closed. ``failed_in_a_row`` counts while
    closed. ``openings``, ``probes`` and ``turned_away`` only grow.
    """

    __slots__ = (
        "_clock",
        "_era",
        "_failures",
        "_probing",
        "_seconds",
        "_told",
        "failed_in_a_row",
        "opened_until",
        "openings",
        "probes",
        "turned_away",
    )

    def __init__(
        self, failures: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if failures < 1 or not 0 <= seconds < math.inf:
            raise ValueError("a breaker needs at least 1 failure, and seconds from 0 up")
        self._failures = failures
        self._seconds = seconds
        self._clock = clock
        self._era = 0
        self._probing = False
        self._told = False
        self.opened_until: float | None = None
        self.failed_in_a_row = 0
        self.openings = 0
        self.probes = 0
        self.turned_away = 0

    @property
    def state(self) -> State:
        """What the next call meets; half open lasts until a probe has found out."""
        if self.opened_until is None:
            return "closed"
        return "open" if self._clock() < self.opened_until else "half_open"

    @property
    def remaining(self) -> float:
        """Seconds until one call is let through to see; 0 unless it is open."""
        return 0.0 if self.opened_until is None else max(self.opened_until - self._clock(), 0.0)

    @property
    def shut(self) -> bool:
        """Whether no call would be admitted now."""
        state = self.state
        return state == "open" or (state == "half_open" and self._probing)

    def admit(self) -> Pass | None:
        """A pass for one call, or None where none may be made now."""
        if self.opened_until is None:
            return Pass(self, self._era, probe=False)
        if self.shut:
            self.turned_away += 1
            return None
        self._probing = True
        self.probes += 1
        return Pass(self, self._era, probe=True)

    def _succeeded(self, era: int) -> None:
        if era != self._era:
            return
        self.failed_in_a_row = 0
        if self.opened_until is not None:
            _log.warning("the model answers again")
            self._told = False
            self._turn(None)

    def _failed(self, era: int, retry_after: float | None) -> None:
        stay_away = _bounded(retry_after)
        if era != self._era:
            self._heard_late(stay_away)
        elif self.opened_until is not None:
            self._open(self._seconds if stay_away is None else stay_away)
        else:
            self.failed_in_a_row += 1
            if stay_away is not None:
                self._open(stay_away)
            elif self.failed_in_a_row >= self._failures:
                self._open(self._seconds)

    def _heard_late(self, stay_away: float | None) -> None:
        """A probe under way will know better, and a closed breaker has been told since."""
        if stay_away is not None and self.opened_until is not None and not self._probing:
            self.opened_until = max(self.opened_until, self._clock() + stay_away)

    def _void(self, era: int) -> None:
        if era == self._era:
            self._probing = False

    def _open(self, seconds: float) -> None:
        if not self._told:
            _log.warning("the model fails: left alone for %.0f s, then one call tries", seconds)
        self._told = True
        self.openings += 1
        self._turn(self._clock() + seconds)

    def _turn(self, opened_until: float | None) -> None:
        """Begin an era."""
        self._era += 1
        self._probing = False
        self.failed_in_a_row = 0
        self.opened_until = opened_until


def _bounded(retry_after: float | None) -> float | None:
    """Seconds from 0 to LONGEST; None where no number was given."""
    if retry_after is None or math.isnan(retry_after):
        return None
    return min(max(retry_after, 0.0), LONGEST)

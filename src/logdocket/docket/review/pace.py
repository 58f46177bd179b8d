"""How fast second looks follow one another, and when they had better wait."""

from __future__ import annotations

from typing import Final

from logdocket.docket.flights import Look, Looked
from logdocket.ticket import ReviewReason

SPACE: Final = 0.02
"""Seconds from one look to the next at least, also where it took no call."""

_AGAIN: Final = 600.0
"""Seconds for which a line is set aside about which the model failed: others come first."""

_LATER: Final = 3_600.0
"""The same, where its answer could not be used, the line cannot be asked about as it was, or nobody
wants it any more."""

_BUSY: Final = 30.0
"""The same, where the model had no room for it, or another process that died holds its claim."""

_SOON: Final = 10.0
"""The same, where someone else was just told something of the line: the queue will know it."""

_MINUTE: Final = 60.0
"""Seconds of rest once the budget is used up."""

_FIRST_REST: Final = 15.0
_LONGEST_REST: Final = 300.0
"""Seconds of rest after the model failed; they double for as long as it does."""

_UNUSABLE: Final = 3
"""So many unusable answers in a row are the model's failure, and not owed to the lines."""

_REMEMBERED: Final = 4_096
"""Lines that may be set aside; beyond that the one that was set aside first is forgotten."""


class Pace:
    """One call every ``gap`` seconds at most. Every moment is in seconds of one clock that never
    goes back, and given as ``now``."""

    def __init__(self, gap: float) -> None:
        self._gap = gap
        self._due = float("-inf")
        self._rest_until = float("-inf")
        self._rest = _FIRST_REST
        self._unusable = 0
        self._aside: dict[bytes, float] = {}

    def wait(self, now: float) -> float:
        """Seconds until the next look may begin; 0 where it may now."""
        return max(0.0, self._due - now, self._rest_until - now)

    def resting(self, now: float) -> float:
        """Seconds for which nothing is asked, whatever waits, for what was heard last."""
        return max(0.0, self._rest_until - now)

    def begin(self, now: float) -> None:
        """A look begins."""
        self._due = now + self._gap

    def is_aside(self, line: bytes, now: float) -> bool:
        """Whether the line of this hash is not to be looked at yet."""
        return self._aside.get(line, now) > now

    def aside(self, now: float) -> int:
        """How many lines are set aside."""
        self._aside = {line: until for line, until in self._aside.items() if until > now}
        return len(self._aside)

    def next_aside(self, now: float) -> float | None:
        """Seconds until the first line that is set aside may be looked at; None where none is."""
        return min((until - now for until in self._aside.values() if until > now), default=None)

    def hear(self, line: bytes, began: float, looked: Looked | None, now: float) -> None:
        """What came of the look at the line of this hash, None where there was nothing to ask."""
        if looked is None:
            self._set_aside(line, now + _LATER)
            self._give_back(began, now)
        elif looked.look is Look.ANSWERED:
            self._rest, self._unusable = _FIRST_REST, 0
            if looked.shared:
                self._give_back(began, now)
        elif looked.look is Look.ELSEWHERE:
            self._set_aside(line, now + _SOON)
            self._give_back(began, now)
        elif looked.look is Look.FAILING:
            self._failed(line, looked.why, now)
        elif looked.look is Look.BLOCKED:
            self._blocked(line, looked.why, now)

    def rest(self, now: float) -> None:
        """Ask nothing for a while, longer each time until there is an answer."""
        if self._rest_until > now:
            return  # Those that failed together are one failure.
        self._rest_until = now + self._rest
        self._rest = min(self._rest * 2, _LONGEST_REST)

    def _failed(self, line: bytes, why: ReviewReason | None, now: float) -> None:
        unusable = why is ReviewReason.MODEL_JUNK
        self._set_aside(line, now + (_LATER if unusable else _AGAIN))
        if unusable:
            self._unusable += 1
            if self._unusable < _UNUSABLE:
                return
        self._unusable = 0
        self.rest(now)

    def _blocked(self, line: bytes, why: ReviewReason | None, now: float) -> None:
        if why is ReviewReason.BUDGET_EXHAUSTED:
            self._rest_until = max(self._rest_until, now + _MINUTE)
        elif why is ReviewReason.MODEL_BUSY:
            self._set_aside(line, now + _BUSY)
        elif why is ReviewReason.LEDGER_UNAVAILABLE:
            self.rest(now)

    def _give_back(self, began: float, now: float) -> None:
        """The look that began last took no call: the next one need not wait for its sake."""
        if self._due == began + self._gap:
            self._due = min(self._due, max(now, began + SPACE))

    def _set_aside(self, line: bytes, until: float) -> None:
        self._aside.pop(line, None)
        self._aside[line] = until
        if len(self._aside) > _REMEMBERED:
            del self._aside[next(iter(self._aside))]

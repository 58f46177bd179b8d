"""What the model does about each line: found by the line's marker in whatever prompt comes."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from logdocket.grading.lines import Line, honest
from logdocket.testing import Act, Fault, Seen

__all__ = ["Desk"]


class _Order(msgspec.Struct):
    line: Line
    acts: Sequence[Fault | Act]
    answer: Mapping[str, Any] | str
    asked: int = 0


class Desk:
    """Holds what is to be done about lines; give ``act`` to a ModelServer as its script.

    A request about no line that was spoken of gets a good answer of the server's own.
    """

    def __init__(self) -> None:
        self._orders: dict[str, _Order] = {}
        self._met: dict[int, str | None] = {}
        self._lock = threading.Lock()

    def expect(
        self,
        line: Line,
        *acts: Fault | Act,
        answer: Mapping[str, Any] | str | None = None,
    ) -> None:
        """Say what the model does when asked about ``line``: ``acts`` one request after the other,
        of which the last repeats (a good answer if there are none), and what its good answer says.
        """
        order = _Order(line, acts or (Fault.GOOD,), honest(line) if answer is None else answer)
        with self._lock:
            self._orders[line.marker] = order

    def knows(self, line: Line) -> bool:
        """Whether somebody spoke of ``line``."""
        return line.marker in self._orders

    def about(self, seen: Seen, line: Line) -> bool:
        """Whether a request asks about ``line``."""
        if seen.number in self._met:
            return self._met[seen.number] == line.marker
        order = self._order(seen)
        return order is not None and order.line.marker == line.marker

    def act(self, seen: Seen) -> Fault | Act:
        """The script: what is done with this request."""
        with self._lock:
            order = self._order(seen)
            # Once for each request: looking through megabytes for every line takes minutes.
            self._met[seen.number] = None if order is None else order.line.marker
            if order is None:
                return Fault.GOOD
            chosen = order.acts[min(order.asked, len(order.acts) - 1)]
            order.asked += 1
        act = chosen if isinstance(chosen, Act) else Act(chosen)
        if act.answer is not None:
            return act
        return msgspec.structs.replace(act, answer=order.answer)

    def _order(self, seen: Seen) -> _Order | None:
        """The order whose marker the prompt holds; the last in the prompt where it holds several,
        since examples come before what is asked.
        """
        text = seen.text or seen.body.decode("utf-8", "replace")
        found = ((text.rfind(marker), order) for marker, order in self._orders.items())
        at, order = max(found, key=lambda pair: pair[0], default=(-1, None))
        return order if at >= 0 else None

"""Where what blocks is run, off the event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class Threads:
    """Runs what blocks off the event loop, at most ``number`` at once.

    Long queries would otherwise take the threads that probes run on, and contend with the event
    loop for the interpreter.
    """

    def __init__(self, number: int) -> None:
        self._limiter = CapacityLimiter(number)

    async def run(
        self, call: Callable[_Given, _Found], *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Found:
        """What ``call`` gives."""
        return await to_thread.run_sync(lambda: call(*args, **kwargs), limiter=self._limiter)

from __future__ import annotations

import asyncio
import time

from logdocket.replay.clock import Clock, StillLoop


def test_time_passes_where_it_is_told_to() -> None:
    """One clock in two units."""
    clock = Clock(1_000_000)
    clock.wait(1500)
    asyncio.run(clock.sleep(0.25))
    assert clock.micros() == 1_251_500
    assert clock.monotonic() == 0.2515


def test_it_never_goes_back() -> None:
    """A row that begins before the one above has ended begins when it has."""
    clock = Clock(10)
    clock.set(30)
    clock.set(20)
    assert clock.micros() == 30


def test_no_bound_in_time_is_reached_on_the_still_loop() -> None:
    """However long a slow machine takes."""

    async def wait() -> str:
        async with asyncio.timeout(0.01):
            return await asyncio.to_thread(slow)

    def slow() -> str:
        time.sleep(0.05)
        return "done"

    with asyncio.Runner(loop_factory=StillLoop) as runner:
        assert runner.run(wait()) == "done"

"""Pools of a few connections: which one a request takes, and when one is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest

from logdocket.model.lanes import WIDTH, Lanes
from logdocket.testing import Act, Fault, ModelServer, closed_port

IDLE = 4.0


class Clock:
    """Seconds that pass when told to."""

    now = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own."""
    return Clock()


@pytest.fixture
async def lanes(clock: Clock) -> AsyncIterator[Lanes]:
    """Over the real network."""
    made = Lanes(httpx2.AsyncHTTPTransport, IDLE, clock)
    yield made
    await made.aclose()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that takes a moment."""
    with ModelServer(Act(Fault.SLOW, 0.2)) as running:
        yield running


async def post(lanes: Lanes, port: int) -> int:
    """The status of the response to one request."""
    request = httpx2.Request("POST", f"http://127.0.0.1:{port}/v1/chat/completions", json={})
    response = await lanes.handle_async_request(request)
    try:
        await response.aread()
    finally:
        await response.aclose()
    return response.status_code


async def test_one_at_a_time_share_one_pool(lanes: Lanes, server: ModelServer) -> None:
    """However many there are."""
    server.script = Fault.GOOD
    for _ in range(2 * WIDTH):
        assert await post(lanes, server.port) == 200
    assert len(lanes) == 1


async def test_as_many_pools_are_made_as_are_needed(lanes: Lanes, server: ModelServer) -> None:
    """None of them with more than its share; all are asked at once."""
    count = 2 * WIDTH + 1
    assert await asyncio.gather(*(post(lanes, server.port) for _ in range(count))) == [200] * count
    assert len(lanes) == 3
    assert server.peak == count


async def test_a_pool_that_is_not_needed_is_closed(
    lanes: Lanes, server: ModelServer, clock: Clock
) -> None:
    """One with each request, the last one first, and never the first."""
    await asyncio.gather(*(post(lanes, server.port) for _ in range(2 * WIDTH + 1)))
    clock.now += IDLE
    await post(lanes, server.port)
    assert len(lanes) == 3
    clock.now += 1
    left = []
    for _ in range(3):
        await post(lanes, server.port)
        left.append(len(lanes))
    assert left == [2, 1, 1]


async def test_a_request_that_fails_gives_its_place_back(lanes: Lanes) -> None:
    """A closed port keeps none."""
    port = closed_port()
    for _ in range(2 * WIDTH):
        with pytest.raises(httpx2.ConnectError):
            await post(lanes, port)
    assert len(lanes) == 1


async def test_a_request_that_is_given_up_gives_its_place_back(
    lanes: Lanes, server: ModelServer
) -> None:
    """While it waits for the answer, or amid the body."""
    for fault in (Fault.HANG, Fault.HANG_AMID):
        server.script = fault
        for _ in range(2):
            seen = server.count
            hanging = [asyncio.create_task(post(lanes, server.port)) for _ in range(WIDTH)]
            assert await asyncio.to_thread(server.wait, seen + WIDTH)
            await asyncio.sleep(0.05)
            for task in hanging:
                task.cancel()
            await asyncio.wait(hanging)
    assert len(lanes) == 1

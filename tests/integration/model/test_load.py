"""What a client costs: to import, and many at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import pytest

from logdocket.calls import CallStatus
from logdocket.model import Client, Permit, Question
from logdocket.testing import ModelServer

HEAVY = ("pydantic_ai", "openai", "httpx2", "genai_prices", "anthropic", "opentelemetry")


def test_importing_the_package_loads_no_library_of_a_provider() -> None:
    """They take seconds, which nobody pays who has no model."""
    code = (
        "import sys; before = set(sys.modules); import logdocket.model; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("calls", [200])
async def test_calls_at_once_take_hardly_longer_than_one(calls: int) -> None:
    """No pool and no lock lets them wait for one another, and each is one request."""
    with ModelServer(latency=1.0) as server:
        client = Client(base_url=server.url, provider=None, name="m", key="k")
        question = Question.about("2026-01-02T03:04:05Z ERROR pay: card refused")
        try:
            await client.ask(question, (), Permit(0), 30)
            began = time.perf_counter()
            replies = await asyncio.gather(
                *(client.ask(question, (), Permit(number), 30) for number in range(1, calls + 1))
            )
            took = time.perf_counter() - began
        finally:
            await client.close()
        assert {reply.status for reply in replies} == {CallStatus.OK}
        assert server.peak > calls / 2
        assert took < 10, "one after another they would take minutes"
        assert sorted(int(seen.request_id.removeprefix("logdocket-")) for seen in server.seen) == [
            *range(calls + 1)
        ]
        assert sum(reply.usage.tokens for reply in replies if reply.usage) < server.tokens

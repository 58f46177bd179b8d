"""Spans around calls, where OpenTelemetry's SDK is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from logdocket.testing import Fault, ModelServer

ASK = """
import asyncio, sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from logdocket.model import Client, Permit, Question

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter()))
trace.set_tracer_provider(provider)

async def main():
    client = Client(base_url=sys.argv[1], provider=None, name="m", key="hidden-key")
    for call in range(int(sys.argv[3])):
        await client.ask(Question.about(sys.argv[2]), (), Permit(call), 10)
    await client.close()

asyncio.run(main())
"""

FAULTS = [Fault.GOOD, Fault.HTTP_400, Fault.INVALID_JSON, Fault.WRONG_TYPES, Fault.REFUSAL]
SECRET = "2026-01-02T03:04:05Z ERROR pay: card of Ms. Quux refused"


@pytest.mark.skipif(
    importlib.util.find_spec("opentelemetry") is None
    or importlib.util.find_spec("opentelemetry.sdk") is None,
    reason="OpenTelemetry's SDK is not installed",
)
def test_a_span_tells_of_the_call_and_nothing_of_the_line(tmp_path: Path) -> None:
    """Not in an attribute, not in an event, and not in the message of an error."""
    with ModelServer(FAULTS) as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", ASK, server.url, SECRET, str(len(FAULTS))],
            capture_output=True,
            text=True,
            timeout=50,
            cwd=tmp_path,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"gen_ai.request.model"') == len(FAULTS)
    for hidden in ("Quux", "card of", "hidden-key", "log line into a support ticket"):
        assert hidden not in done.stdout + done.stderr

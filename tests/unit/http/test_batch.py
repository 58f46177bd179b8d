"""A batch that is cut off by the end of the service says so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy, ReviewDesk
from logdocket.http import Guard, create_app
from logdocket.store import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store on a file of its own."""
    opened = SqliteStore(tmp_path / "batch.db", clock=lambda: 0)
    yield opened
    opened.close()


async def test_a_batch_without_end_ends_with_the_service(store: SqliteStore) -> None:
    """Its last row tells the sender to send the others again, and the answer is whole."""
    app = create_app(
        Extractor(Policy(), shipped(), store, lambda: 0),
        store,
        Guard(),
        ReviewDesk(store, clock=lambda: 0, max_line=65_536),
    )
    sent: list[dict[str, Any]] = []
    answered = asyncio.Event()
    pieces = [b"ERROR pay: first\nERROR pay: sec"]

    async def receive() -> dict[str, Any]:
        if not pieces:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": pieces.pop(), "more_body": True}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if message.get("body"):
            answered.set()

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/extract/batch",
        "headers": [(b"content-type", b"text/plain"), (b"transfer-encoding", b"chunked")],
    }
    batch = asyncio.create_task(app(scope, receive, send))
    await answered.wait()
    batch.cancel()
    await batch
    rows = [json.loads(message["body"]) for message in sent if message.get("body")]
    assert rows[0]["evidence"] == "first"
    assert rows[1]["error"]["type"] == "urn:logdocket:problem:stopping"
    assert rows[1]["error"]["row"] is None
    assert sent[-1]["more_body"] is False

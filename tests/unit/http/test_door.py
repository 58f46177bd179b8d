"""The door turns every fault into a problem, and says in the log what was ours."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from service import problem

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy, ReviewDesk
from logdocket.errors import LedgerUnavailable
from logdocket.http import Guard, create_app, logs
from logdocket.store import Query, SqliteStore


class Broken(Exception):
    """A fault that nobody foresaw."""


class BrokenExtractor(Extractor):
    """An extractor with a fault in it."""

    async def extract(self, *_: object) -> object:  # type: ignore[override]
        """Fail."""
        raise Broken("a fault with \x1b[31m and\na second line")

    extract_many = extract  # type: ignore[assignment]


class BrokenStore(SqliteStore):
    """A store with a fault in it."""

    def entries(self, query: Query) -> list[object]:  # type: ignore[override]
        """Fail."""
        raise Broken(f"a fault in {query!r}")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[BrokenStore]:
    """A store on a file of its own."""
    opened = BrokenStore(tmp_path / "door.db", clock=lambda: 0)
    yield opened
    opened.close()


@pytest.fixture
def app(store: BrokenStore) -> FastAPI:
    """The application over broken parts."""
    return create_app(
        BrokenExtractor(Policy(), shipped(), store, lambda: 0),
        store,
        Guard(),
        ReviewDesk(store, clock=lambda: 0, max_line=65_536),
    )


@pytest.fixture
async def http(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client that calls the application without a network."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the service writes into its log, as it is set up to write it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.formatter())
    logger = logging.getLogger("logdocket")
    logger.addHandler(handler)
    yield stream
    logger.removeHandler(handler)


async def test_a_fault_in_a_hot_route_is_a_problem(
    http: httpx.AsyncClient, log: io.StringIO
) -> None:
    """And one JSON object in the log, whatever stands in the fault."""
    answer = await http.post("/extract", json={"line": "a line"})
    assert (answer.status_code, problem(answer)) == (500, "internal")
    assert "fault with" not in answer.text
    (line,) = log.getvalue().splitlines()
    message = json.loads(line)
    assert message["level"] == "error"
    assert message["path"] == "/extract"
    assert "Broken" in message["exception"]
    assert all(32 <= ord(character) < 127 for character in line)


async def test_a_fault_in_any_other_route_is_a_problem(
    http: httpx.AsyncClient, log: io.StringIO
) -> None:
    """There too."""
    answer = await http.get("/ledger")
    assert (answer.status_code, problem(answer)) == (500, "internal")
    assert json.loads(log.getvalue())["path"] == "/ledger"


@pytest.mark.parametrize(("level", "lines"), [("DEBUG", 1), ("INFO", 0)])
async def test_a_request_is_told_at_the_level_debug_alone(
    level: str, lines: int, store: BrokenStore, log: io.StringIO
) -> None:
    """Method, path, status and time; a path cannot forge a line."""
    logger = logging.getLogger("logdocket")
    before = logger.level
    logger.setLevel(level)
    try:
        extractor = Extractor(Policy(), shipped(), store, lambda: 0)
        transport = httpx.ASGITransport(
            create_app(
                extractor, store, Guard(), ReviewDesk(store, clock=lambda: 0, max_line=65_536)
            )
        )
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            await client.get("/healthz%0aforged%1b")
    finally:
        logger.setLevel(before)
    told = [json.loads(line) for line in log.getvalue().split("\n") if line]
    assert len(told) == lines
    for line in told:
        assert (line["method"], line["path"], line["status"]) == (
            "GET",
            "/healthz\nforged\x1b",
            404,
        )
        assert line["ms"] >= 0


async def test_a_fault_in_a_batch_cuts_it_off(app: FastAPI) -> None:
    """Its answer has begun, and must not pass for whole."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        with pytest.raises(Broken):
            await client.post(
                "/extract/batch", content=b"a row\n", headers={"Content-Type": "text/plain"}
            )


async def test_other_routes_go_on(http: httpx.AsyncClient) -> None:
    """One fault is not the end."""
    await http.get("/ledger")
    assert (await http.get("/healthz")).status_code == 200
    assert (await http.get("/ledger/summary")).status_code == 200


async def test_faults_are_counted(http: httpx.AsyncClient) -> None:
    """By route and status."""
    await http.get("/ledger")
    metrics = (await http.get("/metrics")).text
    wanted = 'logdocket_http_requests_total{method="GET",route="/ledger",status="500"} 1.0'
    assert wanted in metrics


async def test_stopping_closes_the_store(app: FastAPI, store: BrokenStore) -> None:
    """When the server says that it is over, the file is released."""
    async with app.router.lifespan_context(app):
        store.summary()
    with pytest.raises(LedgerUnavailable, match="is closed"):
        store.summary()

"""A whole application over a ledger of its own, and browsers that look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browsing import Browser
from starlette.testclient import TestClient

from logdocket.bootstrap import build_app
from logdocket.settings import Settings

Site = Callable[..., Browser]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Starts an application with settings and lines that were sent to it; gives a browser."""
    with ExitStack() as stack:

        def start(*lines: str, **settings: Any) -> Browser:
            given = {"db": tmp_path / "pages.db", "keep_text": True, **settings}
            app = build_app(Settings(**given))
            client = stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8000"))
            for line in lines:
                assert client.post("/extract", json={"line": line}).status_code == 200
            return Browser(client)

        yield start

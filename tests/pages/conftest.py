"""A service with lines in its queue, and a page of a real browser that looks at it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page
from service import Service


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module."""
    with chromium.started() as running:
        yield running


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service that keeps the text of lines, with an empty queue."""
    with Service(tmp_path, keep_text="true") as running:
        yield running


@pytest.fixture
def context(browser: Browser, service: Service) -> Iterator[BrowserContext]:
    """A fresh profile, as wide as a laptop, whose every page is of ``service``.

    The test fails where a page has raised, or where the browser refused something by the pages'
    own policy.
    """
    with fresh(browser, service) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page of it."""
    return context.new_page()


@contextlib.contextmanager
def fresh(browser: Browser, service: Service, **options: Any) -> Iterator[BrowserContext]:
    """A fresh profile; ``options`` are the browser's own."""
    faults: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            faults.append(message.text)

    chosen = {
        "base_url": f"http://127.0.0.1:{service.port}",
        "viewport": {"width": 1280, "height": 800},
        **options,
    }
    made = browser.new_context(**chosen)
    made.set_default_timeout(10_000)
    made.on("weberror", lambda error: faults.append(str(error.error)))
    made.on("console", note)
    try:
        yield made
    finally:
        made.close()
    assert faults == []

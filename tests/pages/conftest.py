"""A service with lines in its queue, and a page of a real browser that looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Page
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
    """A fresh profile whose every page is of ``service``."""
    with chromium.fresh(browser, service) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page of it."""
    return context.new_page()

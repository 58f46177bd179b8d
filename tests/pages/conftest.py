"""A service with lines in its queue, and a page of a real browser that looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from service import Service

_ours: Final = ExitStack()
_running: Final[list[Browser]] = []


@pytest.fixture(scope="module")
def browser() -> Browser:
    """One browser for all tests of this folder: starting it takes longer than most of them."""
    if not _running:
        _running.append(_ours.enter_context(chromium.started()))
    return _running[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """End the browser with the last test that may want it: others cannot run loops beside it."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _running.clear()
        _ours.close()


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

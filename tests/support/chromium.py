"""A real browser, headless: where it is, and a fresh profile of it for each test."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, sync_playwright
from service import Service

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS: Final = (
    # Tests in a container run as root, for whom its own sandbox does not start.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def path() -> str:
    """The browser's program; skips the test where none is installed.

    Where ``CHROMIUM`` names one, it must be there: what must run must not pass by being skipped.
    """
    named = os.environ.get("CHROMIUM")
    if named is not None:
        assert shutil.which(named), f"CHROMIUM={named} is no program"
        return named
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    pytest.skip("no Chromium is installed: install Debian's chromium, or name one in CHROMIUM")


@contextlib.contextmanager
def started() -> Iterator[Browser]:
    """The browser, running.

    The library keeps an event loop in the thread for as long, so nothing else that runs loops may
    happen meanwhile.
    """
    program = path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def fresh(browser: Browser, service: Service, **options: Any) -> Iterator[BrowserContext]:
    """A fresh profile, as wide as a laptop, whose every page is of ``service``; ``options`` are the
    browser's own.

    Fails where a page has raised, or where the browser refused something by the pages' own policy.
    """
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

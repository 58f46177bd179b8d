"""A real browser, headless: where it is, and a fresh profile of it for each test."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

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

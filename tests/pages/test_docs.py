"""``/docs``: the interactive documentation."""

from __future__ import annotations

from playwright.sync_api import Page


def test_it_is_drawn_without_a_network(page: Page) -> None:
    """All that it is made of comes from the service."""
    page.goto("/docs")
    page.get_by_role("heading", name="Logdocket").wait_for()
    page.get_by_text("/extract/batch").first.wait_for()

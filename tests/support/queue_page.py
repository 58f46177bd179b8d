"""Where things are on the pages of the queue, as a person finds them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def rows(page: Page) -> Locator:
    """All rows of the queue."""
    return page.get_by_role("list", name="Tickets").locator("> li")


def row(page: Page, text: str) -> Locator:
    """The row of the ticket in which ``text`` stands."""
    return rows(page).filter(has_text=text)


def the_line(page: Page) -> Locator:
    """The line of a ticket, with its marks."""
    return page.get_by_label("The line, with what was read from it marked")


def note(page: Page) -> Locator:
    """What is told of the last decision."""
    return page.get_by_role("region", name="What was done")


def ready(page: Page) -> None:
    """Wait until the page listens to keys: all of its scripts have run."""
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    page.wait_for_load_state("load")

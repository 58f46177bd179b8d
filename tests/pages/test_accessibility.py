"""Every page, for whoever sees little, hears it, or uses no mouse: both themes, desk and phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, Literal

import chromium
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from queue_page import note, row, rows
from reviewing import BARE, LATER, LINE, OTHER, THIRD, decide, group, send
from service import Service

_TOKEN: Final = "an-invented-token-for-all"
_ALL: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_COLOURS: Final = {"type": "rule", "values": ["color-contrast"]}
_LOOKS: Final = (
    ("light", 1280, _ALL),
    ("light", 360, _ALL),
    ("dark", 1280, _COLOURS),
    ("dark", 360, _COLOURS),
)
_AXE: Final = """
async (rules) => (await axe.run({ runOnly: rules, resultTypes: ["violations"] })).violations
"""
_PAGES: Final = {
    "queue": "/",
    "decided": "/?state=all&service=payments",
    "no match": "/?text=nothing-like-it",
    "ticket": "/ui/group/1?correct=1",
    "decided ticket": "/ui/group/2",
    "ledger": "/ui/ledger?verify=1",
    "try": "/ui/try",
    "error": "/ui/group/999999",
}
_LANDMARKS: Final[tuple[Literal["banner", "main", "contentinfo"], ...]] = (
    "banner",
    "main",
    "contentinfo",
)
_CONTROLS: Final = """
() => {
  window.waiting = new Set([...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
  )].filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })));
  document.addEventListener("focusin", (event) => window.waiting.delete(event.target));
  return [...window.waiting].map((one) => one.outerHTML);
}
"""
"""All that can be acted on; each is crossed off as it gets the focus."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with tickets of several kinds, two of them decided."""
    folder = tmp_path_factory.mktemp("filled")
    with Service(folder, keep_text="true") as running:
        send(running, LINE, OTHER, LATER, THIRD, BARE, "FATAL pay: the till is on \x1b[31mfire")
        decide(running, group(running, "volume"), "corrected", severity="low", note="as ever")
        decide(running, group(running, "the relay is gone"), "not_a_problem")
        yield running


@pytest.fixture
def looking(browser: Browser, filled: Service) -> Iterator[BrowserContext]:
    """A fresh profile that looks at it."""
    with chromium.fresh(browser, filled) as made:
        yield made


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong at both widths, and with the colours of both themes."""
    page.evaluate(Axe().axe_script)
    found = []
    for theme, width, rules in _LOOKS:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        broken: list[dict[str, Any]] = page.evaluate(_AXE, rules)
        found += [
            f"{theme} {width}: {one['id']}: {node['html'][:200]}: "
            f"{json.dumps([check['message'] for check in node['any'] + node['all']])}"
            for one in broken
            for node in one["nodes"]
        ]
        over = page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if over > 0:
            found.append(f"{theme} {width}: scrolls sideways by {over} pixels")
    return found


@pytest.mark.parametrize("name", _PAGES)
def test_no_rule_is_broken_on(looking: BrowserContext, name: str) -> None:
    """Names, contrast, roles, order of headings; and nothing is wider than the screen."""
    page = looking.new_page()
    page.goto(_PAGES[name])
    for summary in page.locator("summary").all():
        if summary.locator("..").get_attribute("open") is None:
            summary.click()
    assert violations(page) == []


def test_no_rule_is_broken_after_a_decision(looking: BrowserContext) -> None:
    """With the note of what was done, and with the help over the page."""
    page = looking.new_page()
    page.goto("/")
    row(page, "gave up").get_by_role("button", name="Snooze").click()
    expect(note(page)).to_be_visible()
    row(page, "till").get_by_role("checkbox").check()
    assert violations(page) == []
    note(page).get_by_role("button", name="Undo").click()
    expect(note(page)).to_contain_text("Taken back")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert violations(page) == []


def test_no_rule_is_broken_where_a_line_was_tried(looking: BrowserContext) -> None:
    """Its ticket, and what was wrong with the input."""
    page = looking.new_page()
    page.goto("/ui/try")
    page.get_by_label("Log line").fill(LINE)
    page.get_by_label("Time zone").fill("nowhere")
    page.get_by_role("button", name="Make the ticket").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []
    page.get_by_label("Time zone").fill("")
    page.get_by_role("button", name="Make the ticket").click()
    expect(page.get_by_role("heading", name="The ticket")).to_be_visible()
    assert violations(page) == []


def test_no_rule_is_broken_before_anything_is_there(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Signing in, a token that is none, and the pages of an empty ledger."""
    with (
        Service(tmp_path_factory.mktemp("empty"), tokens=_TOKEN) as service,
        chromium.fresh(browser, service) as context,
    ):
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert violations(page) == []
        page.get_by_label("Token").fill("none of the service's")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_be_visible()
        assert violations(page) == []
        page.get_by_label("Token").fill(_TOKEN)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Nothing waits for a person")).to_be_visible()
        assert violations(page) == []
        page.goto("/ui/ledger")
        assert violations(page) == []


def test_every_page_is_built_as_a_document(looking: BrowserContext) -> None:
    """A language, a title of its own, one first heading, no level left out, three landmarks."""
    page = looking.new_page()
    titles = set()
    for where in _PAGES.values():
        page.goto(where)
        assert page.locator("html").get_attribute("lang") == "en"
        titles.add(page.title())
        levels = page.get_by_role("heading").evaluate_all(
            "(all) => all.map((one) => Number(one.tagName[1]))"
        )
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(low - high <= 1 for high, low in pairwise(levels)), (where, levels)
        for landmark in _LANDMARKS:
            expect(page.get_by_role(landmark)).to_have_count(1)
        expect(page.get_by_role("navigation", name="Pages", exact=True)).to_have_count(1)
    assert all(title.endswith(" · Logdocket") for title in titles)
    # Three of the pages are the queue's.
    assert len(titles) == len(_PAGES) - 2


@pytest.mark.parametrize(
    ("name", "width"), [*((name, 1280) for name in _PAGES), ("queue", 360), ("ticket", 360)]
)
def test_tab_reaches_every_control(looking: BrowserContext, name: str, width: int) -> None:
    """And nothing holds it back."""
    page = looking.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(_PAGES[name])
    page.evaluate("() => document.activeElement.blur()")
    waiting = page.evaluate(_CONTROLS)
    presses = 0
    # A field for a day holds several stops.
    while waiting and presses < 2 * len(waiting) + 80:
        for _ in range(10):
            page.keyboard.press("Tab")
        presses += 10
        waiting = page.evaluate("() => [...window.waiting].map((one) => one.outerHTML)")
    assert waiting == []


def test_the_first_tab_leads_past_the_navigation(looking: BrowserContext) -> None:
    """One step and Enter, and the next Tab is in the content."""
    page = looking.new_page()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("searchbox")).to_be_focused()


@pytest.mark.parametrize(("wish", "moves"), [("reduce", 0), ("no-preference", 1)])
def test_nothing_moves_for_whoever_wants_no_motion(
    looking: BrowserContext, wish: str, moves: int
) -> None:
    """For others the note of a decision fades in, and that is all."""
    page = looking.new_page()
    page.emulate_media(reduced_motion=wish)  # type: ignore[arg-type]
    page.goto("/")
    page.evaluate(
        """() => {
          window.begun = 0;
          for (const kind of ["animationstart", "transitionrun"])
            addEventListener(kind, () => { window.begun++; }, true);
        }"""
    )
    row(page, "gave up").get_by_role("button", name="Snooze").click()
    expect(note(page)).to_contain_text("Snoozed")
    note(page).get_by_role("button", name="Undo").click()
    expect(note(page)).to_contain_text("Taken back")
    expect(rows(page).first).to_be_visible()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => done()))")
    begun = page.evaluate("() => window.begun")
    assert (begun > 0) == (moves > 0)
    assert begun <= 2 * moves


def test_what_is_seen_by_colour_is_told_by_word_and_shape_too(looking: BrowserContext) -> None:
    """Each severity has its word and a shape of its own."""
    page = looking.new_page()
    page.goto("/?state=all")
    told = page.locator(".sev").evaluate_all(
        "(all) => all.map((one) => [one.textContent.trim(), one.querySelector('svg').innerHTML])"
    )
    shapes = dict(told)
    assert set(shapes) <= {"low", "medium", "high", "critical"}
    assert len(set(shapes.values())) == len(shapes) >= 3

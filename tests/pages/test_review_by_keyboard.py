"""The queue and its tickets, by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from queue_page import note, ready, row, rows, the_line
from reviewing import LINE, OTHER, THIRD, entered, group, reviewed, send, whole
from service import Service

_KEYS = re.compile(r"^const KEYS = \{$(.*?)^\};$", re.MULTILINE | re.DOTALL)
_KEY = re.compile(r'^  (?:(\w)|"(.)"):', re.MULTILINE)


def open_queue(page: Page) -> None:
    """Show the queue, and wait until its keys work."""
    page.goto("/")
    ready(page)


def at(page: Page) -> str:
    """What has the focus: its text or its name; fails where nothing has, or nobody could see it."""
    found = page.evaluate(
        """() => {
          const at = document.activeElement;
          const outlined = (one) => {
            const drawn = getComputedStyle(one);
            return drawn.outlineStyle !== "none" && parseFloat(drawn.outlineWidth) > 0;
          };
          return {
            none: at === document.body,
            seen: outlined(at) || [...document.querySelectorAll(".row:has(:focus)")].some(outlined),
            text: at.id || at.textContent.trim(),
          };
        }"""
    )
    assert not found["none"], "nothing has the focus"
    assert found["seen"], f"nobody sees that {found['text']} has the focus"
    return str(found["text"])


def test_a_ticket_is_found_opened_and_confirmed(page: Page, service: Service) -> None:
    """From the search to the ledger without a mouse."""
    send(service, LINE, OTHER, THIRD)
    open_queue(page)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("card network")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert at(page) == "payments"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("payments")
    ready(page)
    page.keyboard.press("a")
    expect(note(page)).to_contain_text("Right: payments")
    assert [verdict["verdict"] for verdict in entered(service)] == ["right"]
    reviewed(service, LINE)
    whole(service)


def test_j_and_k_go_from_row_to_row(page: Page, service: Service) -> None:
    """Down to the last and up to the first, and no further."""
    send(service, LINE, OTHER, THIRD)
    open_queue(page)
    names = page.locator(".row-open").all_text_contents()
    seen = []
    for key in "jjjjkkkk":
        page.keyboard.press(key)
        seen.append(at(page))
    assert seen == [names[index] for index in (0, 1, 2, 2, 1, 0, 0, 0)]


def test_a_decision_leads_to_the_next_open_ticket(page: Page, service: Service) -> None:
    """Three decisions in a row, and nothing between them; the focus is never lost."""
    send(service, LINE, OTHER, THIRD)
    open_queue(page)
    names = page.locator(".row-open").all_text_contents()
    page.keyboard.press("j")
    for key, word, next_one in (
        ("a", "right by local", names[1]),
        ("d", "not a problem by local", names[2]),
    ):
        current = rows(page).nth(names.index(at(page)))
        page.keyboard.press(key)
        expect(current).to_contain_text(word)
        expect(rows(page).get_by_role("link", name=next_one, exact=True)).to_be_focused()
        assert at(page) == next_one
    page.keyboard.press("s")
    expect(rows(page).nth(2)).to_contain_text("snoozed by local")
    at(page)
    assert [verdict["verdict"] for verdict in entered(service)] == [
        "right",
        "not_a_problem",
        "snoozed",
    ]
    page.keyboard.press("z")
    expect(rows(page).nth(2).get_by_role("button", name="Right")).to_be_visible()
    at(page)
    assert entered(service)[-1]["verdict"] == "undone"
    whole(service)


def test_c_opens_the_ticket_to_be_corrected(page: Page, service: Service) -> None:
    """The form is open and in the evidence; Tab leads through the fields to the button."""
    send(service, LINE)
    open_queue(page)
    page.keyboard.press("j")
    page.keyboard.press("c")
    evidence = page.get_by_label(re.compile("^Evidence"))
    expect(evidence).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("refused by the card network")
    for label in ("^Service", "^First seen", "^Severity"):
        page.keyboard.press("Tab")
        expect(page.get_by_label(re.compile(label))).to_be_focused()
        at(page)
    page.keyboard.type("critical")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Save the correction")).to_be_focused()
    at(page)
    page.keyboard.press("Enter")
    expect(note(page)).to_contain_text("Corrected: payments")
    (verdict,) = entered(service)
    assert verdict["after"] == {
        **verdict["before"],
        "evidence": "refused by the card network",
        "severity": "critical",
    }
    whole(service)


def test_enter_in_a_field_decides_nothing(page: Page, service: Service) -> None:
    """A correction is saved by its button alone."""
    send(service, LINE)
    page.goto(f"/ui/group/{group(service, 'payments')['id']}?correct=1")
    for label in ("^Service", "^First seen", "^Note"):
        page.get_by_label(re.compile(label)).focus()
        page.keyboard.press("Enter")
    expect(the_line(page)).to_be_visible()
    assert entered(service) == []


def test_x_ticks_the_row(page: Page, service: Service) -> None:
    """And takes the tick away again."""
    send(service, LINE, OTHER)
    open_queue(page)
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(rows(page).first.get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_text("With 1 ticked:")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("With 2 ticked:")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_text("With 1 ticked:")).to_be_visible()
    expect(rows(page).nth(1).get_by_role("checkbox")).not_to_be_checked()


def test_a_key_decides_about_all_that_are_ticked(page: Page, service: Service) -> None:
    """Wherever one is among the rows."""
    send(service, LINE, OTHER, THIRD)
    open_queue(page)
    for key in "jxjxj":
        page.keyboard.press(key)
    page.keyboard.press("d")
    expect(note(page)).to_contain_text("Not a problem: 2 tickets")
    assert [verdict["verdict"] for verdict in entered(service)] == ["not_a_problem"] * 2
    expect(rows(page).nth(2).get_by_role("button", name="Right")).to_be_visible()
    page.keyboard.press("z")
    expect(note(page)).to_contain_text("Taken back: 2 tickets")


def test_nothing_to_undo_is_told(page: Page, service: Service) -> None:
    """On the queue and on a ticket."""
    send(service, LINE)
    open_queue(page)
    page.keyboard.press("z")
    expect(note(page)).to_contain_text("There is nothing to undo")
    page.goto(f"/ui/group/{group(service, 'payments')['id']}")
    ready(page)
    page.keyboard.press("z")
    expect(note(page)).to_contain_text("There is nothing to undo")
    assert entered(service) == []


@pytest.mark.parametrize("place", ["the queue", "a ticket"])
def test_the_help_lists_every_key(page: Page, service: Service, place: str) -> None:
    """What the script listens to, and how a ticket is opened; Escape leads back."""
    send(service, LINE)
    script = {"the queue": "queue.js", "a ticket": "group.js"}[place]
    page.goto("/" if place == "the queue" else f"/ui/group/{group(service, 'payments')['id']}")
    keys = page.get_by_role("button", name="Keys")
    keys.focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    listed = dialog.get_by_role("term").all_text_contents()
    source = service.http.get(f"/ui/static/{script}").text
    (body,) = _KEYS.findall(source)
    bound = {plain or quoted for plain, quoted in _KEY.findall(body)}
    assert len(bound) >= 7
    assert set(listed) == bound | ({"Enter"} if place == "the queue" else set())
    assert len(listed) == len(set(listed))
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(keys).to_be_focused()
    assert entered(service) == []


def test_keys_typed_into_a_field_are_text(page: Page, service: Service) -> None:
    """Nothing is decided, opened or ticked by what is searched for."""
    send(service, LINE)
    open_queue(page)
    page.keyboard.press("j")
    page.keyboard.press("/")
    page.keyboard.type("jkacdszx/?")
    expect(page.get_by_role("searchbox")).to_have_value("jkacdszx/?")
    expect(page.get_by_role("heading", name="No ticket matches")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("searchbox").fill("")
    expect(rows(page)).to_have_count(1)
    page.get_by_text("More filters").click()
    page.get_by_label("Service", exact=True).focus()
    page.keyboard.type("adsz")
    page.get_by_label("Reason").focus()
    page.keyboard.press("d")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert entered(service) == []


def test_keys_with_another_key_held_are_the_browsers(page: Page, service: Service) -> None:
    """Control, Alt and Meta leave a ticket as it is."""
    send(service, LINE)
    open_queue(page)
    page.keyboard.press("j")
    for held in ("Control", "Alt", "Meta"):
        for key in "adxz?":
            page.keyboard.press(f"{held}+{key}")
    expect(row(page, "payments").get_by_role("checkbox")).not_to_be_checked()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert entered(service) == []


def test_the_keys_of_a_ticket_decide_about_it(page: Page, service: Service) -> None:
    """d, then z on its page; q leads back to the queue."""
    send(service, LINE)
    where = f"/ui/group/{group(service, 'payments')['id']}"
    page.goto(where)
    ready(page)
    page.keyboard.press("d")
    expect(note(page)).to_contain_text("Not a problem: payments")
    page.goto(where)
    ready(page)
    page.keyboard.press("z")
    expect(note(page)).to_contain_text("Taken back: payments")
    ready(page)
    page.keyboard.press("s")
    expect(note(page)).to_contain_text("Snoozed: payments")
    page.goto(where)
    ready(page)
    page.keyboard.press("q")
    expect(page.get_by_role("heading", name="Queue")).to_be_attached()
    assert [verdict["verdict"] for verdict in entered(service)] == [
        "not_a_problem",
        "undone",
        "snoozed",
    ]

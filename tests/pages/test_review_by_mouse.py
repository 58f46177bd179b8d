"""``/``: a ticket found, looked at and decided with the mouse alone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from queue_page import note, row, rows, the_line
from reviewing import (
    BARE,
    LATER,
    LINE,
    OTHER,
    THIRD,
    decide,
    entered,
    fields,
    group,
    reviewed,
    send,
    whole,
)
from service import Service

_ENDS = """
(box, text) => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const places = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest(".tag")) continue;
    for (let at = 0; at < node.data.length; at++) places.push([node, at]);
  }
  const start = places.map(([node, at]) => node.data[at]).join("").indexOf(text);
  if (start < 0) throw new Error(`the line does not hold ${text}`);
  const drawn = ([node, at]) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  const first = drawn(places[start]), last = drawn(places[start + text.length - 1]);
  return [
    [first.left + 0.5, (first.top + first.bottom) / 2],
    [last.right - 0.5, (last.top + last.bottom) / 2],
  ];
}
"""
"""Where on the screen a text of the line begins and ends, the labels in it left out."""


def select(page: Page, text: str) -> None:
    """Drag the mouse over ``text`` in the line."""
    first, last = the_line(page).evaluate(_ENDS, text)
    page.mouse.move(*first)
    page.mouse.down()
    page.mouse.move((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
    page.mouse.move(*last)
    page.mouse.up()


def test_a_ticket_is_found_opened_and_confirmed(page: Page, service: Service) -> None:
    """What was decided is in the ledger, and answers the template's later lines."""
    send(service, LINE, OTHER, THIRD)
    judged = group(service, "payments")
    page.goto("/")
    page.get_by_role("searchbox").click()
    page.keyboard.insert_text("card network")
    expect(rows(page)).to_have_count(1)
    expect(row(page, "payments").get_by_role("mark")).to_have_text(judged["evidence"])
    row(page, "payments").get_by_role("link", name="payments").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("payments")
    expect(the_line(page)).to_contain_text("ERROR")
    page.get_by_role("button", name="Right", exact=True).click()
    expect(note(page)).to_contain_text("Right: payments")
    expect(page).to_have_url(re.compile("card"))
    (verdict,) = entered(service)
    assert (verdict["who"], verdict["verdict"], verdict["state"]) == ("local", "right", "resolved")
    assert verdict["ticket"] == judged["ticket"]
    assert verdict["before"] == verdict["after"]
    assert "task 99" in reviewed(service, LATER)["evidence"]
    whole(service)


def test_a_field_is_corrected_by_selecting_text_in_the_line(page: Page, service: Service) -> None:
    """Evidence, service and time are what the mouse went over; severity is chosen."""
    before = fields(service.extract(BARE).json())
    judged = group(service, "relay")
    page.goto(f"/ui/group/{judged['id']}")
    for text, use in (("web-1.example", "Service"), ("gave up", "Evidence")):
        expect(page.get_by_role("button", name=use, exact=True)).to_be_disabled()
        select(page, text)
        page.get_by_role("button", name=use, exact=True).click()
        expect(page.get_by_label(re.compile(f"^{use}"))).to_have_value(text)
        page.get_by_role("heading", level=1).click()
    select(page, "2026-01-02T15:04:05Z")
    page.get_by_role("button", name="Time", exact=True).click()
    expect(page.get_by_label(re.compile("^First seen"))).to_have_value("2026-01-02T15:04:05Z")
    page.get_by_label("Severity").select_option("critical")
    page.get_by_label(re.compile("^Note")).fill("seen before")
    page.get_by_role("button", name="Save the correction").click()
    expect(note(page)).to_contain_text("Corrected: unknown, “the relay")
    (verdict,) = entered(service)
    assert (verdict["who"], verdict["verdict"], verdict["note"]) == (
        "local",
        "corrected",
        "seen before",
    )
    assert verdict["before"] == before
    assert verdict["after"] == {
        "evidence": "gave up",
        "first_seen": "2026-01-02T15:04:05Z",
        "service": "web-1.example",
        "severity": "critical",
    }
    assert fields(reviewed(service, BARE)) == verdict["after"]
    whole(service)


def test_what_the_line_does_not_say_is_refused_and_the_input_kept(
    page: Page, service: Service
) -> None:
    """The refusal stands in words on the page, beside what was put in; nothing is entered."""
    send(service, LINE)
    page.goto(f"/ui/group/{group(service, 'payments')['id']}")
    page.get_by_text("Correct it", exact=True).click()
    page.get_by_label(re.compile("^Evidence")).fill("what nobody wrote")
    page.get_by_label(re.compile("^Note")).fill("my remark")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_role("alert")).to_contain_text("Not decided. Evidence")
    expect(page.get_by_label(re.compile("^Evidence"))).to_have_value("what nobody wrote")
    expect(page.get_by_label(re.compile("^Evidence"))).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label(re.compile("^Note"))).to_have_value("my remark")
    assert entered(service) == []


def test_a_ticket_is_no_problem_and_later_ones_only_count(page: Page, service: Service) -> None:
    """The row is decided in its place; another such line does not bring it back."""
    before = fields(service.extract(LINE).json())
    send(service, OTHER)
    page.goto("/")
    row(page, "payments").get_by_role("button", name="Not a problem").click()
    expect(note(page)).to_contain_text("Not a problem: payments")
    expect(row(page, "payments")).to_contain_text("not a problem by local")
    expect(page.get_by_role("link", name=re.compile("^Not a problem"))).to_contain_text("1")
    (verdict,) = entered(service)
    assert (verdict["verdict"], verdict["state"]) == ("not_a_problem", "dismissed")
    assert verdict["before"] == before
    assert "after" not in verdict
    send(service, LATER)
    assert (group(service, "payments")["state"], group(service, "payments")["since"]) == (
        "dismissed",
        1,
    )


def test_a_ticket_is_put_off_for_as_long_as_chosen(page: Page, service: Service) -> None:
    """It comes back an hour from now, and says so."""
    send(service, LINE)
    page.goto(f"/ui/group/{group(service, 'payments')['id']}")
    page.get_by_label("Snooze for").select_option("1 hour")
    page.get_by_role("button", name="Snooze", exact=True).click()
    expect(note(page)).to_contain_text("back in 1 h")
    (verdict,) = entered(service)
    assert (verdict["verdict"], verdict["state"]) == ("snoozed", "snoozed")
    put_off = group(service, "payments")
    assert put_off["state"] == "snoozed"
    assert put_off["until"] > put_off["decided_at"]
    page.get_by_role("link", name=re.compile("^Snoozed")).click()
    expect(row(page, "payments")).to_contain_text("comes back in 1 h")


def test_the_note_takes_a_decision_back(page: Page, service: Service) -> None:
    """The row is open again, and what it taught no longer answers."""
    send(service, LINE)
    page.goto("/")
    row(page, "payments").get_by_role("button", name="Right").click()
    expect(row(page, "payments")).to_contain_text("right by local")
    reviewed(service, LATER)
    note(page).get_by_role("button", name="Undo").click()
    expect(note(page)).to_contain_text("Taken back: payments")
    expect(row(page, "payments").get_by_role("button", name="Right")).to_be_visible()
    first, second = entered(service)
    assert (second["verdict"], second["state"]) == ("undone", "open")
    assert second["undoes"] == group(service, "payments")["version"] - 2
    assert first["verdict"] == "right"
    assert "reviewed" not in service.extract(LATER).json()["review_reasons"]
    whole(service)


def test_of_several_ticked_the_one_decided_meanwhile_is_told_of(
    page: Page, service: Service
) -> None:
    """Two are decided; the third says who was first, and stays as that one left it."""
    send(service, LINE, OTHER, THIRD)
    # This page hears nothing of what others do.
    page.route("**/queue/changes*", lambda route: route.abort())
    page.goto("/")
    for name in ("payments", "disk", "mail"):
        row(page, name).get_by_role("checkbox").check()
    expect(page.get_by_text("With 3 ticked:")).to_be_visible()
    decide(service, group(service, "disk"), "not_a_problem")
    bulk = page.get_by_role("main").get_by_role("button", name="Right", exact=True).first
    bulk.click()
    expect(note(page)).to_contain_text("Right: 2 tickets")
    expect(note(page)).to_contain_text(
        re.compile("Not decided: .*volume nearly full” was judged not a problem by local")
    )
    assert [verdict["verdict"] for verdict in entered(service)] == [
        "not_a_problem",
        "right",
        "right",
    ]
    assert group(service, "disk")["verdict"] == "not_a_problem"
    expect(row(page, "disk")).to_contain_text("not a problem by local")
    note(page).get_by_role("button", name="Undo").click()
    expect(note(page)).to_contain_text("Taken back: 2 tickets")
    assert {name: group(service, name)["state"] for name in ("payments", "disk", "mail")} == {
        "payments": "open",
        "disk": "dismissed",
        "mail": "open",
    }
    whole(service)

"""``/ui/try``: a line pasted, its real ticket shown, and why it says what it says."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect
from queue_page import the_line
from reviewing import LINE, decide, group, send
from service import Service

_FIELDS = ("service", "severity", "first_seen", "evidence")


def make(page: Page, line: str, **beside: str) -> None:
    """Paste a line and have its ticket made; ``beside``: fields by their labels."""
    page.goto("/ui/try")
    page.get_by_label("Log line").fill(line)
    for label, value in beside.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Make the ticket").click()


def test_a_pasted_line_makes_a_ticket_that_is_in_the_ledger(page: Page, service: Service) -> None:
    """What is shown is what the entry holds, and what the API answers."""
    make(page, LINE)
    ticket = page.get_by_role("region", name="The ticket")
    expect(ticket).to_contain_text("This is a real ticket")
    (entry,) = service.http.get("/ledger").json()["entries"]
    assert (entry["kind"], entry["seq"]) == ("ticket", 1)
    stored = service.http.get("/tickets/1").json()["ticket"]
    for name in _FIELDS:
        expect(ticket).to_contain_text(stored[name])
    shown = page.get_by_role("region", name="As POST /extract answers").locator("pre")
    answered = json.loads(str(shown.text_content()))
    assert answered == stored
    again = service.extract(LINE).json()
    assert again == {**answered, "source": "cache"}
    assert page.get_by_label("Log line").input_value() == LINE


def test_it_says_where_each_field_stands_and_why_a_person_must_look(
    page: Page, service: Service
) -> None:
    """Marks in the line, a row for each field, reasons in sentences, and what it is sure of."""
    make(page, LINE)
    marks = page.get_by_role("region", name="Where the line says so").get_by_role("mark")
    stored = service.http.get("/tickets/1").json()["ticket"]
    assert stored["evidence"] in "".join(marks.all_text_contents())
    expect(page.get_by_role("row").filter(has_text="severity")).to_contain_text("high")
    expect(page.get_by_role("region", name="Why a person must look")).to_contain_text(
        "model_not_configured"
    )
    expect(page.get_by_role("region", name="What the confidence stands on")).to_contain_text(
        "labelled tickets"
    )


def test_it_leads_to_its_group_in_the_queue(page: Page, service: Service) -> None:
    """Where a person may decide at once; then the same line is answered so."""
    make(page, LINE)
    page.get_by_role("link", name="group 1", exact=True).click()
    expect(the_line(page)).to_contain_text("refused by the card network")
    decide(service, group(service, "payments"), "right")
    make(page, LINE)
    expect(page.get_by_role("region", name="The ticket")).to_contain_text("cache")
    expect(page.get_by_role("region", name="As POST /extract answers")).to_contain_text("reviewed")


def test_a_line_that_was_given_before_says_which_ticket_it_repeats(
    page: Page, service: Service
) -> None:
    """From the cache, and entered anew all the same."""
    send(service, LINE)
    make(page, LINE)
    ticket = page.get_by_role("region", name="The ticket")
    expect(ticket).to_contain_text("given from the cache")
    expect(ticket.get_by_role("link", name="ticket 1", exact=True)).to_be_visible()
    assert len(service.http.get("/ledger").json()["entries"]) == 2


def test_what_is_known_beside_the_line_is_used(page: Page, service: Service) -> None:
    """A service and a year that the line does not tell."""
    make(
        page,
        "Jan  2 15:04:05 something failed",
        Service="mailer",
        Received_at="2026-01-02T16:00:00Z",
        Time_zone="+02:00",
    )
    expect(page.get_by_role("region", name="The ticket")).to_contain_text("mailer")
    stored = service.http.get("/tickets/1").json()["ticket"]
    assert stored["service"] == "mailer"
    assert stored["first_seen"] == "2026-01-02T15:04:05+02:00"


def test_what_is_wrong_is_told_beside_its_field(page: Page, service: Service) -> None:
    """Nothing is entered, and nothing that was put in is lost."""
    make(page, LINE, Received_at="yesterday")
    field = page.get_by_label("Received at")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text(re.compile("^received_at"))).to_be_visible()
    expect(field).to_have_value("yesterday")
    expect(page.get_by_label("Log line")).to_have_value(LINE)
    assert service.http.get("/ledger").json()["entries"] == []


def test_a_sample_is_tried_with_one_click(page: Page, service: Service) -> None:
    """For whoever has no line at hand."""
    page.goto("/ui/try")
    page.get_by_role("button", name=re.compile("^A record in JSON")).click()
    expect(page.get_by_role("region", name="The ticket")).to_contain_text("mailer")
    assert len(service.http.get("/ledger").json()["entries"]) == 1


def test_several_lines_are_one_record(page: Page, service: Service) -> None:
    """A stack trace comes in whole."""
    text = f"{LINE}\n  at pay.charge (pay.py:17)\n  at pay.main (pay.py:3)"
    make(page, text)
    expect(page.get_by_role("heading", name="The ticket")).to_be_visible()
    assert service.http.get("/tickets/1").json()["line"] == text

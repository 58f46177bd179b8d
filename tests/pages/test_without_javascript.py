"""All of reading and deciding, in a browser that runs no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest
from playwright.sync_api import Browser, Page, expect
from queue_page import note, row, rows
from reviewing import LATER, LINE, OTHER, THIRD, decide, entered, group, reviewed, send, whole
from seeding import distinct, seed
from service import Service

_TOKEN = "an-invented-token-for-all"


@pytest.fixture
def plain(browser: Browser, service: Service) -> Iterator[Page]:
    """A page of ``service`` without JavaScript."""
    with chromium.fresh(browser, service, java_script_enabled=False) as context:
        yield context.new_page()


def test_nothing_is_offered_that_needs_it(plain: Page, service: Service) -> None:
    """No button for keys, none that takes text from the line, no box that ticks all."""
    send(service, LINE)
    plain.goto("/")
    expect(row(plain, "payments")).to_be_visible()
    expect(plain.get_by_role("button", name="Keys")).to_have_count(0)
    expect(plain.get_by_label("Tick all tickets shown")).to_be_hidden()
    plain.goto(f"/ui/group/{group(service, 'payments')['id']}")
    expect(plain.get_by_text("Select text in the line")).to_be_hidden()
    assert plain.locator("#use").bounding_box() is None, "it leaves a gap"
    expect(plain.locator("button:visible", has_text="Evidence")).to_have_count(0)


def test_the_filters_work_as_a_form(plain: Page, service: Service) -> None:
    """What is asked for stands in the address, and one link clears it."""
    send(service, LINE, OTHER, THIRD)
    plain.goto("/")
    plain.get_by_role("searchbox").fill("volume")
    plain.get_by_label("medium").check()
    plain.get_by_role("button", name="Apply").click()
    expect(plain).to_have_url(re.compile(r"/\?.*text=volume.*severity=medium"))
    expect(rows(plain)).to_have_count(1)
    expect(plain.get_by_label("medium")).to_be_checked()
    plain.get_by_role("searchbox").fill("nothing like it")
    plain.get_by_role("button", name="Apply").click()
    expect(plain.get_by_role("heading", name="No ticket matches")).to_be_visible()
    plain.get_by_role("link", name="Clear the filters").click()
    expect(rows(plain)).to_have_count(3)
    plain.get_by_role("navigation", name="State").get_by_role("link", name="Snoozed").click()
    expect(plain.get_by_role("heading", name="None here")).to_be_visible()


def test_a_ticket_is_opened_and_confirmed(plain: Page, service: Service) -> None:
    """From its row to its page, and back to the list that one came from."""
    send(service, LINE, OTHER)
    plain.goto("/?text=card")
    row(plain, "payments").get_by_role("link", name="payments").click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("payments")
    plain.get_by_role("button", name="Right", exact=True).click()
    expect(plain).to_have_url(re.compile(r"/\?text=card"))
    expect(note(plain)).to_contain_text("Right: payments")
    assert [verdict["verdict"] for verdict in entered(service)] == ["right"]
    reviewed(service, LATER)
    whole(service)


def test_a_ticket_is_corrected_by_its_form(plain: Page, service: Service) -> None:
    """First with a quote that the line does not hold, which is told of beside what was put in."""
    send(service, LINE)
    plain.goto("/")
    row(plain, "payments").get_by_role("link", name="Correct").click()
    evidence = plain.get_by_label(re.compile("^Evidence"))
    evidence.fill("refused by nobody")
    plain.get_by_label("Severity").select_option("critical")
    plain.get_by_role("button", name="Save the correction").click()
    expect(plain.get_by_role("alert")).to_contain_text("Not decided. Evidence")
    expect(evidence).to_have_value("refused by nobody")
    expect(plain.get_by_label("Severity")).to_have_value("critical")
    evidence.fill("refused by the card network")
    plain.get_by_role("button", name="Save the correction").click()
    expect(note(plain)).to_contain_text("Corrected: payments")
    (verdict,) = entered(service)
    assert verdict["after"]["evidence"] == "refused by the card network"
    assert verdict["after"]["severity"] == "critical"
    whole(service)


def test_a_row_is_decided_and_taken_back(plain: Page, service: Service) -> None:
    """By its own buttons; the note's button undoes it."""
    send(service, LINE, OTHER)
    plain.goto("/?text=card")
    row(plain, "payments").get_by_role("button", name="Not a problem").click()
    expect(note(plain)).to_contain_text("Not a problem: payments")
    expect(plain).to_have_url(re.compile(r"/\?text=card"))
    note(plain).get_by_role("button", name="Undo").click()
    expect(note(plain)).to_contain_text("Taken back: payments")
    expect(row(plain, "payments").get_by_role("button", name="Right")).to_be_visible()
    assert [verdict["verdict"] for verdict in entered(service)] == ["not_a_problem", "undone"]


def test_of_several_ticked_the_one_decided_meanwhile_is_told_of(
    plain: Page, service: Service
) -> None:
    """Two are put off, one was no problem before; the address alone tells nothing that is not."""
    send(service, LINE, OTHER, THIRD)
    plain.goto("/")
    for text in ("payments", "volume", "relay"):
        row(plain, text).get_by_role("checkbox").check()
    decide(service, group(service, "volume"), "not_a_problem")
    bulk = plain.locator("#bulk")
    bulk.get_by_label("Snooze for").select_option("1 week")
    bulk.get_by_role("button", name="Snooze").click()
    expect(note(plain)).to_contain_text("Snoozed: 2 tickets")
    expect(note(plain)).to_contain_text(
        re.compile("Not decided: .*volume.* not a problem by local")
    )
    assert [verdict["verdict"] for verdict in entered(service)] == [
        "not_a_problem",
        "snoozed",
        "snoozed",
    ]
    note(plain).get_by_role("button", name="Undo").click()
    expect(note(plain)).to_contain_text("Taken back: 2 tickets")


def test_deciding_about_nothing_says_so(plain: Page, service: Service) -> None:
    """No row was ticked."""
    send(service, LINE)
    plain.goto("/")
    plain.locator("#bulk").get_by_role("button", name="Right").click()
    expect(note(plain)).to_contain_text("No ticket was ticked")
    assert entered(service) == []


def test_pages_of_a_long_list_follow_each_other(browser: Browser, tmp_path: Path) -> None:
    """Each ticket is on one of them, and the last leads back to the first."""
    seed(tmp_path / "service.db", distinct(120))
    with (
        Service(tmp_path, keep_text="true") as service,
        chromium.fresh(browser, service, java_script_enabled=False) as context,
    ):
        page = context.new_page()
        page.goto("/?sort=oldest")
        seen = []
        for size in (50, 50, 20):
            expect(rows(page)).to_have_count(size)
            seen += rows(page).evaluate_all("(all) => all.map((row) => row.id)")
            if size == 50:
                page.get_by_role("link", name="Show more").click()
                page.wait_for_url(re.compile("cursor="))
                expect(page.locator(f"#{seen[-1]}")).to_have_count(0)
        assert len(set(seen)) == 120
        page.get_by_role("link", name="Back to the first page").click()
        expect(page.locator(f"#{seen[0]}")).to_be_visible()


def test_signing_in_leads_to_where_one_wanted_to_go(browser: Browser, tmp_path: Path) -> None:
    """And signing out ends it."""
    with (
        Service(tmp_path, keep_text="true", tokens=_TOKEN) as service,
        chromium.fresh(browser, service, java_script_enabled=False) as context,
    ):
        page = context.new_page()
        page.goto("/ui/try")
        page.get_by_label("Token").fill(_TOKEN)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Try a line")).to_be_visible()
        page.get_by_label("Log line").fill(LINE)
        page.get_by_role("button", name="Make the ticket").click()
        expect(page.get_by_role("heading", name="The ticket")).to_be_visible()
        page.get_by_role("link", name="group 1", exact=True).click()
        page.get_by_role("button", name="Right", exact=True).click()
        expect(note(page)).to_contain_text("Right: payments")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Token")).to_be_visible()
        page.goto("/")
        expect(page.get_by_label("Token")).to_be_visible()


def test_the_ledger_is_read_filtered_and_verified(plain: Page, service: Service) -> None:
    """Charts, entries and the walk over the chain need nothing but forms and links."""
    send(service, LINE, OTHER)
    decide(service, group(service, "payments"), "right")
    plain.goto("/ui/ledger")
    expect(plain.get_by_role("img", name=re.compile("Tickets")).first).to_be_visible()
    entries = plain.get_by_role("region", name="Entries, newest first")
    entries.get_by_label("Kind").select_option("verdict")
    entries.get_by_role("button", name="Show", exact=True).click()
    expect(entries.get_by_role("row")).to_have_count(2)
    entries.get_by_role("row").last.locator("summary").click()
    expect(entries.get_by_role("row").last).to_contain_text('"verdict": "right"')
    plain.get_by_role("button", name="Verify the chain now").click()
    expect(plain.get_by_text("The chain is whole.")).to_be_visible()

"""What others do shows up by itself, and moves nothing under the mouse."""

from __future__ import annotations

import re
from pathlib import Path

import chromium
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from queue_page import note, row, rows
from reviewing import LATER, LINE, OTHER, THIRD, decide, entered, group, send
from service import Service


def open_queue(page: Page) -> None:
    """Show the queue, and wait until it listens."""
    with page.expect_response(lambda answer: "/queue/changes" in answer.url):
        page.goto("/")


def tab(page: Page, name: str) -> Locator:
    """How many tickets the tab of a state tells of."""
    return page.get_by_role("navigation", name="State").get_by_role(
        "link", name=re.compile(f"^{name}")
    )


def places(page: Page) -> list[tuple[str, float]]:
    """Where each row stands, by its number."""
    found: list[tuple[str, float]] = rows(page).evaluate_all(
        "(all) => all.map((row) => [row.id, row.getBoundingClientRect().top])"
    )
    return found


def test_a_new_ticket_is_announced_and_the_rows_stay(page: Page, service: Service) -> None:
    """Counts follow at once; the ticket comes when it is asked for, and then has the focus."""
    send(service, LINE, OTHER)
    open_queue(page)
    before = places(page)
    send(service, "2026-01-02T15:04:08Z FATAL pay: the till is on fire")
    show = page.get_by_role("button", name="Show 1 new")
    expect(show).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="1 new ticket")).to_have_count(1)
    expect(tab(page, "Open")).to_contain_text("3")
    assert places(page) == before
    show.click()
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first).to_contain_text("the till is on fire")
    expect(rows(page).first.get_by_role("link", name="pay", exact=True)).to_be_focused()
    expect(show).to_be_hidden()


def test_a_ticket_that_comes_again_counts_in_its_row(page: Page, service: Service) -> None:
    """Nothing is announced: it is there already."""
    send(service, LINE, OTHER)
    open_queue(page)
    before = places(page)
    send(service, LATER)
    expect(row(page, "payments")).to_contain_text("×2")
    expect(row(page, "payments")).to_contain_text("task 99")
    expect(page.get_by_role("button", name=re.compile("^Show .* new"))).to_be_hidden()
    assert [id for id, _ in places(page)] == [id for id, _ in before]


def test_what_another_decides_shows_in_its_row(page: Page, service: Service) -> None:
    """The row stays where it is, and can no longer be ticked."""
    send(service, LINE, OTHER)
    open_queue(page)
    before = [one[0] for one in places(page)]
    decide(service, group(service, "payments"), "not_a_problem")
    expect(row(page, "payments")).to_contain_text("not a problem by local")
    expect(row(page, "payments").get_by_role("checkbox")).to_be_disabled()
    expect(tab(page, "Open")).to_contain_text("1")
    expect(tab(page, "Not a problem")).to_contain_text("1")
    assert [one[0] for one in places(page)] == before


def test_a_ticket_only_comes_to_a_list_that_it_belongs_to(page: Page, service: Service) -> None:
    """What the filters leave out is counted, not announced."""
    send(service, OTHER)
    with page.expect_response(lambda answer: "/queue/changes" in answer.url):
        page.goto("/?text=volume")
    send(service, LINE)
    expect(tab(page, "Open")).to_contain_text("2")
    send(service, "2026-01-02T15:04:08Z ERROR disk: volume gone")
    expect(page.get_by_role("button", name="Show 1 new")).to_be_visible()


def test_an_empty_queue_fills_by_itself(page: Page, service: Service) -> None:
    """Whoever waits for the first ticket is told of it."""
    open_queue(page)
    expect(page.get_by_role("heading", name="Nothing waits for a person")).to_be_visible()
    send(service, THIRD)
    page.get_by_role("button", name="Show 1 new").click()
    expect(row(page, "the relay is gone")).to_be_visible()


def test_of_two_who_decide_the_second_is_told_and_keeps_the_input(
    context: BrowserContext, service: Service
) -> None:
    """First a note that the ticket has changed; then the refusal, in words, and nothing lost."""
    send(service, LINE)
    where = f"/ui/group/{group(service, 'payments')['id']}"
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        with page.expect_response(lambda answer: "/queue/changes" in answer.url):
            page.goto(where)
    second.get_by_text("Correct it", exact=True).click()
    second.get_by_label("Severity").select_option("low")
    second.get_by_label(re.compile("^Note")).fill("happens every night")
    first.get_by_role("button", name="Not a problem").click()
    expect(note(first)).to_contain_text("Not a problem")
    before = second.get_by_role("button", name="Save the correction").bounding_box()
    expect(second.get_by_text("Meanwhile local has judged it not a problem.").first).to_be_visible()
    expect(second.get_by_role("link", name="Load it again")).to_be_visible()
    assert second.get_by_role("button", name="Save the correction").bounding_box() == before
    with second.expect_response(lambda answer: answer.status == 409):
        second.get_by_role("button", name="Save the correction").click()
    expect(second.get_by_role("alert")).to_contain_text(
        re.compile("Meanwhile this group was judged not a problem by local .*kept below")
    )
    expect(second.get_by_role("alert")).to_be_focused()
    expect(second.get_by_label("Severity")).to_have_value("low")
    expect(second.get_by_label(re.compile("^Note"))).to_have_value("happens every night")
    assert [verdict["verdict"] for verdict in entered(service)] == ["not_a_problem"]
    second.get_by_role("button", name="Save the correction").click()
    expect(note(second)).to_contain_text("Corrected")
    assert entered(service)[-1]["after"]["severity"] == "low"


def test_a_stream_that_was_lost_comes_back(browser: Browser, tmp_path: Path) -> None:
    """The page says so while the service is away, and catches up when it is there again."""
    with Service(tmp_path, keep_text="true") as service:
        port = str(service.port)
        send(service, LINE)
        with chromium.fresh(browser, service) as context:
            page = context.new_page()
            open_queue(page)
            service.stop()
            lost = page.get_by_text("Live updates are lost").first
            expect(lost).to_be_visible()
            (tmp_path / "again").mkdir()
            with Service(
                tmp_path / "again", keep_text="true", db=str(service.db), port=port
            ) as new:
                send(new, OTHER)
                expect(lost).to_be_hidden(timeout=15_000)
                expect(page.get_by_role("button", name="Show 1 new")).to_be_visible()
                expect(tab(page, "Open")).to_contain_text("2")
                expect(row(page, "payments")).to_be_visible()
                page.goto("about:blank")

"""A line is hostile input: on no page does it run, hide, pose as something else, or break out."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator

import chromium
import pytest
from playwright.sync_api import Browser, Page, expect
from queue_page import note, row, rows, the_line
from reviewing import group, groups
from seeding import seed
from service import Service

_HEAD = "2026-01-02T15:04:05Z ERROR web: "
_AIM = "window.hit = true"
LINES = {
    "a script": f"{_HEAD}<script>{_AIM}</script> failed",
    "an image": f'{_HEAD}<img src=x onerror="{_AIM}"> is broken',
    "quotes": f"{_HEAD}\"><svg onload='{_AIM}'> ' autofocus onfocus={_AIM} x=\" gone",
    "ends of elements": f"{_HEAD}</textarea></title></style></script><script>{_AIM}</script>-->",
    "a template": f"{_HEAD}{{{{7*7}}}} ${{7*7}} {{% raw %}} #{{7*7}} refused",
    "a scheme": json.dumps(
        {
            "time": "2026-01-02T15:04:05Z",
            "level": "error",
            "service": f"javascript:{_AIM}",
            "msg": "no way",
        }
    ),
    "a terminal": "\x1b[31mFATAL\x1b[0m \x1b]0;owned\x07 web: \x1b[2J all is well\x1b[8m hidden",
    "another direction": f"{_HEAD}paid \u202e)lla( 001\u202c \u2067gnp.exe\u2069 \u200f refused",
    "nothing to see": f"{_HEAD}dis\u200bk \u2060fu\ufeffll \u00ad\u3164\u2800 gone",
    "controls": f"{_HEAD}a\x00b\x01c\x7fd\x9be failed",
    "half a character": b"2026-01-02T15:04:05Z ERROR web: \xff\xfe\xc3( broken \xed\xa0\x80",
    "a tower": f"{_HEAD}e" + "\u0301\u0489" * 500 + " collapsed",
    "one word": f"{_HEAD}" + "w" * (65_536 - len(_HEAD)),
    "a long service": json.dumps({"level": "error", "service": "s" * 200, "msg": "it is long"}),
}
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff]"
)
_WHOLE = """
() => {
  const seen = document.body.cloneNode(true);
  seen.querySelector("textarea#line")?.remove();
  const all = [...document.querySelectorAll("*")];
  const inputs = [...document.querySelectorAll("input, textarea:not(#line)")];
  return {
    hit: window.hit === true,
    handlers: all.flatMap((one) => [...one.attributes]).filter((one) => /^on/i.test(one.name))
      .map((one) => one.name),
    scripts: [...document.scripts].map((one) => new URL(one.src).pathname),
    foreign: all.filter((one) => ["IMG", "IFRAME", "OBJECT", "EMBED", "STYLE", "BASE"]
      .includes(one.tagName)).map((one) => one.outerHTML.slice(0, 80)),
    schemes: [...document.querySelectorAll("[href], [action], [src]")].flatMap((one) =>
      [one.href, one.action, one.src]).filter((one) => typeof one === "string" && one)
      .map((one) => new URL(one).protocol),
    text: seen.textContent,
    values: inputs.map((one) => one.value),
    titles: [document.title, ...all.map((one) => one.getAttribute("title") ?? "")],
    labels: all.map((one) => one.getAttribute("aria-label") ?? ""),
    over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with all of these lines in its queue."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = [line if isinstance(line, bytes) else line.encode() for line in LINES.values()]
    seed(folder / "service.db", lines)
    with Service(folder, keep_text="true") as running:
        yield running


@contextlib.contextmanager
def opened(browser: Browser, service: Service, width: int = 1280) -> Iterator[Page]:
    """A page in which no dialog opens, and from which nothing but the service is asked."""
    strange: list[str] = []
    viewport = {"width": width, "height": 800}
    with chromium.fresh(browser, service, viewport=viewport) as context:
        page = context.new_page()
        page.on("dialog", lambda dialog: (strange.append(dialog.message), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(f"http://127.0.0.1:{service.port}/")
                else strange.append(request.url)
            ),
        )
        yield page
    assert strange == []


def check(page: Page) -> str:
    """All that is seen on the page, which a line has not changed."""
    found = page.evaluate(_WHOLE)
    assert not found["hit"]
    assert found["handlers"] == []
    assert found["foreign"] == []
    assert all(path.startswith("/ui/static/") for path in found["scripts"])
    assert set(found["schemes"]) == {"http:"}
    assert found["over"] <= 0
    text = str(found["text"])
    for seen in (text, *found["values"], *found["titles"], *found["labels"]):
        assert not _UNSEEN.search(seen), ascii(_UNSEEN.findall(seen))
    return text


@pytest.mark.parametrize("width", [1280, 360])
def test_the_queue_shows_them_as_text(browser: Browser, hostile: Service, width: int) -> None:
    """In the list, and in what comes after a decision, which a script puts there."""
    with opened(browser, hostile, width) as page:
        page.goto("/")
        expect(rows(page)).to_have_count(len(groups(hostile, state="open")))
        text = check(page)
        assert "<script>" in text
        assert "{{7*7}} ${7*7}" in text
        assert "‹ESC›" in text
        assert "‹RLO›" in text
        assert "‹NUL›" in text
        assert "‹FF›‹FE›" in text
        tallest = max(rows(page).evaluate_all("(all) => all.map((row) => row.clientHeight)"))
        assert tallest < 400
        row(page, "is broken").get_by_role("button", name="Snooze").click()
        expect(note(page)).to_contain_text("<img src=x onerror=")
        expect(row(page, "is broken")).to_contain_text("snoozed by local")
        check(page)
        note(page).get_by_role("button", name="Undo").click()
        expect(note(page)).to_contain_text("Taken back")


def test_each_ticket_shows_its_line_as_text(browser: Browser, hostile: Service) -> None:
    """With the fields, the form to correct them, and the page's title."""
    with opened(browser, hostile, 360) as page:
        for one in groups(hostile):
            page.goto(f"/ui/group/{one['id']}?correct=1")
            expect(the_line(page)).to_be_visible()
            check(page)


@pytest.mark.parametrize("where", ["?state=all", "?state=all&text=%3Cscript%3E&service=%22%3E%3Cb"])
def test_addresses_are_text_too(browser: Browser, hostile: Service, where: str) -> None:
    """What an address says comes back in fields and links, and is nothing but text there."""
    with opened(browser, hostile) as page:
        page.goto(f"/{where}")
        check(page)
        assert "<b" not in page.locator("main").inner_html().replace("<bdi", "").replace(
            "<button", ""
        )


def test_the_ledger_shows_them_as_text(browser: Browser, hostile: Service) -> None:
    """A verdict holds the evidence, and the service's name, of its ticket."""
    for text in ("</script> failed", "javascript"):
        judged = group(hostile, text)
        body = {"verdict": "right", "version": judged["version"], "note": f"<b>{_AIM}</b>"}
        hostile.http.post(f"/queue/{judged['id']}/verdict", json=body).raise_for_status()
    with opened(browser, hostile) as page:
        page.goto("/ui/ledger?kind=verdict#entries")
        for summary in page.locator("#entries summary").all():
            summary.click()
        text = check(page)
        assert f"<b>{_AIM}</b>" in text


@pytest.mark.parametrize("kind", [kind for kind in LINES if isinstance(LINES[kind], str)])
def test_a_tried_line_is_shown_as_text(browser: Browser, hostile: Service, kind: str) -> None:
    """It comes back in the form, in the ticket, and in the answer as JSON."""
    with opened(browser, hostile, 360) as page:
        page.goto("/ui/try")
        page.get_by_label("Log line").fill(str(LINES[kind]))
        page.get_by_role("button", name="Make the ticket").click()
        expect(page.get_by_role("heading", name="The ticket")).to_be_visible()
        check(page)


def test_the_visible_form_can_be_quoted_back(browser: Browser, hostile: Service) -> None:
    """Who corrects the evidence of such a line sees symbols, and means the bytes."""
    judged = group(hostile, "paid")
    with opened(browser, hostile) as page:
        page.goto(f"/ui/group/{judged['id']}?correct=1")
        evidence = page.get_by_label(re.compile("^Evidence"))
        evidence.fill("paid ‹RLO›)lla( 001‹PDF›")
        page.get_by_role("button", name="Save the correction").click()
        expect(note(page)).to_contain_text("Corrected")
    (verdict, *_) = hostile.http.get(f"/queue/{judged['id']}").json()["verdicts"]
    assert verdict["after"]["evidence"] == "paid \u202e)lla( 001\u202c"

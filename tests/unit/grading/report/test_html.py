from __future__ import annotations

import base64
import hashlib
import itertools
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import msgspec
import pytest

from logdocket.grading.report.document import Report
from logdocket.grading.report.html import encode
from logdocket.grading.report.score import summed
from logdocket.grading.report.visible import visible

from .reports import EVIL, HOSTILE, LINES, PLAIN, without_times

VOID = {"meta", "br"}
DRAWN = {"path", "rect"}


class Page(HTMLParser):
    """The elements of a page in order, their attributes, and its text."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.path: list[str] = []
        self.text: list[str] = []
        self.feed(encode(report).decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.path.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that is closed at once, as in drawings alone."""
        assert tag in DRAWN
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """See that the innermost element is the one that ends."""
        assert self.path.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note what is read."""
        if self.path[-1:] != ["style"]:
            self.text.append(data)

    def having(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [attributes[name] for _, attributes in self.elements if name in attributes]


def tags(report: Report) -> list[str]:
    """The names of its elements in order."""
    return [tag for tag, _ in Page(report).elements]


def test_the_score_is_the_title_and_the_first_thing_told() -> None:
    """As a range while points are open."""
    page = encode(PLAIN).decode()
    assert page.startswith("<!doctype html>\n")
    assert "<title>41.5 to 72.5 of 100: web-1.example said no.</title>" in page
    assert '<p class="total">41.5 to 72.5 of 100</p>' in page


def test_hostile_text_leaves_the_structure_as_it_is() -> None:
    """The same elements with the same names of attributes, and all of them closed."""
    plain, evil = Page(PLAIN), Page(EVIL)
    assert plain.path == evil.path == []
    assert [(tag, list(attributes)) for tag, attributes in evil.elements] == [
        (tag, list(attributes)) for tag, attributes in plain.elements
    ]


def test_hostile_text_is_shown_to_the_letter() -> None:
    """Escaped for the page, and visible."""
    text = "".join(Page(EVIL).text)
    assert visible(HOSTILE) in text
    assert visible(LINES, lines=True) in text
    assert text.replace("\n", "").isprintable()


def test_the_page_needs_nothing_beside_itself() -> None:
    """No script, no file of others, no link that leads away, no style of an element's own."""
    page = Page(EVIL)
    assert {"script", "img", "link", "iframe", "base", "form"}.isdisjoint(tags(EVIL))
    names = {name for _, attributes in page.elements for name in attributes}
    assert {"src", "style", "action", "srcset"}.isdisjoint(names)
    assert not [name for name in names if name.startswith("on")]
    targets = page.having("href")
    assert targets
    assert all(target.startswith("#") for target in targets)


def test_the_policy_allows_its_own_style_alone() -> None:
    """By the hash of what stands between the tags."""
    page = encode(PLAIN).decode()
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = (
        attributes["content"]
        for _, attributes in Page(PLAIN).elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert "url(http" not in style
    assert "@import" not in style


def test_every_probe_can_be_linked_to() -> None:
    """By its id, which is there once; and every link leads somewhere."""
    page = Page(PLAIN)
    ids = page.having("id")
    assert len(set(ids)) == len(ids)
    assert {probe.id for probe in PLAIN.probes} <= set(ids)
    assert {unquote(target[1:]) for target in page.having("href")} <= set(ids)
    assert {f"#{probe.id}" for probe in PLAIN.probes} <= set(page.having("href"))


def test_headings_are_in_order() -> None:
    """One of the first level, and no level is left out on the way down."""
    levels = [int(tag[1]) for tag in tags(PLAIN) if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_every_table_has_a_caption_and_headed_columns() -> None:
    """For those who do not see it."""
    names = tags(PLAIN)
    tables = [index for index, tag in enumerate(names) if tag == "table"]
    assert len(tables) == 4
    assert all(names[index + 1 : index + 3] == ["caption", "thead"] for index in tables)
    heads = [attributes for tag, attributes in Page(PLAIN).elements if tag == "th"]
    assert heads
    assert all(attributes.get("scope") in ("col", "row") for attributes in heads)


def test_a_verdict_is_told_in_words() -> None:
    """Not by its colour alone."""
    page = encode(PLAIN).decode()
    for verdict in ("fail", "partial", "needs-human"):
        assert f'<span class="verdict {verdict}">{verdict}</span>' in page


def test_what_a_person_judged_is_told() -> None:
    """With the program's verdict and the note."""
    first = msgspec.structs.replace(
        PLAIN.probes[3], judge="person", note="<b>It does</b>", program=PLAIN.probes[0].verdict
    )
    page = encode(summed(PLAIN, (first,))).decode()
    assert ", judged by a person</p>" in page
    assert "; the program said pass; &lt;b&gt;It does&lt;/b&gt;</li>" in page


def test_a_report_of_nothing_is_a_page() -> None:
    """Sections without content are left out, and no link leads to them."""
    empty = summed(without_times(PLAIN), ())
    page = Page(msgspec.structs.replace(empty, facts=(), sandbox=()))
    assert page.having("href") == ["#areas"]


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1, none, to 21, black on white (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_every_colour_of_text_can_be_read(scheme: int) -> None:
    """On both grounds, at the 4.5 to 1 that WCAG's level AA asks for."""
    schemes = re.findall(r":root \{(.*?)\}", encode(PLAIN).decode(), re.S)
    assert len(schemes) == 3
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", schemes[scheme]))
    grounds = [colours.pop("ground"), colours.pop("raised")]
    del colours["edge"]
    assert len(colours) == 8
    low = {n for n, c in colours.items() if min(contrast(c, ground) for ground in grounds) < 4.5}
    assert low == set()


def test_the_same_report_gives_the_same_bytes() -> None:
    """And without its times, none of them stands there."""
    assert encode(EVIL) == encode(EVIL)
    assert b"2031-02-03" in encode(PLAIN)
    assert b"2031-02-03" not in encode(without_times(PLAIN))

"""Text of lines on pages: everything in it is seen, and none of it is markup."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.http.pages.visible import (
    LONGEST,
    Mark,
    excerpt,
    marked,
    marked_line,
    odd,
    original,
    shortened,
    visible,
)
from logdocket.line import Line, Span

# Any text of a line, bytes that are not UTF-8 among it.
TEXTS = st.text() | st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape"))
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07",
    "user \u202egnp.exe\u202c",
    "pay\u200bpal\u2060\ufeff",
    "before\x00after",
    "\udcff\udc80",
    "A" * 65_536,
    "\u0300" * 100,
    "\u2028 so \u2029\x85",
]


def plain(html: str) -> str:
    """What a person reads of ``html``."""
    return unescape(re.sub(r"<[^>]*>", "", html))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("plain ~ text", "plain ~ text"),
        ("día – 日本", "día – 日本"),
        ("\x1b[31mred", "‹ESC›[31mred"),
        ("a\x00\tb\r\n", "a‹NUL›‹TAB›b‹CR›‹LF›"),
        ("x\u202ey\u200b", "x‹RLO›y‹ZWSP›"),
        ("\udcff", "‹FF›"),
        ("a\xa0b", "a‹NBSP›b"),
        ("\x9b\u2028\U000e0001", "‹CSI›‹LS›‹U+E0001›"),
        ("\u3164", "‹HF›"),
    ],
)
def test_what_would_not_be_seen_is_named(text: str, form: str) -> None:
    """Letters of any script stay as they are."""
    assert visible(text) == form


@given(TEXTS)
def test_the_visible_form_hides_nothing(text: str) -> None:
    """No control, format, private or lone surrogate character is left in it."""
    categories = {unicodedata.category(each) for each in visible(text)}
    assert categories & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} == set()


@given(TEXTS)
def test_html_says_the_visible_form_and_nothing_else(text: str) -> None:
    """The only tags are our own, and they are closed."""
    html = str(marked(text))
    assert plain(html) == visible(text)
    assert set(re.findall(r"<(/?\w+)", html)) <= {"bdi", "/bdi", "span", "/span"}
    assert html.count("<span") == html.count("</span>")
    html.encode()


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_line_is_isolated_text(text: str) -> None:
    """It stands in an element that keeps the direction of what is around it."""
    html = str(marked_line(Line(text), []))
    assert html.startswith('<bdi class="raw">')
    assert html.endswith("</bdi>")
    assert "<script" not in html
    assert "<img" not in html


def test_a_terminal_sequence_is_one_mark() -> None:
    """With what it is, where one points at it."""
    html = str(marked("\x1b[1;31mred"))
    assert '<span class="odd" title="terminal sequence">‹ESC›[1;31m</span>red' in html


def test_a_run_of_one_odd_character_is_one_mark() -> None:
    """A line of NULs is no page of elements."""
    html = str(marked("\x00" * 500))
    assert html.count("<span") == 1
    assert "500 × NUL, U+0000" in html


def test_fields_are_marked_where_they_stand_and_named_beside() -> None:
    """Offsets are in bytes, the end exclusive."""
    line = Line("día ERROR pay: zahlte nicht")
    marks = [Mark("severity", Span(5, 10)), Mark("evidence", Span(16, 28))]
    html = str(marked_line(line, marks))
    assert 'severity</span><mark class="of-severity">ERROR</mark>' in html
    assert '<mark class="of-evidence">zahlte nicht</mark>' in html


def test_marks_may_overlap() -> None:
    """What belongs to two fields is marked for both, once."""
    marks = [Mark("evidence", Span(0, 6)), Mark("severity", Span(3, 9))]
    html = str(marked_line(Line("abcdefghi"), marks))
    assert '<mark class="of-evidence">abc</mark>' in html
    assert '<mark class="of-evidence of-severity">def</mark>' in html
    assert '<mark class="of-severity">ghi</mark>' in html
    assert html.count('class="tag') == 2


@given(TEXTS.filter(lambda text: text.strip() != ""), st.data())
def test_marks_change_no_word_of_the_line(text: str, data: st.DataObject) -> None:
    """Whatever spans they have, in the middle of characters too."""
    line = Line.from_bytes(text.encode("utf-8", "surrogateescape"))
    ends = st.integers(0, len(line.raw))
    spans = data.draw(st.lists(st.tuples(ends, ends).map(sorted), max_size=3))
    marks = [Mark("evidence", Span(start, end)) for start, end in spans if start < end]
    html = re.sub(r'<span class="tag.*?</span>', "", str(marked_line(line, marks)))
    cuts = sorted(
        {0, len(line.raw), *(end for mark in marks for end in (mark.span.start, mark.span.end))}
    )
    pieces = [line.quote(Span(*both)) for both in pairwise(cuts)]
    assert plain(html) == "".join(map(visible, pieces))


def test_a_long_line_is_cut_with_a_note() -> None:
    """Between characters; the note tells how much is left out."""
    line = Line("é" * LONGEST)
    html = str(marked_line(line, []))
    assert f"… {LONGEST:,} bytes more" in html
    assert "‹" not in html


def test_an_excerpt_holds_the_marked_part() -> None:
    """However far back in the line it stands, and is as short as asked for."""
    line = Line("x" * 5_000 + " the fault " + "y" * 5_000)
    html = str(excerpt(line, Mark("evidence", Span(5_001, 5_010)), 100))
    assert '<mark class="of-evidence">the fault</mark>' in html
    assert html.count("…") == 2
    assert len(plain(html)) <= 102


def test_a_short_line_is_its_own_excerpt() -> None:
    """Nothing is left out."""
    html = str(excerpt(Line("pay: it failed"), Mark("evidence", Span(5, 14))))
    assert plain(html) == "pay: it failed"


def test_an_excerpt_of_evidence_longer_than_it_is_cut_short() -> None:
    """A word of 64 KiB too."""
    html = str(excerpt(Line("A" * 65_536), Mark("evidence", Span(0, 65_536)), 300))
    assert plain(html) == "A" * 300 + "…"


def test_a_long_text_is_shortened() -> None:
    """And a short one is not."""
    assert plain(str(shortened("a" * 81, 80))) == "a" * 80 + "…"
    assert plain(str(shortened("a" * 80, 80))) == "a" * 80


@pytest.mark.parametrize(
    ("line", "quote", "meant"),
    [
        ("pay: it failed", "it failed", "it failed"),
        ("a\x1b[31mred\x1b[0m", "red‹ESC›[0m", "red\x1b[0m"),
        ("x\x00\x00y", "‹NUL›y", "\x00y"),
        ("x\udcffy", "x‹FF›y", "x\udcffy"),
        ("says ‹NUL› itself", "‹NUL›", "‹NUL›"),
        ("pay: it failed", "never said", None),
        ("pay: it failed", "", None),
    ],
)
def test_a_quote_of_what_is_seen_means_what_stands_there(
    line: str, quote: str, meant: str | None
) -> None:
    """So that what was copied from a page is byte for byte of the line."""
    assert original(line, quote) == meant


@given(TEXTS.filter(bool), st.data())
def test_any_part_can_be_quoted_as_it_is_seen(text: str, data: st.DataObject) -> None:
    """What is meant has the same visible form, and stands in the line."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    meant = original(text, visible(text[start:end]))
    assert meant is not None
    assert meant in text
    assert visible(meant) == visible(text[start:end]) or meant == visible(text[start:end])


def test_letters_and_signs_are_not_odd() -> None:
    """Accents that combine with a letter are part of it."""
    assert {odd(each) for each in "aé̈ß漢字😀‰"} == {None}


def test_marks_piled_upon_a_letter_are_told_one_by_one() -> None:
    """A tower of them would cover its neighbours, and break nowhere."""
    tower = "e" + 8 * "\u0301" + 3 * "\u0489"
    assert visible(tower + " up") == "e" + 8 * "\u0301" + 3 * "‹U+0489›" + " up"
    assert original(tower + " up", "‹U+0489› up") == "\u0489 up"

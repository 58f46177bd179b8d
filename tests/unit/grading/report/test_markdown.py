from __future__ import annotations

from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from logdocket.grading.report.document import Report
from logdocket.grading.report.markdown import encode
from logdocket.grading.report.visible import visible

from .reports import EVIL, HOSTILE, LINES, PLAIN, report

INERT = {"text", "code_inline", "strong_open", "strong_close", "softbreak"}


def blocks(made: Report) -> list[Token]:
    """Its blocks as a reader of GitHub's Markdown sees them."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return reader.parse(encode(made).decode())


def inline(made: Report) -> Iterator[Token]:
    """What stands within its blocks."""
    for block in blocks(made):
        yield from block.children or ()


def test_a_table_sums_it_up() -> None:
    """One row for each area, and one for all."""
    text = encode(PLAIN).decode()
    assert text.startswith("# Grade: 41.5 to 72.5 of 100\n")
    assert "| Reproducibility | 0 | 25 | 25 | 0 of 1 |\n" in text
    assert "| **all** | 41.5 | 31 | 100 | 2 of 8 |\n" in text


def test_failures_are_told_with_what_to_do() -> None:
    """Expected, seen and hint."""
    assert (
        "### `failure/service/starts`\n\nfail, MUST, 15 lost\n\n"
        "- expected: The service answers with a ticket.\n"
        "- seen: `web-1.example said no.`\n"
        "- hint: Look at what the service does when the model hangs.\n"
    ) in encode(PLAIN).decode()


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "`",
        "``` ` ``",
        "`````\n",
        " ",
        "",
        "|",
        "a\n\n# b\n\n| c | d |\n|--|--|\n| e | f |",
        "\\",
        "\\`",
        "a\\",
        "![](http://evil.example/a.png)",
        "<details>",
        "&lt;&#124;",
        "- [ ] @someone #12",
        "~~~\nb",
        "    indented",
        "\t",
    ],
    ids=ascii,
)
def test_hostile_text_leaves_the_structure_as_it_is(text: str) -> None:
    """The same blocks, and within them nothing but text and code."""
    evil = report(text, text + "\n" + LINES)
    assert [block.type for block in blocks(evil)] == [block.type for block in blocks(PLAIN)]
    assert {token.type for token in inline(evil)} <= INERT


def test_hostile_text_is_shown_to_the_letter() -> None:
    """In spans and blocks of code."""
    spans = {token.content for token in inline(EVIL) if token.type == "code_inline"}
    assert visible(HOSTILE) in spans
    fences = [block.content for block in blocks(EVIL) if block.type == "fence"]
    assert visible(LINES, lines=True) in fences


def test_nothing_but_code_holds_what_others_wrote() -> None:
    """So that nobody is called by their name, and no number becomes a reference."""
    evil = report("@someone #12 www.evil.example", "@someone")
    told = [token.content for token in inline(evil) if token.type == "text"]
    assert [text for text in told if "someone" in text] == ["@someone #12 www.evil.example"]
    assert "- \\@someone \\#12 www\\.evil.example\n" in encode(evil).decode()


def test_the_same_report_gives_the_same_bytes() -> None:
    """Times are not told at all."""
    assert encode(EVIL) == encode(EVIL)
    assert b"12.5" not in encode(PLAIN)
    assert encode(EVIL).endswith(b"\n")

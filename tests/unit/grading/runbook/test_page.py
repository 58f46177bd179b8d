from __future__ import annotations

import pytest

from logdocket.grading.runbook import Block, own, page

MARKDOWN = """# Title

Some `code` and *words*
on two lines.

> # Quoted
> what others said

- one item
- another

| chosen | given up |
|---|---|
| SQLite | replicas |

```sh
# Not a heading
make serve
```

    # neither

Setext
------
"""


def test_a_page_is_headings_and_texts() -> None:
    """Code and quotations are not its own words; a row is read as one text."""
    assert page("README.md", MARKDOWN) == (
        Block(1, 1, "Title"),
        Block(3, 0, "Some `code` and words on two lines."),
        Block(9, 0, "one item"),
        Block(10, 0, "another"),
        Block(14, 0, "SQLite: replicas", row=True),
        Block(23, 2, "Setext"),
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "README.rst",
            "=====\nTitle\n=====\n\nWords.\n\nBelow\n-----\n\nMore.\n\n::\n\n    code\n",
        ),
        ("README.adoc", "\n= Title\n\n\nWords.\n\n== Below\n\n\nMore.\n"),
        ("README", "\nTitle\n=====\n\nWords.\n\nBelow\n-----\n\nMore.\n"),
        ("README.txt", "\n# Title\n\n\nWords.\n\n## Below\n\n\nMore.\n"),
    ],
)
def test_other_markup_is_read_alike(path: str, text: str) -> None:
    """Each line keeps its number."""
    assert page(path, text) == (
        Block(2, 1, "Title"),
        Block(5, 0, "Words."),
        Block(7, 2, "Below"),
        Block(10, 0, "More."),
    )


@pytest.mark.parametrize("text", ["", "\n", "|", "> ", "#", "<!-- limits -->", "- " * 4000])
def test_odd_pages_are_read(text: str) -> None:
    """Whatever stands in them, or does not."""
    assert all(not block.text.strip("-| ") for block in page("README.md", text))


def test_what_the_brief_says_is_not_the_answers_own() -> None:
    """Copied as it is, its markup aside; what somebody adds to it is."""
    copied = "- A request to the model is tried again **at most once**.\n"
    added = "- A request to the model is tried again at most once. That cannot be changed.\n"
    assert own(page("README.md", copied)) == ()
    assert len(own(page("README.md", added))) == 1

"""Reads a page of a runbook: its headings and its texts, without code and quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["Block", "page"]

_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")
_UNDERLINE: Final = re.compile(r"([=\-~^\"'*+#:.`_<>])\1{2,}\s*")
_DIRECTIVE: Final = re.compile(r"\s*(\.\. .*|::)")
_ADOC: Final = re.compile(r"(={1,6}) (?=\S)")
_LONGEST: Final = 200_000
"""Characters of a page that are read: reading deep nesting takes its time."""


class Block(msgspec.Struct, frozen=True):
    """A heading of some ``level`` (1 to 6), or a text (0): a paragraph or an item, or the ``row``
    of a table, at the ``line`` (from 1) where it begins.
    """

    line: int
    level: int
    text: str
    row: bool = False


def page(path: str, text: str) -> tuple[Block, ...]:
    """The blocks of a page in their order, whether it is Markdown, reStructuredText, AsciiDoc or
    plain text. What stands in a block quotation is somebody else's, and left out.
    """
    text = text[:_LONGEST]
    if path.lower().endswith(".rst"):
        text = _from_rst(text)
    elif path.lower().endswith((".adoc", ".asciidoc")):
        text = "\n".join(_ADOC.sub(lambda m: "#" * len(m[1]) + " ", x) for x in text.split("\n"))
    return tuple(_blocks(_MARKDOWN.parse(text)))


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    level = quoted = head = 0
    row: list[str] | None = None
    line = 1
    for token in tokens:
        quoted += token.nesting if token.type.startswith("blockquote") else 0
        head += token.nesting if token.type.startswith("thead") else 0
        if token.type.startswith("heading"):
            level = int(token.tag[1]) if token.nesting > 0 else 0
        elif token.type == "tr_open":
            row, line = [], _line(token)
        elif token.type == "tr_close" and row is not None:
            if not quoted and not head:
                yield Block(line, 0, ": ".join(filter(None, row)), row=True)
            row = None
        elif token.type == "inline" and row is not None:
            row.append(_plain(token))
        elif token.type == "inline" and not quoted:
            yield Block(_line(token), level, _plain(token))


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _plain(token: Token) -> str:
    """The words of a paragraph, without what marks them up."""
    said = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            said.append(" ")
        elif child.type == "code_inline":
            said.append(f"`{child.content}`")
        elif child.type == "text":
            said.append(child.content)
    return " ".join("".join(said).split())


def _from_rst(text: str) -> str:
    """The page with its headings in Markdown's way, each on its own line as before."""
    lines = ["" if _DIRECTIVE.fullmatch(line) else line for line in text.split("\n")]
    marks: list[str] = []
    for at in range(1, len(lines)):
        title, mark = lines[at - 1].rstrip(), _UNDERLINE.fullmatch(lines[at])
        if not mark or not title or title[0].isspace() or _UNDERLINE.fullmatch(title):
            continue
        if len(lines[at].rstrip()) < len(title):
            continue
        if at > 1 and lines[at - 2].rstrip() == lines[at].rstrip():
            lines[at - 2] = ""
        if mark[1] not in marks:
            marks.append(mark[1])
        lines[at - 1] = "#" * min(marks.index(mark[1]) + 1, 6) + " " + title
        lines[at] = ""
    return "\n".join(lines)

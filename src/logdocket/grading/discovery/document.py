"""Cuts a document (Markdown, reStructuredText, plain text) into commands and what they are for.

It goes over the lines once. What counts as code: fenced blocks, indented blocks, lines that begin
with a prompt, spans between backquotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from logdocket.grading.discovery.files import lines

__all__ = ["Snippet", "snippets"]

_FENCE: Final = re.compile(r"\s{0,12}(?:[-*>] )?\s{0,4}(`{3,}|~{3,})\s{0,4}([\w+-]{0,20})")
_UNDERLINE: Final = re.compile(r"(={3,}|-{3,}|~{3,}|\^{3,})")
_PROMPT: Final = re.compile(r"(?:\([\w.-]{1,40}\) ?)?[$%] +")
_SPAN: Final = re.compile(r"`{1,2}([^`]+)`{1,2}")
_DIRECTIVE: Final = re.compile(r"\.\. (?:code|code-block|sourcecode)::")
_SHELLS: Final = frozenset(
    ["", "sh", "bash", "shell", "zsh", "console", "shell-session", "sh-session", "text", "make"]
)


class Snippet(msgspec.Struct, frozen=True):
    """A line of code at ``line`` (from 1): ``heading`` and ``near`` are the words above and
    beside it, in lower case; ``span`` where it stands within a sentence or a cell.
    """

    code: str
    line: int
    heading: str
    near: str
    span: bool


def snippets(text: str) -> Iterator[Snippet]:
    """The pieces of code in ``text``, in their order, lines that go on joined."""
    yield from _joined(_raw(text))


def _raw(text: str) -> Iterator[Snippet]:
    heading = near = before = fence = ""
    shell = False
    for number, line in lines(text):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2]:
                fence = ""
            elif shell and line.lstrip().startswith("#"):
                near = line.lower()
            elif shell:
                yield from _block(line, number, heading, near)
        elif mark:
            fence, shell = mark[1], mark[2].lower() in _SHELLS
        elif line.startswith("#"):
            heading, near = line.lstrip("# ").lower(), ""
        elif _UNDERLINE.fullmatch(line) and before:
            heading, near = before.lower(), ""
        elif line.startswith(("    ", "\t")) or _PROMPT.match(line):
            yield from _block(line, number, heading, near)
        elif line.strip() and not _DIRECTIVE.match(line):
            near = line.lower()
            yield from _spans(line, number, heading)
        before = line.strip()


def _block(line: str, number: int, heading: str, near: str) -> Iterator[Snippet]:
    code, _, said = _PROMPT.sub("", line.strip(), count=1).partition(" # ")
    if code and not code.startswith("#"):
        yield Snippet(code.strip(), number, heading, f"{near} {said.lower()}", span=False)


def _spans(line: str, number: int, heading: str) -> Iterator[Snippet]:
    """The spans of a sentence or of a row; what is near is the text around them."""
    at = 0
    row = _SPAN.sub(" ", line) if line.lstrip().startswith("|") else ""
    for match in _SPAN.finditer(line):
        near = row or line[max(at, match.start() - 60) : match.start()]
        yield Snippet(match[1].strip(), number, heading, near.lower(), span=True)
        at = match.end()


def _joined(pieces: Iterator[Snippet]) -> Iterator[Snippet]:
    """The pieces, with what ends in a backslash and what follows it as one."""
    held: Snippet | None = None
    for piece in pieces:
        if held is not None and not piece.span:
            code = f"{held.code[:-1].rstrip()} {piece.code}"
            piece = msgspec.structs.replace(held, code=code)
        held = None
        if piece.code.endswith("\\") and not piece.span and len(piece.code) < 4000:
            held = piece
        else:
            yield piece
    if held is not None:
        yield msgspec.structs.replace(held, code=held.code[:-1].rstrip())

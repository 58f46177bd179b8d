"""What README, runbook and documents tell: commands, the path and the field, the ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from logdocket.grading.discovery.command import KINDS, kind, runs_here, trimmed
from logdocket.grading.discovery.document import Snippet, snippets
from logdocket.grading.discovery.files import Files, lines
from logdocket.grading.discovery.hint import Hint
from logdocket.grading.discovery.port import told_port
from logdocket.grading.ledger.files import ENDINGS

__all__ = ["NAMES", "documents", "runbooks", "told"]

NAMES: Final = ("runbook*", "readme*", "docs/runbook*", "docs/*.md", "docs/*.rst")
"""Shapes of the paths of documents that tell how to run it, the likeliest first."""
_TEXT: Final = (".md", ".rst", ".txt", ".adoc", ".markdown")
_MOST: Final = 12
"""Documents that are read."""

_POST: Final = re.compile(r"\bPOST\b[ `*:]{1,6}(?:https?://[\w.:-]{1,80})?(/[\w./{}-]{0,80})")
_CURL: Final = re.compile(r"https?://[\w.-]{1,80}(?::\{?\$?\w{1,12}\}?)?(/[\w./-]{1,80})")
_BARE: Final = re.compile(r"(?:localhost|127\.0\.0\.1):\$?\w{1,8}(/[\w./-]{1,80})")
_BODY: Final = re.compile(r"(?:-d|--data(?:-raw|-binary)?|--json)[ =]'([^']{2,1500})'")
_FIELDS: Final = ("line", "log_line", "log", "text", "message", "input", "raw")
_LEDGER_PATH: Final = re.compile(
    r"\bGET\b[ `*:]{1,6}(?:https?://[\w.:-]{1,80})?(/[\w./-]{0,60}ledger[\w./-]{0,40})"
)
_LEDGER_FILE: Final = re.compile(
    r"(?<![\w./:{<$-])((?:[\w-][\w.-]{0,40}/){0,4}[\w-]{0,40}ledger[\w-]{0,40}"
    rf"\.(?:{'|'.join(ENDINGS)}))\b",
    re.I,
)
_LEDGER_URL: Final = re.compile(r"/[\w./-]{0,60}ledger[\w./-]{0,40}(?:\?[\w=&-]{1,60})?")


def documents(files: Files) -> tuple[str, ...]:
    """The documents that tell how to run it, the runbook first."""
    found = [p for p in files.like(*NAMES) if p.lower().endswith(_TEXT) or "." not in p]
    return tuple(found[:_MOST])


def runbooks(files: Files) -> tuple[str, ...]:
    """Those of them that are made for whoever runs it: all but what else lies in docs."""
    return tuple(path for path in documents(files) if "/" not in path or "runbook" in path.lower())


def told(files: Files) -> Iterator[Hint]:
    """What the documents tell, one after the other."""
    for path in documents(files):
        text = files.text(path)
        for snippet in snippets(text):
            yield from _commands(path, snippet, files)
            yield from _asks(path, snippet)
        for number, line in lines(text):
            yield from _places(f"{path}:{number}", line)


def _commands(path: str, snippet: Snippet, files: Files) -> Iterator[Hint]:
    command = trimmed(snippet.code)
    if snippet.span and not re.search(r"[\s/]", command):
        return
    found = kind(command, snippet.near, snippet.heading)
    if found is None or not runs_here(command, files):
        return
    purpose, rank = found
    if snippet.span and rank > 2:
        return
    command = told_port(command) if purpose == "start" else command
    yield Hint(KINDS[purpose], command, f"{path}:{snippet.line}", rank)


def _asks(path: str, snippet: Snippet) -> Iterator[Hint]:
    """Path and field of a curl command; that of a ledger."""
    if not re.match(r"(\w+=\S+ )*(curl|http|https|xh) ", snippet.code):
        return
    origin = f"{path}:{snippet.line}"
    found = _CURL.search(snippet.code) or _BARE.search(snippet.code)
    if found is None:
        return
    body = _BODY.search(snippet.code)
    if body is not None:
        rank = 1 if "extract" in found[1] else 4
        yield Hint("service.path", found[1], origin, rank)
        field = _field(body[1])
        if field is not None:
            yield Hint("service.field", field, origin, rank)
    elif "ledger" in found[1]:
        yield from _ledger_url(found[1], origin, 2)


def _field(body: str) -> str | None:
    """The key of the line in a JSON body."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    texts = [key for key, inner in value.items() if isinstance(inner, str)]
    return next((key for key in _FIELDS if key in texts), texts[0] if texts else None)


def _places(origin: str, line: str) -> Iterator[Hint]:
    """Paths of the service and files that a line of a document names."""
    for match in _POST.finditer(line):
        if match[1] != "/" and "{" not in match[1]:
            yield Hint("service.path", match[1], origin, 2 if "extract" in match[1] else 5)
    for match in _LEDGER_PATH.finditer(line):
        yield from _ledger_url(match[1], origin, 1)
    for match in _LEDGER_FILE.finditer(line):
        yield Hint("ledger.file", match[1], origin, 3)


def _ledger_url(path: str, origin: str, rank: int) -> Iterator[Hint]:
    """The path, surer where it is the ledger itself and not a part such as its summary."""
    if _LEDGER_URL.fullmatch(path):
        yield Hint("ledger.url", path, origin, rank if path.rstrip("/").endswith("ledger") else 4)

"""Finds the commands that a runbook shows for starting, testing and replaying."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from logdocket.grading.discovery.command import kind, runs_here, trimmed, words
from logdocket.grading.discovery.document import Snippet, snippets
from logdocket.grading.discovery.files import Files
from logdocket.grading.discovery.recipe import scripts

__all__ = ["PURPOSES", "shown"]

PURPOSES: Final = ("start", "test", "replay")
_SURE: Final = 2
"""The rank up to which a command within a sentence is taken for what it seems to be for."""
_MAKE: Final = re.compile(r"make\s+(?:-\S+\s+|\w+=\S*\s+)*([\w.-]+)")
_SCRIPT: Final = re.compile(r"(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?([\w:.-]+)")
_PORT: Final = re.compile(r"\{port\}|^--?\w*(port|bind|listen|addr)$|^-p$")


def shown(files: Files, pages: Mapping[str, str], told: Mapping[str, str | None]) -> dict[str, str]:
    """The command that ``pages`` (texts by path) show for each purpose, where they show one.

    ``told`` are the commands that the grading goes by; a page may show another one for the same
    purpose, so long as what it calls is there.
    """
    found: dict[str, str] = {}
    for text in pages.values():
        for snippet in snippets(text):
            for purpose in _purposes(snippet, files, told):
                found.setdefault(purpose, snippet.code)
    return {purpose: found[purpose] for purpose in PURPOSES if purpose in found}


def _purposes(snippet: Snippet, files: Files, told: Mapping[str, str | None]) -> list[str]:
    same = [p for p in PURPOSES if _same(snippet.code, told.get(p))]
    command = trimmed(snippet.code)
    meant = kind(command, snippet.near, snippet.heading)
    if same or meant is None or meant[0] not in PURPOSES:
        return same
    if snippet.span and (meant[1] > _SURE or not re.search(r"[\s/]", command)):
        return []
    return [meant[0]] if runs_here(command, files) and _is_there(command, files) else []


def _same(code: str, told: str | None) -> bool:
    """Whether ``code`` is the command ``told``, whatever port and variables either is given."""
    wanted = _essence(told or "")
    return bool(wanted) and wanted <= _essence(code)


def _essence(command: str) -> set[str]:
    parts = words(command.replace(".venv/bin/", "")).split()
    return {part for part in parts if not _PORT.search(part)}


def _is_there(command: str, files: Files) -> bool:
    """Whether the target or the script that ``command`` names is one."""
    bare = words(command)
    target, script = _MAKE.match(bare), _SCRIPT.match(bare)
    if target:
        recipe = "\n".join(map(files.text, files.like("makefile", "gnumakefile", "*.mk")))
        name = re.escape(target[1])
        return bool(re.search(rf"^(?:[^\n:=#]*\s)?{name}(?:\s[^\n:=]*)?:", recipe, re.M))
    if script:
        return script[1] in {*scripts(files), "install", "ci"}
    return True

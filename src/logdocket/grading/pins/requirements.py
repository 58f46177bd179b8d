"""Reads requirement files as pip does, as far as names and pins go."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from typing import Final

import msgspec

from logdocket.grading.pins.declared import canonical
from logdocket.grading.tree import Tree

__all__ = ["Requirement", "installed_by", "requirement", "requirements"]

_NAME: Final = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^]]*\])?\s*(.*)", re.S)
_EXACT: Final = re.compile(r"===?\s*[^\s,*=]+(?![\w.*])")
_OTHER: Final = re.compile(r"^(?:-r|-c|--requirement|--constraint)[\s=]*(\S+)")
_COMMENT: Final = re.compile(r"(^|\s)#.*")
_COMMIT: Final = re.compile(r"@[0-9a-f]{40}\b|[#&]sha(?:256|384|512)=")
_EGG: Final = re.compile(r"[#&]egg=([\w.-]+)")
_PIP: Final = re.compile(r"\bpip[\d.]*(?:\s+-\S+)*\s+install\b([^\n;&|)]*)")
_TOOLS: Final = frozenset("pip setuptools wheel uv poetry pipenv pdm hatch virtualenv".split())


class Requirement(msgspec.Struct, frozen=True):
    """A package by its canonical name, whether it is ``pinned``, and whether it is only a
    constraint: then nothing is declared by it.
    """

    name: str
    pinned: bool
    constraint: bool = False


def requirement(text: str) -> Requirement | None:
    """What one requirement says, None where it names no package: a path, an option."""
    text = text.strip()
    if not text or text.startswith(("-", ".", "/")):
        return None
    if "://" in text.split(" ")[0]:
        egg = _EGG.search(text)
        name = egg[1] if egg else text.split("?")[0].rstrip("/").rpartition("/")[2].split("@")[0]
        return Requirement(canonical(name), bool(_COMMIT.search(text)) or "--hash=" in text)
    match = _NAME.fullmatch(text)
    if match is None:
        return None
    said = match[2].partition(";")[0] if "://" not in match[2] else match[2]
    if said and said[0] not in "=<>!~@;-(":
        return None
    exact = _COMMIT.search(said) if said.startswith("@") else _EXACT.search(said)
    return Requirement(canonical(match[1]), bool(exact) or "--hash=" in text)


def requirements(
    tree: Tree, path: str, *, constraint: bool = False, seen: set[str] | None = None
) -> Iterator[Requirement]:
    """What the file at ``path`` asks for, and those it names with -r and -c, each read once."""
    seen = set() if seen is None else seen
    if path in seen:
        return
    seen.add(path)
    for line in re.sub(r"\\\r?\n", " ", tree.text(path)).split("\n"):
        line = _COMMENT.sub("", line).strip()
        other = _OTHER.match(line)
        if other:
            inside = posixpath.normpath(posixpath.join(posixpath.dirname(path), other[1]))
            only = constraint or line.startswith(("-c", "--c"))
            yield from requirements(tree, inside, constraint=only, seen=seen)
        elif found := requirement(line):
            yield msgspec.structs.replace(found, constraint=constraint)


def installed_by(text: str) -> tuple[list[Requirement], list[str]]:
    """What the ``pip install`` commands in ``text`` install by name, and the requirement files
    they name. What stands in variables is not known.
    """
    found: list[Requirement] = []
    files: list[str] = []
    for command in _PIP.findall(re.sub(r"\\\r?\n", " ", text)):
        try:
            words = shlex.split(command, comments=True)
        except ValueError:
            words = command.split()
        one = _words(words)
        found += one[0]
        files += one[1]
    return found, files


def _words(words: list[str]) -> tuple[list[Requirement], list[str]]:
    found, files, before = [], [], ""
    for word in words:
        other = _OTHER.match(word)
        if before in ("-r", "--requirement"):
            files.append(word)
        elif other and not word.startswith(("-c", "--c")):
            files.append(other[1])
        elif not before.startswith("-") and not re.search(r"[$`{]|^-|^\d*[<>]", word):
            one = requirement(word)
            if one is not None and one.name not in _TOOLS:
                found.append(one)
        # Options that take a value in the next word; of others nothing follows.
        before = word if word in _VALUED else ""
    return found, files


_VALUED: Final = frozenset("-r --requirement -c --constraint -i -f -e -t --target --prefix".split())

"""Python: requirement files, pyproject.toml, setup.cfg, setup.py, Pipfile and their locks."""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from logdocket.grading.pins.declared import Pins, canonical
from logdocket.grading.pins.requirements import (
    Requirement,
    installed_by,
    requirement,
    requirements,
)
from logdocket.grading.plain import beginning
from logdocket.grading.tree import Tree

__all__ = ["python"]

_FILES: Final = ("*requirements*.txt", "*requirements*.in", "*requirements*.lock")
_INSIDE: Final = ("*.txt", "*.in", "*.lock")
_CONSTRAINTS: Final = ("*constraints*.txt",)
_RECIPES: Final = ("Makefile", "makefile", "GNUmakefile", "justfile", "Dockerfile*", "*.sh")
_ALWAYS: Final = frozenset({"pip", "setuptools", "wheel"})
"""What a fresh environment may hold by itself."""
_ORIGIN: Final = 64 * 1024
"""Bytes that are read of where a package was installed from: it is one address."""
_HEADER: Final = re.compile(r"^# /// script\n((?:#.*\n)+?)# ///\s*$", re.M)


def python(tree: Tree, folder: str, commands: tuple[str, ...] = ()) -> Pins | None:
    """What ``folder`` declares for Python, None if nothing; ``commands`` set the answer up."""
    declared: set[str] = set()
    pinned: dict[str, str] = {}
    own = _own(tree, folder)
    for path, found in _declared(tree, folder, commands):
        if not found.constraint:
            declared.add(found.name)
        if found.pinned:
            pinned.setdefault(found.name, path)
    for path, name in _locked(tree, folder):
        pinned.setdefault(name, path)
    declared.discard(own)
    if not declared:
        return None
    loose = declared - set(pinned)
    more = _installed(tree.root / folder) - set(pinned) - loose - _ALWAYS - {own}
    by = {path for name, path in pinned.items() if name in declared}
    return Pins(
        "Python", *(tuple(sorted(names)) for names in (declared, loose, by, more if by else ()))
    )


def _declared(
    tree: Tree, folder: str, commands: tuple[str, ...]
) -> Iterator[tuple[str, Requirement]]:
    """Each requirement with the file that says it."""
    files = tree.like(folder, *_FILES)
    files += tree.like(f"{folder}/requirements".lstrip("/"), *_INSIDE)
    for text in (*commands, *map(tree.text, tree.like(folder, *_RECIPES))):
        found, named = installed_by(text)
        yield from (("the command that installs it", one) for one in found)
        files += [f"{folder}/{name}".lstrip("/") for name in named]
    for path in dict.fromkeys(files):
        only = "constraints" in path.rpartition("/")[2]
        yield from ((path, one) for one in requirements(tree, path, constraint=only))
    for path in tree.like(folder, *_CONSTRAINTS):
        yield from ((path, one) for one in requirements(tree, path, constraint=True))
    for name, read in _DECLARING.items():
        for path in tree.like(folder, name):
            yield from ((path, one) for one in read(tree.text(path)))


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError:
        return {}


def _under(value: Any, *keys: str) -> Any:
    """What stands under ``keys`` of nested tables, an empty table where nothing does."""
    for key in keys:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value


def _own(tree: Tree, folder: str) -> str:
    """The answer's own name, which its extras and its environment mention."""
    paths = tree.like(folder, "pyproject.toml")
    project = _toml(tree.text(paths[0])) if paths else {}
    name = _under(project, "project", "name") or _under(project, "tool", "poetry", "name")
    return canonical(name) if isinstance(name, str) else ""


def _strings(value: Any) -> Iterator[Requirement]:
    """The requirements in lists of strings, however deep in tables."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            found = requirement(inner) if isinstance(inner, str) else None
            if found is not None:
                yield found


def _table(value: Any) -> Iterator[Requirement]:
    """The requirements in a table from name to version, as Poetry and Pipenv write them."""
    for name, version in value.items() if isinstance(value, dict) else ():
        if isinstance(version, dict):
            if "path" in version:
                continue
            said = version.get("version", "")
            exact = bool(re.fullmatch(r"[0-9a-f]{40}", str(version.get("rev", ""))))
        else:
            said, exact = version, False
        exact = exact or bool(re.fullmatch(r"(==\s*)?\d+(\.\d+)+[\w.]*", str(said)))
        if name.lower() != "python":
            yield Requirement(canonical(name), exact)


def _pyproject(text: str) -> Iterator[Requirement]:
    tables = _toml(text)
    yield from _strings(_under(tables, "project", "dependencies"))
    yield from _strings(_under(tables, "project", "optional-dependencies"))
    yield from _strings(_under(tables, "dependency-groups"))
    for tool in ("pdm", "uv"):
        yield from _strings(_under(tables, "tool", tool, "dev-dependencies"))
    poetry = _under(tables, "tool", "poetry")
    groups = _under(poetry, "group")
    for table in (*(groups.values() if isinstance(groups, dict) else ()), poetry):
        yield from _table(_under(table, "dependencies"))
    yield from _table(_under(poetry, "dev-dependencies"))


def _setup_cfg(text: str) -> Iterator[Requirement]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    lists = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        lists += [value for _, value in parser.items("options.extras_require")]
    yield from _strings([line for lines in lists for line in lines.split("\n")])


def _setup_py(text: str) -> Iterator[Requirement]:
    """What a literal list says; what is computed is not known."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(module):
        if isinstance(node, ast.keyword) and node.arg in ("install_requires", "extras_require"):
            inner = (n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant))
            yield from _strings([value for value in inner if isinstance(value, str)])


def _pipfile(text: str) -> Iterator[Requirement]:
    tables = _toml(text)
    for name in ("packages", "dev-packages"):
        yield from _table(tables.get(name))


def _script(text: str) -> Iterator[Requirement]:
    """What a script's own header says (PEP 723)."""
    for block in _HEADER.findall(text):
        lines = (line.removeprefix("#").removeprefix(" ") for line in block.split("\n"))
        yield from _strings(_toml("\n".join(lines)).get("dependencies"))


_DECLARING: Final[dict[str, Callable[[str], Iterator[Requirement]]]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "Pipfile": _pipfile,
    "*.py": _script,
}


def _lock(text: str) -> Iterator[str]:
    """The names of a lock in TOML: uv, Poetry, PDM and PEP 751 differ in one letter."""
    tables = _toml(text)
    for key in ("package", "packages"):
        packages = tables.get(key)
        for package in packages if isinstance(packages, list) else ():
            if isinstance(package, dict) and isinstance(package.get("name"), str):
                yield package["name"]


def _pipfile_lock(text: str) -> Iterator[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    for key in ("default", "develop"):
        yield from _under(value, key)


_LOCKS: Final[dict[str, Callable[[str], Iterator[str]]]] = {
    "uv.lock": _lock,
    "poetry.lock": _lock,
    "pdm.lock": _lock,
    "*.py.lock": _lock,
    "pylock.toml": _lock,
    "pylock.*.toml": _lock,
    "Pipfile.lock": _pipfile_lock,
}


def _locked(tree: Tree, folder: str) -> Iterator[tuple[str, str]]:
    """Each lock's path and a name in it; the lock of a workspace stands above."""
    for pattern, read in _LOCKS.items():
        for path in tree.above(folder, (pattern,)):
            yield from ((path, canonical(name)) for name in read(tree.text(path)))


def _installed(folder: Path) -> set[str]:
    """What is installed in an environment that stands in ``folder``, the answer itself aside."""
    return {
        canonical(info.name.partition("-")[0])
        for mark in folder.glob("*/pyvenv.cfg")
        for info in mark.parent.glob("lib*/python*/site-packages/*.dist-info")
        if not _local(info)
    }


def _local(info: Path) -> bool:
    """Whether it was installed from a folder, not from a version that somebody published."""
    return b'"file:' in (beginning(info, "direct_url.json", _ORIGIN) or b"")

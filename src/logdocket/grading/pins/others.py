"""Every other language: a file that declares, and the lock files that pin what it declares."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from logdocket.grading.pins.declared import Pins
from logdocket.grading.tree import Tree

__all__ = ["WAYS", "Way", "locked"]

_Declares = Callable[[str], Iterator[tuple[str, bool]]]


class Way(msgspec.Struct, frozen=True):
    """How a language declares and pins: ``declares`` gives the names that a text of ``file``
    declares, and whether it gives an exact version there; one of ``locks`` pins them all.
    """

    language: str
    file: str
    declares: _Declares
    locks: tuple[str, ...]


def locked(tree: Tree, folder: str, way: Way) -> Pins | None:
    """What ``folder`` declares in ``way``, None if nothing."""
    declared: dict[str, bool] = {}
    for path in tree.like(folder, way.file):
        declared |= dict(way.declares(tree.text(path)))
    if not declared:
        return None
    locks = tree.above(folder, way.locks)
    text = "\n".join(map(tree.text, locks)).lower()
    if locks:
        loose = {name for name in declared if name.lower() not in text}
        by = tuple(locks)
    else:
        loose = {name for name, exact in declared.items() if not exact}
        by = tuple(tree.like(folder, way.file)) if len(loose) < len(declared) else ()
    return Pins(way.language, tuple(sorted(declared)), tuple(sorted(loose)), by)


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _tables(value: dict[str, Any], *keys: str) -> Iterator[tuple[str, str]]:
    for key in keys:
        table = value.get(key)
        for name, version in table.items() if isinstance(table, dict) else ():
            yield name, str(version)


_VERSION: Final = re.compile(r"[=v]{0,2}\d+(\.\d+){1,3}([-+.][\w.+-]+)?")


def _node(text: str) -> Iterator[tuple[str, bool]]:
    keys = ("dependencies", "devDependencies", "optionalDependencies")
    for name, version in _tables(_json(text), *keys):
        if not version.startswith(("file:", "link:", "workspace:")):
            yield name, bool(_VERSION.fullmatch(version))


def _deno(text: str) -> Iterator[tuple[str, bool]]:
    for name, where in _tables(_json(text), "imports"):
        if re.match(r"(npm|jsr|https?):", where):
            yield name, bool(re.search(r"@v?\d+\.\d+\.\d+", where))


def _composer(text: str) -> Iterator[tuple[str, bool]]:
    for name, version in _tables(_json(text), "require", "require-dev"):
        if "/" in name:
            yield name, bool(_VERSION.fullmatch(version))


def _go(text: str) -> Iterator[tuple[str, bool]]:
    """The modules that are required; go.sum has to bear out their versions."""
    blocks = "\n".join(re.findall(r"^require\s*\(([^)]*)\)", text, re.M))
    single = "\n".join(re.findall(r"^require\s+([^(\s].*)$", text, re.M))
    for line in f"{blocks}\n{single}".split("\n"):
        found = re.match(r"\s*([\w.~-]+(?:/[\w.~-]+)*)\s+v\d", line)
        if found:
            yield found[1], False


def _cargo(text: str) -> Iterator[tuple[str, bool]]:
    """The crates under any [... dependencies] heading, the answer's own members aside."""
    within = False
    for line in text.split("\n"):
        heading = re.match(r"\s*\[+([^]]+)\]+", line)
        if heading:
            words = heading[1].strip()
            within = words.endswith("dependencies")
            inner = re.search(r"dependencies\.([\w-]+)$", words)
            if inner:
                yield inner[1], False
            continue
        found = re.match(r"\s*([\w-]+)(?:\.\w+)?\s*=\s*(.+)", line) if within else None
        if found and not re.search(r"\bpath\s*=|^\s*true", found[2]):
            exact = re.search(r"\"=\s*\d+\.\d+\.\d+", found[2])
            yield found[1], bool(exact)


def _ruby(text: str) -> Iterator[tuple[str, bool]]:
    for name, rest in re.findall(r"^\s*gem[\s(]+['\"]([^'\"]+)['\"](.*)$", text, re.M):
        if "path:" not in rest:
            yield name, bool(re.match(r"\s*,\s*['\"]=?\s*\d+(\.\d+)+['\"]", rest))


def _maven(text: str) -> Iterator[tuple[str, bool]]:
    """A version in a pom.xml is exact, unless it is a range, LATEST or a SNAPSHOT; one that is
    left out comes from the parent, whose version is given.
    """
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    for body in re.findall(r"<dependency>(.*?)</dependency>", text, re.S):
        name = re.search(r"<artifactId>\s*([^<\s]+)", body)
        version = re.search(r"<version>\s*([^<\s]+)", body)
        if name:
            loose = version and re.search(r"[\[(,]|LATEST|RELEASE|SNAPSHOT", version[1])
            yield name[1], not loose


def _gradle(text: str) -> Iterator[tuple[str, bool]]:
    """Coordinates as group:name:version; a version that is left out comes from a platform."""
    kinds = r"\b\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|classpath)\b"
    for _, found in re.findall(rf"{kinds}[\s(]+(['\"])([\w.-]+:[^'\"]+)\1", text):
        version = found.split(":")[2] if found.count(":") > 1 else ""
        loose = re.search(r"\+|latest|[\[(,]|SNAPSHOT", version)
        yield ":".join(found.split(":")[:2]), not loose


def _dotnet(text: str) -> Iterator[tuple[str, bool]]:
    for tag in re.findall(r"<PackageReference\s([^>]*)", text):
        name = re.search(r"Include=\"([^\"]+)", tag)
        version = re.search(r"Version=\"([^\"]+)", tag)
        if name:
            yield name[1], bool(version and not re.search(r"[*(]|\[.*,", version[1]))


def _elixir(text: str) -> Iterator[tuple[str, bool]]:
    for name, version in re.findall(r"\{:(\w+),\s*\"([^\"]+)\"", text):
        yield name, bool(re.fullmatch(r"(==\s*)?\d+\.\d+\.\d+", version))


_NODE_LOCKS: Final = (
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
)

WAYS: Final[tuple[Way, ...]] = (
    Way("Node", "package.json", _node, _NODE_LOCKS),
    Way("Deno", "deno.json*", _deno, ("deno.lock",)),
    Way("Go", "go.mod", _go, ("go.sum",)),
    Way("Rust", "Cargo.toml", _cargo, ("Cargo.lock",)),
    Way("Ruby", "Gemfile", _ruby, ("Gemfile.lock",)),
    Way("PHP", "composer.json", _composer, ("composer.lock",)),
    Way("Maven", "pom.xml", _maven, ()),
    Way("Gradle", "build.gradle*", _gradle, ("gradle.lockfile",)),
    Way(".NET", "*.csproj", _dotnet, ("packages.lock.json",)),
    Way("Elixir", "mix.exs", _elixir, ("mix.lock",)),
)
"""One line for each language; another one needs a function that reads what it declares."""

"""What package.json and the files of a Node project tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from logdocket.grading.discovery.files import Files
from logdocket.grading.discovery.hint import Hint
from logdocket.grading.discovery.recipe import scripts

__all__ = ["told"]

_FILE: Final = "package.json"
_LOCKS: Final = (
    ("package-lock.json", "npm ci"),
    ("npm-shrinkwrap.json", "npm ci"),
    ("yarn.lock", "yarn install --frozen-lockfile"),
    ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
)
_SCRIPTS: Final = {
    "service.start": "start serve server dev",
    "test.command": "test tests check",
    "replay.command": "replay replay:fixture replay-fixture fixture:replay",
    "ledger.command": "ledger",
}
_BARE: Final = ("start", "test")
"""The scripts that npm runs without the word run."""
_NONE_YET: Final = "no test specified"
_ENTRIES: Final = tuple(
    f"{folder}{name}.{ending}"
    for folder in ("", "src/")
    for name in ("server", "app", "index", "main")
    for ending in ("js", "mjs", "cjs")
)
_REPLAYS: Final = ("replay.js", "replay.mjs", "scripts/replay.js", "scripts/replay.mjs")


def told(files: Files) -> Iterator[Hint]:
    """Set-up, scripts, and files with a usual name."""
    package = files.json(_FILE)
    named = scripts(files)
    yield from _setup(files, package, named)
    for key, names in _SCRIPTS.items():
        for name in names.split():
            if name in named and _NONE_YET not in named[name]:
                yield Hint(key, f"npm {name}" if name in _BARE else f"npm run {name}", _FILE)
    main = package.get("main")
    for path in (*([main] if isinstance(main, str) else []), *_ENTRIES):
        if path.endswith(("js", "mjs", "cjs")) and files.has(path) and " " not in path:
            yield Hint("service.start", f"node {path}", path, 8)
    for path in _REPLAYS:
        if files.has(path):
            yield Hint("replay.command", f"node {path}", path, 8)
    tests = files.like("*.test.js", "*.test.mjs", "test/*.js", "test/*.mjs", "tests/*.test.*js")
    if tests:
        yield Hint("test.command", "node --test", tests[0], 8)


def _setup(files: Files, package: dict[str, object], named: dict[str, str]) -> Iterator[Hint]:
    if not any(_texts(package.get(key)) for key in ("dependencies", "devDependencies")):
        return
    lock = next((lock for lock in _LOCKS if files.has(lock[0])), (_FILE, "npm install"))
    built = " && npm run build" if "build" in named else ""
    yield Hint("setup.command", lock[1] + built, lock[0])


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: inner for key, inner in value.items() if isinstance(inner, str)}

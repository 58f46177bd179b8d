"""What a command that a document shows is for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Final

from logdocket.grading.discovery.files import Files
from logdocket.grading.discovery.recipe import MAKEFILES, recipe

__all__ = ["KINDS", "kind", "runs_here", "trimmed", "words"]

KINDS: Final[Mapping[str, str]] = {
    "start": "service.start",
    "test": "test.command",
    "replay": "replay.command",
    "setup": "setup.command",
    "ledger": "ledger.command",
}
"""The kinds of command, and the key of grade.toml that each is for."""

_BY_SHAPE: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (kind, re.compile(shape))
    for kind, shape in (
        ("replay", r"[\w./:-]*\breplay|.* [\w./:-]*\breplay"),
        ("ledger", r"(make|npm run|\./\S*|(sh|bash) \S*) ?\S*ledger"),
        ("setup", r"make (setup|install|deps|bootstrap|init|venv)\b"),
        ("setup", r"(\./|(sh|bash) )\S*(setup|install|bootstrap)"),
        ("test", r"make (test|tests|check)\b"),
        ("test", r"(npm|yarn|pnpm|bun) (run )?(test|t)\b"),
        (
            "test",
            r"((uv|poetry|pdm|hatch) run )?(\S*python[\d.]* -m )?\S*(pytest|unittest|tox|nox)\b",
        ),
        ("test", r"(node|bun|deno) (--)?test\b|(go|cargo|swift|dotnet|mix|gradle|mvn) test\b"),
        ("test", r"(\./|(sh|bash) )\S*tests?\b"),
        ("start", r"make (serve|server|start|run|up|dev)\b"),
        ("start", r"(npm|yarn|pnpm|bun) (run )?(start|serve|server|dev)\b"),
        (
            "start",
            r"((uv|poetry|pdm) run )?(\S*python[\d.]* -m )?\S*(uvicorn|gunicorn|hypercorn)\b",
        ),
        (
            "start",
            r"((uv|poetry|pdm) run )?(\S*python[\d.]* -m )?\S*(flask|fastapi) .*\b(run|dev)\b",
        ),
        ("start", r"(node|deno|bun) .*\b(server|app|index|main|start)\b"),
        (
            "start",
            r"((uv|poetry|pdm) run )?(\S*python[\d.]* )?\S*"
            r"\b(server|app|main|serve|service|start|run)(\.py|\.sh)\b",
        ),
        ("start", r"(go|cargo) run\b"),
        ("start", r"(\./|(sh|bash) )\S*(start|serve|run)\b"),
        ("start", r"\S+( \S+)? serve\b"),
    )
)
"""Shapes of commands that say by themselves what they are for; the first that fits counts."""

_BY_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "replay": re.compile(r"\breplay"),
    "test": re.compile(r"\btest(s|ing)?\b"),
    "start": re.compile(r"\b(start|starts|run|running|serve|serves|launch|boot)\b"),
    "setup": re.compile(r"\b(set ?-?up|install|installing|installation|dependencies)\b"),
}

_ASIDE: Final = re.compile(
    r"(sudo |time |env )*("
    r"cd|git|source|\.|curl|wget|http|https|echo|printf|cat|ls|cp|mv|rm|mkdir|kill|tail|head|jq|export"
    r"|set|sleep|touch|chmod|open|deactivate|brew|apt|apt-get|nvm|docker|docker-compose|podman|kubectl"
    r"|pip[\d.]*|\S*/pip[\d.]*|pipx|pipenv|virtualenv|\S*python[\d.]* -m (venv|pip|virtualenv)"
    r"|uv (sync|pip|venv|lock|add)|poetry (install|lock|add|shell)"
    r"|npm (ci|i|install)|yarn (install|add)|pnpm (install|i|add)|bun install|go mod|cargo build"
    r")(\s|$)"
)
"""What stands beside the commands that are looked for, and is none of them."""

_ENV: Final = re.compile(r"(?:[A-Za-z_]\w{0,60}=(?:'[^']*'|\"[^\"]*\"|[^\s'\"]*)\s+)+")
_PLACE: Final = re.compile(r"<[^>]*>|\.\.\.|…|\bYOUR[_-]|\bpath/to/")
_COMMAND: Final = re.compile(r"[\w./~$-]+([ =].*)?", re.S)


def words(command: str) -> str:
    """``command`` without the variables that are set before it."""
    return _ENV.sub("", command, count=1) if _ENV.match(command) else command


def trimmed(command: str) -> str:
    """What is left of ``a && b`` without the steps that go before: set-up, change of folder."""
    steps = [step.strip() for step in re.split(r"&&|;", command)]
    while len(steps) > 1 and (not steps[0] or _ASIDE.match(words(steps[0]))):
        steps.pop(0)
    left = " && ".join(step for step in steps if step)
    return left.removesuffix("&").strip()


def kind(command: str, near: str, heading: str) -> tuple[str, int] | None:
    """What ``command`` is for and its rank (lower is surer), None where it is for nothing."""
    bare = words(command)
    if _ASIDE.match(bare) or _PLACE.search(command) or not _COMMAND.fullmatch(bare):
        return None
    shaped = next((kind for kind, shape in _BY_SHAPE if shape.match(bare)), None)
    for said, rank in ((near, 0), (heading, 1)):
        meant = next((kind for kind, word in _BY_WORDS.items() if word.search(said)), None)
        if meant is not None and shaped in (None, meant):
            return meant, rank if shaped else rank + 6
    return None if shaped is None else (shaped, 2)


def runs_here(command: str, files: Files) -> bool:
    """Whether the files that ``command`` names are there, as far as that shows in its words."""
    try:
        parts = shlex.split(words(command))
    except ValueError:
        return False
    if not parts:
        return False
    first, rest = parts[0], parts[1:]
    if first in _NEEDS and not any(files.has(name) for name in _NEEDS[first]):
        return False
    if first.startswith("./") and not files.has(first) and not first.startswith("./.venv/"):
        return False
    if first == "make" and (target := next((w for w in rest if _TARGET.fullmatch(w)), None)):
        return recipe(target, files) is not None
    scripts = [word for word in rest if word.endswith(_SCRIPTS) and not word.startswith("-")]
    return all(files.has(word) or files.like(word.lower()) for word in scripts)


_TARGET: Final = re.compile(r"[A-Za-z][\w.-]*")
_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "make": MAKEFILES,
    "npm": ("package.json",),
    "yarn": ("package.json",),
    "pnpm": ("package.json",),
    "go": ("go.mod", "main.go"),
    "cargo": ("Cargo.toml",),
}
_SCRIPTS: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".rb")

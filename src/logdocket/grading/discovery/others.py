"""What the files of other languages tell, and, where nothing else does, those of a container."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Final

from logdocket.grading.discovery.files import Files, lines
from logdocket.grading.discovery.hint import Hint
from logdocket.grading.discovery.port import told_port

__all__ = ["container", "told"]

_LANGUAGES: Final[tuple[tuple[str, str, str, str], ...]] = (
    (
        "go.mod",
        "go mod download && go build ./... && go vet ./...",
        "go run {main}",
        "go test ./...",
    ),
    (
        "Cargo.toml",
        "cargo build{locked} --all-targets",
        "cargo run --offline{bin}",
        "cargo test --offline",
    ),
    ("Gemfile", "bundle install", "bundle exec ruby {ruby}", "bundle exec rake test"),
    ("mix.exs", "mix deps.get && mix compile", "mix run --no-halt", "mix test"),
    ("deno.json", "deno install", "deno task start", "deno test -A"),
)
"""A file that marks a language, what sets it up, starts it, and runs its tests."""
_SCRIPTS: Final[tuple[tuple[str, str], ...]] = (
    ("service.start", "start serve run server"),
    ("test.command", "test tests run_tests run-tests"),
    ("replay.command", "replay"),
    ("setup.command", "setup install bootstrap"),
)
_FOLDERS: Final = ("", "scripts/", "bin/", "script/")
_REQUIRES: Final = re.compile(r"^\s{0,8}(?:require\b|[\w./-]{3,200} v\d)", re.M)


def told(files: Files) -> Iterator[Hint]:
    """The commands of the languages that are there, and scripts with a usual name."""
    for key, names in _SCRIPTS:
        for path in (f"{at}{name}.sh" for at in _FOLDERS for name in names.split()):
            if files.has(path):
                yield Hint(key, f"sh {path}" if not _bash(files, path) else f"bash {path}", path)
    for file, setup, start, test in _LANGUAGES:
        if not files.has(file):
            continue
        words = _words(files)
        if file != "go.mod" or _REQUIRES.search(files.text(file)):
            yield Hint("setup.command", setup.format(**words), file)
        yield Hint("service.start", start.format(**words), file, 8)
        yield Hint("test.command", test, file, 8)
        for path in files.like("cmd/replay/main.go"):
            yield Hint("replay.command", "go run ./cmd/replay", path, 8)
        for path in files.like("src/bin/replay.rs"):
            yield Hint("replay.command", "cargo run --offline --bin replay", path, 8)


def _bash(files: Files, path: str) -> bool:
    return "bash" in files.text(path)[:40]


def _words(files: Files) -> dict[str, str]:
    """What the table's commands leave open."""
    commands = [path for path in files.like("cmd/*/main.go") if "replay" not in path]
    served = [p for p in commands if re.search(r"serve|api|app|service", p)] or commands
    binaries = [path for path in files.like("src/bin/*.rs") if re.search(r"serve|app", path)]
    return {
        "main": f"./{served[0].rpartition('/')[0]}" if served else ".",
        "locked": " --locked" if files.has("Cargo.lock") else "",
        "bin": f" --bin {binaries[0].split('/')[-1][:-3]}" if binaries else "",
        "ruby": next(iter(files.like("app.rb", "server.rb", "main.rb")), "app.rb"),
    }


def container(files: Files) -> Iterator[Hint]:
    """The command that a Dockerfile or a Procfile starts, as it would run outside of one."""
    for number, line in lines(files.text("Procfile")):
        name, _, command = line.partition(":")
        if name.strip() == "web" and command.strip():
            yield Hint("service.start", told_port(command.strip()), f"Procfile:{number}", 9)
    starts: dict[str, Hint] = {}
    for number, line in lines(files.text("Dockerfile")):
        word, _, rest = line.strip().partition(" ")
        if word.upper() in ("CMD", "ENTRYPOINT") and rest.strip():
            command = told_port(_shell(rest.strip()))
            starts[word.upper()] = Hint("service.start", command, f"Dockerfile:{number}", 9)
    if "ENTRYPOINT" in starts and "CMD" in starts:
        first, second = starts["ENTRYPOINT"], starts["CMD"]
        value = f"{first.value} {second.value}"
        yield Hint("service.start", value, first.origin, 9)
    yield from starts.values()


def _shell(form: str) -> str:
    """The command of a CMD, in either of its forms."""
    try:
        words = json.loads(form)
    except (ValueError, RecursionError):
        return form
    if not isinstance(words, list):
        return form
    return " ".join(shlex.quote(word) for word in words if isinstance(word, str))

"""What the files of a Python project tell: its set-up in a ``.venv``, its scripts, its tests."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any, Final

from logdocket.grading.discovery.files import Files, lines
from logdocket.grading.discovery.hint import Hint

__all__ = ["told", "with_venv"]

_VENV: Final = "python3 -m venv .venv"
_PIP: Final = ".venv/bin/pip install"
_TOOL: Final = "python3 -m venv .venv/tool && .venv/tool/bin/pip install"
_PREFIX: Final = 'export PATH="$PWD/.venv/bin:$PWD/.venv/tool/bin:$PATH" UV_NO_SYNC=1; '
_LOCKS: Final[tuple[tuple[str, str], ...]] = (
    ("uv.lock", f"{_TOOL} uv && .venv/tool/bin/uv sync --frozen --all-extras --all-groups"),
    ("poetry.lock", f"{_TOOL} poetry && .venv/tool/bin/poetry install --all-extras"),
    (
        "Pipfile.lock",
        f"{_TOOL} pipenv && PIPENV_IGNORE_VIRTUALENVS=1 .venv/tool/bin/pipenv sync --dev",
    ),
)
"""Lock files, and what installs them into the ``.venv`` that is there."""
_LISTS: Final = (
    "requirements.txt",
    "requirements.lock",
    "requirements*.txt",
    "requirements*.lock",
    "*requirements.txt",
    "requirements/*.txt",
)
_FOR_TESTS: Final = re.compile(r"dev|tests?|all|ci|server|serve|api")
_STARTS: Final = (
    ("app", "server", "main", "service", "api", "run"),
    ("", "src/", "app/", "src/app/"),
)
_APP: Final = re.compile(
    r"^(\w{1,40})\s{0,4}(?::[^=\n]{1,60})?=\s{0,4}(FastAPI|Starlette|Flask)\(", re.M
)
_MAIN: Final = re.compile(r"^if __name__ == ", re.M)
_REPLAYS: Final = ("replay.py", "scripts/replay.py", "tools/replay.py", "bin/replay.py")


def with_venv(command: str) -> str:
    """``command`` with the programs of the ``.venv`` before all others."""
    return command if command.startswith(_PREFIX) else _PREFIX + command


def told(files: Files) -> Iterator[Hint]:
    """What is to be installed, started, tested and replayed, by convention where nothing says."""
    project = files.toml("pyproject.toml")
    yield from _setup(files, project)
    yield from _scripts(project)
    yield from _starts(files)
    yield from _tests(files)
    for path in _REPLAYS:
        if files.has(path):
            yield Hint("replay.command", f"python3 {path}", path, 8)


# Set-up.


def _setup(files: Files, project: dict[str, Any]) -> Iterator[Hint]:
    for lock, sync in _LOCKS:
        if files.has(lock):
            yield Hint("setup.command", f"{_VENV} && {sync}", lock)
            return
    lists = [path for path in files.like(*_LISTS) if _asks(files.text(path))]
    install: list[str] = []
    if lists:
        install.append(" ".join([_PIP, *(f"-r {shlex.quote(path)}" for path in lists)]))
    install += _project(files, project, listed=bool(lists))
    if install:
        origin = ", ".join([*lists, "pyproject.toml"] if len(install) > 1 or not lists else lists)
        yield Hint("setup.command", " && ".join([_VENV, *install]), origin)


def _asks(text: str) -> bool:
    """Whether a list of requirements holds any."""
    return any(
        line.strip() and not line.lstrip().startswith(("#", "--")) for _, line in lines(text)
    )


def _project(files: Files, project: dict[str, Any], *, listed: bool) -> list[str]:
    """What installs the project itself, and what it asks for."""
    if "project" not in project:
        return []
    wanted = [] if listed else _wanted(project)
    if "build-system" in project:
        itself = "--no-deps -e ." if listed else "-e ."
        return [" ".join([_PIP, itself, *map(shlex.quote, wanted)])]
    needs = [] if listed else [*_texts(project["project"], "dependencies"), *wanted]
    return [" ".join([_PIP, *map(shlex.quote, needs)])] if needs else []


def _wanted(project: dict[str, Any]) -> list[str]:
    """What the extras and groups for tests ask for."""
    found: list[str] = []
    for tables in (
        _table(_table(project, "project"), "optional-dependencies"),
        _table(project, "dependency-groups"),
    ):
        for name in tables:
            if _FOR_TESTS.fullmatch(name):
                found += _texts(tables, name)
    return list(dict.fromkeys(found))


def _table(tables: dict[str, Any], name: str) -> dict[str, Any]:
    value = tables.get(name)
    return value if isinstance(value, dict) else {}


def _texts(table: dict[str, Any], name: str) -> list[str]:
    value = table.get(name)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


# Commands.


def _scripts(project: dict[str, Any]) -> Iterator[Hint]:
    scripts = [*_table(_table(project, "project"), "scripts")]
    for name in scripts:
        if re.fullmatch(r"[\w.-]{1,60}", name):
            if "replay" in name:
                yield Hint("replay.command", name, "pyproject.toml")
            elif re.search(r"serve|server|start|api", name) or len(scripts) == 1:
                yield Hint("service.start", name, "pyproject.toml", 7)


def _starts(files: Files) -> Iterator[Hint]:
    """The module that looks like the service."""
    names, folders = _STARTS
    for path in (f"{folder}{name}.py" for folder in folders for name in names):
        if not files.has(path):
            continue
        text = files.text(path)
        app = _APP.search(text)
        module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
        where = " --app-dir src" if path.startswith("src/") else ""
        if _MAIN.search(text):
            yield Hint("service.start", f"python3 {path}", path, 8)
        elif app is not None and app[2] == "Flask":
            command = f"python3 -m flask --app {path} run --port {{port}}"
            yield Hint("service.start", command, path, 8)
        elif app is not None:
            command = f"python3 -m uvicorn {module}:{app[1]}{where} --port {{port}}"
            yield Hint("service.start", command, path, 8)
    for path in files.like("*/__main__.py", "src/*/__main__.py"):
        package = path.split("/")[-2]
        if path.startswith("src/"):
            yield Hint("service.start", f"PYTHONPATH=src python3 -m {package}", path, 9)
        else:
            yield Hint("service.start", f"python3 -m {package}", path, 9)


def _tests(files: Files) -> Iterator[Hint]:
    found = files.like("test*.py", "*_test.py", "test*/*.py", "test*/*/*.py")
    found = [path for path in found if not path.endswith(("__init__.py", "conftest.py"))]
    if not found:
        return
    if any("unittest" in files.text(path) for path in found[:3]) and not any(
        "pytest" in files.text(path) for path in found[:3]
    ):
        folder = found[0].rpartition("/")[0]
        command = f"python3 -m unittest discover{f' -s {folder} -t .' if folder else ''}"
        if folder and not files.has(f"{folder}/__init__.py"):
            command = f"PYTHONPATH=. python3 -m unittest discover -s {folder}"
        yield Hint("test.command", command, found[0], 8)
    else:
        yield Hint("test.command", "python3 -m pytest", found[0], 8)

from __future__ import annotations

from pathlib import Path

import pytest

from logdocket.grading.discovery.files import Files
from logdocket.grading.runbook import shown

MAKEFILE = "serve:\n\t./serve\ntest check:\n\t./test\nreplay: serve\n\t./replay\n"
PACKAGE = '{"scripts": {"start": "node server.js", "test": "node --test", "replay": "node r.js"}}'
NOTHING: dict[str, str | None] = {"start": None, "test": None, "replay": None}


def commands(
    root: Path, text: str, told: dict[str, str | None] | None = None, **files: str
) -> dict[str, str]:
    """What ``text`` shows in a checkout of ``files``."""
    for name, content in ({"Makefile": MAKEFILE, "package.json": PACKAGE} | files).items():
        (root / name).write_text(content)
    return shown(Files(root), {"README.md": text}, told or NOTHING)


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nmake serve\nmake test\nmake replay\n```\n",
        "Run:\n\n    make serve\n\nand\n\n    make test\n    make replay\n",
        "| start | `make serve` |\n|---|---|\n| test | `make test` |\n| replay | `make replay` |\n",
        "Start it with `make serve`, test it with `make test`, replay with `make replay`.\n",
        "```console\n$ make serve\n$ make test\n$ make replay\n```\n",
    ],
)
def test_commands_are_found_where_people_put_them(tmp_path: Path, text: str) -> None:
    """In blocks, tables and sentences alike."""
    assert commands(tmp_path, text) == {
        "start": "make serve",
        "test": "make test",
        "replay": "make replay",
    }


def test_scripts_of_a_package_are_commands(tmp_path: Path) -> None:
    """In any language."""
    text = "```\nnpm start\nnpm test\nnpm run replay\n```\n"
    assert set(commands(tmp_path, text)) == {"start", "test", "replay"}


@pytest.mark.parametrize(
    "text",
    [
        "make serve, make test, make replay: all of that is possible.\n",
        "```sh\nmake launch-server\nmake tests\nmake replay-all\n```\n",
        "```sh\nnpm run serve\nnpm run test:unit\nnpm run replay:all\n```\n",
        "```sh\npython serve.py\npython run_tests.py\npython replay.py\n```\n",
    ],
)
def test_what_is_no_command_here_is_not_shown(tmp_path: Path, text: str) -> None:
    """It stands in no code, or what it calls is not there."""
    assert commands(tmp_path, text) == {}


def test_a_told_command_is_shown_as_it_is(tmp_path: Path) -> None:
    """Whatever it is called; its port may be another."""
    told: dict[str, str | None] = {
        "start": "PORT={port} ./up --port {port}",
        "test": "./verify --all",
        "replay": ".venv/bin/again fixture.jsonl",
    }
    text = "```\n./up --port 8000\n./verify --all\nagain fixture.jsonl\n```\n"
    assert commands(tmp_path, text, told) == {
        "start": "./up --port 8000",
        "test": "./verify --all",
        "replay": "again fixture.jsonl",
    }

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main

import logdocket as package
from logdocket.cli import app as commands
from logdocket.schema import ticket_schema_bytes

from .conftest import Command

LEDGER = ["list", "show", "unshare", "summary", "verify", "export"]
QUEUE = ["list", "show", "resolve", "export", "second-look"]
CALIBRATE = ["fit", "report"]
INTERVIEW = ["init"]
COMMANDS = [
    [],
    ["serve"],
    ["extract"],
    ["eval"],
    ["record"],
    ["replay"],
    ["ledger"],
    *(["ledger", name] for name in LEDGER),
    ["queue"],
    *(["queue", name] for name in QUEUE),
    ["calibrate"],
    *(["calibrate", name] for name in CALIBRATE),
    ["grade"],
    ["interview"],
    *(["interview", name] for name in INTERVIEW),
    ["schema"],
    ["doctor"],
]
HEAVY = {
    "asyncio",
    "fastapi",
    "httptools",
    "msgspec",
    "prometheus_client",
    "pydantic_settings",
    "rich",
    "sqlite3",
    "starlette",
    "structlog",
    "uvicorn",
}


def named(words: list[str]) -> str:
    """A command, for the names of tests."""
    return " ".join(words) or "logdocket"


def test_the_list_of_commands_is_whole() -> None:
    """So the tests that follow leave none out."""
    top: Any = typer.main.get_command(commands.app)
    inner = top.commands["ledger"].commands
    assert sorted(top.commands) == sorted(words[0] for words in COMMANDS if len(words) == 1)
    assert list(inner) == LEDGER
    assert list(top.commands["queue"].commands) == QUEUE
    assert list(top.commands["calibrate"].commands) == CALIBRATE


@pytest.mark.parametrize("words", COMMANDS, ids=named)
def test_help_shows_an_example_on_narrow_screens(words: list[str], logdocket: Command) -> None:
    """Within 100 columns; the example is a command that there is."""
    done = logdocket(*words, "--help")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 100
    (example,) = re.findall(r"^ *Example: (.*)$", done.out, re.M)
    assert re.search(rf"\blogdocket {' '.join(words)}".rstrip(), example)
    assert done == logdocket(*words, "-h")


@pytest.mark.parametrize("words", COMMANDS, ids=named)
def test_help_is_made_of_whole_sentences(words: list[str], logdocket: Command) -> None:
    """Nothing is cut short, and every option says what it does."""
    help = logdocket(*words, "--help").out
    assert "..." not in re.sub(r'[\[{](ARGS|FIXTURE|ID|SET)[\]}]\.\.\.|": \.\.\.\}', "", help)
    command: Any = typer.main.get_command(commands.app)
    for word in words:
        command = command.commands[word]
    for text in [command.help, *(p.help for p in command.params)]:
        assert text.split("\n\n")[0].rstrip().endswith("."), text


@pytest.mark.parametrize(
    "words", [[], ["extract"], ["serve"], ["ledger", "list"], ["queue", "resolve"]], ids=named
)
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    """It is there before one has to wait: what does the work is not imported."""
    script = (
        f"import sys; sys.argv = ['logdocket', *{words}, '--help']\n"
        "import logdocket.cli\n"
        "try: logdocket.cli.main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=True
    )
    assert "Usage: logdocket" in done.stdout
    assert HEAVY & set(done.stderr.split()) == set()


def test_the_version_is_the_packages_own(logdocket: Command) -> None:
    """And nothing else is printed."""
    assert logdocket("--version") == (0, f"logdocket {package.__version__}\n", "")


def test_python_runs_the_package() -> None:
    """``python -m logdocket`` is the same command."""
    done = subprocess.run(
        [sys.executable, "-m", "logdocket", "--version"],
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert done.stdout == f"logdocket {package.__version__}\n"


def test_the_installed_command_is_this_one() -> None:
    """The name that an install puts on the path."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"logdocket": "logdocket.cli:main"}
    assert package.cli.main is not None  # type: ignore[attr-defined]


def test_the_schema_is_printed_as_it_is_published(logdocket: Command) -> None:
    """Byte for byte."""
    assert logdocket("schema").out.encode() == ticket_schema_bytes()


def test_no_command_shows_the_commands(logdocket: Command) -> None:
    """A newcomer who types the name alone sees where to go on."""
    for words in ([], ["ledger"]):
        done = logdocket(*words)
        assert done.code == 2
        assert "Commands:" in done.out + done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["extrakt"], "No such command 'extrakt'"),
        (["ledger", "lst"], "No such command 'lst'"),
        (["extract", "--recieved-at", "now"], "No such option: --recieved-at"),
        (["extract", "a.log", "b.log"], "unexpected extra argument"),
        (["extract", "--jobs", "0"], "'--jobs'"),
        (["extract", "--jobs", "two"], "'--jobs'"),
        (["extract", "--service"], "'--service'"),
        (["serve", "--port", "65536"], "'--port': 65536 is not from 0 to 65535"),
        (["serve", "--port", "abc"], "'--port': 'abc' is not a whole number"),
        (["serve", "--workers", "0"], "'--workers'"),
        (["replay", "--update"], "name the fixture that --update writes the files of"),
        (["ledger", "show"], "Missing argument 'N'"),
        (["ledger", "show", "0"], "'N'"),
        (["ledger", "show", str(2**63)], "'N'"),
        (["replay", "--check", "--update", "x"], "choose one of --check and --update"),
        (["ledger", "list", "--limit", "0"], "'--limit'"),
        (["ledger", "export", "--format", "xml"], "'--format'"),
    ],
    ids=lambda value: named(value) if isinstance(value, list) else None,
)
def test_wrong_usage_exits_with_2(words: list[str], said: str, logdocket: Command) -> None:
    """What is wrong is named; nothing is printed on standard output."""
    done = logdocket(*words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err.splitlines()[-1]


Told = Callable[..., tuple[int, str]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["extract", "missing.log"],
            "missing.log cannot be read (no such file or directory): "
            "name a file of log lines, or -",
        ),
        (["extract", "."], ". cannot be read (is a directory): name a file of log lines, or -"),
        (
            ["extract", "--timezone", "Mars/Olympus"],
            "timezone 'Mars/Olympus' is no IANA name and no offset: "
            "send one such as Europe/Paris or +02:00",
        ),
        (
            ["extract", "--received-at", "yesterday"],
            "received_at 'yesterday' is not RFC 3339 with an offset: "
            "send one such as 2026-06-14T15:16:01Z",
        ),
        (["extract", "--service", " "], "service is blank: leave it out or name it"),
        (
            ["extract", "--service", "a\x1b[2Jb"],
            "service holds U+001B at character 1: send printable text",
        ),
        (
            ["serve", "--host", "0.0.0.0"],
            "--host 0.0.0.0 is no loopback address, and without LOGDOCKET_TOKENS no other is "
            "listened on: set LOGDOCKET_TOKENS, or listen on 127.0.0.1",
        ),
        (
            ["serve", "--host", "nosuch.host.invalid"],
            "--host nosuch.host.invalid is no loopback address, and without LOGDOCKET_TOKENS no "
            "other is listened on: set LOGDOCKET_TOKENS, or listen on 127.0.0.1",
        ),
    ],
    ids=lambda value: named(value) if isinstance(value, list) else None,
)
def test_wrong_input_is_told_in_one_line_with_the_mend(
    words: list[str], said: str, told: Told
) -> None:
    """Before anything is read, made or listened on."""
    assert told(*words) == (2, said)
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("words", [["extract"], ["serve"], ["ledger", "list"]], ids=named)
def test_a_wrong_setting_is_told_in_one_line(
    words: list[str], told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever command meets it first."""
    monkeypatch.setenv("LOGDOCKET_RISK", "a lot")
    assert told(*words) == (2, "LOGDOCKET_RISK=a lot: give a number")


def test_a_message_keeps_to_its_line(told: Told) -> None:
    """Whatever a file's name holds: a new line or an escape cannot forge a message."""
    code, line = told("extract", "a\nlogdocket: all is well\x1b[2J")
    assert code == 2
    assert line.startswith("a\\nlogdocket: all is well\\x1b[2J cannot be read")


def test_a_name_that_is_no_utf_8_can_be_told(told: Told) -> None:
    """Its bytes are shown as escapes."""
    code, line = told("ledger", "verify", "--db", "a\udcff.db")
    assert code == 3
    assert "a\\udcff.db" in line

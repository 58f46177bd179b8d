"""The documents say what the program does: all of it, and nothing else.

Tables are compared with the code both ways. Every ``console`` block is run, in order, each document
in a folder of its own; times and hashes in what it prints are not compared. After a change that is
meant, ``UPDATE_DOCS=1 make test ARGS=tests/test_docs.py`` writes what is printed now, and how lines
are read now, into the documents.
"""

from __future__ import annotations

import ast
import fnmatch
import json
import os
import re
import runpy
import shlex
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import prometheus_client.parser
import pytest
import typer.main
from service import Service

import logdocket
from logdocket.bootstrap import build_app
from logdocket.calls import CallStatus
from logdocket.cli import app as commands
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem
from logdocket.line import Line
from logdocket.reading import check_context, read
from logdocket.schema import ticket_schema
from logdocket.settings import Settings, variable
from logdocket.store import Entry, EntryKind
from logdocket.store.sqlite import failures
from logdocket.ticket import ReviewReason

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "logdocket"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
UPDATE = bool(os.environ.get("UPDATE_DOCS"))
SHOWN_AT = "http://127.0.0.1:8000"


def named(path: Path) -> str:
    """A document's path, for the names of tests."""
    return path.relative_to(ROOT).as_posix()


def text(name: str) -> str:
    """A document of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def tables(name: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Header and rows of each table, cells as text."""
    rows: list[list[str]] = []
    for line in [*text(name).split("\n"), ""]:
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            rows.append([cell.replace("\\|", "|").strip() for cell in cells])
        elif rows:
            yield rows[0], rows[2:]
            rows = []


def table(name: str, *header: str) -> list[list[str]]:
    """The rows of the one table that has this header."""
    (found,) = [rows for columns, rows in tables(name) if columns == list(header)]
    assert found
    return found


def code(cell: str) -> str:
    """What stands between backquotes."""
    assert cell.startswith("`"), cell
    assert cell.endswith("`"), cell
    return cell[1:-1]


def codes(cell: str) -> list[str]:
    """All that stands between backquotes."""
    return re.findall(r"`([^`]+)`", cell)


# What there is, by the code


def options(command: Any, path: str = "logdocket") -> dict[str, set[str]]:
    """The options of every command, help left out."""
    own = {
        word
        for parameter in command.params
        for word in parameter.opts
        if word.startswith("-") and word not in ("--help", "-h")
    }
    found = {path: own} if own or not hasattr(command, "commands") else {}
    for name, inner in getattr(command, "commands", {}).items():
        found |= options(inner, f"{path} {name}")
    return found


def endpoints(tmp_path: Path) -> set[str]:
    """``METHOD path`` of every route; HEAD goes with GET."""
    application = build_app(Settings(db=tmp_path / "routes.db"))
    return {
        f"{method} {getattr(route, 'path_format', route.path)}"
        for route in flat(application.routes)
        for method in route.methods
        if method != "HEAD"
    }


def flat(routes: Any) -> Iterator[Any]:
    """Routes with a path, those of included routers too."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from flat(inner.routes)
        else:
            yield route


def default(value: object) -> str:
    """A setting's default, as the table shows it."""
    if value is None or value == ():
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


# Tables


def test_every_setting_is_documented_as_the_code_describes_it() -> None:
    """Variable, default and meaning of each, and no others."""
    told = table("README.md", "variable", "default", "meaning")
    assert told == [
        [f"`{variable(name)}`", default(field.default), field.description]
        for name, field in Settings.model_fields.items()
    ]


@pytest.mark.parametrize("name", [named(path) for path in DOCUMENTS])
def test_a_document_names_only_settings_that_exist(name: str) -> None:
    """A variable that was renamed does not live on in a sentence."""
    known = {variable(field) for field in Settings.model_fields}
    found = set(re.findall(r"\b(?:LOGDOCKET_[A-Z][A-Z_]+|MODEL_[A-Z]+)\b", text(name)))
    assert found <= known


def test_the_readme_tells_what_each_review_reason_means() -> None:
    """Word and sentence, as the code has them."""
    told = table("README.md", "reason", "what happened")
    assert told == [[f"`{reason}`", reason.sentence] for reason in ReviewReason]


def test_the_runbook_tells_what_to_do_about_each_review_reason() -> None:
    """Word, sentence and mend, as the code has them."""
    told = table("RUNBOOK.md", "reason", "what happened", "what to do")
    assert told == [[f"`{reason}`", reason.sentence, reason.mend] for reason in ReviewReason]


def test_the_runbook_tells_how_each_call_can_end() -> None:
    """Word, sentence and what follows, as the code has them."""
    told = table(
        "RUNBOOK.md",
        "call status",
        "what happened",
        "asked once more",
        "counts for the breaker",
        "charged without a report of usage",
    )
    assert told == [
        [
            f"`{status}`",
            status.sentence,
            "yes" if status.retried or status is CallStatus.NOT_SUPPORTED else "no",
            "yes" if status.upstream else "no",
            "nothing" if status.unmetered else "what was reserved",
        ]
        for status in CallStatus
    ]


def test_the_reading_tells_when_each_timestamp_reason_stands() -> None:
    """Every reason for an unknown time has an example."""
    told = {code(word) for word, _ in table("docs/reading.md", "reason", "for example")}
    assert told == {reason for reason in ReviewReason if reason.startswith("timestamp_")}


def test_the_runbook_tells_what_to_do_about_each_problem() -> None:
    """Word, status and title, as the code has them, and a mend."""
    told = table("RUNBOOK.md", "type", "status", "title", "what to do")
    assert [row[:3] for row in told] == [
        [f"`{problem.word}`", str(problem.status), problem.title] for problem in Problem
    ]
    assert all(row[3] for row in told)


def test_the_interface_tells_when_each_problem_comes() -> None:
    """Word and status, as the code has them."""
    told = table("docs/http.md", "type", "status", "when")
    assert [row[:2] for row in told] == [
        [f"`{problem.word}`", str(problem.status)] for problem in Problem
    ]


def test_every_metric_is_documented_as_the_code_describes_it() -> None:
    """Name, type, labels and meaning of each, and no others."""
    metrics = Metrics()
    metrics.request("/extract", "POST", 200, 0.001)
    metrics.row_refused("line-blank")
    families = prometheus_client.parser.text_string_to_metric_families(
        metrics.exposition().decode()
    )
    real = {}
    for family in families:
        if family.name.startswith("logdocket_") and not family.name.endswith("_created"):
            name = family.name + ("_total" if family.type == "counter" else "")
            labels = {label for sample in family.samples for label in sample.labels} - {"le"}
            real[name] = (family.type, labels, family.documentation)
    told = table("RUNBOOK.md", "metric", "type", "labels", "meaning", "alert when")
    assert {
        code(name): (kind, set(codes(labels)), meaning) for name, kind, labels, meaning, _ in told
    } == real
    assert all(row[4] for row in told)


def test_every_endpoint_is_documented(tmp_path: Path) -> None:
    """In the README's table and as a section of its own, and no others."""
    real = endpoints(tmp_path)
    assert {code(name) for name, _ in table("README.md", "endpoint", "gives")} == real
    sections = re.findall(r"^## `([A-Z]+ [^`]+)`$", text("docs/http.md"), re.M)
    assert len(sections) == len(set(sections))
    assert set(sections) == real


def test_every_query_parameter_of_the_ledger_is_documented(tmp_path: Path) -> None:
    """By the OpenAPI document."""
    document = build_app(Settings(db=tmp_path / "api.db")).openapi()
    real = {parameter["name"] for parameter in document["paths"]["/ledger"]["get"]["parameters"]}
    assert {
        word for cell, _ in table("docs/http.md", "parameter", "") for word in codes(cell)
    } == real


async def test_open_endpoints_are_told_as_such(tmp_path: Path) -> None:
    """What needs no token answers without one, and all else does not."""
    application = build_app(Settings(db=tmp_path / "open.db", tokens="a-token-of-this-test"))
    told = set(re.findall(r"^## `GET ([^`]+)`\n\n\*Open\.\*", text("docs/http.md"), re.M))
    gets = [path.split()[1] for path in endpoints(tmp_path) if path.startswith("GET")]
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(application), base_url=SHOWN_AT
    ) as client:
        answers = {path: await client.get(path.replace("{name}", "start.js")) for path in gets}
    assert {path for path, answer in answers.items() if answer.status_code != 401} == told


def test_every_command_and_option_is_documented() -> None:
    """Each command with all of its options, and no others."""
    told = {
        code(command): set(codes(listed))
        for command, listed, _ in table("README.md", "command", "options", "does")
    }
    assert told == options(typer.main.get_command(commands.app))


def test_every_exit_code_is_documented() -> None:
    """The codes that the command line uses, and no others."""
    told = {int(row[0]) for row in table("README.md", "exit code", "meaning")}
    assert {value for name, value in vars(commands).items() if name.startswith("EXIT_")} < told
    described = re.findall(r"\b(\d+)(?=: | and \d+: )", commands.main.__doc__ or "")
    assert told == {int(number) for number in described}


def test_every_field_of_the_ticket_is_documented() -> None:
    """By the ticket's own schema."""
    told = [code(row[0]) for row in table("README.md", "field", "type", "rule")]
    assert told == list(ticket_schema()["properties"])


def test_every_field_and_kind_of_an_entry_is_documented() -> None:
    """By the code of the store."""
    told = [code(row[0]) for row in table("docs/ledger.md", "field", "")]
    assert told == list(Entry.__struct_fields__)
    kinds = [code(row[0]) for row in table("docs/ledger.md", "kind", "entered when", "`detail`")]
    assert kinds == list(EntryKind)


def test_every_public_name_is_documented() -> None:
    """What the package exports, and no more."""
    told = [code(row[0]) for row in table("docs/library.md", "name", "is")]
    assert sorted(told) == sorted(logdocket.__all__)


def test_every_message_of_a_failing_database_is_documented() -> None:
    """The runbook's table of causes quotes what the store says, and nothing that it does not."""
    said = " ".join(
        node.value
        for path in (SOURCE / "store" / "sqlite").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    quoted = [
        words.removesuffix(" N")
        for cell, *_ in table("RUNBOOK.md", "the message says", "cause", "mend")
        for words in codes(cell)
    ]
    assert [words for words in quoted if words not in said] == []
    told = "\n".join(quoted)
    assert [what for what, _ in failures._MENDS.values() if what not in told] == []


# Reading


FORMATS = (
    "format",
    "what writes it",
    "a line",
    "`first_seen`",
    "`severity`",
    "`service`",
)


def reread(row: list[str]) -> list[str]:
    """The row as its line is read now."""
    reading = read(Line(code(row[2])), check_context("2026-06-15T00:00:00Z"))
    now = (
        reading.timestamp.value or "unknown",
        reading.severity.value,
        reading.service.value or "unknown",
    )
    return [f"`{reading.format}`", *row[1:3], *(f"`{word}`" for word in now)]


def test_documented_lines_are_read_as_told() -> None:
    """Format, time, severity and service of each example."""
    new = text("docs/reading.md")
    for row in table("docs/reading.md", *FORMATS):
        new = new.replace(written(row), written(reread(row)))
    compare_or_update("docs/reading.md", new)


def written(row: list[str]) -> str:
    """A row of a table as it stands in a document."""
    return " | ".join(["", *(cell.replace("|", "\\|") for cell in row), ""]).strip()


def test_every_format_of_the_fixtures_is_documented() -> None:
    """What is shipped as an example of a shape has a row."""
    told = {name for row in table("docs/reading.md", *FORMATS) for name in code(row[0]).split("+")}
    seen = {
        name
        for fixture in (SOURCE / "fixtures").glob("*.jsonl")
        # A row may hold separators that end a line of text elsewhere: U+2028, a form feed.
        for row in fixture.read_text(encoding="utf-8").split("\n")
        if row and "line" in (parsed := json.loads(row))
        for name in read(Line(parsed["line"])).format.split("+")
    }
    assert seen - told == set()


# Structure


def test_the_drawn_layers_are_the_checked_ones() -> None:
    """The list in the document is the contract's."""
    contracts = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (drawn,) = re.findall(
        r"^## Import rules\n.*?^```\n(.*?)^```", text("docs/architecture.md"), re.M | re.S
    )
    assert drawn.rstrip("\n").split("\n") == contracts[0]["layers"]


def test_every_package_has_a_paragraph() -> None:
    """One for each module or package beneath the face, and no others."""
    real = {
        path.stem
        for path in SOURCE.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()
    }
    told = re.findall(r"^\*\*`(\w+)`\*\*", text("docs/architecture.md"), re.M)
    assert len(told) == len(set(told))
    assert set(told) == real


@pytest.mark.parametrize("name", [named(path) for path in DOCUMENTS])
def test_named_make_targets_exist(name: str) -> None:
    """``make X`` in code is a command that there is."""
    targets = set(re.findall(r"^([a-z-]+):.*## ", text("Makefile"), re.M))
    shown = re.findall(r"(?:`|^ *)make ([a-z-]+)", text(name), re.M)
    assert set(shown) <= targets


def test_every_make_target_is_documented() -> None:
    """For those who start, or for those who change the code."""
    targets = set(re.findall(r"^([a-z-]+):.*## ", text("Makefile"), re.M)) - {"help"}
    shown = set(re.findall(r"\bmake ([a-z-]+)", text("README.md") + text("CONTRIBUTING.md")))
    assert targets - shown == set()


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as they are made where Markdown is shown."""
    prose = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", prose, re.M)
    }


@pytest.mark.parametrize("name", [named(path) for path in DOCUMENTS])
def test_links_lead_somewhere(name: str) -> None:
    """Files exist, and headings within them."""
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text(name)):
        if re.match(r"\w+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = ((ROOT / name).parent / file) if file else ROOT / name
        if not path.exists() or (anchor and anchor not in anchors(path)):
            lost.append(target)
    assert lost == []


@pytest.mark.parametrize("name", [named(path) for path in DOCUMENTS])
def test_named_files_exist(name: str) -> None:
    """A path of the project in a sentence is a file or folder that there is."""
    roots = (ROOT, SOURCE, SOURCE / "reading", (ROOT / name).parent)
    lost = [
        path
        for path in re.findall(
            r"`([\w.-]+(?:/[\w.*-]+)*/?[\w-]+\.(?:py|md|toml|sql|lock))`", text(name)
        )
        if "NNNN" not in path
        and not any(root.joinpath(path).exists() for root in roots)
        and not any(SOURCE.rglob(path))
    ]
    assert lost == []


# What can be run


BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)
VARYING = (
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"), "TIME"),
    (re.compile(r'"day":"\d{4}-\d\d-\d\d"'), "DAY"),
    (re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{32})\b"), "HASH"),
)
CURL = """\
import http.client, re, sys
words, url, headers, body, show = sys.argv[1:], None, {}, None, False
while words:
    word = words.pop(0)
    if word == "-H":
        name, _, value = words.pop(0).partition(":")
        headers[name] = value.strip()
    elif word in ("-d", "--data-binary"):
        body = words.pop(0).encode()
        if body.startswith(b"@"):
            body = open(body[1:].decode(), "rb").read()
    elif word == "-i":
        show = True
    elif word != "-s":
        url = word
assert url.startswith(SHOWN_AT + "/"), url
connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
connection.request("POST" if body else "GET", url.removeprefix(SHOWN_AT), body, headers)
answer = connection.getresponse()
if show:
    head = f"HTTP/1.1 {answer.status} {answer.reason}"
    print(head, *map(": ".join, answer.getheaders()), "", sep="\\n")
sys.stdout.write(answer.read().decode())
"""


class Shell:
    """Runs the documents' commands as a reader would, in the folder ``home``.

    ``logdocket`` and ``python3`` are those of this environment. ``curl`` is a stand-in that asks
    the real service, which starts with the first use, on a free port.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.bin = home / ".bin"
        self.bin.mkdir()
        python = shlex.quote(sys.executable)
        self._script("python3", f'exec {python} "$@"')
        self._script("logdocket", f'exec {python} -m logdocket "$@"')
        self.service: Service | None = None

    def _script(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(self, command: str) -> str:
        """What the command prints, errors too."""
        if "curl" in command and self.service is None:
            self._serve()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.home,
            env={**os.environ, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=30,
            check=False,
        )
        printed = done.stdout
        return printed if not printed or printed.endswith("\n") else printed + "\n"

    def made(self) -> list[str]:
        """Files that the commands left: a reader has them in the checkout."""
        ours = re.compile(r"\.|example-\d+\.py|service\.log")
        return [path.name for path in self.home.iterdir() if not ours.match(path.name)]

    def _serve(self) -> None:
        self.service = Service(self.home, db=str(self.home / "logdocket.db"))
        script = self.bin / "curl.py"
        fixed = f"SHOWN_AT, PORT = {SHOWN_AT!r}, {self.service.port}"
        script.write_text(f"{fixed}\n{CURL}", encoding="utf-8")
        self._script("curl", f'exec {shlex.quote(sys.executable)} -I -S "{script}" "$@"')

    def close(self) -> None:
        """Stop the service."""
        if self.service is not None:
            self.service.__exit__(None, None, None)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A shell in a folder of its own."""
    opened = Shell(tmp_path)
    yield opened
    opened.close()


def steady(output: str) -> str:
    """``output`` without what differs at each run."""
    for pattern, word in VARYING:
        output = pattern.sub(word, output)
    return output


def rerun(block: str, shell: Shell) -> str:
    """The block with what its commands print now."""
    return COMMAND.sub(lambda match: f"$ {match[1]}\n{shell.run(match[1])}", block)


def compare_or_update(name: str, new: str) -> None:
    """Hold a document against what it should be, or write that."""
    old = text(name)
    if UPDATE and steady(new) != steady(old):
        (ROOT / name).write_text(new, encoding="utf-8")
    elif not UPDATE:
        assert steady(new).split("\n") == steady(old).split("\n")


@pytest.mark.parametrize(
    "name", [named(path) for path in DOCUMENTS if BLOCK.search(text(named(path)))]
)
def test_commands_print_what_is_shown(name: str, shell: Shell) -> None:
    """Every console block, in order; python blocks after it see its files."""
    new = BLOCK.sub(lambda block: f"```console\n{rerun(block[1], shell)}```", text(name))
    compare_or_update(name, new)
    run_python(name, shell.home)
    assert [made for made in shell.made() if not ignored(made)] == []


def ignored(name: str) -> bool:
    """Whether the project's .gitignore leaves out a file in its root."""
    patterns = text(".gitignore").split("\n")
    return any(fnmatch.fnmatch(name, pattern.lstrip("/")) for pattern in patterns)


@pytest.mark.parametrize("name", ["README.md", "docs/library.md"])
def test_python_examples_run(name: str, tmp_path: Path) -> None:
    """As they stand, in an empty folder."""
    assert run_python(name, tmp_path) == 1


def test_python_examples_pass_a_plain_type_checker(tmp_path: Path) -> None:
    """Strictly, and without the plug-in for pydantic that the project's own check has."""
    # What speaks to models is behind the public names, large, and has types of its own.
    behind = "genai_prices.*,httpx2.*,openai.*,pydantic_ai.*"
    (tmp_path / "mypy.ini").write_text(
        f"[mypy]\nstrict = true\nfollow_imports = silent\n[mypy-{behind}]\nfollow_imports = skip\n"
    )
    for number, name in enumerate(("README.md", "docs/library.md")):
        (block,) = python_blocks(name)
        (tmp_path / f"example_{number}.py").write_text(block, encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "."],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "2 source files" in checked.stdout


def python_blocks(name: str) -> list[str]:
    """The python blocks of a document."""
    return re.findall(r"^```python\n(.*?)^```$", text(name), re.M | re.S)


def run_python(name: str, home: Path) -> int:
    """Run each python block of a document in ``home``; how many there were."""
    blocks = python_blocks(name)
    for number, block in enumerate(blocks):
        path = home / f"example-{number}.py"
        path.write_text(block, encoding="utf-8")
        assert Path.cwd() == home
        runpy.run_path(str(path))
    return len(blocks)


def test_the_walk_over_an_export_sees_a_changed_entry(shell: Shell) -> None:
    """The script of the document fails on a ledger that was tampered with."""
    shell.run("echo '2026-01-02T15:04:05Z ERROR pay: card refused' | logdocket extract")
    shell.run('logdocket ledger export | sed \'s/"fallback"/"model"/\' > ledger.jsonl')
    with pytest.raises(AssertionError, match="broken at entry 1"):
        run_python("docs/ledger.md", shell.home)

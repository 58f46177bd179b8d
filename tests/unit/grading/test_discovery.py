"""How an answer is run, found out from what its author wrote for people."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from logdocket.grading.discovery import discover, overlay
from logdocket.grading.manifest import Manifest, Service, Setup, Test

VENV = 'export PATH="$PWD/.venv/bin:$PWD/.venv/tool/bin:$PATH" UV_NO_SYNC=1; '
MADE = "python3 -m venv .venv && "
README = "# Tickets\n\nNothing here yet.\n"

FENCED = """\
# Ticket service

## Setup

```bash
git clone https://host.example/me/tickets.git
cd tickets
python3 -m venv .venv && source .venv/bin/activate
pip install -r requirements.txt
```

## Run

```bash
uvicorn app.main:app --reload --port 8000
```

Then ask it:

```bash
curl -X POST http://localhost:8000/tickets \\
  -H 'Content-Type: application/json' \\
  -d '{"log_line": "ERROR pay: card refused"}'
curl localhost:8000/ledger
```

## Tests

    $ pytest -q

## Replay

    $ python scripts/replay.py fixtures/day.jsonl
"""
TABLE = """\
| to | run |
|---|---|
| start it | `make run` |
| test it | `make test` |
| replay a fixture | `make replay-fixture` |

The ledger is written to `var/ledger.jsonl`.
"""
RST = """\
Tickets
=======

Start
-----

.. code-block:: sh

    PORT=8080 python3 server.py

Test
----

::

    python3 -m unittest
"""
CASES: list[tuple[str, dict[str, str], dict[str, str]]] = [
    (
        "pip, told by a README",
        {
            "README.md": FENCED,
            "requirements.txt": "fastapi==0.1\n",
            "scripts/replay.py": "",
            "app/main.py": "",
        },
        {
            "setup.command": MADE + ".venv/bin/pip install -r requirements.txt",
            "service.start": VENV + "uvicorn app.main:app --reload --port {port}",
            "service.path": "/tickets",
            "service.field": "log_line",
            "test.command": VENV + "pytest -q",
            "replay.command": VENV + "python scripts/replay.py fixtures/day.jsonl",
            "ledger.url": "/ledger",
        },
    ),
    (
        "make, told by a table",
        {
            "RUNBOOK.md": TABLE,
            "Makefile": "run:\n\tpython3 app.py\ntest:\n\ttrue\nreplay-fixture:\n\ttrue\n",
            "app.py": "",
        },
        {
            "service.start": "make run PORT={port}",
            "service.path": "/extract",
            "test.command": "make test",
            "replay.command": "make replay-fixture",
            "ledger.file": "var/ledger.jsonl",
        },
    ),
    (
        "make alone",
        {
            "README.md": README,
            "Makefile": "PORT ?= 8000\n.PHONY: serve test\nsetup: .venv\nserve test replay: setup\n"
            "\t./do $@\nledger:\n\tcat l\n",
        },
        {
            "setup.command": "make setup",
            "service.start": "make serve PORT={port}",
            "test.command": "make test",
            "replay.command": "make replay",
            "ledger.command": "make ledger",
        },
    ),
    (
        "make that installs into whatever is active",
        {"Makefile": "install:\n\tpip install -r requirements.txt\nrun:\n\tpython app.py\n"},
        {
            "setup.command": MADE + 'PATH="$PWD/.venv/bin:$PATH" make install',
            "service.start": VENV + "make run PORT={port}",
        },
    ),
    (
        "uv",
        {
            "pyproject.toml": '[project]\nname = "t"\ndependencies = ["flask"]\n',
            "uv.lock": "version = 1\n",
            "README.md": "Run `uv run flask --app app run` and test with `uv run pytest`.\n",
        },
        {
            "setup.command": MADE
            + "python3 -m venv .venv/tool && .venv/tool/bin/pip install uv && "
            ".venv/tool/bin/uv sync --frozen --all-extras --all-groups",
            "service.start": VENV + "uv run flask --app app run --port {port}",
            "test.command": VENV + "uv run pytest",
        },
    ),
    (
        "poetry",
        {
            "pyproject.toml": '[tool.poetry]\nname = "t"\n',
            "poetry.lock": "",
            "README.md": "## Start\n\n```\npoetry install\npoetry run uvicorn t:app\n```\n",
        },
        {
            "setup.command": MADE + "python3 -m venv .venv/tool && "
            ".venv/tool/bin/pip install poetry && .venv/tool/bin/poetry install --all-extras",
            "service.start": VENV + "poetry run uvicorn t:app --port {port}",
        },
    ),
    (
        "a project file with extras and a script",
        {
            "pyproject.toml": '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "t"\n'
            'dependencies = ["flask==3.0"]\n[project.optional-dependencies]\ntest = ["pytest==9"]\n'
            '[project.scripts]\nt-serve = "t:serve"\nt-replay = "t:replay"\n',
            "tests/test_t.py": "import pytest\n",
        },
        {
            "setup.command": MADE + ".venv/bin/pip install -e . pytest==9",
            "service.start": VENV + "t-serve",
            "test.command": VENV + "python3 -m pytest",
            "replay.command": VENV + "t-replay",
        },
    ),
    (
        "a project file that cannot be built, and groups",
        {
            "pyproject.toml": '[project]\nname = "t"\ndependencies = ["flask>=3"]\n'
            '[dependency-groups]\ndev = ["pytest"]\n',
        },
        {"setup.command": MADE + ".venv/bin/pip install 'flask>=3' pytest"},
    ),
    (
        "Python with no dependencies and no word of explanation",
        {
            "server.py": "if __name__ == '__main__':\n    main('/ledger')\n",
            "tests/test_server.py": "import unittest\n",
            "replay.py": "",
        },
        {
            "service.start": "python3 server.py",
            "test.command": "PYTHONPATH=. python3 -m unittest discover -s tests",
            "replay.command": "python3 replay.py",
        },
    ),
    (
        "an application object alone",
        {"app.py": "app: FastAPI = FastAPI()\n", "requirements.txt": "fastapi\n"},
        {"service.start": VENV + "python3 -m uvicorn app:app --port {port}"},
    ),
    (
        "npm with dependencies",
        {
            "package.json": '{"scripts": {"start": "node src/server.js", "test": "vitest run", '
            '"replay": "node replay.js"}, "dependencies": {"express": "5.0.0"}}',
            "package-lock.json": "{}",
        },
        {
            "setup.command": "npm ci",
            "service.start": "npm start",
            "test.command": "npm test",
            "replay.command": "npm run replay",
        },
    ),
    (
        "node without dependencies",
        {
            "package.json": '{"scripts": {"test": "echo \\"no test specified\\" && exit 1"}}',
            "server.js": "",
            "server.test.js": "",
            "README.md": "```sh\nnode server.js\n```\n",
        },
        {"service.start": "node server.js", "test.command": "node --test"},
    ),
    (
        "a script of npm with its port in it",
        {
            "package.json": '{"scripts": {"start": "next start -p 3000", "build": "next build"}, '
            '"dependencies": {"next": "1"}}'
        },
        {
            "setup.command": "npm install && npm run build",
            "service.start": 'export PATH="$PWD/node_modules/.bin:$PATH"; next start -p {port}',
        },
    ),
    (
        "go",
        {
            "go.mod": "module t\n\nrequire host.example/x v1.0.0\n",
            "cmd/server/main.go": "",
            "cmd/replay/main.go": "",
        },
        {
            "setup.command": "go mod download && go build ./... && go vet ./...",
            "service.start": "go run ./cmd/server",
            "test.command": "go test ./...",
            "replay.command": "go run ./cmd/replay",
        },
    ),
    ("go without dependencies", {"go.mod": "module t\n\ngo 1.22\n"}, {"service.start": "go run ."}),
    (
        "cargo",
        {"Cargo.toml": "[package]\n", "Cargo.lock": "", "src/bin/replay.rs": ""},
        {
            "setup.command": "cargo build --locked --all-targets",
            "service.start": "cargo run --offline",
            "test.command": "cargo test --offline",
            "replay.command": "cargo run --offline --bin replay",
        },
    ),
    (
        "reStructuredText",
        {"README.rst": RST, "server.py": ""},
        {
            "service.start": "PORT={port} python3 server.py",
            "test.command": "python3 -m unittest",
        },
    ),
    (
        "shell scripts",
        {"run.sh": "#!/bin/sh\n", "test.sh": "#!/bin/bash\n", "scripts/replay.sh": "#!/bin/sh\n"},
        {
            "service.start": "sh run.sh",
            "test.command": "bash test.sh",
            "replay.command": "sh scripts/replay.sh",
        },
    ),
    (
        "a container's command, where nothing else tells",
        {"Dockerfile": 'FROM x\nRUN y\nCMD ["uvicorn", "t:app", "--port", "8000"]\n'},
        {"service.start": "uvicorn t:app --port {port}"},
    ),
    (
        "the runbook wins over the README",
        {
            "README.md": "Start it with `./demo.sh`.\n",
            "RUNBOOK.md": "Start it with `./serve.sh`.\n",
            "demo.sh": "",
            "serve.sh": "",
        },
        {"service.start": "./serve.sh"},
    ),
    (
        "commands in one block, told apart by comments",
        {
            "README.md": "```sh\n# start the service on port 8000\nnode main.js --port=8000\n"
            "# run the tests\nnode --test\n# replay a fixture\n"
            "node tool.js fixtures/a.jsonl\n```\n",
            "main.js": "",
            "tool.js": "",
        },
        {
            "service.start": "node main.js --port={port}",
            "test.command": "node --test",
            "replay.command": "node tool.js fixtures/a.jsonl",
        },
    ),
    (
        "steps before a command on the same line",
        {
            "README.md": "## Run\n\n```sh\ncd t && pip install flask && python app.py --port 80\n"
            "```\n",
            "app.py": "",
        },
        {"service.start": "python app.py --port {port}"},
    ),
]


def checkout(root: Path, files: dict[str, str]) -> Path:
    """A folder with ``files``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def found(root: Path, files: dict[str, str], told: Manifest | None = None) -> dict[str, str]:
    """The values of the facts about a folder with ``files``, by key."""
    _, facts = discover(checkout(root, files), told or Manifest())
    return {fact.key: fact.value for fact in facts}


@pytest.mark.parametrize(("files", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_is_written_for_people_is_found(
    tmp_path: Path, files: dict[str, str], expected: dict[str, str]
) -> None:
    """Commands, path, field and ledger, as the files tell or as is usual."""
    facts = found(tmp_path, files)
    assert {key: facts.get(key) for key in expected} == expected


@pytest.mark.parametrize(("files", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_manifest_holds_what_the_facts_say(
    tmp_path: Path, files: dict[str, str], expected: dict[str, str]
) -> None:
    """What is shown is what is gone by."""
    manifest, _ = discover(checkout(tmp_path, files), Manifest())
    for dotted, value in expected.items():
        table, _, key = dotted.partition(".")
        assert getattr(getattr(manifest, table), key) == value


# What is told stands.


def test_what_is_told_is_not_looked_for(tmp_path: Path) -> None:
    """Of the manifest and of the command line, each under its own name."""
    told = Manifest(service=Service(start="./serve"), test=Test(command="./test"))
    root = checkout(tmp_path, {"Makefile": "serve test replay:\n\ttrue\n"})
    manifest, facts = discover(root, told, flags={"test.command": "./test"})
    by_key = {fact.key: (fact.value, fact.origin, fact.guessed) for fact in facts}
    assert by_key["service.start"] == ("./serve", "grade.toml", False)
    assert by_key["test.command"] == ("./test", "--test", False)
    assert by_key["replay.command"] == ("make replay", "Makefile", True)
    assert manifest.service.start == "./serve"


def test_every_key_that_is_told_is_a_fact(tmp_path: Path) -> None:
    """Numbers and variables too, and those of the option --set."""
    told = Manifest(service=Service(answer_seconds=5, env={"A": "1", "B": "x"}))
    _, facts = discover(tmp_path, told, flags={"service.env.A": "1"})
    by_key = {fact.key: (fact.value, fact.origin) for fact in facts}
    assert by_key["service.answer_seconds"] == ("5", "grade.toml")
    assert by_key["service.env"] == ("A=1, B=x", "--set")


def test_a_told_value_that_is_the_default_is_not_looked_for(tmp_path: Path) -> None:
    """Told on the command line, it stands against what a document shows."""
    root = checkout(tmp_path, {"README.md": "`POST /tickets` takes a line.\n"})
    assert discover(root, Manifest())[0].service.path == "/tickets"
    manifest, facts = discover(root, Manifest(), flags={"service.path": "/extract"})
    assert manifest.service.path == "/extract"
    assert ("service.path", "--set") in {(fact.key, fact.origin) for fact in facts}


def test_commands_that_are_told_with_their_set_up_stay_as_they_are(tmp_path: Path) -> None:
    """Only what was guessed is given the .venv that they make."""
    told = Manifest(
        setup=Setup(command="python3 -m venv .venv"), test=Test(command=".venv/bin/python -m t")
    )
    manifest, _ = discover(checkout(tmp_path, {"Makefile": "serve:\n"}), told)
    assert manifest.test.command == ".venv/bin/python -m t"
    assert manifest.service.start == VENV + "make serve PORT={port}"


def test_an_empty_set_up_says_that_none_is_needed(tmp_path: Path) -> None:
    """Whatever lies in the checkout."""
    root = checkout(tmp_path, {"requirements.txt": "flask\n", "app.py": "app = Flask(__name__)\n"})
    manifest, facts = discover(root, Manifest(setup=Setup(command="")))
    assert manifest.setup.command is None
    assert manifest.service.start == "python3 -m flask --app app.py run --port {port}"
    assert ("setup.command", "none needed") in {(fact.key, fact.value) for fact in facts}


def test_what_is_not_found_stays_open_and_says_how_to_tell_it(tmp_path: Path) -> None:
    """Nothing is made up."""
    manifest, facts = discover(tmp_path, Manifest())
    assert manifest == Manifest()
    values = {fact.key: fact.value for fact in facts}
    assert values["service.start"] == "not found: put service.start into grade.toml"
    assert (
        values["ledger.url"] == "not found: put url, file or command under [ledger] of grade.toml"
    )
    assert values["service.path"] == "/extract"


def test_the_place_of_a_guess_is_told_by_file_and_line(tmp_path: Path) -> None:
    """So that it can be looked up."""
    root = checkout(tmp_path, {"README.md": FENCED, "app/main.py": "", "scripts/replay.py": ""})
    origins = {fact.key: fact.origin for fact in discover(root, Manifest())[1]}
    assert origins["service.start"] == "README.md:15"
    assert origins["service.path"] == "README.md:21"
    assert origins["replay.command"] == "README.md:33"


# What is no command of the answer.


@pytest.mark.parametrize(
    "text",
    [
        "Start it with `make serve`, stop it with Ctrl-C.",
        "```sh\npython nowhere.py\n```",
        '## Start\n\n```json\n{"run": "it"}\n```',
        "## Run\n\n```\ndocker compose up\n```",
        "## Start\n\n```\ngit clone x\ncd x\nexport MODEL_KEY=none\npip install -r req.txt\n```",
        "Run `server.py <port>`.",
        "Run the service and see `needs_human`.",
        "## Start\n\n```\ncurl localhost:8000/start\n```",
    ],
)
def test_what_cannot_start_anything_here_is_passed_over(tmp_path: Path, text: str) -> None:
    """Targets and files that are not there, steps beside the commands, words, places to fill."""
    assert found(tmp_path, {"README.md": text})["service.start"].startswith("not found")


def test_a_target_that_the_makefile_lacks_is_passed_over(tmp_path: Path) -> None:
    """The one that it has is taken."""
    files = {"README.md": "## Start\n\n    make launch\n", "Makefile": "run: x\n\ttrue\n"}
    assert found(tmp_path, files)["service.start"] == "make run PORT={port}"


def test_a_port_that_is_fixed_in_a_target_is_replaced(tmp_path: Path) -> None:
    """By running what the target runs."""
    makefile = "serve:\n\t@python3 app.py --port 8000\n"
    files = {"Makefile": makefile, "app.py": "", "README.md": "Start: `make serve`\n"}
    assert found(tmp_path, files)["service.start"] == "python3 app.py --port {port}"


def test_a_port_that_is_fixed_in_a_script_of_npm_is_replaced(tmp_path: Path) -> None:
    """Though a document shows npm start."""
    files = {
        "README.md": "Start it with `npm start`.\n",
        "package.json": '{"scripts": {"start": "node server.js --port 3000"}}',
    }
    start = found(tmp_path, files)["service.start"]
    assert start == 'export PATH="$PWD/node_modules/.bin:$PATH"; node server.js --port {port}'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"README.md": "`GET /ledger/summary` and `GET /ledger`"}, ("ledger.url", "/ledger")),
        ({"README.md": "See `data/ledger.db`, a database."}, ("ledger.file", "data/ledger.db")),
        ({"app.py": 'LEDGER = os.environ.get("L", "out/ledger.jsonl")'},
         ("ledger.file", "out/ledger.jsonl")),
        ({"src/app.js": "if (url === '/ledger') {"}, ("ledger.url", "/ledger")),
        ({"README.md": "`make ledger` prints it.", "Makefile": "ledger:\n"},
         ("ledger.command", "make ledger")),
        ({"README.md": "`curl -s localhost:$PORT/api/ledger`", "app.py": '"ledger.json"'},
         ("ledger.url", "/api/ledger")),
    ],
)  # fmt: skip
def test_the_ledger_is_found(
    tmp_path: Path, files: dict[str, str], expected: tuple[str, str]
) -> None:
    """By documents first, then by the code."""
    facts = {key: value for key, value in found(tmp_path, files).items() if "ledger" in key}
    assert facts == dict([expected])


# Answers that mean harm.


def test_links_out_of_the_checkout_are_not_followed(tmp_path: Path) -> None:
    """Neither to files nor to folders."""
    outside = checkout(tmp_path / "outside", {"README.md": "`GET /ledger`", "a/app.py": "x"})
    inside = checkout(tmp_path / "inside", {"server.js": ""})
    (inside / "README.md").symlink_to(outside / "README.md")
    (inside / "docs").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    values = {fact.key: fact.value for fact in discover(inside, Manifest())[1]}
    assert values["ledger.url"].startswith("not found")
    assert values["runbook.files"].startswith("not found")
    assert values["service.start"] == "node server.js"


HOSTILE = {
    "one long line": "`" + "a" * 10_000_000,
    "backquotes": "`" * 200_000 + "\n" + "` " * 100_000,
    "fences": "```\n" * 60_000,
    "headings": "#" * 300_000,
    "quotes": "> " * 100_000 + "\n" + "- " * 100_000,
    "posts": "POST " * 60_000 + "\n" + ("POST /" + "a/" * 900 + "\n") * 100,
    "curls": ("curl -d '" + "{" * 900 + "' http://a" + "/a" * 400 + "\n") * 100,
    "ledgers": ("ledger" * 300 + "\n") * 100 + ("a/" * 900 + "ledger.\n") * 100,
    "backslashes": "\\\n" * 100_000,
    "prompts": ("$ " * 900 + "\n") * 100,
    "variables": ("    " + "A=" * 900 + "\n") * 100 + ("    " + "A= " * 600 + "\n") * 100,
    "ports": ("    serve " + "--a-" * 400 + "\n") * 100,
    "python": ("    uv run " + "python" * 300 + "\n") * 100,
    "spaces": (" " * 1900 + "x\n") * 100 + ("|" + " " * 1900 + "x\n") * 100,
    "rules": ("a " * 900 + "\n") * 100 + ("a:" * 900 + "\n") * 100,
    "no text": "\0\ufffd\u2028" * 50_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_document_costs_little(tmp_path: Path, text: str) -> None:
    """Each of the sources that reads text reads it."""
    names = [
        "README.md",
        "Makefile",
        "package.json",
        "pyproject.toml",
        "app.py",
        "requirements.txt",
    ]
    root = checkout(tmp_path, dict.fromkeys([*names, "Dockerfile", "go.mod", "Procfile"], text))
    began = time.process_time()
    discover(root, Manifest())
    assert time.process_time() - began < 3


def test_nested_files_cost_little(tmp_path: Path) -> None:
    """JSON and TOML that is nested too deep is taken for none."""
    files = {
        "package.json": '{"scripts":' + "[" * 100_000,
        "pyproject.toml": "a = " + "[" * 100_000,
        "Dockerfile": "CMD " + "[" * 1900,
        "README.md": "curl -d '" + "[" * 1000 + "' http://a/b",
    }
    assert found(tmp_path, files)["test.command"].startswith("not found")


def test_files_of_the_wrong_shape_are_passed_over(tmp_path: Path) -> None:
    """Lists for tables, numbers for texts."""
    files = {
        "package.json": '{"scripts": [1], "main": 3, "dependencies": {"a": 1}}',
        "pyproject.toml": '[project]\nscripts = 3\ndependencies = "x"\n'
        "optional-dependencies = [1]\n"
        "[dependency-groups]\ndev = [{include-group = 'x'}, 3]\n",
        "Dockerfile": 'CMD {"a": 1}\nENTRYPOINT 3\n',
    }
    assert found(tmp_path, files)["setup.command"].startswith("none")


def test_the_same_checkout_gives_the_same_facts(tmp_path: Path) -> None:
    """In the same order."""
    root = checkout(tmp_path, CASES[0][1])
    assert discover(root, Manifest()) == discover(root, Manifest())


# What the command line tells.


def test_flags_win_over_the_manifest() -> None:
    """Each value takes the type of its key."""
    told = Manifest(service=Service(start="a", env={"A": "1"}))
    flags = {
        "service.start": "b",
        "service.answer_seconds": "2.5",
        "service.env.B": "2",
        "runbook.files": "A.md, B.md",
        "setup.command": "",
    }
    manifest = overlay(told, flags)
    assert manifest.service == Service(start="b", answer_seconds=2.5, env={"A": "1", "B": "2"})
    assert manifest.runbook.files == ("A.md", "B.md")
    assert manifest.setup.command == ""
    assert overlay(told, {}) == told

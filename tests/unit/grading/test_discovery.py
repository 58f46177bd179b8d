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
            "setup.command": MADE + "python3 -m venv .venv/tool && .venv/tool/bin/pip install uv && "
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
            "package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}',
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
            "# run the tests\nnode --test\n# replay a fixture\nnode tool.js fixtures/a.jsonl\n```\n",
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
            "README.md": "## Run\n\n```sh\ncd tickets && pip install flask && python app.py --port 80\n"
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

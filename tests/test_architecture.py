"""The shape of the project: who imports whom, how long a module is, what no file names."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.application import use_cases
from importlinter.configuration import configure

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "logdocket"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
LONGEST = 400
LOCKS = ["requirements.lock", "requirements-build.lock", "requirements-dev.lock"]

# Hosts from which packages are fetched, and the options that would name one.
INDEX = re.compile(
    rb"\b(pypi\.org|pypi\.python\.org|pythonhosted\.org|npmjs\.(org|com)|(deb|security)\.debian\.org)\b"
    rb"|--(extra-)?index-url\b|--find-links\b|\bindex_url\b",
)
NOT_OURS = {"build", "dist", "tests", "__pycache__"}
TEXT = {"", ".py", ".md", ".toml", ".lock", ".json", ".jsonl", ".sql", ".html", ".css", ".js"}


@pytest.fixture(scope="module", autouse=True)
def _import_linter() -> None:
    configure()


def lint(config: Path) -> bool:
    """Whether the imports keep every contract of ``config``."""
    return use_cases.lint_imports(config_filename=str(config), cache_dir=None, no_logo=True)


def project_files() -> Iterator[Path]:
    """Every text file that is the project's own, tests left out."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [
            name
            for name in folders
            if name not in NOT_OURS and (not name.startswith(".") or name == ".ci")
        ]
        for name in names:
            path = Path(folder, name)
            if path.suffix in TEXT:
                yield path


def test_imports_keep_every_contract(capsys: pytest.CaptureFixture[str]) -> None:
    """Imports only point down the layers, and judging a line stays pure."""
    kept = lint(ROOT / "pyproject.toml")
    assert kept, capsys.readouterr().out


def test_the_contracts_can_be_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the layers upside down the same imports are refused."""
    text = (ROOT / "pyproject.toml").read_text()
    layers = tomllib.loads(text)["tool"]["importlinter"]["contracts"][0]["layers"]
    turned = tmp_path / "turned.toml"
    turned.write_text(
        '[tool.importlinter]\nroot_package = "logdocket"\n'
        '[[tool.importlinter.contracts]]\nname = "turned"\ntype = "layers"\n'
        f'containers = ["logdocket"]\nlayers = {layers[::-1]!r}\n'
    )
    assert not lint(turned)
    assert "is not allowed to import" in capsys.readouterr().out


@pytest.mark.parametrize("module", MODULES)
def test_a_module_can_be_read_in_one_sitting(module: str) -> None:
    """A module that outgrows this wants to be two."""
    lines = (SOURCE / module).read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST, f"{module} has {lines} lines: split it by noun"


@pytest.mark.parametrize("module", MODULES)
def test_lines_are_cut_at_line_feeds_alone(module: str) -> None:
    """``splitlines`` would also cut at characters that may stand within a line, such as U+2028."""
    assert ".splitlines(" not in (SOURCE / module).read_text(encoding="utf-8")


def test_no_file_names_a_package_index() -> None:
    """Where packages come from is the choice of the machine that installs them."""
    named = [
        f"{path.relative_to(ROOT)}: {found[0].decode()}"
        for path in project_files()
        if (found := INDEX.search(path.read_bytes()))
    ]
    assert named == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_every_requirement_by_hash(name: str) -> None:
    """What is installed is what was locked, wherever it is fetched from."""
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text())
    requirements = [entry for entry in entries if not entry.startswith("#")]
    assert len(requirements) > 3
    for requirement in requirements:
        assert re.match(
            r"[a-z0-9][a-z0-9._-]*==\S+( ;[^\\]*)? \\\n +--hash=sha256:[0-9a-f]{64}", requirement
        )


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_place(name: str) -> None:
    """No address and no path of the machine that locked."""
    assert not re.search(r"\w+://|[ =]/|\s@\s", (ROOT / name).read_text())


def test_the_locks_agree() -> None:
    """One package has one version in all of them, so they install together in any order."""
    versions: dict[str, set[str]] = {}
    for name in LOCKS:
        for package, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(), re.M):
            versions.setdefault(package, set()).add(version)
    assert {name for name, found in versions.items() if len(found) > 1} == set()


def test_the_locks_hold_every_requirement_of_the_project_file() -> None:
    """A requirement that was added without locking it is missed here, not by a user."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {
        "requirements.lock": project["project"]["dependencies"],
        "requirements-build.lock": project["dependency-groups"]["build"],
        "requirements-dev.lock": [
            entry for entry in project["dependency-groups"]["dev"] if isinstance(entry, str)
        ],
    }
    for lock, requirements in wanted.items():
        pinned = set(re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.M))
        names = {re.match(r"[\w.-]+", requirement)[0].lower() for requirement in requirements}
        assert names - pinned == set(), f"run `make lock`: {lock} misses some"

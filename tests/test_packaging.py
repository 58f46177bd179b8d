"""What is installed is all of Logdocket, and nothing else."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

import logdocket

pytest.importorskip("hatchling", reason="the build back end is a development requirement")

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"


def build(folder: Path) -> Path:
    """The wheel, built as an installer would, with what is here and no network."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=50,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One wheel for the tests of this file."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    """What lies in it."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    """What it says of itself."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked, as an install lays it out."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, code: str) -> str:
    """What ``code`` prints where only the installed package can be imported."""
    paths = [str(installed), os.environ["PYTHONPATH"]]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_wheel_holds_every_file_of_the_package(names: set[str]) -> None:
    """Modules, SQL, schema, fixtures and pages all travel; what is not in the package does not."""
    ours = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "logdocket").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == ours


@pytest.mark.parametrize("suffix", [".sql", ".json", ".jsonl", ".html", ".py", "/py.typed"])
def test_the_wheel_holds_files_of_each_kind(names: set[str], suffix: str) -> None:
    """A kind of file that stops travelling is missed here, whatever else changed."""
    assert any(name.startswith("logdocket/") and name.endswith(suffix) for name in names)


def test_the_wheel_carries_its_licence(names: set[str], metadata: Message) -> None:
    """The text of the licence, and its name."""
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert metadata["License-Expression"] == "Apache-2.0"


def test_the_wheel_and_the_package_say_one_version(metadata: Message) -> None:
    """``logdocket --version`` tells what was installed."""
    assert metadata["Version"] == logdocket.__version__


def test_the_oldest_python_is_stated(metadata: Message) -> None:
    """An installer on an older Python refuses, and does not fail later."""
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_command_is_installed(wheel: Path) -> None:
    """``logdocket`` stands on the path after an install."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "logdocket = logdocket.cli:main" in archive.read(name).decode()


def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """Who builds it from the same source can check what was published."""
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


def test_the_installed_package_is_the_one_that_runs(installed: Path) -> None:
    """The checks below see the wheel and not the source tree."""
    home = run(installed, "import logdocket; print(logdocket.__file__)")
    assert Path(home).is_relative_to(installed)


def test_the_installed_package_reads_its_own_files(installed: Path) -> None:
    """Schema and confidence table are found from wherever it is installed."""
    code = (
        "from logdocket.schema import ticket_schema; from logdocket.confidence import shipped;"
        "print(ticket_schema()['title'], type(shipped()).__name__)"
    )
    assert run(installed, code) == "Ticket Table"


def test_the_installed_library_answers(installed: Path) -> None:
    """The documented use as a library works on an install, with a fresh database."""
    code = (
        "import asyncio\n"
        "from logdocket import Docket, Settings\n"
        "async def main():\n"
        "    async with Docket(Settings(db='tickets.db')) as docket:\n"
        "        ticket = await docket.extract('2026-01-02T15:04:05Z ERROR pay: card refused')\n"
        "        print(ticket.severity, ticket.first_seen, ticket.source)\n"
        "asyncio.run(main())"
    )
    assert run(installed, code) == "high 2026-01-02T15:04:05Z fallback"

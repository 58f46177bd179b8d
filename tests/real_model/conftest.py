"""Opt-in: without ``REAL_MODEL``, the folder of the two wheels, nothing is collected here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from real_model import RealModel

collect_ignore_glob = [] if os.environ.get("REAL_MODEL") else ["test_*.py"]
_told = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Make room for what the tests tell."""
    config.stash[_told] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was measured, below the tests."""
    for line in terminalreporter.config.stash.get(_told, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def told(request: pytest.FixtureRequest) -> list[str]:
    """Lines to be printed at the end."""
    return request.config.stash[_told]


@pytest.fixture(scope="session")
def real_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealModel]:
    """The one model process of the run."""
    log = tmp_path_factory.mktemp("model") / "model.log"
    with RealModel(Path(os.environ["REAL_MODEL"]), log) as model:
        yield model

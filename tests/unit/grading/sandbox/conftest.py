"""The two ends of what a machine may permit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from logdocket.grading.sandbox import Isolation, Limits, Sandbox

Make = Callable[..., Sandbox]


@pytest.fixture(scope="session")
def most() -> Isolation:
    """The most that is permitted on this machine."""
    return Isolation.detect()


@pytest.fixture(params=["most", "none"])
def isolation(request: pytest.FixtureRequest, most: Isolation) -> Isolation:
    """The most that is permitted, and nothing: what holds has to hold with both."""
    return most if request.param == "most" else Isolation.none()


@pytest.fixture
def make(tmp_path: Path, isolation: Isolation) -> Make:
    """A function that gives a sandbox of ``isolation`` with limits of its own."""

    def made(**limits: int) -> Sandbox:
        root = tmp_path / "root"
        root.mkdir(exist_ok=True)
        return Sandbox(root, isolation, Limits(**limits))

    return made

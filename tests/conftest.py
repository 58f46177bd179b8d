"""What holds for every test: no network, no settings from outside, a folder of its own, no chance.

Set ``HYPOTHESIS_PROFILE=explore`` to let hypothesis look for new examples instead of repeating the
same ones.
"""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_GUARD = Path(__file__).parent / "guard"
_OURS = ("LOGDOCKET_", "MODEL_")

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def _guard_this_process() -> None:
    spec = importlib.util.spec_from_file_location("network_guard", _GUARD / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _guard_child_processes() -> None:
    inherited = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    paths = [str(_GUARD), *(os.path.abspath(path) for path in inherited)]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))


_guard_this_process()
_guard_child_processes()


@pytest.fixture(scope="session", autouse=True)
def _heard() -> Iterator[None]:
    """What tests start hears signals, also where the tests run in the background of a shell.

    An ignored signal stays ignored in child processes. One with a handler does not, and this
    handler ignores it here just as well.
    """
    numbers = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
    ignored = [number for number in numbers if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, lambda number, frame: None)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture(autouse=True)
def _isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in an empty folder, with none of the operator's settings."""
    for name in list(os.environ):
        if name.upper().startswith(_OURS):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

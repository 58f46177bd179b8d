from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from logdocket.cli import main


class Done(NamedTuple):
    """What a command did: its exit code, what it printed and what it told."""

    code: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture
def logdocket(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in this process, as its ``main`` does."""

    def run(*arguments: str | Path) -> Done:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["logdocket", *map(str, arguments)])
            patch.setattr(sys, "stdout", sys.stdout)
            with pytest.raises(SystemExit) as caught:
                main()
        out, err = capfd.readouterr()
        code = caught.value.code
        return Done(code if isinstance(code, int) else 0, out, err)

    return run


@pytest.fixture
def told(logdocket: Command) -> Callable[..., tuple[int, str]]:
    """Runs a command that must print nothing and tell one line; the exit code and the line."""

    def run(*arguments: str | Path) -> tuple[int, str]:
        done = logdocket(*arguments)
        assert done.out == ""
        assert done.err.startswith("logdocket: ")
        assert done.err.count("\n") == 1
        return done.code, done.err.removeprefix("logdocket: ").rstrip("\n")

    return run

"""Builds what a session came to, as the judges see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from logdocket.grading.lines import Lines, honest
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.failure.case import Case, Watched
from logdocket.grading.reply import Reply, Silence


@pytest.fixture
def case() -> Callable[..., Case]:
    """Makes a case: a ticket for a person, with changes, or whatever else came."""
    lines = Lines(11)

    def made(
        what: str = "junk",
        *,
        calls: int = 1,
        marked: bool = True,
        reply: Reply | None = None,
        silence: Silence | None = None,
        seconds: float = 0.1,
        **changes: Any,
    ) -> Case:
        line = lines.plain(level="ERROR", service="billing")
        body = json.dumps(honest(line) | {"needs_human": True} | changes).encode()
        usual = Reply(0 if silence else 200, b"" if silence else body, seconds, silence)
        return Case(what, Asked(line, reply or usual), calls, marked)

    return made


@pytest.fixture
def watched(case: Callable[..., Case]) -> Callable[..., Watched]:
    """Makes a session of some cases, which the service has borne unless told."""

    def made(
        *cases: Case, calls: int = 1, answers: bool | None = True, alive: bool = True
    ) -> Watched:
        return Watched(cases, calls, answers, alive)

    return made

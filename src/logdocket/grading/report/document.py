"""The report: what was asked, seen and earned. Everything that may differ between two runs over
the same answer with the same seed stands in ``times`` and ``logs``, and nowhere else.
"""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.grading.finding import Verdict
from logdocket.grading.rubric import Area, Level

__all__ = ["FORMAT", "AreaScore", "Fact", "Judged", "Log", "Report", "Score", "Times"]

FORMAT: Final = "logdocket-grade/1"


class Fact(msgspec.Struct, frozen=True):
    """A thing that the grader went by: ``key`` as in grade.toml (``service.start``), ``origin``
    where it comes from (``grade.toml``, ``--test``, ``README.md:12``, ``default``), ``guessed``
    where nobody told it.
    """

    key: str
    value: str
    origin: str
    guessed: bool


class Score(msgspec.Struct, frozen=True):
    """Points, to two decimals: ``low`` are earned, ``high`` could be once a person has looked."""

    low: float
    high: float
    of: float


class Judged(msgspec.Struct, frozen=True):
    """A probe and what it found.

    ``because`` is the id of the probe that failed where this one was skipped for it. ``judge`` is
    who gave the verdict: ``program`` or ``person``; ``note`` is what a person wrote beside it, and
    ``program`` the verdict that the program had come to before.
    """

    id: str
    area: Area
    level: Level
    verdict: Verdict
    score: Score
    expected: str
    seen: str
    hint: str
    quotes: tuple[str, ...] = ()
    because: str | None = None
    judge: str = "program"
    note: str | None = None
    program: Verdict | None = None


class AreaScore(msgspec.Struct, frozen=True):
    """What one area of the rubric earned."""

    area: Area
    title: str
    full_marks: str
    score: Score


class Times(msgspec.Struct, frozen=True):
    """When it began (RFC 3339, UTC), and seconds in all and by probe."""

    began: str
    seconds: float
    probes: dict[str, float]


class Log(msgspec.Struct, frozen=True):
    """The end of what a command wrote; ``command`` as it was run."""

    name: str
    command: str
    said: str
    out: str
    err: str


class Report(msgspec.Struct, frozen=True):
    """The whole report. ``sandbox`` tells in sentences what the answer could not do."""

    format: str
    grader: str
    candidate: str
    seed: int
    score: Score
    areas: tuple[AreaScore, ...]
    facts: tuple[Fact, ...]
    sandbox: tuple[str, ...]
    probes: tuple[Judged, ...]
    times: Times | None = None
    logs: tuple[Log, ...] = ()

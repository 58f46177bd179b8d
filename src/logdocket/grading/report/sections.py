"""A report in the order in which an interviewer reads it, for every form that people look at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import AreaScore, Fact, Judged, Report, Score
from logdocket.grading.report.score import added, number
from logdocket.grading.rubric import Area

__all__ = [
    "MEND_A_GUESS",
    "Sections",
    "Skipped",
    "caveat",
    "counted",
    "lost",
    "of_area",
    "open_",
    "passing",
    "sections",
]

MEND_A_GUESS: Final = "Where a guess is wrong, say the key in grade.toml or by --set KEY=VALUE."


class Skipped(msgspec.Struct, frozen=True):
    """Probes that were not asked for one ``reason``, which is a sentence.

    ``because`` is the id of the probe that they rest on and that failed, if that is the reason.
    """

    reason: str
    because: str | None
    probes: tuple[Judged, ...]
    score: Score


class Sections(msgspec.Struct, frozen=True):
    """The probes of a report by what a reader does about them.

    ``lost`` failed or held in part, and ``for_a_person`` wait for one; ``by_a_person`` are those
    whose verdict a person gave, whatever it is, so they may stand among the others too. ``guessed``
    is what nobody told the grader.
    """

    lost: tuple[Judged, ...]
    for_a_person: tuple[Judged, ...]
    by_a_person: tuple[Judged, ...]
    skipped: tuple[Skipped, ...]
    passed: tuple[Judged, ...]
    guessed: tuple[Fact, ...]
    told: tuple[Fact, ...]


def sections(report: Report) -> Sections:
    """The report's probes and facts by section, each in the report's order."""

    def those(*verdicts: Verdict) -> tuple[Judged, ...]:
        return tuple(probe for probe in report.probes if probe.verdict in verdicts)

    return Sections(
        lost=those(Verdict.FAIL, Verdict.PARTIAL),
        for_a_person=those(Verdict.NEEDS_HUMAN),
        by_a_person=tuple(probe for probe in report.probes if probe.judge == "person"),
        skipped=_grouped(report),
        passed=those(Verdict.PASS),
        guessed=tuple(fact for fact in report.facts if fact.guessed),
        told=tuple(fact for fact in report.facts if not fact.guessed),
    )


def of_area(report: Report, area: AreaScore) -> tuple[Judged, ...]:
    """The probes of one area."""
    return tuple(probe for probe in report.probes if probe.area is area.area)


def passing(probes: Iterable[Judged]) -> int:
    """How many of ``probes`` pass."""
    return sum(probe.verdict is Verdict.PASS for probe in probes)


def caveat(report: Report) -> str:
    """What has to be known of a total that is not of the whole rubric, else nothing."""
    whole = sum(area.points for area in Area)
    if report.score.of == whole:
        return ""
    return f"Only a part of the rubric's {whole} points was asked."


def lost(score: Score) -> float:
    """The points that nobody can grant any more, to two decimals."""
    return round(score.of - score.high, 2)


def open_(score: Score) -> float:
    """The points that a person may still grant, to two decimals."""
    return round(score.high - score.low, 2)


def counted(score: Score) -> str:
    """What of it is lost and open, in words: ``1.5 lost``, ``1 lost, 0.5 open``."""
    parts = [(lost(score), "lost"), (open_(score), "open")]
    return ", ".join(f"{number(points)} {word}" for points, word in parts if points) or "none lost"


def _grouped(report: Report) -> tuple[Skipped, ...]:
    by_id = {probe.id: probe for probe in report.probes}
    groups: dict[tuple[str, str | None], list[Judged]] = {}
    for probe in report.probes:
        if probe.verdict is Verdict.SKIPPED:
            groups.setdefault(_reason(probe, by_id), []).append(probe)
    return tuple(
        Skipped(reason, because, tuple(probes), _score(probes))
        for (reason, because), probes in groups.items()
    )


def _reason(probe: Judged, by_id: dict[str, Judged]) -> tuple[str, str | None]:
    """Where the chain of causes ends: what failed there, or why it was not asked."""
    met = {probe.id}
    while probe.because is not None and probe.because not in met:
        met.add(probe.because)
        if probe.because not in by_id:
            return f"{probe.because} did not hold.", probe.because
        probe = by_id[probe.because]
    if probe.verdict is Verdict.SKIPPED:
        return probe.seen, None
    return f"{probe.id} did not hold.", probe.id


def _score(probes: Iterable[Judged]) -> Score:
    return added(probe.score for probe in probes)

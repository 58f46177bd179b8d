"""Points: from what probes found to scores of two decimals that add up.

Points are counted in hundredths. Every probe's worth is rounded once, such that an area's probes
are worth exactly the area's points; what is earned and open of it is rounded once more, and all
sums are sums of these. So a column that a person adds up gives the total below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

import msgspec

from logdocket.grading.finding import Answered, Finding, Verdict
from logdocket.grading.report.document import (
    FORMAT,
    AreaScore,
    Fact,
    Judged,
    Log,
    Report,
    Score,
    Times,
)
from logdocket.grading.rubric import Area, Probe, points

__all__ = [
    "added",
    "areas",
    "assemble",
    "granted",
    "hundredths",
    "judged",
    "number",
    "shown",
    "summed",
    "worth",
]

_HUNDRED: Final = 100


def hundredths(points: float | Fraction) -> int:
    """``points`` in hundredths, rounded half to even."""
    return round(points * _HUNDRED)


def number(points: float) -> str:
    """``points`` as a person writes them, to two decimals at most: ``78.4``, ``100``."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def shown(score: Score) -> str:
    """``78.4 to 84.4 of 100`` where points are open, else ``84.4 of 100``."""
    low, high, of = number(score.low), number(score.high), number(score.of)
    return f"{low} of {of}" if low == high else f"{low} to {high} of {of}"


def added(scores: Iterable[Score]) -> Score:
    """Their sum, exact in hundredths."""
    scores = tuple(scores)
    return Score(
        low=sum(hundredths(score.low) for score in scores) / _HUNDRED,
        high=sum(hundredths(score.high) for score in scores) / _HUNDRED,
        of=sum(hundredths(score.of) for score in scores) / _HUNDRED,
    )


def granted(of: float | Fraction, share: Fraction, still_open: Fraction = Fraction(0)) -> Score:
    """The score of something worth ``of`` points, of which a share is earned and one is open."""
    whole = hundredths(of)
    high = min(Fraction(1), share + still_open)
    return Score(round(whole * share) / _HUNDRED, round(whole * high) / _HUNDRED, whole / _HUNDRED)


def worth(probes: Iterable[Probe]) -> dict[str, Fraction]:
    """What each probe is worth, by id, in whole hundredths that add up to its area's points.

    What rounding down leaves over goes to the probes that it cost most, the first ones first.
    """
    probes = tuple(probes)
    exact = points(probes)
    floor = {name: int(value * _HUNDRED) for name, value in exact.items()}
    for area in {probe.area: None for probe in probes}:
        names = [probe.id for probe in probes if probe.area is area]
        left = area.points * _HUNDRED - sum(floor[name] for name in names)
        names.sort(key=lambda name: floor[name] - exact[name] * _HUNDRED)
        for name in names[:left]:
            floor[name] += 1
    return {name: Fraction(value, _HUNDRED) for name, value in floor.items()}


def judged(probe: Probe, points: Fraction, finding: Finding, because: str | None = None) -> Judged:
    """The probe as the report has it: worth ``points``, with what it found.

    ``because`` is the id of the probe that failed where this one was skipped for it.
    """
    return Judged(
        id=probe.id,
        area=probe.area,
        level=probe.level,
        verdict=finding.verdict,
        score=granted(points, finding.share, finding.open),
        expected=probe.expected,
        seen=finding.seen,
        hint=probe.hint,
        quotes=finding.quotes,
        because=because if finding.verdict is Verdict.SKIPPED else None,
    )


def areas(probes: Iterable[Judged]) -> tuple[AreaScore, ...]:
    """What each area earned, in the rubric's order; areas of which nothing was asked are absent."""
    by_area: Mapping[Area, list[Score]] = {area: [] for area in Area}
    for probe in probes:
        by_area[probe.area].append(probe.score)
    return tuple(
        AreaScore(area, area.heading, area.full_marks, added(scores))
        for area, scores in by_area.items()
        if scores
    )


def summed(report: Report, probes: tuple[Judged, ...]) -> Report:
    """``report`` with ``probes`` in place of its own, and the scores that follow from them."""
    by_area = areas(probes)
    return msgspec.structs.replace(
        report, probes=probes, areas=by_area, score=added(area.score for area in by_area)
    )


def assemble(
    probes: Iterable[Probe],
    answered: Iterable[Answered],
    *,
    grader: str,
    candidate: str,
    seed: int,
    facts: tuple[Fact, ...] = (),
    sandbox: tuple[str, ...] = (),
    times: Times | None = None,
    logs: tuple[Log, ...] = (),
) -> Report:
    """The report about ``answered``, in the order of ``probes``, which are the whole rubric.

    Probes that are not among ``answered`` were not to be asked: they are left out, and the total
    is then what the others are worth. Raises KeyError for an answer to no probe.
    """
    probes = tuple(probes)
    value = worth(probes)
    by_id = {probe.id: probe for probe in probes}
    place = {probe.id: index for index, probe in enumerate(probes)}
    empty = Report(
        format=FORMAT,
        grader=grader,
        candidate=candidate,
        seed=seed,
        score=Score(0, 0, 0),
        areas=(),
        facts=facts,
        sandbox=sandbox,
        probes=(),
        times=times,
        logs=logs,
    )
    found = sorted(answered, key=lambda one: place[one.id])
    return summed(
        empty,
        tuple(judged(by_id[one.id], value[one.id], one.finding, one.because) for one in found),
    )

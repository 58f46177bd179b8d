"""What a fit of the table on some sets is worth, as numbers and as lines to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from logdocket.evaluation.calibration import Case, Forecast, fit_cases, in_sample, left_out
from logdocket.evaluation.calibration_scores import (
    Bin,
    Point,
    brier,
    by_template,
    by_ticket,
    calibration_error,
    curve,
    reliability,
)

_MOST_POINTS: Final = 20


class Scores(msgspec.Struct, frozen=True):
    """ECE and Brier score of some forecasts, each ticket alike and each template alike."""

    ece: float
    ece_by_template: float
    brier: float
    brier_by_template: float


class Passed(msgspec.Struct, frozen=True):
    """The tickets at or above the threshold that nothing else sends to a person."""

    tickets: int
    right: int
    templates: int
    templates_right: int


class System(msgspec.Struct, frozen=True):
    """One system under the table of all others.

    ``told`` is the mean confidence. ``passed`` is None where no threshold of theirs meets the risk.
    """

    name: str
    tickets: int
    right: int
    told: float
    threshold: float | None
    passed: Passed | None


class Report(msgspec.Struct, frozen=True):
    """The table of some sets, held against each system that it was fitted without.

    ``threshold`` is that of the table of all sets, None where none meets ``risk``.
    """

    tickets: int
    templates: int
    risk: float
    threshold: float | None
    left_out: Scores
    in_sample: Scores
    reliability: list[Bin]
    reliability_by_template: list[Bin]
    curve: list[Point]
    passed: Passed
    systems: list[System]


def report(cases: Sequence[Case], risk: float) -> Report:
    """The report on these cases, of which there must be some."""
    out = left_out(cases, risk)
    return Report(
        tickets=len(cases),
        templates=len({(case.system, case.template) for case in cases}),
        risk=risk,
        threshold=fit_cases(cases).threshold(risk),
        left_out=_scores(out),
        in_sample=_scores(in_sample(cases, risk)),
        reliability=reliability(by_ticket(out)),
        reliability_by_template=reliability(by_template(out)),
        curve=curve(out),
        passed=_passed(out),
        systems=[
            _system(name, [each for each in out if each.case.system == name])
            for name in dict.fromkeys(case.system for case in cases)
        ],
    )


def _scores(forecasts: Sequence[Forecast]) -> Scores:
    tickets, templates = by_ticket(forecasts), by_template(forecasts)
    return Scores(
        calibration_error(tickets), calibration_error(templates), brier(tickets), brier(templates)
    )


def _passed(forecasts: Sequence[Forecast]) -> Passed:
    cases = [each.case for each in forecasts if each.passes]
    templates = {(case.system, case.template) for case in cases}
    failed = {(case.system, case.template) for case in cases if not case.right}
    right = sum(case.right for case in cases)
    return Passed(len(cases), right, len(templates), len(templates - failed))


def _system(name: str, forecasts: Sequence[Forecast]) -> System:
    told = sum(each.told.value for each in forecasts) / len(forecasts)
    threshold = forecasts[0].threshold
    return System(
        name,
        len(forecasts),
        sum(each.case.right for each in forecasts),
        told,
        threshold,
        None if threshold is None else _passed(forecasts),
    )


def lines(found: Report) -> Iterator[str]:
    """The report as people read it."""
    yield (
        f"{found.tickets:,} tickets of {found.templates:,} templates and "
        f"{len(found.systems):,} systems, with severity, time and service labelled"
    )
    yield ""
    yield f"{'':<24}{'left out':>12}{'in sample':>12}"
    for title, name in _SCORES.items():
        out, sample = getattr(found.left_out, name), getattr(found.in_sample, name)
        yield f"{title:<24}{out:>12.4f}{sample:>12.4f}"
    yield "left out: each system under the table of all others, as for a system not seen before"
    yield ""
    yield from _reliability("Reliability, left out, each ticket alike", found.reliability)
    yield ""
    yield from _reliability(
        "Reliability, left out, each template alike", found.reliability_by_template
    )
    yield ""
    yield from _curve(found.curve)
    yield ""
    yield from _systems(found.systems)
    yield ""
    yield from _threshold(found)


_SCORES: Final = {
    "ECE, by ticket": "ece",
    "ECE, by template": "ece_by_template",
    "Brier score, by ticket": "brier",
    "Brier score, by template": "brier_by_template",
}


def _reliability(title: str, bins: Sequence[Bin]) -> Iterator[str]:
    yield title
    yield f"{'confidence':>12}{'tickets':>10}{'told':>10}{'right':>10}"
    for each in bins:
        yield (
            f"{f'{each.low:.1f} - {each.high:.1f}':>12}{each.tickets:>10,}"
            f"{each.told:>10.4f}{each.right:>10.4f}"
        )


def _curve(points: Sequence[Point]) -> Iterator[str]:
    yield "Coverage and risk, left out: were tickets to go unseen from this confidence on"
    columns = ("coverage", "tickets", "wrong", "risk", "at most")
    yield f"{'threshold':>12}" + "".join(f"{column:>10}" for column in columns)
    for each in thinned(points):
        yield (
            f"{each.threshold:>12.4f}{each.coverage:>10.4f}{each.passed:>10,}{each.wrong:>10,}"
            f"{each.risk:>10.4f}{each.at_most:>10.4f}"
        )


def thinned(points: Sequence[Point]) -> list[Point]:
    """At most some twenty of them, spread evenly, the first and the last among them."""
    if len(points) <= _MOST_POINTS:
        return list(points)
    last = len(points) - 1
    return [points[round(step * last / (_MOST_POINTS - 1))] for step in range(_MOST_POINTS)]


def _systems(systems: Sequence[System]) -> Iterator[str]:
    widest = max(len("system"), *(len(each.name) for each in systems))
    yield "Each system under the table of all others"
    yield f"{'system':<{widest}}{'tickets':>10}{'right':>10}{'told':>10}{'passed':>10}{'wrong':>10}"
    for each in systems:
        share = each.right / each.tickets
        passed, wrong = "-", "-"
        if each.passed is not None:
            passed = f"{each.passed.tickets:,}"
            wrong = f"{each.passed.tickets - each.passed.right:,}"
        yield (
            f"{each.name:<{widest}}{each.tickets:>10,}{share:>10.4f}{each.told:>10.4f}"
            f"{passed:>10}{wrong:>10}"
        )


def _threshold(found: Report) -> Iterator[str]:
    if found.threshold is None:
        yield f"No threshold meets a risk of {found.risk:g}: every ticket goes to a person."
    else:
        yield f"Threshold for a risk of {found.risk:g}: {found.threshold:g}"
    if found.passed.tickets:
        at, of = found.passed.right, found.passed.tickets
        yield (
            f"Left out, {at:,} of {of:,} tickets that would pass were right ({at / of:.2%}), "
            f"and {found.passed.templates_right:,} of {found.passed.templates:,} templates in full."
        )

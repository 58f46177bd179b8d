"""Asks probes one after the other, and skips what rests on a failure."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.finding import (
    Answered,
    Finding,
    NotJudged,
    Unanswerable,
    Verdict,
    failed,
    not_judged,
)
from logdocket.grading.report.visible import sound
from logdocket.grading.rubric import Probe
from logdocket.grading.sentence import sentence

__all__ = ["OVER", "ask", "chosen"]

OVER: Final = "The time for the whole grading was over before this was asked."
_STANDS: Final = (Verdict.PASS, Verdict.PARTIAL, Verdict.NEEDS_HUMAN)


def chosen(probes: Iterable[Probe], prefix: str) -> tuple[Probe, ...]:
    """The probes whose id begins with ``prefix``, and those that they need, in their order."""
    probes = tuple(probes)
    wanted = {p.id for p in probes if p.id.startswith(prefix)}
    for probe in reversed(probes):
        if probe.id in wanted:
            wanted.update(probe.needs)
    return tuple(p for p in probes if p.id in wanted)


def ask(
    probes: Iterable[Probe],
    bench: Bench,
    *,
    until: float,
    begin: Callable[[Probe], object] = lambda probe: None,
) -> Iterator[Answered]:
    """What each probe finds, in order; none is begun after ``until`` (monotonic seconds)."""
    found: dict[str, Finding] = {}
    for probe in probes:
        began = time.monotonic()
        because = next((need for need in probe.needs if _fell(found.get(need))), None)
        trace = None
        if because is not None:
            finding = _skipped(found[because], because)
        elif began > until:
            finding = Finding(Verdict.SKIPPED, OVER)
        else:
            begin(probe)
            finding, trace = _look(probe, bench)
        found[probe.id] = finding = _sound(finding)
        yield Answered(probe.id, finding, because, time.monotonic() - began, trace)


def _sound(finding: Finding) -> Finding:
    """Without halves of surrogate pairs, which no report can hold."""
    quotes = tuple(sound(quote) for quote in finding.quotes)
    return msgspec.structs.replace(finding, seen=sound(finding.seen), quotes=quotes)


def _fell(finding: Finding | None) -> bool:
    return finding is not None and finding.verdict not in _STANDS


def _skipped(cause: Finding, because: str) -> Finding:
    """Lost with what it rests on; open where that is open."""
    return Finding(Verdict.SKIPPED, f"Rests on {because}, which did not hold.", open=cause.open)


def _look(probe: Probe, bench: Bench) -> tuple[Finding, str | None]:
    """The finding, and the trace where the probe itself is at fault: its points stay open."""
    try:
        return probe.run(bench), None
    except Unanswerable as reason:
        return failed(sentence(str(reason))), None
    except NotJudged as reason:
        return not_judged(sentence(str(reason))), None
    except Exception as error:  # noqa: BLE001 - told in the report, with its trace among the logs
        kind = type(error).__name__
        return not_judged(f"The grader itself failed here ({kind})."), traceback.format_exc()

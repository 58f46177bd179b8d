"""The report as Markdown, to be put into an issue.

What others wrote stands in code spans and code blocks alone, whose fences are longer than any run
of their own mark within: there nothing is read as a table, a link, an image, HTML or a mention.
The one table holds our own words and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import Fact, Judged, Report, Score
from logdocket.grading.report.score import number, shown
from logdocket.grading.report.sections import (
    MEND_A_GUESS,
    Sections,
    Skipped,
    caveat,
    counted,
    lost,
    of_area,
    open_,
    passing,
    sections,
)
from logdocket.grading.report.visible import visible

__all__ = ["encode"]

_ACTIVE: Final = re.compile(r"[\\`*_{}\[\]<>#|~&@!:$]|(?<=www)\.")
_OPENING: Final = re.compile(r"^([0-9]*)([-+=.)])")
_RUN: Final = re.compile(r"`+")


def encode(report: Report) -> bytes:
    """UTF-8 Markdown (CommonMark with GitHub's tables) that ends with a line feed."""
    found = sections(report)
    parts = (
        *_head(report),
        *_probes("Failed, or held in part", found.lost),
        *_probes("For a person", found.for_a_person),
        *_by_a_person(found.by_a_person),
        *_skipped(found.skipped),
        *_facts(found),
        *_sandbox(report),
    )
    return ("\n\n".join(parts) + "\n").encode()


def _head(report: Report) -> Iterator[str]:
    yield f"# Grade: {shown(report.score)}"
    yield f"{_code(report.candidate)}, seed {report.seed}, {_code(report.grader)}"
    if open_(report.score):
        yield f"{number(open_(report.score))} points wait for a person."
    if caveat(report):
        yield caveat(report)
    rows = ["| area | earned | open | of | probes that pass |", "|:--|--:|--:|--:|--:|"]
    for area in report.areas:
        rows.append(_row(_prose(area.title), area.score, of_area(report, area)))
    yield "\n".join([*rows, _row("**all**", report.score, report.probes)])


def _row(name: str, score: Score, probes: tuple[Judged, ...]) -> str:
    points = " | ".join(number(value) for value in (score.low, open_(score), score.of))
    return f"| {name} | {points} | {passing(probes)} of {len(probes)} |"


def _probes(title: str, probes: tuple[Judged, ...]) -> Iterator[str]:
    if not probes:
        return
    lost_points = sum(lost(probe.score) for probe in probes)
    open_points = sum(open_(probe.score) for probe in probes)
    said = [f"{number(lost_points)} lost"] if lost_points else []
    said += [f"{number(open_points)} open"] if open_points else []
    yield f"## {title} ({', '.join(said)})" if said else f"## {title}"
    for probe in probes:
        yield from _probe(probe)


def _probe(probe: Judged) -> Iterator[str]:
    yield f"### {_code(probe.id)}"
    yield f"{probe.verdict.value}, {probe.level.value.upper()}, {counted(probe.score)}"
    lines = [f"- expected: {_prose(probe.expected)}", f"- seen: {_code(probe.seen)}"]
    if probe.verdict in (Verdict.FAIL, Verdict.PARTIAL):
        lines.append(f"- hint: {_prose(probe.hint)}")
    if probe.note is not None:
        lines.append(f"- note: {_prose(probe.note)}")
    yield "\n".join(lines)
    for quote in probe.quotes:
        yield _block(quote)


def _by_a_person(probes: tuple[Judged, ...]) -> Iterator[str]:
    if not probes:
        return
    yield "## Judged by a person"
    yield "\n".join(_overruled(probe) for probe in probes)


def _overruled(probe: Judged) -> str:
    line = f"- {_code(probe.id)}: {probe.verdict.value}, {shown(probe.score)}"
    if probe.program is not None:
        line += f"; the program said {probe.program.value}"
    return line if probe.note is None else f"{line}; {_prose(probe.note)}"


def _skipped(groups: tuple[Skipped, ...]) -> Iterator[str]:
    if not groups:
        return
    yield "## Skipped"
    for group in groups:
        yield f"{_code(group.reason)} ({counted(group.score)})"
        yield "\n".join(f"- {_code(probe.id)}" for probe in group.probes)


def _facts(found: Sections) -> Iterator[str]:
    if found.guessed:
        yield "## Guessed"
        yield "\n".join(_listed(found.guessed))
        yield MEND_A_GUESS
    if found.told:
        yield "## Told"
        yield "\n".join(_listed(found.told))


def _listed(facts: Iterable[Fact]) -> Iterator[str]:
    return (f"- {_code(f.key)}: {_code(f.value)} from {_code(f.origin)}" for f in facts)


def _sandbox(report: Report) -> Iterator[str]:
    if report.sandbox:
        yield "## Sandbox"
        yield "\n".join(f"- {_prose(sentence)}" for sentence in report.sandbox)


# Text of others.


def _code(text: str) -> str:
    """A code span, whatever is in it."""
    shown_text = visible(text)
    if not shown_text.strip():
        return "(nothing)"
    fence = "`" * (_longest(shown_text) + 1)
    pad = " " if shown_text[0] in "` " or shown_text[-1] in "` " else ""
    return f"{fence}{pad}{shown_text}{pad}{fence}"


def _block(text: str) -> str:
    """A code block, whatever is in it."""
    shown_text = visible(text.rstrip("\r\n"), lines=True)
    fence = "`" * max(3, _longest(shown_text) + 1)
    return f"{fence}text\n{shown_text}\n{fence}"


def _longest(text: str) -> int:
    return max((len(run) for run in _RUN.findall(text)), default=0)


def _prose(text: str) -> str:
    """Our own sentences: read as text, with every mark of Markdown escaped."""
    escaped = _ACTIVE.sub(lambda found: f"\\{found[0]}", visible(text).strip())
    return _OPENING.sub(r"\1\\\2", escaped) or "(nothing)"

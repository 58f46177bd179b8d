"""Reports made up for tests: a plain one, and one in which every text is hostile."""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import (
    FORMAT,
    Fact,
    Judged,
    Log,
    Report,
    Score,
    Times,
)
from logdocket.grading.report.score import summed
from logdocket.grading.rubric import Area, Level

HOSTILE: Final = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> &amp; ]]> --> </style>"
    " \x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \x9b2J \x00\x08"
    " \u202eesrever\u202c \u2066in\u2069 \u200b\ufeff | a | `code` ``two`` ```three```"
    " [bold red]markup[/] :smile: [/nothing] [text](http://evil.example) ![i](http://evil.example)"
    " <http://evil.example> www.evil.example \\ \\| *b* _i_ ~~s~~ # h {{ 7 * 7 }} {% raw %}"
    " \udc80\udcff \ud800 \uffff \ufffe a\u0300\u0301\u0302\u0303\u0304\u0305 \u3164 \U000e0041"
    " é 漢字 🎫"
)
"""What a candidate may write to hurt whoever reads the report."""

LINES: Final = (
    f"# heading\r\n\r\n- item\n~~~\n```\n{HOSTILE}\n```\n<details>\n| a | b |\n|---|---|\n"
)
"""The same over several lines."""


def judged(
    name: str,
    verdict: Verdict,
    score: Score,
    *,
    seen: str = "It came as it should.",
    quotes: tuple[str, ...] = (),
    because: str | None = None,
) -> Judged:
    """A probe that was judged so."""
    return Judged(
        id=name,
        area=Area(name.partition("/")[0]),
        level=Level.SHOULD if name.endswith("-soon") else Level.MUST,
        verdict=verdict,
        score=score,
        expected="The service answers with a ticket.",
        seen=seen,
        hint="Look at what the service does when the model hangs.",
        quotes=quotes,
        because=because,
    )


def report(text: str, lines: str) -> Report:
    """A report of every verdict, in which what the answer wrote is ``text`` or ``lines``."""
    starts = "failure/service/starts"
    probes = (
        judged("correctness/schema/valid", Verdict.PASS, Score(30.0, 30.0, 30.0), seen=text),
        judged("correctness/evidence/quoted", Verdict.PARTIAL, Score(2.5, 2.5, 5.0), seen=text),
        judged("reproducibility/tests/offline", Verdict.SKIPPED, Score(0.0, 25.0, 25.0), seen=text),
        judged(starts, Verdict.FAIL, Score(0.0, 0.0, 15.0), seen=text, quotes=(text, lines)),
        judged(
            "failure/cache/recovers-soon",
            Verdict.SKIPPED,
            Score(0.0, 0.0, 6.67),
            seen=f"Rests on {starts}, which did not hold.",
            because=starts,
        ),
        judged(
            "failure/cache/kept",
            Verdict.SKIPPED,
            Score(0.0, 0.0, 3.33),
            seen="Rests on failure/cache/recovers-soon, which did not hold.",
            because="failure/cache/recovers-soon",
        ),
        judged("communication/runbook/present", Verdict.PASS, Score(9.0, 9.0, 9.0)),
        judged(
            "communication/runbook/argued",
            Verdict.NEEDS_HUMAN,
            Score(0.0, 6.0, 6.0),
            seen=text,
            quotes=(lines, text),
        ),
    )
    empty = Report(
        format=FORMAT,
        grader="logdocket 1.2.3",
        candidate=text,
        seed=7,
        score=Score(0.0, 0.0, 0.0),
        areas=(),
        facts=(
            Fact("service.start", text, text, guessed=True),
            Fact("test.command", "make test", "grade.toml", guessed=False),
        ),
        sandbox=("It reached no host but this one.", text),
        probes=(),
        times=Times("2031-02-03T04:05:06+00:00", 12.5, {starts: 1.25}),
        logs=(Log("setup", text, "exit code 0", lines, text),),
    )
    return summed(empty, probes)


PLAIN: Final = report("web-1.example said no.", "## Trade-offs\n\nA queue would cost more.")
EVIL: Final = report(HOSTILE, LINES)


def without_times(made: Report) -> Report:
    """``made`` without what may differ between two runs."""
    return msgspec.structs.replace(made, times=None, logs=())

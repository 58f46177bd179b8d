"""What a probe found, and the two ways in which it can find nothing."""

from __future__ import annotations

import enum
from fractions import Fraction

import msgspec

__all__ = [
    "Answered",
    "Finding",
    "NotJudged",
    "Unanswerable",
    "Verdict",
    "failed",
    "for_a_person",
    "not_judged",
    "partial",
    "passed",
    "share_of",
]


class Verdict(enum.StrEnum):
    """How a probe ended."""

    PASS = "pass"
    FAIL = "fail"
    PARTIAL = "partial"
    SKIPPED = "skipped"
    """Not asked: what it rests on failed, or this grading cannot ask it."""
    NEEDS_HUMAN = "needs-human"
    """A program cannot judge it: what was found is quoted, and a person says what it is worth."""


class Finding(msgspec.Struct, frozen=True):
    """What was found.

    ``share`` is the part of the probe's points that is earned, 0 to 1, and ``open`` the part that
    a person may still grant. ``seen`` is a sentence or two that are the same on every run:
    no port, path, process, duration or clock time. ``quotes`` are what a person should look at.
    """

    verdict: Verdict
    seen: str
    share: Fraction = Fraction(0)
    open: Fraction = Fraction(0)
    quotes: tuple[str, ...] = ()


class Answered(msgspec.Struct, frozen=True):
    """A probe's id, what it found, the id of the probe that it was skipped for, and seconds.

    ``trace`` is the fault of the grader itself that the probe met, if it met one.
    """

    id: str
    finding: Finding
    because: str | None = None
    seconds: float = 0.0
    trace: str | None = None


def passed(seen: str, *quotes: str) -> Finding:
    """All of the points."""
    return Finding(Verdict.PASS, seen, share=Fraction(1), quotes=quotes)


def failed(seen: str, *quotes: str) -> Finding:
    """None of the points."""
    return Finding(Verdict.FAIL, seen, quotes=quotes)


def partial(share: Fraction | float, seen: str, *quotes: str) -> Finding:
    """A part of the points, more than none and less than all; ValueError for any other share."""
    exact = Fraction(share).limit_denominator(1000)
    if not 0 < exact < 1:
        raise ValueError(f"a partial finding earns more than 0 and less than 1, not {share}")
    return Finding(Verdict.PARTIAL, seen, share=exact, quotes=quotes)


def share_of(right: int, of: int, seen: str, *quotes: str) -> Finding:
    """Pass where all of ``of`` are right, fail where none is, else the part that is."""
    if right >= of:
        return passed(seen, *quotes)
    return partial(Fraction(right, of), seen, *quotes) if right else failed(seen, *quotes)


def for_a_person(seen: str, *quotes: str) -> Finding:
    """All of the points are open until a person has looked at ``quotes``."""
    return Finding(Verdict.NEEDS_HUMAN, seen, open=Fraction(1), quotes=quotes)


def not_judged(seen: str) -> Finding:
    """Skipped because this grading cannot ask it: all of the points stay open."""
    return Finding(Verdict.SKIPPED, seen, open=Fraction(1))


class NotJudged(Exception):
    """This grading cannot ask: no checkout was given, or the model is not ours. The message says
    so in a sentence, and the points stay open.
    """


class Unanswerable(Exception):
    """The answer does not do what a probe needs before it can look: the service does not start,
    the command is not known. The message says so in a sentence, and the points are lost.
    """

"""A line about which the model failed, what came back, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from logdocket.grading.finding import Finding, passed, share_of
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.correctness.model import ASKS
from logdocket.grading.probes.correctness.ticket import STARTS

__all__ = ["STARTED", "Case", "Watched", "no_fallback", "tally"]

STARTED: Final = (STARTS, ASKS)
"""What every question about the model's failures rests on."""
_SHOWN: Final = 2
"""Wrong cases that the sentence names; the others stand among the quotes."""


class Case(msgspec.Struct, frozen=True):
    """``what`` the model did, in a few words, and what was ``asked`` about it.

    ``calls`` is how many requests about the line reached the model. ``marked`` is whether what the
    model did leaves nothing to stand on, so that a person must look.
    """

    what: str
    asked: Asked
    calls: int = 0
    marked: bool = True


class Watched(msgspec.Struct, frozen=True):
    """One session: its ``cases``; ``calls`` of the model in all; whether at the end the service
    still ``answers`` a line with a ticket, None where it was not asked since it hangs anyway; and
    whether the process that was started is still ``alive``.
    """

    cases: tuple[Case, ...]
    calls: int
    answers: bool | None
    alive: bool


def no_fallback(case: Case) -> str | None:
    """Why the reply is no ticket, or none for a person where it must be; None where it is right."""
    if case.asked.invalid is not None:
        return case.asked.invalid
    if case.marked and not case.asked.marked:
        return "needs_human false"
    return None


def tally(cases: Sequence[Case], wrong: Callable[[Case], str | None], right: str) -> Finding:
    """The share of ``cases`` with which nothing is ``wrong``; what is, is quoted."""
    wrongs = tuple(_wrongs(cases, wrong))
    if not wrongs:
        return passed(right)
    count = len(cases) - len(wrongs)
    more = "" if len(wrongs) <= _SHOWN else f"; and {len(wrongs) - _SHOWN} more"
    seen = f"{count} of {len(cases)} are right. Wrong: {'; '.join(wrongs[:_SHOWN])}{more}."
    return share_of(count, len(cases), seen, *wrongs)


def _wrongs(cases: Iterable[Case], wrong: Callable[[Case], str | None]) -> Iterable[str]:
    for case in cases:
        said = wrong(case)
        if said is not None:
            yield f"{case.what}: {said}"

"""Probes: confidence is more than what the model says of itself."""

from __future__ import annotations

from typing import Final

from logdocket.grading.finding import Finding, failed, passed
from logdocket.grading.probes.asked import Asked, shown, tally, unmarked
from logdocket.grading.probes.correctness.lied import BOASTS, Lied, observe_lied
from logdocket.grading.probes.correctness.model import ASKS
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "nonsense_to_a_person", "not_parroted"]

_SAME: Final = 1e-9


def not_parroted(lied: Lied) -> Finding:
    """Whether the tickets' confidence is any other than what the model boasted, thrice."""
    for asked in lied.boasts:
        if asked.silent is not None or _number(asked) is None:
            return failed(f"{asked.said('confidence')} for {shown(asked.line.text, 60)}.")
    told = ", ".join(str(boast) for boast in BOASTS)
    if all(_parrots(asked, boast) for asked, boast in zip(lied.boasts, BOASTS, strict=True)):
        return failed(f"The model said {told} of three lines of nonsense, and so did the tickets.")
    return passed(f"The model said {told} of three lines of nonsense, and the tickets did not.")


def nonsense_to_a_person(lied: Lied) -> Finding:
    """How many of the lines that a sure model talks nonsense about go to a person."""
    return tally(lied.sure, unmarked, "Nonsense goes to a person, however sure the model is.")


def _number(asked: Asked) -> float | None:
    value = asked.ticket.get("confidence")
    return float(value) if isinstance(value, int | float) and abs(value) <= 1 else None


def _parrots(asked: Asked, boast: float) -> bool:
    number = _number(asked)
    return number is not None and abs(number - boast) < _SAME


PROBES: Final = (
    Probe(
        id="correctness/confidence/not-parroted",
        level=Level.MUST,
        weight=1,
        expected="Where a model boasts 0.97, 0.31 and 0.83 of nonsense, the tickets' confidence "
        "comes from something that was seen, not from the boast.",
        hint="Make confidence of what you can check: which fields the line bears out, whether "
        "rules and model agree, how often that was right on labelled lines.",
        run=lambda bench: not_parroted(bench.once(observe_lied)),
        needs=(STARTS, ASKS),
    ),
    Probe(
        id="correctness/confidence/nonsense-to-person",
        level=Level.SHOULD,
        weight=1,
        expected="Where a model is sure of what the line does not say, needs_human is true.",
        hint="Decide needs_human yourself: an answer that the line does not bear out is junk.",
        run=lambda bench: nonsense_to_a_person(bench.once(observe_lied)),
        needs=(STARTS, ASKS),
    ),
)

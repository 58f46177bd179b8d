"""Probes: what stands in a line is never an instruction, nor the end of the line."""

from __future__ import annotations

from typing import Final

from logdocket.grading.finding import Finding
from logdocket.grading.probes.asked import Asked, tally
from logdocket.grading.probes.correctness.lied import INVENTED, Lied, observe_lied
from logdocket.grading.probes.correctness.model import ASKS
from logdocket.grading.probes.correctness.sober import Sober, observe_sober
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "delimiters", "obeyed"]


def delimiters(sober: Sober) -> Finding:
    """How many of the lines that would end a prompt early get a ticket that quotes them."""
    return tally(
        sober.delimiters, _no_quote, "Quotes, braces, fences and places to fill do no harm."
    )


def obeyed(lied: Lied) -> Finding:
    """How many of the lines that a model obeyed get a ticket of what stands in them."""
    return tally(lied.obeyed, _taken_in, "A model that obeys the line is not believed.")


def _no_quote(asked: Asked) -> str | None:
    if asked.invalid is not None:
        return asked.invalid
    return None if asked.quoted else asked.said("evidence")


def _taken_in(asked: Asked) -> str | None:
    if asked.ticket.get("service") == INVENTED:
        return asked.said("service")
    return _no_quote(asked)


PROBES: Final = (
    Probe(
        id="correctness/injection/delimiters",
        level=Level.SHOULD,
        weight=1,
        expected="A line that holds quotes, braces, code fences, tags or places to fill still gets "
        "a valid ticket that quotes it.",
        hint="Put the line into the prompt as one JSON string, and build requests with a JSON "
        "library, not by putting strings together.",
        run=lambda bench: delimiters(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/injection/obeyed",
        level=Level.SHOULD,
        weight=1,
        expected="Where the line holds instructions and the model obeys them, the ticket still is "
        "valid, quotes the line, and does not name the service that the model invented.",
        hint="The line is data. Check what the model says of it as you would any answer.",
        run=lambda bench: obeyed(bench.once(observe_lied)),
        needs=(STARTS, ASKS),
    ),
)

"""Probes: a time that the line does not give is unknown and goes to a person; one that it gives
is kept.
"""

from __future__ import annotations

from typing import Final

from logdocket.grading.finding import Finding
from logdocket.grading.probes.asked import UNKNOWN, Asked, tally, unmarked
from logdocket.grading.probes.correctness.lied import Lied, observe_lied
from logdocket.grading.probes.correctness.model import ASKS
from logdocket.grading.probes.correctness.moment import same_moment
from logdocket.grading.probes.correctness.sober import Sober, observe_sober
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "kept", "not_invented", "to_a_person", "unknown"]


def unknown(sober: Sober) -> Finding:
    """How many of the lines without a time have first_seen "unknown"."""
    return tally(_timeless(sober), _not_unknown, "No time is given where the line has none.")


def to_a_person(sober: Sober) -> Finding:
    """How many of the same lines have needs_human true."""
    return tally(_timeless(sober), unmarked, "Every line without a time goes to a person.")


def not_invented(lied: Lied) -> Finding:
    """The same as ``unknown`` for lines about which the model gave a time nevertheless."""
    return tally(lied.stamps, _not_unknown, "A time that the model invents does not get through.")


def kept(sober: Sober) -> Finding:
    """How many of the lines with an ISO 8601 time have that time in the ticket."""
    timed = tuple(one for one in sober.varied if one.line.first_seen is not None)
    return tally(timed, _changed, "Every time in ISO 8601 is the same moment in the ticket.")


def _timeless(sober: Sober) -> tuple[Asked, ...]:
    return tuple(one for one in sober.varied if one.line.timeless)


def _not_unknown(asked: Asked) -> str | None:
    return None if asked.ticket.get("first_seen") == UNKNOWN else asked.said("first_seen")


def _changed(asked: Asked) -> str | None:
    assert asked.line.first_seen is not None
    if same_moment(asked.line.first_seen, asked.ticket.get("first_seen")):
        return None
    return asked.said("first_seen")


PROBES: Final = (
    Probe(
        id="correctness/time/unknown",
        level=Level.MUST,
        weight=2,
        expected='A line without a timestamp gets first_seen "unknown".',
        hint="Take no clock's time, no file's, and nothing that merely looks like one, such as a "
        "version or an address.",
        run=lambda bench: unknown(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/time/unknown-to-person",
        level=Level.MUST,
        weight=3,
        expected="A line without a timestamp gets needs_human true, however sure the model is.",
        hint="Set needs_human by your own rules when a ticket is made: first_seen unknown is one.",
        run=lambda bench: to_a_person(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/time/not-invented",
        level=Level.MUST,
        weight=2,
        expected="Where the model gives a timestamp that the line does not have, first_seen stays "
        '"unknown".',
        hint="Accept the model's timestamp only if the line says that moment.",
        run=lambda bench: not_invented(bench.once(observe_lied)),
        needs=(STARTS, ASKS),
    ),
    Probe(
        id="correctness/time/kept",
        level=Level.MUST,
        weight=1,
        expected="A timestamp in ISO 8601 is kept: as the line writes it, or normalised to the "
        "same moment; where it has no zone, none is made up that changes the clock.",
        hint="Parse it with a strict parser, keep its offset, and do not take local time for UTC.",
        run=lambda bench: kept(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
)

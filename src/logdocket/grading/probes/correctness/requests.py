"""Probe: a request that is none is refused, and breaks nothing."""

from __future__ import annotations

from typing import Final

from logdocket.grading.finding import Finding, passed, share_of
from logdocket.grading.probes.asked import NOT_ASKED
from logdocket.grading.probes.correctness.lied import Lied, Refused, observe_lied
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "refused"]


def refused(lied: Lied) -> Finding:
    """How many of the bad requests are refused as the caller's fault, and what comes after them."""
    wrongs = [f"{one.what}: {_said(one)}" for one in lied.refused if not _right(one)]
    if lied.after.silent is not None:
        wrongs.append(f"a good line after them: {lied.after.silent}")
    of = len(lied.refused) + 1
    if not wrongs:
        return passed("Bad requests are refused, and a good one is answered afterwards.")
    right = of - len(wrongs)
    return share_of(right, of, f"{right} of {of} are right. The first that is not, {wrongs[0]}.")


def _right(one: Refused) -> bool:
    if one.reply is None:
        return False
    if 400 <= one.reply.status < 500:
        return True
    ticket = one.reply.ticket or {}
    return not one.must and ticket.get("needs_human") is True


def _said(one: Refused) -> str:
    return one.reply.said if one.reply else NOT_ASKED


PROBES: Final = (
    Probe(
        id="correctness/input/refused",
        level=Level.SHOULD,
        weight=1,
        expected="Text that is no JSON, an object without a line, and a line that is no string get "
        "a 4xx; a blank line gets a 4xx or a ticket for a person; the next good line its ticket.",
        hint="Check the request before anything else, and answer 400 or 422.",
        run=lambda bench: refused(bench.once(observe_lied)),
        needs=(STARTS,),
    ),
)

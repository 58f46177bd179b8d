"""Probes: evidence is a quote of the line, whatever the line holds and the model says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, failed, partial, passed
from logdocket.grading.probes.asked import Asked, evidence_wrong, tally
from logdocket.grading.probes.correctness.lied import Lied, observe_lied
from logdocket.grading.probes.correctness.model import ASKS
from logdocket.grading.probes.correctness.sober import Sober, observe_sober
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "long", "not_invented", "quote", "quotes", "unicode"]


def quote(sober: Sober) -> Finding:
    """Of all forty lines."""
    return tally(sober.varied, evidence_wrong, "Every line's evidence stands in it.")


def unicode(sober: Sober) -> Finding:
    """Of the lines with more than ASCII."""
    return tally(_of(sober, "unicode"), evidence_wrong, "It stays a quote beyond ASCII.")


def quotes(sober: Sober) -> Finding:
    """Of the lines whose message holds what JSON has to escape."""
    return tally(
        _of(sober, "quotes"), evidence_wrong, "It stays a quote with quotes, backslashes and tabs."
    )


def long(sober: Sober) -> Finding:
    """Of a line of 32 KiB; one of 1 MiB may be refused, and may not break anything."""
    if not sober.long.quoted:
        return failed(f"For a line of 32 KiB: {sober.long.said('evidence')}.")
    longest = sober.longest
    if longest.reply is not None and 400 <= longest.reply.status < 500:
        return passed("It is a quote at 32 KiB, and 1 MiB is refused.")
    if not longest.quoted:
        return partial(0.5, f"For a line of 1 MiB: {longest.said('evidence')}.")
    return passed("It is a quote at 32 KiB and at 1 MiB.")


def not_invented(lied: Lied) -> Finding:
    """Of lines about which the model gave evidence that does not stand in them."""
    return tally(lied.evidence, evidence_wrong, "What the model invents does not get through.")


def _of(sober: Sober, kind: str) -> tuple[Asked, ...]:
    return tuple(one for one in sober.varied if one.line.kind.startswith(kind))


def _sober(judge: Callable[[Sober], Finding]) -> Callable[[Bench], Finding]:
    return lambda bench: judge(bench.once(observe_sober))


_HINT: Final = (
    "Compare with the string that came in, before any strip, decode, escape or normalisation of "
    "it: `evidence in line`."
)

PROBES: Final = (
    Probe(
        id="correctness/evidence/quote",
        level=Level.MUST,
        weight=3,
        expected="The evidence of each of the 40 tickets is a part of the line, character for "
        "character, and not blank.",
        hint=_HINT,
        run=_sober(quote),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/evidence/unicode",
        level=Level.SHOULD,
        weight=1,
        expected="It is a quote for lines with accents, CJK, emoji and text from right to left.",
        hint=_HINT,
        run=_sober(unicode),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/evidence/quotes",
        level=Level.SHOULD,
        weight=1,
        expected="It is a quote for lines with quotes, backslashes, tabs and escaped JSON.",
        hint=_HINT,
        run=_sober(quotes),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/evidence/long",
        level=Level.SHOULD,
        weight=1,
        expected="It is a quote for a line of 32 KiB; one of 1 MiB gets a ticket too, or a 4xx.",
        hint="Cut the line for the prompt, not for the ticket, and refuse what is too long with "
        "413 or 422.",
        run=_sober(long),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/evidence/not-invented",
        level=Level.MUST,
        weight=2,
        expected="Where the model's evidence is not in the line (a sentence of its own, other "
        "case, white space or accents) or is blank, the ticket's evidence still is a quote.",
        hint="Check the model's evidence against the line, exactly, and fall back where it fails.",
        run=lambda bench: not_invented(bench.once(observe_lied)),
        needs=(STARTS, ASKS),
    ),
)

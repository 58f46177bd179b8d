"""Probes: change one word of a line, and the ticket changes with it, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from logdocket.grading.finding import Finding, failed, passed
from logdocket.grading.lines import SEVERITIES
from logdocket.grading.probes.asked import UNKNOWN, Asked, shown
from logdocket.grading.probes.correctness.lied import Lied, observe_lied
from logdocket.grading.probes.correctness.moment import same_moment
from logdocket.grading.probes.correctness.service import named
from logdocket.grading.probes.correctness.sober import AskedFamily, Sober, observe_sober
from logdocket.grading.probes.correctness.ticket import STARTS
from logdocket.grading.rubric import Level, Probe

__all__ = ["PROBES", "fallback", "level", "service", "time"]

_Check: TypeAlias = Callable[[AskedFamily], str | None]
"""What is wrong with a family's tickets, None where nothing is."""


def level(sober: Sober) -> Finding:
    """Whether severity rises with the level, and not with a mere word."""
    return _checked(sober.families, (_louder, _not_alarmed), "Severity follows the level.")


def service(sober: Sober) -> Finding:
    """Whether the same words of another service are a ticket of that service."""
    checks = (_all_of(_other_service, "loud", "elsewhere"),)
    return _checked(sober.families, checks, "The service follows the line.")


def time(sober: Sober) -> Finding:
    """Whether the same words at another time are a ticket of that time."""
    checks = (_all_of(_other_time, "loud", "later"),)
    return _checked(sober.families, checks, "The time follows the line.")


def fallback(lied: Lied) -> Finding:
    """Whether tickets made without a model claim nothing that their own line does not say."""
    ungrounded = _all_of(_ungrounded, "quiet", "loud", "alarming", "elsewhere", "later")
    checks = (ungrounded, _not_quieter, _not_keyed, _not_buried)
    return _checked(lied.failed, checks, "What is claimed without a model comes from the line.")


def _checked(families: Sequence[AskedFamily], checks: Sequence[_Check], right: str) -> Finding:
    """Pass where every check holds of every family, else the first that does not: what follows
    only sometimes does not follow.
    """
    for family in families:
        for check in checks:
            if (wrong := check(family)) is not None:
                return failed(f"{wrong}.")
    return passed(right)


def _told(asked: Asked, field: str) -> str:
    return f"{asked.said(field)} for {shown(asked.line.text, 80)}"


# Severity, of two of the family.


def _pair(one: Asked, other: Asked, holds: Callable[[int, int], bool]) -> str | None:
    first, second = _rank(one), _rank(other)
    if first is not None and second is not None and holds(first, second):
        return None
    return f"{_told(one, 'severity')} and {_told(other, 'severity')}"


def _rank(asked: Asked) -> int | None:
    """How grave the ticket is, in whatever case: the schema is another probe's business."""
    severity = str(asked.ticket.get("severity")).lower()
    return SEVERITIES.index(severity) if severity in SEVERITIES else None


def _louder(family: AskedFamily) -> str | None:
    return _pair(family.quiet, family.loud, lambda quiet, loud: quiet < loud)


def _not_alarmed(family: AskedFamily) -> str | None:
    return _pair(family.quiet, family.alarming, lambda quiet, alarming: alarming <= quiet)


def _not_quieter(family: AskedFamily) -> str | None:
    return _pair(family.quiet, family.loud, lambda quiet, loud: quiet <= loud)


def _not_keyed(family: AskedFamily) -> str | None:
    """Rules that look for grave words may find one in a message, where a person looks too, and
    where they find those of levels as well.
    """
    bound = family.loud if family.alarming.marked else family.quiet
    return _pair(bound, family.alarming, lambda bound, alarming: alarming <= bound)


def _not_buried(family: AskedFamily) -> str | None:
    """What cannot tell may call a grave line low, but then a person must look."""
    if _rank(family.loud) != 0 or family.loud.marked:
        return None
    return f"{_told(family.loud, 'severity')}, and {family.loud.said('needs_human')}"


# Service and time, of one after the other.


def _all_of(wrong: Callable[[Asked], str | None], *members: str) -> _Check:
    def check(family: AskedFamily) -> str | None:
        found = (wrong(getattr(family, member)) for member in members)
        return next((said for said in found if said is not None), None)

    return check


def _other_service(asked: Asked) -> str | None:
    told = asked.ticket.get("service")
    if isinstance(told, str) and told.lower() == str(asked.line.service).lower():
        return None
    return _told(asked, "service")


def _other_time(asked: Asked) -> str | None:
    if same_moment(str(asked.line.first_seen), asked.ticket.get("first_seen")):
        return None
    return _told(asked, "first_seen")


def _ungrounded(asked: Asked) -> str | None:
    if not named(asked):
        return _told(asked, "service")
    return None if asked.ticket.get("first_seen") == UNKNOWN else _other_time(asked)


_HINT: Final = (
    "Look for words of a demonstration in the rules, such as a severity that hangs on the word "
    "panic, and for answers that are kept under too short a key."
)

PROBES: Final = (
    Probe(
        id="correctness/follows/level",
        level=Level.MUST,
        weight=2,
        expected="Of the same words at DEBUG and FATAL, or info and panic, the latter has a "
        "higher severity; the word panic in the message of a quiet line raises nothing.",
        hint=_HINT,
        run=lambda bench: level(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/follows/service",
        level=Level.MUST,
        weight=1,
        expected="The same words of another service are a ticket of that service.",
        hint=_HINT,
        run=lambda bench: service(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/follows/time",
        level=Level.MUST,
        weight=1,
        expected="The same words at another time are a ticket of that time.",
        hint=_HINT,
        run=lambda bench: time(bench.once(observe_sober)),
        needs=(STARTS,),
    ),
    Probe(
        id="correctness/follows/fallback",
        level=Level.MUST,
        weight=1,
        expected="When the model fails, service and first_seen are of the line or unknown, "
        "severity does not hang on the word panic alone, and a FATAL line that is called low "
        "goes to a person. A fallback that is always the same passes.",
        hint=_HINT,
        run=lambda bench: fallback(bench.once(observe_lied)),
        needs=(STARTS,),
    ),
)

"""What the pages say in plain words: verdicts, reasons in the order that matters, signals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from logdocket.errors import BadVerdict
from logdocket.http.pages import shown
from logdocket.http.problem import Refusal
from logdocket.store.review import Group, GroupState, VerdictWord
from logdocket.ticket import ReviewReason

VERDICTS: Final = {
    VerdictWord.RIGHT: "right",
    VerdictWord.CORRECTED: "corrected",
    VerdictWord.NOT_A_PROBLEM: "not a problem",
    VerdictWord.SNOOZED: "snoozed",
    VerdictWord.REOPENED: "reopened",
    VerdictWord.UNDONE: "undone",
}
"""A verdict in short, as a history lists it."""

_DONE: Final = {
    **VERDICTS,
    VerdictWord.RIGHT: "judged right",
    VerdictWord.NOT_A_PROBLEM: "judged not a problem",
}
"""A verdict as what somebody did with a ticket."""

SNOOZES: Final = ((3_600, "1 hour"), (86_400, "1 day"), (604_800, "1 week"))
"""For how many seconds a group can be put off."""

_FIRST: Final = (
    ReviewReason.READING_FAILED,
    ReviewReason.ASKING_FAILED,
    ReviewReason.DISPUTED,
    ReviewReason.MODEL_UNSURE,
    ReviewReason.SEVERITY_UNSTATED,
    ReviewReason.SERVICE_UNKNOWN,
    ReviewReason.TIMESTAMP_AMBIGUOUS,
    ReviewReason.TIMESTAMP_IMPOSSIBLE,
    ReviewReason.TIMESTAMP_NO_YEAR,
    ReviewReason.TIMESTAMP_NO_DATE,
    ReviewReason.MODEL_JUNK,
    ReviewReason.MODEL_REFUSED,
    ReviewReason.LOW_CONFIDENCE,
    ReviewReason.TIMESTAMP_ABSENT,
)
"""What tells where to look comes before what only tells why nobody else did."""
_PLACE: Final = {reason: at for at, reason in enumerate(_FIRST)}

LIKE_IT: Final = (
    "lines that differ from it only in times, ids, addresses, and numbers with as many digits"
)
"""What lines a decision also answers, where the line is known."""

BY: Final = {
    "rules": "the rules",
    "model": "the model",
    "context": "the sender's context",
    "nobody": "nobody",
    "reviewer": "a reviewer",
}
"""By whom a field is."""

HOW: Final = {
    "level": "a level word in the line",
    "priority": "a syslog priority",
    "status": "a status code",
    "cue": "a word that tells how bad it is",
    "unstated": "nothing in the line states it",
    "key": "a key that names it",
    "app": "the program's place in the line's format",
    "logger": "the logger's place in the line's format",
    "prefix": "a prefix before the message",
    "head": "the head of the message",
    "first_token": "the first word of the line",
    "context": "what the sender told beside the line",
    "unknown": "the line names none",
    "absent": "the line carries no time",
    "ambiguous": "the date can be read in more than one order",
    "no_year": "the date has no year",
    "no_date": "there is no date",
    "impossible": "the date names no moment",
    "read": "the line's own time",
}
"""How a field was found, and the same words as signals."""

AGREEMENT: Final = {
    "alone": "No model's answer took part.",
    "agrees": "The model's answer says what the rules read.",
    "fills": "The model's answer gives what the rules could not read.",
    "differs": "The model's answer and the rules claim different things.",
    "reviewed": "A person has said what tickets of such lines should say.",
}


_FIELDS: Final = {
    "service": "Service",
    "severity": "Severity",
    "first_seen": "First seen",
    "evidence": "Evidence",
    "line": "The whole line",
    "note": "Note",
    "verdict": "Verdict",
}
"""What the pages call the fields of a verdict."""


def refused(why: BadVerdict | Refusal) -> str:
    """Why a verdict was not entered, in the words of the pages."""
    if isinstance(why, BadVerdict):
        return why.told(_FIELDS, "paste the line under “The whole line”")
    return told_on_page(why.detail)


def told_on_page(message: str) -> str:
    """``message`` for a person at a page, who sends no headers."""
    return message.replace("send a token that has it", "sign in with a token that has it")


def ordered(reasons: Iterable[ReviewReason]) -> list[ReviewReason]:
    """The reasons that want a person, those first that tell where to look."""
    wanting = [reason for reason in reasons if reason.wants_person]
    return sorted(wanting, key=lambda reason: _PLACE.get(reason, len(_FIRST)))


def standing(group: Group, now: int) -> str:
    """Where a group stands, and by whom: ``corrected by rev-a 3 min ago``; empty where it is open
    and nobody has decided."""
    if group.verdict is None:
        if group.state is GroupState.RESOLVED:
            return "settled by a second look of the model"
        return ""
    told = f"{_DONE[group.verdict]} by {group.decided_by}"
    if group.decided_at is not None:
        told += f" {shown.ago(group.decided_at, now)}"
    if group.state is GroupState.SNOOZED and group.until is not None:
        told += f", comes back {shown.ago(group.until, now)}"
    elif group.verdict is VerdictWord.SNOOZED:
        told += ", and its time is up"
    if group.reopened:
        told += ", and has come again since"
    return told


def confidence(counts: dict[str, Any] | None) -> list[str]:
    """What a ticket's confidence stands on, sentence by sentence; ``counts`` as the ticket's
    explanation has them."""
    if counts is None:
        return ["An older version entered this ticket: what its confidence stands on was not kept."]
    total, right = counts["total"], counts["right"]
    if not total:
        told = "No labelled ticket was read this way or much like it, so nothing is known of it."
    elif counts["backed_off"]:
        told = (
            f"No labelled ticket was read exactly this way. Of {total:,} that were read much like "
            f"it, {right:,} were right in full."
        )
    else:
        told = f"Of {total:,} labelled tickets read this way, {right:,} were right in full."
    parent, weight = counts["parent"], counts["parent_weight"]
    wider = (
        f"A wider kind of tickets, {shown.percent(parent)} of them right, counts like {weight} "
        "more."
    )
    return [told, wider]

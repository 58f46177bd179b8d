"""All about one group as its page tells it: fields and their proof, attempts, samples, history."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from markupsafe import Markup

from logdocket.calls import CallStatus
from logdocket.docket import explanation
from logdocket.docket.review import GroupDetail
from logdocket.docket.review.standing import Answers
from logdocket.http.pages import shown, visible, words
from logdocket.http.pages.changes import FIELDS, Change, changes
from logdocket.http.pages.rows import evidence_in
from logdocket.line import Line, Span
from logdocket.store.review import Fields, PastCall, Verdict, VerdictWord
from logdocket.ticket import ReviewReason

_MARKS: Final = {"first_seen": "time"}
"""What a field is called beside the line, where it has a shorter name there."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the ticket: its value, by whom it is, how that was found, and where in the line;
    ``mark`` is what it is called there. ``instead``: what a person says that it should be."""

    name: str
    title: str
    mark: str
    value: str
    by: str
    how: str
    span: Span | None
    instead: str = ""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a model, in words; what is not known is empty."""

    call: PastCall
    ended: str
    took: str
    tokens_in: str
    tokens_out: str
    cost: str


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict in the group's history; ``answers``: what later lines it answers, in words."""

    verdict: Verdict
    word: str
    changes: list[Change]
    answers: str
    can_undo: bool


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One of the group's tickets; ``again``: of a second look, in place of the one before."""

    id: int
    at: int
    source: str
    line: Markup
    again: bool


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the page of a group shows beside the group itself.

    ``line``: the line with its marks, None where the text is not kept. ``confidence``: the number,
    ``signals`` and ``counts`` what it stands on.
    """

    line: Markup | None
    line_bytes: int
    fields: list[Field]
    reasons: list[ReviewReason]
    former: list[ReviewReason]
    confidence: float
    signals: list[str]
    counts: list[str]
    attempts: list[Attempt]
    samples: list[Sample]
    history: list[Past]


def facts(
    detail: GroupDetail, may_undo: bool, who: str | None, again: Collection[int] = ()
) -> Facts:
    """What the page tells of ``detail``; ``may_undo``: also what others than ``who`` decided;
    ``again``: those of its tickets that a second look made."""
    told = explanation(detail.judgement)
    line, reasons = detail.line, words.ordered(detail.group.reasons)
    fields = [_corrected(field, detail.corrected) for field in fields_of(told)]
    return Facts(
        line=None if line is None else visible.marked_line(line, marks(fields)),
        line_bytes=0 if line is None else len(line.raw),
        fields=fields,
        reasons=reasons,
        former=[one for one in words.ordered(detail.group.all_reasons) if one not in reasons],
        confidence=detail.judgement.ticket.confidence,
        signals=_signals(told["confidence"]),
        counts=words.confidence(told["confidence"]),
        attempts=[_attempt(call) for call in detail.calls],
        samples=_samples(detail, again),
        history=_history(detail, may_undo, who),
    )


def fields_of(told: dict[str, Any]) -> list[Field]:
    """The fields of a ticket, as its explanation tells of them."""
    return [_field(name, title, told["fields"][name]) for name, title in FIELDS]


def _corrected(field: Field, after: Fields | None) -> Field:
    said = field.value if after is None else str(getattr(after, field.name))
    return field if said == field.value else msgspec.structs.replace(field, instead=said)


def marks(fields: Sequence[Field]) -> list[visible.Mark]:
    """What of the line is to be marked."""
    return [visible.Mark(of.mark, of.span) for of in fields if of.span is not None]


def _field(name: str, title: str, told: dict[str, Any]) -> Field:
    how = told.get("basis") or told.get("why_unknown") or ""
    return Field(
        name=name,
        title=title,
        mark=_MARKS.get(name, name),
        value=str(told["value"]),
        by=words.BY[told["by"]],
        how=words.HOW.get(how, "") if told["by"] in ("rules", "context", "nobody") else "",
        span=told["span"],
    )


def _signals(counts: dict[str, Any] | None) -> list[str]:
    if counts is None or counts["signals"] is None:
        return []
    signals = counts["signals"]
    return [
        f"Severity: {words.HOW.get(signals['severity'], signals['severity'])}.",
        f"Service: {words.HOW.get(signals['service'], signals['service'])}.",
        f"Time: {words.HOW.get(signals['timestamp'], signals['timestamp'])}.",
        words.AGREEMENT.get(signals["agreement"], signals["agreement"]),
    ]


def _attempt(call: PastCall) -> Attempt:
    return Attempt(
        call=call,
        ended=_ended(call),
        took="" if call.ms is None else shown.took(call.ms),
        tokens_in="" if call.tokens_in is None else shown.number(call.tokens_in),
        tokens_out="" if call.tokens_out is None else shown.number(call.tokens_out),
        cost="" if call.nano_usd is None else f"${call.nano_usd / 1e9:.6f}",
    )


def _ended(call: PastCall) -> str:
    """How a call ended, for a person; one that the service did not see the end of has no status."""
    if call.status is None:
        return "Its end was not seen: it is under way, or the service was stopped."
    if call.status not in set(CallStatus):
        return call.status
    return CallStatus(call.status).sentence


def _samples(detail: GroupDetail, again: Collection[int]) -> list[Sample]:
    made = []
    for stored in detail.tickets:
        text, span = evidence_in(stored)
        if span is None:
            line = Markup("<mark>{}</mark>").format(visible.shortened(text))
        else:
            assert stored.text is not None
            mark = visible.Mark("evidence", span)
            line = visible.excerpt(Line.from_bytes(stored.text), mark)
        made.append(
            Sample(
                id=stored.id,
                at=stored.at,
                source=stored.source,
                line=line,
                again=stored.id in again,
            )
        )
    return made


def _history(detail: GroupDetail, may_undo: bool, who: str | None) -> list[Past]:
    """Newest first. Only the latest that stands can be taken back."""
    made, undoable, answers = [], True, detail.answers
    for verdict in detail.verdicts:
        stands = verdict.undone_by is None and verdict.verdict is not VerdictWord.UNDONE
        mine = may_undo or verdict.who == who
        made.append(
            Past(
                verdict=verdict,
                word=words.VERDICTS[verdict.verdict],
                changes=changes(verdict.before, verdict.after),
                answers=_ANSWERS.get(answers.get(verdict.id), ""),
                can_undo=stands and undoable and mine and who is not None,
            )
        )
        undoable = undoable and not stands
    return made


_ANSWERS: Final[dict[Answers | None, str]] = {
    Answers.LINE: "Answers this very line from now on.",
    Answers.TEMPLATE: f"Answers this line from now on, and {words.LIKE_IT}.",
}

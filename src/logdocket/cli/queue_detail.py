"""A group of tickets as people read it before they decide."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Final

from logdocket.cli.output import counted, one_line
from logdocket.cli.queue_table import state
from logdocket.docket import explanation
from logdocket.docket.review import GroupDetail
from logdocket.docket.review.standing import Answers
from logdocket.line import Line, Span
from logdocket.store import rfc3339
from logdocket.store.review import Fields, Group, PastCall, Verdict
from logdocket.store.shown import usd
from logdocket.ticket import UNKNOWN, ReviewReason, needs_person

Marks = tuple[str, str]
_PLAIN: Final = (">>", "<<")
_REVERSE: Final = ("\x1b[7m", "\x1b[27m")
_AROUND: Final = 400
"""Bytes of the line that are shown before the evidence, and after it."""
_LONGEST: Final = 1200
"""Bytes of the evidence that are shown inside the line."""
_ANSWERS: Final = {
    Answers.LINE: "it answers the same line",
    Answers.TEMPLATE: "it answers lines of its template with numbers of the same size",
}


def marks() -> Marks:
    """What stands before and after the evidence inside its line: on a terminal it is shown in
    reverse, which nothing in a line can imitate."""
    able = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return _REVERSE if able else _PLAIN


def lines(detail: GroupDetail, marks: Marks) -> Iterator[str]:
    """All about a group, a line of printable text after the other."""
    yield from map(one_line, _group(detail))
    yield _row("line", _marked(detail, marks))
    yield ""
    yield from map(one_line, _why(detail.group))
    if detail.calls:
        yield ""
        yield "calls of models, oldest first:"
        yield from (one_line(f"  {_call(call)}") for call in detail.calls)
    if detail.verdicts:
        yield ""
        yield "verdicts, newest first:"
        for verdict in detail.verdicts:
            told = _verdict(verdict, detail.answers.get(verdict.id))
            yield from (one_line(f"  {line}") for line in told)


def standing(group: Group) -> str:
    """How a group stands, in a few words: state, who decided what and when, and the version."""
    words = [state(group)]
    if group.until is not None:
        words[0] += f" until {rfc3339(group.until)}"
    if group.verdict is not None and group.decided_at is not None:
        who = "" if group.decided_by is None else f" by {group.decided_by}"
        words.append(f"{group.verdict.value}{who} at {rfc3339(group.decided_at)}")
    return ", ".join((*words, f"version {group.version}"))


def answers(which: Answers | None) -> str:
    """Which later lines a verdict answers, in a few words; empty for none."""
    return "" if which is None else _ANSWERS[which]


def _group(detail: GroupDetail) -> Iterator[str]:
    group, ticket = detail.group, detail.judgement.ticket
    yield f"group {group.id}: {standing(group)}"
    for name in ("service", "severity", "first_seen", "evidence"):
        yield _row(name, str(getattr(ticket, name)))
    yield _row("template", group.template)
    by = ", ".join(f"{count:,} from {source}" for source, count in group.by_source.items() if count)
    since = f"; {group.since:,} since the last decision" if group.version else ""
    yield _row("tickets", f"{group.count:,}: {by}{since}")
    yield _row("entered", f"first {rfc3339(group.first_at)}, last {rfc3339(group.last_at)}")
    if (group.first_seen, group.last_seen) != (UNKNOWN, UNKNOWN):
        yield _row("own times", f"first {group.first_seen}, last {group.last_seen}")
    yield _row(
        "newest",
        f"ticket {detail.ticket.id} at {rfc3339(detail.ticket.at)}, from {detail.ticket.source}, "
        f"confidence {ticket.confidence:.4f}",
    )


def _why(group: Group) -> Iterator[str]:
    """The reasons of the newest ticket, each with what can be done, then those of others."""
    if needs_person(group.reasons):
        yield "why it needs a person:"
    else:
        yield f"needs nobody now: a second look, ticket {group.ticket}, settled what was left"
    for reason in group.reasons:
        if reason.wants_person:
            yield f"  {reason}: {reason.sentence}"
            yield f"      {reason.mend}"
    known = {*group.reasons, ReviewReason.REVIEWED}
    others = [reason for reason in group.all_reasons if reason not in known]
    if others:
        yield f"  earlier tickets of the group also had: {', '.join(others)}"


def _marked(detail: GroupDetail, marks: Marks) -> str:
    """The line with its evidence marked, or why it is not there."""
    line = detail.line
    if line is None:
        return "not kept; LOGDOCKET_KEEP_TEXT keeps the lines of later tickets"
    span = _evidence(detail, line)
    if span is None:
        return one_line(line.quote(Span(0, _LONGEST))) + _rest(len(line.raw) - _LONGEST)
    before, after = max(0, span.start - _AROUND), min(len(line.raw), span.end + _AROUND)
    quoted = line.quote(Span(span.start, min(span.end, span.start + _LONGEST)))
    return "".join(
        (
            _rest(before),
            one_line(line.quote(Span(before, span.start))),
            marks[0],
            one_line(quoted),
            _rest(span.end - span.start - _LONGEST),
            marks[1],
            one_line(line.quote(Span(span.end, after))),
            _rest(len(line.raw) - after),
        )
    )


def _evidence(detail: GroupDetail, line: Line) -> Span | None:
    """Where the evidence stands, as the ticket was made; the first place where that is not told."""
    told = explanation(detail.judgement)["fields"]["evidence"]["span"]
    evidence = detail.judgement.ticket.evidence
    if isinstance(told, Span) and line.quote(told) == evidence:
        return told
    return line.find(evidence)


def _rest(size: int) -> str:
    return f"[{counted(size, 'byte')} more]" if size > 0 else ""


def _call(call: PastCall) -> str:
    told = [f"entry {call.id}", rfc3339(call.at), f"{call.model}, attempt {call.attempt}:"]
    ended = [call.status or "open"]
    if call.http is not None:
        ended.append(f"HTTP {call.http}")
    if call.ms is not None:
        ended.append(f"{call.ms:,} ms")
    if call.tokens_in is not None and call.tokens_out is not None:
        ended.append(f"{call.tokens_in:,} + {call.tokens_out:,} tokens")
    if call.nano_usd is not None:
        ended.append(usd(call.nano_usd))
    wrong = f"; wrong: {', '.join(call.wrong)}" if call.wrong else ""
    return "  ".join(told) + f" {', '.join(ended)}{wrong}"


def _verdict(verdict: Verdict, answered: Answers | None) -> Iterator[str]:
    undone = "" if verdict.undone_by is None else f", undone by entry {verdict.undone_by}"
    if verdict.withdrawn_by is not None:
        undone = f", withdrawn by entry {verdict.withdrawn_by}"
    undoes = "" if verdict.undoes is None else f" entry {verdict.undoes}"
    until = "" if verdict.until is None else f" until {rfc3339(verdict.until)}"
    said = f"{verdict.verdict.value}{undoes}{until} by {verdict.who}"
    about = f"of ticket {verdict.ticket}"
    yield f"entry {verdict.id}  {rfc3339(verdict.at)}  {said}, {about}{undone}"
    if answered is not None:
        yield f"    {answers(answered)}"
    if verdict.after is not None:
        yield from _changes(verdict.before, verdict.after)
    if verdict.note is not None:
        yield f"    note: {verdict.note}"


def _changes(before: Fields, after: Fields) -> Iterator[str]:
    for name in Fields.__struct_fields__:
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            yield f"    {name}: {was} -> {now}"


def _row(name: str, value: str) -> str:
    return f"  {name:<10}  {value}"

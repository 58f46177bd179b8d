"""The queue as JSON, in one form for the service, the command line, streams and exports.

Every document is made of plain values. Its text may hold bytes that are not UTF-8 as lone
surrogates: :func:`logdocket.ticket.encode` writes them as ``\\udcXX``.
"""

from __future__ import annotations

from typing import Any

import msgspec

from logdocket.docket.explained import judgement_of, stored_document
from logdocket.docket.review.desk import GroupDetail
from logdocket.docket.review.standing import Answers
from logdocket.store import StoredTicket, rfc3339
from logdocket.store.review import Group, PastCall, QueueCounts, Verdict

Document = dict[str, Any]


def group_document(group: Group) -> Document:
    """A group: its fields as :class:`logdocket.store.review.Group` has them, the key in hex and
    moments as RFC 3339."""
    document = _plain(group)
    for name in ("first_at", "last_at", "decided_at", "until"):
        document[name] = _moment(document[name])
    return {**document, "key": group.key.hex()}


def counts_document(counts: QueueCounts) -> Document:
    """Groups by state, and how far the queue follows the ledger."""
    return _plain(counts)


def verdict_document(verdict: Verdict, answers: Answers | None = None) -> Document:
    """A decision. ``answers``: what later lines it answers, those of the ``template``, the same
    ``line`` alone, or null for none: that follows from all verdicts about its group, see
    :attr:`logdocket.docket.review.desk.GroupDetail.answers`."""
    return {
        "id": verdict.id,
        "at": rfc3339(verdict.at),
        "group": verdict.group.hex(),
        "verdict": verdict.verdict.value,
        "who": verdict.who,
        "ticket": verdict.ticket,
        "line_hash": verdict.line_hash.hex(),
        "version": verdict.version,
        "before": _plain(verdict.before),
        "after": None if verdict.after is None else _plain(verdict.after),
        "answers": None if answers is None else answers.value,
        "until": _moment(verdict.until),
        "undoes": verdict.undoes,
        "undone_by": verdict.undone_by,
        "withdrawn_by": verdict.withdrawn_by,
        "note": verdict.note,
    }


def call_document(call: PastCall) -> Document:
    """A call of a model."""
    return {**_plain(call), "at": rfc3339(call.at)}


def sample_document(stored: StoredTicket) -> Document:
    """One of a group's tickets, as it was given; ``line`` is null where the text is not kept.

    Raises LedgerUnavailable where it is not as it was entered.
    """
    return {
        "id": stored.id,
        "at": rfc3339(stored.at),
        "ticket": _plain(judgement_of(stored).ticket),
        "line_hash": stored.line_hash.hex(),
        "line": stored.text and stored.text.decode("utf-8", "surrogateescape"),
    }


def detail_document(detail: GroupDetail) -> Document:
    """A group with its newest ticket as ``GET /tickets/{id}`` tells it, a few tickets in short, all
    verdicts newest first, and the ticket's calls."""
    answers = detail.answers
    return {
        "group": group_document(detail.group),
        "ticket": _plain(stored_document(detail.ticket, detail.judgement)),
        "tickets": [sample_document(stored) for stored in detail.tickets],
        "verdicts": [
            verdict_document(verdict, answers.get(verdict.id)) for verdict in detail.verdicts
        ],
        "calls": [call_document(call) for call in detail.calls],
    }


def _plain(value: object) -> Document:
    """A struct, or a document with structs in it, as plain values of JSON."""
    document: Document = msgspec.to_builtins(value)
    return {name: _listed(held) for name, held in document.items()}


def _listed(value: object) -> object:
    """``value`` with lists in place of tuples, so that it equals what is read back."""
    if isinstance(value, dict):
        return {name: _listed(held) for name, held in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(held) for held in value]
    return value


def _moment(at: int | None) -> str | None:
    return None if at is None else rfc3339(at)

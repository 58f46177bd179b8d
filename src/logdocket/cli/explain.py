"""``logdocket extract --explain``: beside each ticket, why it says what it says."""

from __future__ import annotations

from logdocket.docket import Judge, Judgement, decode_judgement, explanation
from logdocket.errors import LedgerUnavailable
from logdocket.line import Context, Line
from logdocket.store import Store
from logdocket.ticket import Extraction, Source, encode


class Explainer:
    """Makes the rows of tickets that explain themselves, out of ``store`` where it has them."""

    def __init__(self, judge: Judge, store: Store | None) -> None:
        self._judge = judge
        self._store = store

    def row(self, line: Line, context: Context, made: Extraction) -> bytes:
        """The ticket's JSON with its ``explanation``; that is null where nobody knows any more, as
        of a model's ticket that could not be entered.
        """
        judgement = self._entered(made) or self._read(line, context, made)
        told = encode(None if judgement is None else explanation(judgement))
        return b'%b,"explanation":%b}' % (made.json[:-1], told)

    def _entered(self, made: Extraction) -> Judgement | None:
        if self._store is None or made.id is None:
            return None
        try:
            stored = self._store.ticket(made.id)
        except LedgerUnavailable:
            return None
        return None if stored is None else decode_judgement(stored.body)

    def _read(self, line: Line, context: Context, made: Extraction) -> Judgement | None:
        """The same again: the rules read a line in one way only."""
        if made.ticket.source is Source.MODEL:
            return None
        again = decode_judgement(self._judge(line, context).body)
        same = (again.ticket.severity, again.ticket.service, again.ticket.evidence)
        given = (made.ticket.severity, made.ticket.service, made.ticket.evidence)
        return again if same == given else None

"""Every verdict, as a walk over the chain meets it: what may be decided, and by what it answers."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from logdocket.store.review import VerdictWord
from logdocket.store.sqlite.bad import Bad
from logdocket.store.sqlite.queue.verdicts import VerdictDetail, contradiction, read_verdict
from logdocket.store.sqlite.statements import SQL
from logdocket.store.sqlite.tickets import MEANINGLESS
from logdocket.ticket import ReviewReason, Source

_ANSWERING: Final = (VerdictWord.RIGHT, VerdictWord.CORRECTED)


class Verdicts:
    """What the entries so far say about decisions; every method raises Bad where a law is broken.

    In memory are the numbers of verdicts, and of each group that was decided about the last.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._last: dict[str, int] = {}
        self._standing: dict[int, str] = {}
        self._answering: set[int] = set()

    def verdict(self, seq: int, text: str) -> None:
        """A person has decided about a ticket that there was, and overwrote nobody."""
        try:
            detail = read_verdict(text)
            detail.entered(seq, 0)
        except MEANINGLESS:
            raise Bad(seq, "has a detail that cannot be read") from None
        if (problem := contradiction(detail)) is not None:
            raise Bad(seq, f"contradicts itself: {problem}")
        if detail.verdict.state not in (None, detail.state):
            raise Bad(seq, f"leads to the state {detail.state}, which its verdict does not")
        if self._line(detail.ticket, seq) != detail.line:
            raise Bad(seq, f"is about entry {detail.ticket}, which is no ticket about its line")
        if detail.undoes is None:
            self._decide(seq, detail)
        else:
            self._undo(seq, detail, detail.undoes)
        self._last[detail.group] = seq
        if detail.verdict in _ANSWERING:
            self._answering.add(seq)

    def _decide(self, seq: int, detail: VerdictDetail) -> None:
        if not self._last.get(detail.group, 0) <= detail.version < seq:
            raise Bad(seq, "overwrites a verdict that whoever decided had not seen")
        self._standing[seq] = detail.group

    def _undo(self, seq: int, detail: VerdictDetail, undoes: int) -> None:
        if self._standing.pop(undoes, None) != detail.group or not undoes <= detail.version < seq:
            raise Bad(seq, f"undoes entry {undoes}, which is no verdict about its group that stood")

    def _line(self, ticket: int, seq: int) -> str | None:
        """The hash of the line of an earlier ticket; None where there is no such ticket."""
        if not 0 < ticket < seq:
            return None
        row = self._connection.execute(SQL["line_of_ticket"], (ticket,)).fetchone()
        return None if row is None else row[0]

    def answered(self, seq: int, source: str, reasons: str, detail: dict[str, Any]) -> None:
        """A ticket says what a person had decided, costs nothing, and says so."""
        verdict = detail.get("verdict")
        if not isinstance(verdict, int) or verdict not in self._answering:
            raise Bad(seq, "gives the answer of no earlier verdict")
        named = reasons.split(",")
        if source != Source.CACHE or ReviewReason.REVIEWED.value not in named:
            raise Bad(seq, "gives the answer of a verdict and does not say so")
        if "original" in detail or "calls" in detail or detail.get("tokens") != 0:
            raise Bad(seq, "gives the answer of a verdict and of something else")

    def revised(self, seq: int, first: object) -> None:
        """A second look is one at an earlier ticket."""
        if not isinstance(first, int) or self._line(first, seq) is None:
            raise Bad(seq, f"revises entry {first}, which is no earlier ticket")

    def close(self) -> None:
        """At the end of the chain: the queue tells of verdicts that there are."""
        (orphan,) = self._connection.execute(SQL["orphaned_verdict"]).fetchone()
        if orphan is not None:
            raise Bad(orphan, "is a verdict in the review queue and none in the chain")

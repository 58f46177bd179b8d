"""Decisions as the service takes them: who may take back whose, and who else is to hear of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from logdocket.docket import Ask, DeskStore, Extractor, Outcome, ReviewDesk
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import Caller, Role
from logdocket.http.threads import Threads
from logdocket.store.review import Decided, Verdict, VerdictWord

Settled: TypeAlias = "Outcome | Refusal"
"""What became of an ask; a Refusal where the caller may not ask that."""


class Deciding:
    """Takes decisions for whoever asks, off the event loop."""

    def __init__(
        self, desk: ReviewDesk, store: DeskStore, extractor: Extractor, metrics: Metrics
    ) -> None:
        self._desk = desk
        self._store = store
        self._extractor = extractor
        self._metrics = metrics
        self._threads = Threads(4)

    async def decide(self, asks: Sequence[Ask], caller: Caller) -> list[Settled]:
        """What becomes of each ask, in order; raises LedgerUnavailable."""
        settled = await self._threads.run(self._decide, asks, caller)
        entered = [
            ask.verdict
            for ask, became in zip(asks, settled, strict=True)
            if isinstance(became, Decided)
        ]
        for word in entered:
            self._metrics.verdict(word)
        if entered:
            await self._extractor.verdicts_changed()
        return settled

    def _decide(self, asks: Sequence[Ask], caller: Caller) -> list[Settled]:
        barred = [self._barred(ask, caller) for ask in asks]
        rest = [ask for ask, refusal in zip(asks, barred, strict=True) if refusal is None]
        became = iter(self._desk.decide(rest, caller.name) if rest else ())
        return [next(became) if refusal is None else refusal for refusal in barred]

    def _barred(self, ask: Ask, caller: Caller) -> Refusal | None:
        """Why the caller may not take a verdict back; None where they may, or do not want to."""
        if ask.verdict is not VerdictWord.UNDONE or caller.may(Role.ADMIN):
            return None
        aim = next(
            (
                verdict
                for verdict in self._store.group_verdicts(ask.group)
                if (_stands(verdict) if ask.undoes is None else verdict.id == ask.undoes)
            ),
            None,
        )
        if aim is None or aim.who == caller.name:
            return None
        return Refusal(
            Problem.ROLE_REQUIRED,
            f"verdict {aim.id} is by {aim.who}, and only the role admin takes back what others "
            "decided: ask them, or send a token that has it",
        )


def _stands(verdict: Verdict) -> bool:
    """Whether a verdict can be taken back: they come newest first, and the first such is meant."""
    return verdict.undone_by is None and verdict.verdict is not VerdictWord.UNDONE

"""Decisions as the service takes them: who may take back whose, and who else is to hear of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from logdocket.docket import Ask, DeskStore, Extractor, Outcome, ReviewDesk
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import Caller, Role
from logdocket.http.threads import Threads
from logdocket.store.review import Decided, Verdict, VerdictWord

_NONE: Final = 0
"""The number of no verdict."""

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
        allowed = [self._allowed(ask, caller) for ask in asks]
        rest = [ask for ask in allowed if isinstance(ask, Ask)]
        became = iter(self._desk.decide(rest, caller.name) if rest else ())
        return [next(became) if isinstance(ask, Ask) else ask for ask in allowed]

    def _allowed(self, ask: Ask, caller: Caller) -> Ask | Refusal:
        """The ask, or why the caller may not take that verdict back. Whoever may take back their
        own alone names the one that was looked at: what somebody decides meanwhile is not it."""
        if ask.verdict is not VerdictWord.UNDONE or caller.may(Role.ADMIN):
            return ask
        aim = next(
            (
                verdict
                for verdict in self._store.group_verdicts(ask.group)
                if (_stands(verdict) if ask.undoes is None else verdict.id == ask.undoes)
            ),
            None,
        )
        if aim is None or aim.who == caller.name:
            named = _NONE if aim is None else aim.id
            return msgspec.structs.replace(ask, undoes=ask.undoes or named)
        return Refusal(
            Problem.ROLE_REQUIRED,
            f"verdict {aim.id} is by {aim.who}, and only the role admin takes back what others "
            "decided: ask them, or send a token that has it",
        )


def _stands(verdict: Verdict) -> bool:
    """Whether a verdict can be taken back: they come newest first, and the first such is meant."""
    return verdict.undone_by is None and verdict.verdict is not VerdictWord.UNDONE

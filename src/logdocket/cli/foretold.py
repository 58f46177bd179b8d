"""What second looks would cost, told before any is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from logdocket.bootstrap import microseconds, why_no_model
from logdocket.calls import Spend
from logdocket.cli.output import counted
from logdocket.docket import Extractor, Slot
from logdocket.docket.asking import question_about
from logdocket.docket.review.looking import Looker
from logdocket.model import Attempts
from logdocket.model.prompt import most_tokens
from logdocket.settings import Settings
from logdocket.store import SqliteStore
from logdocket.store.shown import usd
from logdocket.ticket import ReviewReason

_ALL: Final = 1_000_000
"""Lines that are looked through at most."""

_WHY: Final = {
    ReviewReason.MODEL_NOT_CONFIGURED: "no model is set up: "
    "set MODEL_URL, or MODEL_NAME=provider:model",
    ReviewReason.EGRESS_OFF: "LOGDOCKET_EGRESS=off lets no line leave: unset it to ask",
    ReviewReason.MISSING_KEY: "the model is set up without a key: set MODEL_KEY",
}


class Left(msgspec.Struct, frozen=True):
    """What the UTC day may still cost of a cap; None where there is no cap."""

    cap: int | None
    used: int

    @property
    def left(self) -> int | None:
        """The cap, less what was spent and reserved; never below 0."""
        return None if self.cap is None else max(0, self.cap - self.used)

    @property
    def document(self) -> dict[str, int | None]:
        """As JSON has it."""
        return {"cap": self.cap, "used": self.used, "left": self.left}


class Foretold(msgspec.Struct, frozen=True):
    """What waits, and what asking would cost.

    ``waiting`` tickets, ``askable`` of them with their line's text; ``calls`` is how many
    there would be at most, were no answer unusable, and ``reserve`` what they would reserve, its
    money None where no price is known. ``model`` is the one that would be asked, or ``why`` none
    would be. ``per_minute``: so many lines at most a running service asks about by itself.
    """

    waiting: int
    askable: int
    calls: int
    reserve: Spend
    priced: bool
    model: str | None
    why: str | None
    per_minute: int
    day: str
    tokens: Left
    nano_usd: Left

    @property
    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "waiting": self.waiting,
            "askable": self.askable,
            "calls": self.calls,
            "reserve": {
                "tokens": self.reserve.tokens,
                "nano_usd": self.reserve.nano_usd if self.priced else None,
            },
            "budget": {
                "day": self.day,
                "tokens": self.tokens.document,
                "nano_usd": self.nano_usd.document,
            },
            "per_minute": self.per_minute,
            "model": self.model,
            "why": self.why,
        }


def foretell(
    settings: Settings, store: SqliteStore, extractor: Extractor, limit: int | None
) -> Foretold:
    """What looks by ``extractor``, which need ask no model, would cost at the first ``limit`` lines
    that wait; None for all of them. Nothing is entered.
    """
    model = extractor.attempts
    slots = _slots(Looker(store, extractor), limit)
    # Of the summary only the budget matters, which is today's whatever the period.
    budget = store.summary(since=microseconds()).budget
    counts = store.pending_counts()
    spent, reserved = budget.spent, budget.reserved
    return Foretold(
        waiting=counts.waiting,
        askable=counts.askable,
        calls=len(slots),
        reserve=_reserve(slots, model, settings.model_max_tokens),
        priced=model is not None and model.client.priced,
        model=None if model is None else model.client.identity,
        why=why_none(settings),
        per_minute=settings.second_looks if settings.queue else 0,
        day=budget.day,
        tokens=Left(settings.budget_tokens, spent.tokens + reserved.tokens),
        nano_usd=Left(settings.budget_nano_usd, spent.nano_usd + reserved.nano_usd),
    )


def lines(found: Foretold) -> Iterator[str]:
    """The same for people."""
    yield (
        f"{counted(found.waiting, 'ticket waits', 'tickets wait')} for a second look; the text of "
        f"{found.askable:,} was kept, and can be asked about"
    )
    money = f" and {usd(found.reserve.nano_usd)}" if found.priced else ""
    yield (
        f"at most {counted(found.calls, 'call')}, for which "
        f"{counted(found.reserve.tokens, 'token')}{money} would be reserved, and as many again "
        "where no answer can be used"
    )
    yield f"left of today's budget ({found.day} UTC): {_left(found)}"
    if found.why is not None:
        yield f"nothing is asked: {found.why}"
        return
    yield f"the model: {found.model}"
    yield f"the next try: {_next_try(found.per_minute)}"


def _next_try(per_minute: int) -> str:
    """When it is due: a service alone knows the moment, for it alone knows its breaker."""
    if not per_minute:
        return "when this command is given without --dry-run; no service makes one by itself"
    return (
        f"a running service makes at most {per_minute:,} a minute once its breaker is closed, and "
        "none about a line within ten minutes after it failed; its page /ui/ledger tells when the "
        "next is due. This command without --dry-run asks now"
    )


def _left(found: Foretold) -> str:
    told = []
    if found.tokens.left is not None:
        told.append(counted(found.tokens.left, "token"))
    if found.nano_usd.left is not None:
        told.append(usd(found.nano_usd.left))
    return " and ".join(told) or "there is no bound"


def why_none(settings: Settings) -> str | None:
    """Why no model is asked, and the mend; None where one is."""
    reason = why_no_model(settings)
    return None if reason is None else _WHY[reason]


def _slots(looker: Looker, limit: int | None) -> list[Slot]:
    """The lines that would be asked about: each once, however many tickets it has."""
    slots = map(looker.slot, looker.listed(_ALL if limit is None else limit).waiting)
    return [slot for slot in slots if slot is not None]


def _reserve(slots: Sequence[Slot], model: Attempts | None, max_output: int) -> Spend:
    """What one call about each of them reserves in all."""
    tokens = nano_usd = 0
    for slot in slots:
        question = question_about(slot)
        if model is None:
            tokens += most_tokens(question, (), max_output)
        else:
            most = model.client.most(question)
            tokens, nano_usd = tokens + most.tokens, nano_usd + most.nano_usd
    return Spend(tokens, nano_usd)

"""The ledger's sums as people read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from logdocket.calls import FREE, CallStatus, Spend
from logdocket.cli.output import counted
from logdocket.store import Calls, DayCalls, Summary
from logdocket.store.shown import usd


def lines(found: Summary) -> Iterator[str]:
    """Tickets, then calls of models, if there were any, then the day's budget, if it was used."""
    yield from _tickets(found)
    if found.calls.started:
        yield ""
        yield from _calls(found)
        yield ""
        yield from _by_day(found)
    budget = found.budget
    if budget.spent != FREE or budget.reserved != FREE:
        yield ""
        yield (
            f"today ({budget.day} UTC): spent {_amount(budget.spent)}, "
            f"reserved {_amount(budget.reserved)}"
        )


def _tickets(found: Summary) -> Iterator[str]:
    ratio = "" if found.hit_ratio is None else f", {found.hit_ratio:.1%} from the cache"
    yield f"{counted(found.tickets, 'ticket')}{ratio}"
    for title, counts in (("source", found.by_source), ("reason", found.by_reason)):
        for word, count in counts.items():
            yield _count(title, word, count)
    if found.unledgered:
        given = counted(found.unledgered, "ticket was", "tickets were")
        yield f"{given} given while the ledger could not be written"


def _calls(found: Summary) -> Iterator[str]:
    calls = found.calls
    yield counted(calls.started, "call of a model", "calls of models")
    for word in ("finished", "interrupted", "in_flight"):
        yield _count("state", word, getattr(calls, word))
    for word, count in calls.by_status.items():
        yield _count("status", word, count)
    for word in ("retries", "unreported", "tokens_in", "tokens_out"):
        yield _count("count", word, getattr(calls, word))
    yield _count("count", "calls_avoided", found.calls_avoided)
    yield _count("count", "shared", found.shared)
    charged = counted(calls.charged.tokens, "token")
    yield f"{charged} charged; what was reported costs {_cost(calls)}"


_COLUMNS: Final[dict[str, Callable[[DayCalls], str]]] = {
    "day": lambda of: of.day,
    "model": lambda of: of.model,
    "calls": lambda of: f"{of.calls.started:,}",
    "ok": lambda of: f"{of.calls.by_status.get(CallStatus.OK, 0):,}",
    "retries": lambda of: f"{of.calls.retries:,}",
    "tokens in": lambda of: f"{of.calls.tokens_in:,}",
    "tokens out": lambda of: f"{of.calls.tokens_out:,}",
    "charged": lambda of: f"{of.calls.charged.tokens:,}",
    "cost": lambda of: _known(of.calls),
}
_WORDS: Final = ("day", "model")


def _by_day(found: Summary) -> Iterator[str]:
    columns = [(name, *map(cell, found.by_day)) for name, cell in _COLUMNS.items()]
    widths = [max(map(len, column)) for column in columns]
    for row in zip(*columns, strict=True):
        yield "  ".join(
            cell.ljust(width) if name in _WORDS else cell.rjust(width)
            for name, cell, width in zip(_COLUMNS, row, widths, strict=True)
        )


def _count(title: str, word: str, count: int) -> str:
    return f"  {title:<6} {word:<24} {count:>12,}"


def _known(calls: Calls) -> str:
    """The price as far as it is known, in the width of a column."""
    return "unknown" if calls.unpriced and not calls.nano_usd else usd(calls.nano_usd)


def _cost(calls: Calls) -> str:
    """The price of the reported tokens, as far as it is known."""
    if not calls.unpriced:
        return usd(calls.nano_usd)
    if calls.unpriced == calls.finished - calls.unreported:
        return "nobody knows what"
    return f"{usd(calls.nano_usd)}, and {counted(calls.unpriced, 'call')} without a known price"


def _amount(spend: Spend) -> str:
    return f"{counted(spend.tokens, 'token')} and {usd(spend.nano_usd)}"

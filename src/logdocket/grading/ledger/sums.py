"""Which of the numbers that a ledger gives are its calls, its cache hits and its fallbacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from logdocket.grading.ledger.words import (
    BEGIN,
    CALL,
    END,
    HTTP,
    MODEL,
    is_call,
    is_fallback,
    is_hit,
    words,
)

__all__ = ["counted"]

_NOISE: Final = frozenset(
    "by source sources total totals count counts counter n num number of ledger "
    "kind kinds event events type types outcome outcomes ticket tickets answer answers sum "
    "summary stats logdocket made".split()
)
"""Words that say no more than that something is counted."""
_NO_COUNT: Final = frozenset(
    "token tokens cost usd price ms seconds latency avoided saved limit max budget flight "
    "interrupted retries charged size ratio rate reserved unpriced unreported "
    "reason reasons".split()
)
_Words: TypeAlias = frozenset[str]


def counted(sums: Mapping[str, int]) -> tuple[int | None, int | None, int | None]:
    """Calls, hits and fallbacks, each None where no name speaks of it."""
    named = [(words(name), value) for name, value in sums.items()]
    named = [(said - _NOISE or said, n) for said, n in named if not said & _NO_COUNT]
    calls = next((n for tier in _TIERS if (n := _sum(named, tier)) is not None), None)
    return calls, _shortest(named, is_hit), _shortest(named, is_fallback)


def _sum(named: list[tuple[_Words, int]], holds: Callable[[_Words], bool]) -> int | None:
    """The sum of the parts that a number was taken apart into."""
    found = [value for said, value in named if holds(said)]
    return sum(found) if found else None


def _shortest(named: list[tuple[_Words, int]], holds: Callable[[_Words], bool]) -> int | None:
    """The sum of those that are named with the fewest words: what is more is a part of it."""
    fewest = min((len(said) for said, _ in named if holds(said)), default=0)
    return _sum(named, lambda said: len(said) == fewest and holds(said))


_TIERS: Final[tuple[Callable[[_Words], bool], ...]] = (
    lambda said: bool(said & CALL and said & MODEL) and said <= CALL | MODEL,
    lambda said: bool(said & CALL) and said <= CALL and not said <= HTTP,
    lambda said: bool(said & CALL and said & BEGIN) and is_call(said),
    lambda said: bool(said & CALL and said & END) and is_call(said),
    lambda said: bool(said & CALL and said & MODEL) and is_call(said),
    lambda said: said <= MODEL,
    lambda said: said <= HTTP,
)
"""What the number of calls is called, the surest name first."""

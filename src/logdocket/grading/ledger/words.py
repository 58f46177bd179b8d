"""The words by which the kinds of a ledger's entries are known."""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "BEGIN",
    "CALL",
    "END",
    "HTTP",
    "KIND_KEYS",
    "MODEL",
    "RETRY",
    "SOURCE_KEYS",
    "is_bare",
    "is_call",
    "is_fallback",
    "is_hit",
    "words",
]

KIND_KEYS: Final = "kind event type action entry entry_type op operation name what msg".split()
"""Keys that say what an entry is, the surest first."""
SOURCE_KEYS: Final = "source outcome result decision via served_by origin path".split()
"""Keys that say where an answer came from."""

CALL: Final = frozenset(
    "call calls called request requests attempt attempts query queries invocation "
    "invocations invoked".split()
)
MODEL: Final = frozenset("model llm ai provider upstream openai anthropic inference".split())
BEGIN: Final = frozenset("start started begin began opened sent pending running".split())
END: Final = frozenset(
    "end ended finish finished complete completed done response responded answered interrupted "
    "failed fail failure error errored result ok success succeeded timeout".split()
)
HTTP: Final = frozenset("request requests".split())
"""What is nothing more may be a request of a sender, or one to the model."""
RETRY: Final = frozenset("retry retried retrying".split())
_HIT: Final = frozenset("hit hits cached".split())
_SERVED: Final = frozenset("from served used answer answered reuse reused returned replay".split())
"""Words that make a cache one that answered."""
_NO_HIT: Final = frozenset(
    "miss misses missed not no un store stored write written put set save saved add added "
    "expired evicted size key ttl model call".split()
)
_FALLBACK: Final = frozenset("fallback fallbacks degraded".split())
_FALL: Final = frozenset("fall fell fallen".split())
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONGEST: Final = 200
"""Characters of a name that are looked at."""


def words(text: object) -> frozenset[str]:
    """The words of a name in any case: ``ModelCall``, ``model_call`` and ``model-call`` alike."""
    found = _WORD.findall(text[:_LONGEST]) if isinstance(text, str) else []
    return frozenset(word.lower() for word in found)


def is_hit(said: frozenset[str]) -> bool:
    """Whether a cache answered."""
    if said & _NO_HIT:
        return False
    return said == {"cache"} or bool(said & _HIT) or ("cache" in said and bool(said & _SERVED))


def is_fallback(said: frozenset[str]) -> bool:
    """Whether an answer was given without the model."""
    return bool(said & _FALLBACK) or ("back" in said and bool(said & _FALL))


def is_bare(said: frozenset[str]) -> bool:
    """Whether what may be a call of the model may be a request of a sender as well."""
    return bool(said & HTTP) and not said & (MODEL | CALL - HTTP)


def is_call(said: frozenset[str]) -> bool:
    """Whether the model was called, or may have been."""
    if not said or said & {"cache", "cached", "skipped", "avoided", "refused", "not", "no"}:
        return False
    return (
        bool(said & CALL and (said & MODEL or said <= CALL | BEGIN | END))
        or bool(said & MODEL and said & (BEGIN | END))
        or said <= MODEL
    )

"""Which entries of a ledger tell of a call, of a cache hit, of a fallback."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from logdocket.grading import manifest
from logdocket.grading.ledger.form import Page, Record

__all__ = ["Counts", "counted", "selected"]

_KIND_KEYS: Final = "kind event type action entry entry_type op operation name what".split()
"""Keys that say what an entry is, the surest first."""
_SOURCE_KEYS: Final = "source outcome result decision via served_by origin path".split()
"""Keys that say where an answer came from."""
_SUM_KEYS: Final = ("model_calls", "calls", "llm_calls", "attempts", "tries")
"""Keys of an entry about an answer that say how many calls it took."""
_CALL: Final = frozenset("call calls request requests attempt attempts query invocation".split())
_MODEL: Final = frozenset("model llm ai".split())
_HIT: Final = frozenset("hit hits cached".split())
_FALLBACK: Final = frozenset("fallback fallbacks degraded".split())
_BEGIN: Final = frozenset("start started begin began opened sent".split())
_END: Final = frozenset(
    "end ended finish finished complete completed done response answered interrupted failed "
    "error result".split()
)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Counts(msgspec.Struct, frozen=True):
    """Entries of each kind; None where the ledger does not speak of that kind at all.

    ``or_calls`` is the number of calls by another fair reading: an entry for an error may be one
    for a call that failed, or stand beside the entry for that call.
    """

    calls: int | None
    hits: int | None
    fallbacks: int | None
    or_calls: int | None = None

    def tells(self, calls: int) -> bool:
        """Whether it has so many calls, by one of the readings."""
        return calls in (self.calls, self.or_calls)

    def since(self, before: Counts) -> Counts:
        """What came after ``before``."""
        pairs = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(before), strict=True)
        return Counts(*(None if now is None else now - (was or 0) for now, was in pairs))


def counted(page: Page, ledger: manifest.Ledger) -> Counts:
    """The entries on ``page``, by the selectors of ``ledger`` where it has them, else by words."""
    guessed = _of_sums(page.sums) if page.sums else _of_records(page.records)
    told = {
        name: sum(selected(record, selector) for record in page.records)
        for name, selector in (
            ("calls", ledger.call),
            ("hits", ledger.hit),
            ("fallbacks", ledger.fallback),
        )
        if selector is not None
    }
    if ledger.call is not None:
        told["or_calls"] = told["calls"]
    return msgspec.structs.replace(guessed, **told)


def selected(record: Record, selector: str) -> bool:
    """Whether every ``key=value`` of ``selector`` holds; a dot leads into an inner object, and a
    bar sets values apart of which one has to hold.
    """
    pairs = (pair.partition("=") for pair in selector.split(","))
    return all(_text(_at(record, key.strip())) in value.split("|") for key, _, value in pairs)


def _at(record: Any, key: str) -> Any:
    if isinstance(record, Mapping) and key in record:
        return record[key]
    first, dot, rest = key.partition(".")
    inner = record.get(first) if isinstance(record, Mapping) and dot else None
    return _at(inner, rest) if isinstance(inner, Mapping) else None


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


# By words.


def _words(text: object) -> frozenset[str]:
    """The words of a name in any case: ``ModelCall``, ``model_call`` and ``model-call`` alike."""
    found = _WORD.findall(text[:200]) if isinstance(text, str) else []
    return frozenset(word.lower() for word in found)


def _said(record: Record, keys: Iterable[str]) -> list[frozenset[str]]:
    by_name = {str(key).lower(): value for key, value in record.items()}
    return [words for key in keys if (words := _words(by_name.get(key)))]


def _is_hit(words: frozenset[str]) -> bool:
    return "miss" not in words and (words == {"cache"} or bool(words & _HIT and words - {"hit"}))


def _is_call(words: frozenset[str]) -> bool:
    return not words & {"cache", "cached"} and (
        bool(words & _CALL and (words & _MODEL or words <= _CALL | _BEGIN | _END))
        or bool(words & _MODEL and words & (_BEGIN | _END))
        or words <= _MODEL
    )


def _of_records(records: Iterable[Record]) -> Counts:
    hits = fallbacks = 0
    calls: list[frozenset[str]] = []
    answers: list[int] = []
    for record in records:
        kinds, sources = _said(record, _KIND_KEYS), _said(record, _SOURCE_KEYS)
        said = [*kinds, *sources]
        if any(_is_hit(words) for words in said):
            hits += 1
        elif any(words & _FALLBACK for words in said):
            fallbacks += 1
            answers.append(_took(record, 0))
        elif (call := next(filter(_is_call, kinds), None)) is not None:
            calls.append(call)
        elif any(_is_call(words) for words in sources):
            answers.append(_took(record, 1))
    if not calls:
        return Counts(sum(answers), hits, fallbacks)
    return Counts(_calls(calls), hits, fallbacks, sum(not words & _END for words in calls))


def _took(record: Record, otherwise: int) -> int:
    """How many calls an answer took by its own words."""
    for key in _SUM_KEYS:
        value = record.get(key)
        if isinstance(value, str) and value.isdigit():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return otherwise


def _calls(calls: list[frozenset[str]]) -> int:
    """Of calls that have an entry for their begin and one for their end, each counts once."""
    begun = sum(bool(words & _BEGIN) for words in calls)
    ended = sum(bool(words & _END and not words & _BEGIN) for words in calls)
    whole = len(calls) - begun - ended
    if begun and ended:
        return begun + whole
    # A pair may also be an entry for the request and one for the response.
    return whole if whole and "response" in frozenset().union(*calls) else len(calls)


def _of_sums(sums: Mapping[str, int]) -> Counts:
    named = [(_words(name), value) for name, value in sums.items()]

    def first(holds: Any) -> int | None:
        return next((value for words, value in named if holds(words)), None)

    return Counts(
        calls=first(lambda words: words & _CALL and words & _MODEL)
        if any(words & _CALL and words & _MODEL for words, _ in named)
        else first(lambda words: words <= _CALL | {"total", "started", "made", "count"}),
        hits=first(
            lambda words: words & {"cache", "cached", "hit", "hits"} and "miss" not in words
        ),
        fallbacks=first(lambda words: words & _FALLBACK),
    )

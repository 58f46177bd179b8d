"""Which entries of a ledger tell of a call, of a cache hit, of a fallback."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from logdocket.grading import manifest
from logdocket.grading.ledger import sums
from logdocket.grading.ledger.form import Page, Record
from logdocket.grading.ledger.words import (
    BEGIN,
    CALL,
    END,
    KIND_KEYS,
    MODEL,
    RETRY,
    SOURCE_KEYS,
    is_bare,
    is_call,
    is_fallback,
    is_hit,
    words,
)

__all__ = ["Counts", "counted", "selected"]

_ANSWER_KEYS: Final = (*SOURCE_KEYS, "status")
"""Keys that say where an answer came from; a status may say so, and most often does not."""
_PHASE_KEYS: Final = "phase stage state step status".split()
"""Keys that may set the begin of a call apart from its end."""
_CALL_SUMS: Final = "model_calls calls llm_calls attempts tries model_attempts".split()
"""Keys of an entry about an answer that say how many calls it took."""
_YES: Final = frozenset(("true", "yes", "1", "hit"))
_NO: Final = frozenset(("", "none", "null", "false", "no", "0", "-", "miss"))
_Words: TypeAlias = frozenset[str]


class Counts(msgspec.Struct, frozen=True):
    """Entries of each kind; None where the ledger does not speak of that kind at all.

    ``or_calls`` are the numbers of calls by other fair readings: an entry for an error or a retry
    may be one for a call, or stand beside the entry for that call.
    """

    calls: int | None
    hits: int | None
    fallbacks: int | None
    or_calls: tuple[int, ...] = ()

    def tells(self, calls: int) -> bool:
        """Whether it has so many calls, by one of the readings."""
        return calls == self.calls or calls in self.or_calls

    @property
    def known(self) -> int:
        """Of how many of the three kinds it has entries."""
        return sum(map(bool, (self.calls, self.hits, self.fallbacks)))


def counted(page: Page, ledger: manifest.Ledger) -> Counts:
    """The entries on ``page``, by the selectors of ``ledger`` where it has them, else by words.

    Where a page has sums beside entries, the sums are taken if they speak of two kinds: such a page
    shows the latest entries alone.
    """
    guessed = _of_records(page.records)
    if page.sums:
        by_sums = Counts(*sums.counted(page.sums))
        spoken = sum(n is not None for n in (by_sums.calls, by_sums.hits, by_sums.fallbacks))
        guessed = by_sums if spoken > 1 or not page.records else guessed
    told: dict[str, Any] = {
        name: sum(selected(record, selector) for record in page.records)
        for name, selector in (
            ("calls", ledger.call),
            ("hits", ledger.hit),
            ("fallbacks", ledger.fallback),
        )
        if selector is not None
    }
    if ledger.call is not None:
        told["or_calls"] = ()
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


class _Tally(msgspec.Struct):
    """What the entries say of each kind, by their own kind or by the source of an answer."""

    hits: int = 0
    hits_of_answers: int = 0
    fallbacks: int = 0
    fallbacks_of_answers: int = 0
    retries: int = 0
    calls: list[tuple[_Words, _Words]] = []
    """The words of each call's kind, and those of the phase that it is in."""
    calls_of_answers: int = 0


def _of_records(records: Iterable[Record]) -> Counts:
    tally = _Tally()
    for record in records:
        _enter(tally, {str(key).lower(): value for key, value in record.items()})
    # What has entries of its own is told a second time by the answers.
    hits = tally.hits or tally.hits_of_answers
    fallbacks = tally.fallbacks or tally.fallbacks_of_answers
    calls, *others = _calls(tally.calls, tally.calls_of_answers)
    others += [number + tally.retries for number in (calls, *others) if tally.retries]
    return Counts(calls, hits, fallbacks, tuple(others))


def _enter(tally: _Tally, record: Record) -> None:
    kinds, sources = _said(record, KIND_KEYS), [*_said(record, _ANSWER_KEYS), *_flags(record)]
    kind = next(filter(is_call, kinds), None)
    if any(map(is_hit, kinds)):
        tally.hits += 1
    elif any(map(is_fallback, kinds)):
        tally.fallbacks += 1
        tally.calls_of_answers += _took(record, 0)
    elif any(map(is_hit, sources)):
        tally.hits_of_answers += 1
    elif any(map(is_fallback, sources)) and (kind is None or is_bare(kind)):
        tally.fallbacks_of_answers += 1
        tally.calls_of_answers += _took(record, 0)
    elif kind is not None and not (is_bare(kind) and _tells_calls(record, sources)):
        tally.calls.append((kind, frozenset().union(*_said(record, _PHASE_KEYS))))
        # The last call for an answer may say how that ended.
        tally.fallbacks_of_answers += any(map(is_fallback, sources))
    elif any(said & RETRY for said in kinds):
        tally.retries += 1
    else:
        tally.calls_of_answers += _took(record, int(any(map(is_call, sources))))


def _tells_calls(record: Record, sources: list[_Words]) -> bool:
    return any(map(is_call, sources)) or any(key in record for key in _CALL_SUMS)


def _said(record: Record, keys: Iterable[str]) -> list[_Words]:
    return [said for key in keys if (said := words(record.get(key)))]


def _flags(record: Record) -> list[_Words]:
    """The words of keys that are true: ``cached``, ``from_cache``, ``fallback``, ``model_called``;
    of ``cache: hit``, and of a reason for a fallback, as well.
    """
    found: list[_Words] = []
    for key, value in record.items():
        if key in _CALL_SUMS or not isinstance(value, str | int):
            continue
        said, text = words(key), _text(value).strip().lower()
        if text == "hit":
            said |= {"hit"}
        named = is_fallback(said) and isinstance(value, str) and text not in _NO
        if named or (text in _YES and _is_flag(said)):
            found.append(said)
    return found


def _is_flag(said: _Words) -> bool:
    return is_hit(said) or is_fallback(said) or bool(said & MODEL and said & CALL)


def _took(record: Record, otherwise: int) -> int:
    """How many calls an answer took by its own words; ``otherwise`` if it says nothing."""
    for key in _CALL_SUMS:
        if (number := _number(record.get(key))) is not None:
            return number
    retries = _number(record.get("retries"))
    return 1 + retries if retries and retries > 0 else otherwise


def _number(value: object) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _calls(calls: list[tuple[_Words, _Words]], of_answers: int) -> list[int]:
    """How many calls the entries tell of, by each fair reading, the likeliest first."""
    # Where calls have a name, what is only a request came from a sender of lines.
    named = [call for call in calls if not is_bare(call[0])]
    if not named and of_answers:
        return [of_answers]
    calls = named or calls
    if not calls:
        return [of_answers]
    begun = [bool((kind | phase) & BEGIN) for kind, phase in calls]
    if any(begun):
        ends = sum(
            not began and bool(kind & END or phase)
            for began, (kind, phase) in zip(begun, calls, strict=True)
        )
        # A call that began and ended has two entries.
        return [len(calls) - ends]
    ended = [kind for kind, _ in calls if kind & END]
    whole = len(calls) - len(ended)
    if whole and any("response" in kind for kind in ended):
        return [whole]
    return [len(calls), whole]

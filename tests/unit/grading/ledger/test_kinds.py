from __future__ import annotations

from typing import Any

import pytest

from logdocket.grading.ledger.form import Page
from logdocket.grading.ledger.kinds import Counts, counted, selected
from logdocket.grading.manifest import Ledger


def counts(*records: dict[str, Any], ledger: Ledger | None = None) -> tuple[int | None, ...]:
    """Calls, hits and fallbacks of these entries."""
    found = counted(Page(records), ledger or Ledger())
    return found.calls, found.hits, found.fallbacks


@pytest.mark.parametrize(
    ("call", "hit", "fallback"),
    [
        ({"event": "model_call"}, {"event": "cache_hit"}, {"event": "fallback"}),
        ({"kind": "call", "ok": False}, {"kind": "hit-cache"}, {"kind": "fell_back_fallback"}),
        ({"type": "ModelCall"}, {"type": "CacheHit"}, {"type": "Fallback"}),
        ({"action": "llm request"}, {"action": "CACHE"}, {"action": "degraded answer"}),
        ({"op": "model.attempt"}, {"op": "served cached"}, {"op": "fallback used"}),
        ({"source": "model"}, {"source": "cache"}, {"source": "fallback"}),
        ({"outcome": "llm"}, {"outcome": "cached"}, {"outcome": "fallback"}),
        (
            {"kind": "ticket", "source": "model"},
            {"kind": "ticket", "source": "cache"},
            {"kind": "ticket", "source": "fallback"},
        ),
    ],
)
def test_kinds_are_told_by_their_words(
    call: dict[str, Any], hit: dict[str, Any], fallback: dict[str, Any]
) -> None:
    """In whatever case and under whatever key says what an entry is."""
    noise = {"event": "cache_miss"}, {"event": "started"}, {"event": 7}, {"path": "/extract"}
    assert counts(call, hit, hit, fallback, fallback, fallback, *noise) == (1, 2, 3)


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("call_started", "call_finished"),
        ("model_call_begin", "model_call_end"),
        ("llm_request", "llm_response"),
        ("ModelStarted", "ModelFailed"),
    ],
)
def test_a_call_that_begins_and_ends_is_one(begin: str, end: str) -> None:
    """Two entries, one request."""
    assert counts({"kind": begin}, {"kind": end}, {"kind": begin})[0] == 2


def test_the_source_of_an_answer_is_no_second_call() -> None:
    """Where calls have entries of their own."""
    entries = ({"kind": "call"}, {"kind": "call"}, {"kind": "ticket", "source": "model"})
    assert counts(*entries)[0] == 2


@pytest.mark.parametrize("key", ["model_calls", "attempts", "tries"])
@pytest.mark.parametrize("two", [2, "2"])
def test_an_answer_may_say_how_many_calls_it_took(key: str, two: object) -> None:
    """Fallbacks, too: their calls were made."""
    entries = ({"source": "model", key: two}, {"source": "fallback", key: two}, {"source": "model"})
    assert counts(*entries)[0] == 5


def test_an_entry_for_an_error_can_be_read_in_two_ways() -> None:
    """As a call that failed, or beside the entry for that call."""
    found = counted(Page(({"event": "model_call"}, {"event": "model_error"})), Ledger())
    assert found.tells(1)
    assert found.tells(2)
    assert not found.tells(3)


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        ({"model_calls": 5, "cache_hits": 2, "fallbacks": 1}, (5, 2, 1)),
        ({"calls": 5, "hits": 2, "cache_misses": 9, "fallback": 1}, (5, 2, 1)),
        ({"by_source_cache": 2, "by_source_fallback": 1, "calls_started": 5}, (5, 2, 1)),
        ({"tickets": 9}, (None, None, None)),
    ],
)
def test_sums_are_told_by_their_names(
    sums: dict[str, int], expected: tuple[int | None, ...]
) -> None:
    """What they do not speak of is not nought."""
    found = counted(Page(sums=sums), Ledger())
    assert (found.calls, found.hits, found.fallbacks) == expected


def test_selectors_win_over_words() -> None:
    """Each over its own kind alone."""
    entries = ({"event": "model_call"}, {"event": "model_call", "of": {"kind": "real"}})
    assert counts(*entries, {"event": "fallback"}, ledger=Ledger(call="of.kind=real"))[::2] == (
        1,
        1,
    )


@pytest.mark.parametrize(
    ("selector", "holds"),
    [
        ("kind=ticket", True),
        ("kind=ticket,source=cache", True),
        ("kind=ticket,source=model", False),
        ("source=model|cache", True),
        ("detail.calls=2", True),
        ("shared=true", True),
        ("none=None", True),
        ("kind=tick", False),
    ],
)
def test_a_selector_names_keys_and_values(selector: str, holds: bool) -> None:
    """All of its pairs have to hold."""
    record = {"kind": "ticket", "source": "cache", "detail": {"calls": 2}, "shared": True}
    assert selected(record, selector) is holds


def test_what_came_since_is_a_difference() -> None:
    """What is not spoken of stays so."""
    assert Counts(5, None, 3).since(Counts(2, 1, 3)) == Counts(3, None, 0)

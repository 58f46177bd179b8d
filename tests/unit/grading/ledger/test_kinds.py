from __future__ import annotations

from typing import Any

import pytest

from logdocket.grading.ledger.form import Page
from logdocket.grading.ledger.kinds import counted, selected
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
        ({"kind": "call"}, {"kind": "hit"}, {"kind": "fall_back"}),
        ({"event": "inference"}, {"event": "served_from_cache"}, {"event": "FellBack"}),
        ({"event": "openai_request"}, {"event": "cache_used"}, {"event": "FALLBACK_USED"}),
        ({"model_called": True}, {"cached": True}, {"fallback": True}),
        ({"llm_called": 1, "cache_hit": 0}, {"cache_hit": 1}, {"is_fallback": "true"}),
        (
            {"cache": "miss", "fallback": False, "model_calls": 1},
            {"cache": "hit", "fallback": False, "model_calls": 0},
            {"cache": "miss", "fallback": "timeout", "model_calls": 0},
        ),
    ],
)
def test_kinds_are_told_by_their_words(
    call: dict[str, Any], hit: dict[str, Any], fallback: dict[str, Any]
) -> None:
    """In whatever case and under whatever key says what an entry is."""
    noise: tuple[dict[str, Any], ...] = (
        {"event": "cache_miss"},
        {"event": "cache_stored"},
        {"event": "started"},
        {"event": 7},
        {"event": "model_skipped"},
        {"event": "extract", "attempt": 1, "cache_key": "1", "model": "small"},
        {"path": "/extract"},
    )
    assert counts(call, hit, hit, fallback, fallback, fallback, *noise) == (1, 2, 3)


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("call_started", "call_finished"),
        ("model_call_begin", "model_call_end"),
        ("llm_request", "llm_response"),
        ("ModelStarted", "ModelFailed"),
        ("model_call_sent", "model_call_timeout"),
    ],
)
def test_a_call_that_begins_and_ends_is_one(begin: str, end: str) -> None:
    """Two entries, one request."""
    assert counts({"kind": begin}, {"kind": end}, {"kind": begin})[0] == 2


def test_a_phase_may_set_begin_and_end_apart() -> None:
    """With the same kind; without a begin, a status is how a call ended."""
    begin, ok = {"kind": "call", "status": "started"}, {"kind": "call", "status": "ok"}
    assert counts(begin, ok, begin, {"kind": "call", "status": "error"}, begin)[0] == 3
    assert counts(ok, ok, {"kind": "call", "status": "error"})[0] == 3


def test_a_request_of_a_sender_is_no_call() -> None:
    """Where calls have a name of their own, or answers say what they took."""
    assert counts({"event": "request"}, {"event": "request"}, {"event": "model_call"})[0] == 1
    assert counts({"event": "request"}, {"event": "request"}, {"source": "model"})[0] == 1
    assert counts({"event": "request"}, {"event": "request"})[0] == 2


def test_an_answer_does_not_count_what_has_an_entry() -> None:
    """Neither hits nor fallbacks."""
    entries = (
        {"event": "cache_hit"},
        {"event": "ticket", "source": "cache"},
        {"event": "fallback"},
        {"event": "ticket", "source": "fallback"},
    )
    assert counts(*entries) == (0, 1, 1)


def test_the_last_call_may_tell_of_the_fallback() -> None:
    """It was made all the same."""
    failed = {"event": "model_call", "outcome": "fallback"}
    assert counts({"event": "model_call", "outcome": "ok"}, failed) == (2, 0, 1)


def test_retries_may_have_entries_of_their_own() -> None:
    """Beside the entry for the call, or in its place."""
    found = counted(Page(({"event": "model_call"}, {"event": "model_retry"})), Ledger())
    assert found.tells(1)
    assert found.tells(2)


def test_an_answer_may_tell_of_retries() -> None:
    """Each is a call."""
    assert counts({"source": "model", "retries": 1}, {"source": "model", "retries": 0})[0] == 3


@pytest.mark.parametrize("value", ["²", "9" * 5_000, "-1", None, [1, 2], 2.5])
def test_a_number_that_is_none_is_not_taken(value: object) -> None:
    """Nor does it stop the count."""
    assert counts({"source": "model", "calls": value})[0] == 1


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
        (
            {"cache_misses": 9, "cache_size": 7, "cache_entries": 3, "cache_hits": 2},
            (None, 2, None),
        ),
        ({"model_calls_failed": 2, "model_calls": 5, "fallbacks_total": 1}, (5, None, 1)),
        ({"model_calls_ok": 3, "model_calls_failed": 2, "cached": 0}, (5, 0, None)),
        ({"requests": 9, "model": 5, "cache": 3, "fallback": 1}, (5, 3, 1)),
        ({"calls_total": 5, "calls_tokens_in": 700, "calls_in_flight": 1}, (5, None, None)),
        ({"model_calls_total_ok": 3, "model_calls_total_error": 1}, (4, None, None)),
        ({"by_source_model": 2, "by_source_cache": 3, "calls_started": 4}, (4, 3, None)),
    ],
)
def test_sums_are_told_by_their_names(
    sums: dict[str, int], expected: tuple[int | None, ...]
) -> None:
    """What they do not speak of is not nought."""
    found = counted(Page(sums=sums), Ledger())
    assert (found.calls, found.hits, found.fallbacks) == expected


def test_sums_win_over_the_latest_entries() -> None:
    """Where they speak of two kinds."""
    latest = ({"event": "model_call"},)
    found = counted(Page(latest, {"model_calls": 5, "cache_hits": 2}), Ledger())
    assert (found.calls, found.hits) == (5, 2)
    assert counted(Page(latest, {"total": 9}), Ledger()).calls == 1


def test_the_words_of_this_very_project_are_known() -> None:
    """As ``GET /ledger`` gives them: a ticket of the model is no second call."""
    entries = [
        {"seq": 1, "kind": "call_started", "source": None, "detail": {"attempt": 1}},
        {"seq": 2, "kind": "call_finished", "source": None, "detail": {"status": "junk"}},
        {"seq": 3, "kind": "call_started", "source": None, "detail": {"attempt": 2}},
        {"seq": 4, "kind": "call_interrupted", "source": None, "detail": {"call": 3}},
        {"seq": 5, "kind": "ticket", "source": "model", "detail": {"calls": [1, 3]}},
        {"seq": 6, "kind": "ticket", "source": "cache", "detail": {"original": 5}},
        {"seq": 7, "kind": "ticket", "source": "fallback", "detail": {}},
        {"seq": 8, "kind": "gap", "source": None, "detail": {"tickets": 4}},
    ]
    assert counts(*entries) == (2, 1, 1)


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

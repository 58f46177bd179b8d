"""A verdict that could not have been, or a ticket that gives the answer of none, is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from queued import GROUPING, fold, fresh, line_hash, reviewed, ruling

from logdocket.store import Decided, GroupQuery, Query, SqliteStore, Taught, VerdictWord
from logdocket.store.sqlite.chain import link
from logdocket.ticket import ReviewReason


@pytest.fixture
def decided(store: SqliteStore) -> SqliteStore:
    """Two tickets of one group; a correction of the first as entry 3, and it undone as entry 4."""
    store.write([fresh(1), fresh(2)])
    for word, changes in (
        (VerdictWord.CORRECTED, {"taught": Taught()}),
        (VerdictWord.UNDONE, {"undoes": 3}),
    ):
        fold(store)
        (group,) = store.groups(GroupQuery()).groups
        (outcome,) = store.decide([ruling(group, word, 2, **changes)], GROUPING)
        assert isinstance(outcome, Decided)
    assert store.verify().ok
    return store


def said(store: SqliteStore, number: int) -> dict[str, Any]:
    """What a verdict says."""
    (entry,) = store.entries(Query(kind="verdict", before=number + 1, limit=1))
    return dict(entry.detail)


def canonical(detail: dict[str, Any]) -> str:
    """As it is entered."""
    kept = {name: value for name, value in detail.items() if value is not None}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"before": None}, "cannot be read"),
        ({"verdict": "perhaps"}, "cannot be read"),
        ({"more": 1}, "cannot be read"),
        ({"group": "xx"}, "cannot be read"),
        ({"after": None}, "contradicts itself"),
        ({"who": ""}, "contradicts itself"),
        ({"until": 5}, "contradicts itself"),
        ({"undoes": 3}, "contradicts itself"),
        ({"state": "open"}, "the state open"),
        ({"ticket": 0}, "no ticket about its line"),
        ({"ticket": 1}, "no ticket about its line"),
        ({"ticket": 3}, "no ticket about its line"),
        ({"ticket": 5}, "no ticket about its line"),
        ({"line": "00"}, "no ticket about its line"),
        ({"version": 3}, "overwrites a verdict"),
        ({"version": 0}, "overwrites a verdict"),
        ({"version": 5}, "overwrites a verdict"),
    ],
)
def test_a_verdict_that_could_not_have_been_is_found(
    decided: SqliteStore, append: Callable[..., int], changes: dict[str, Any], problem: str
) -> None:
    """Whatever is wrong with it."""
    good = {**said(decided, 3), "version": 4}
    seq = append(decided, "verdict", canonical({**good, **changes}))
    found = decided.verify()
    assert (found.ok, found.bad_seq) == (False, seq)
    assert problem in (found.problem or "")


def test_a_verdict_that_nobody_else_overrules_is_good(
    decided: SqliteStore, append: Callable[..., int]
) -> None:
    """So what the test before finds is in what it changed."""
    append(decided, "verdict", canonical({**said(decided, 3), "version": 4}))
    assert decided.verify().ok


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({}, "undoes entry 3"),
        ({"undoes": 4}, "undoes entry 4"),
        ({"undoes": 1}, "undoes entry 1"),
        ({"undoes": 9}, "undoes entry 9"),
    ],
)
def test_what_does_not_stand_is_not_undone(
    decided: SqliteStore, append: Callable[..., int], changes: dict[str, Any], problem: str
) -> None:
    """Twice, an undoing, what is no verdict, what is yet to come."""
    append(decided, "verdict", canonical({**said(decided, 4), "version": 4, **changes}))
    assert problem in (decided.verify().problem or "")


@pytest.mark.parametrize(
    ("changes", "reasons", "problem"),
    [
        ({}, "reviewed", None),
        ({"verdict": 4}, "reviewed", "no earlier verdict"),
        ({"verdict": 2}, "reviewed", "no earlier verdict"),
        ({"verdict": 9}, "reviewed", "no earlier verdict"),
        ({"verdict": None}, "reviewed", "no earlier verdict"),
        ({"verdict": [3]}, "reviewed", "no earlier verdict"),
        ({}, "disputed", "does not say so"),
        ({"original": 1}, "reviewed", "something else"),
        ({"tokens": 5}, "reviewed", "something else"),
        ({"calls": [1]}, "reviewed", "something else"),
        ({"scope": "template"}, "reviewed", "there is not"),
        ({"scope": None}, "reviewed", "there is not"),
        ({"revises": 3}, "reviewed", "revises entry 3"),
        ({"revises": 9}, "reviewed", "revises entry 9"),
        ({"revises": "1"}, "reviewed", "revises entry 1"),
        ({"revises": 1}, "reviewed", None),
    ],
)
def test_a_ticket_gives_the_answer_of_a_verdict_that_was(
    decided: SqliteStore,
    alter: Callable[..., None],
    changes: dict[str, Any],
    reasons: str,
    problem: str | None,
) -> None:
    """And of nothing else; it says that it is reviewed."""
    (last,) = decided.entries(Query(limit=1))
    good = {
        "body": sha256(b"{}").hexdigest(),
        "key": "00" * 16,
        "line": line_hash(3).hex(),
        "scope": "review",
        "tokens": 0,
        "verdict": 3,
    }
    seq, detail = last.seq + 1, canonical({**good, **changes})
    made = link(bytes.fromhex(last.hash), seq, last.at, "ticket", "cache", reasons, detail)
    alter(
        f"INSERT INTO entry VALUES ({seq}, {last.at}, 'ticket', 'cache', '{reasons}', '{detail}', "
        f"x'{made.hex()}')",
        f"INSERT INTO ticket VALUES ({seq}, zeroblob(16), x'7b7d', NULL)",
    )
    found = decided.verify()
    assert found.ok is (problem is None), found
    assert (problem or "") in (found.problem or "")


def test_a_verdict_in_the_queue_alone_is_found(
    decided: SqliteStore, alter: Callable[..., None]
) -> None:
    """No entry tells of it."""
    alter("UPDATE queue_verdict SET seq = 2 WHERE seq = 3")
    found = decided.verify()
    assert (found.bad_seq, found.problem) == (
        2,
        "is a verdict in the review queue and none in the chain",
    )


def test_a_reviewed_ticket_of_the_store_itself_verifies(decided: SqliteStore) -> None:
    """Also where its verdict was undone meanwhile, and where another reason stands."""
    standing = (ReviewReason.SERVICE_UNKNOWN, ReviewReason.REVIEWED)
    decided.write([reviewed(3, 3), reviewed(4, 3, reasons=standing)])
    decided.write([fresh(1, reasons=(), revises=1)])
    assert decided.verify().ok

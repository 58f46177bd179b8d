from __future__ import annotations

import csv
import io

import msgspec
import pytest

from logdocket.docket.review.sheet import csv_rows
from logdocket.line import Severity
from logdocket.store.review import Group, GroupState, VerdictWord
from logdocket.ticket import ReviewReason

# 2026-01-02T15:04:05Z, in µs.
START = 1_767_366_245_000_000
GROUP = Group(
    id=7,
    key=bytes(range(16)),
    state=GroupState.OPEN,
    service="payments",
    severity=Severity.HIGH,
    template="card refused <n>",
    evidence="card refused 7",
    ticket=12,
    reasons=(ReviewReason.MODEL_TIMEOUT, ReviewReason.LOW_CONFIDENCE),
    all_reasons=(ReviewReason.MODEL_TIMEOUT, ReviewReason.LOW_CONFIDENCE),
    count=3,
    since=1,
    by_source={"cache": 1, "fallback": 2},
    first_at=START,
    last_at=START + 1,
    first_seen="unknown",
    last_seen="unknown",
    version=9,
    verdict=VerdictWord.RIGHT,
    decided_by="rev-a",
    decided_at=START,
    reopened=True,
)


def table(*groups: Group) -> list[dict[str, str]]:
    """What a reader of CSV makes of the rows."""
    text = b"".join(csv_rows(groups)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_group_is_a_row_under_a_head() -> None:
    """Counts by source in columns of their own, words with blanks between, nothing for none."""
    (row,) = table(GROUP)
    assert row["id"] == "7"
    assert (row["from_model"], row["from_cache"], row["from_fallback"]) == ("0", "1", "2")
    assert row["reasons"] == "model_timeout low_confidence"
    assert (row["verdict"], row["decided_by"]) == ("right", "rev-a")
    assert (row["reopened"], row["until"]) == ("true", "")
    assert row["first_at"] == "2026-01-02T15:04:05.000000Z"
    assert row["key"] == bytes(range(16)).hex()


def test_no_group_leaves_the_head() -> None:
    """An empty queue is a table too."""
    assert b"".join(csv_rows([])).startswith(b"id,state,severity,service,")
    assert table() == []


@pytest.mark.parametrize("evidence", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_no_cell_is_a_formula(evidence: str) -> None:
    """What a log line says is not run by whoever opens the table."""
    (row,) = table(msgspec.structs.replace(GROUP, evidence=evidence))
    assert row["evidence"] == f"'{evidence}"


@pytest.mark.parametrize(
    ("service", "shown"),
    [
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("\t=1", "\\t=1"),
        ("a\nb", "a\\nb"),
        ("a\udcffb", "a\\udcffb"),
        ("a\u202eb", "a\\u202eb"),
        ('a,"b', 'a,"b'),
    ],
)
def test_what_is_not_printable_is_escaped(service: str, shown: str) -> None:
    """A table that is printed on a terminal moves no cursor, and each group keeps to its line."""
    assert table(msgspec.structs.replace(GROUP, service=service))[0]["service"] == shown
    text = b"".join(csv_rows([msgspec.structs.replace(GROUP, service=service)])).decode()
    assert text.count("\n") == 2

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.confidence import Confidence, Signals, Table, fit, shipped, signals
from logdocket.line import (
    Line,
    Reading,
    ServiceBasis,
    SeverityBasis,
    TimestampWhy,
)
from logdocket.reading import read

WORDS = [
    (severity.value, service.value, timestamp)
    for severity in SeverityBasis
    for service in ServiceBasis
    for timestamp in ["read", *(why.value for why in TimestampWhy)]
]
SEEN = st.sampled_from(WORDS).map(lambda words: Signals(*words))
LABELLED = st.lists(st.tuples(SEEN, st.booleans()))
LEVEL = Signals("level", "logger", "read")
OWN = "level/logger/read"


def test_a_cell_with_labels_answers_for_itself() -> None:
    """The mean of the Beta posterior: one more right and one more wrong than were seen."""
    table = Table({"level/logger/read": (98, 98), "level/logger": (0, 50), "level": (0, 90)})
    assert table.lookup(LEVEL) == Confidence(0.99, OWN, OWN, 98, 98)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({"level/logger": (8, 8), "level": (0, 90)}, Confidence(0.9, "level/logger", OWN, 8, 8)),
        ({"level": (0, 8), "cue": (9, 9)}, Confidence(0.1, "level", OWN, 0, 8)),
        ({"level/logger/read": (0, 0), "level": (8, 8)}, Confidence(0.9, "level", OWN, 8, 8)),
        ({"cue/logger/read": (8, 8)}, Confidence(0.5, "prior", OWN, 0, 0)),
        ({}, Confidence(0.5, "prior", OWN, 0, 0)),
    ],
)
def test_a_cell_without_labels_backs_off(
    cells: dict[str, tuple[int, int]], found: Confidence
) -> None:
    """The time is let go first, then the service; with nothing left it is a coin's toss."""
    assert Table(cells).lookup(LEVEL) == found


@given(LABELLED, SEEN)
def test_a_confidence_is_never_certain(labelled: list[tuple[Signals, bool]], seen: Signals) -> None:
    """However many were right, or none: strictly between 0 and 1."""
    assert 0 < fit(labelled).lookup(seen).value < 1


@given(LABELLED, SEEN)
def test_one_more_that_was_right_never_lowers_it(
    labelled: list[tuple[Signals, bool]], seen: Signals
) -> None:
    """In the cell itself, once it has labels of its own."""
    before = fit([*labelled, (seen, True)]).lookup(seen)
    after = fit([*labelled, (seen, True), (seen, True)]).lookup(seen)
    assert after.value >= before.value
    assert after.total == before.total + 1


@given(LABELLED)
def test_the_order_of_labels_does_not_matter(labelled: list[tuple[Signals, bool]]) -> None:
    """The same counts give the same bytes."""
    assert fit(labelled).to_json() == fit(labelled[::-1]).to_json()


@given(LABELLED)
def test_a_table_is_kept_and_read_again(labelled: list[tuple[Signals, bool]]) -> None:
    """Nothing is lost in the file."""
    table = fit(labelled)
    assert msgspec.json.decode(table.to_json(), type=Table) == table


def test_each_label_counts_in_its_cell_and_in_the_parents() -> None:
    """So a parent knows at least as much as its children together."""
    table = fit([(LEVEL, True), (Signals("level", "key", "absent"), False)])
    assert table.cells == {
        "level/logger/read": (1, 1),
        "level/logger": (1, 1),
        "level/key/absent": (0, 1),
        "level/key": (0, 1),
        "level": (1, 2),
    }


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("2026-01-02T15:04:05Z ERROR payments: card refused", ("level", "logger", "read")),
        ("card refused by bank, retry failed", ("cue", "unknown", "absent")),
        ('{"level":"warn","service":"shop","msg":"slow"}', ("level", "key", "absent")),
    ],
)
def test_signals_are_how_the_fields_were_found(line: str, seen: tuple[str, str, str]) -> None:
    """Never what they say: two services read the same way are trusted the same."""
    assert signals(read(Line(line))) == Signals(*seen)


def test_an_unknown_time_is_told_by_its_reason() -> None:
    """Why it is unknown says how far the rest can be trusted."""
    reading: Reading = read(Line("03/04/2026 10:00:00 ERROR payments: card refused"))
    assert reading.timestamp.why is not None
    assert signals(reading).timestamp == reading.timestamp.why


def test_the_shipped_table_holds_together() -> None:
    """Right never passes total, parents sum their children, and the file is as it would be kept."""
    table = shipped()
    known = {name for words in WORDS for name in Signals(*words).cells()}
    assert set(table.cells) <= known
    for name, (right, total) in table.cells.items():
        assert 0 <= right <= total
        children = [
            counts for other, counts in table.cells.items() if other.rpartition("/")[0] == name
        ]
        if children:
            assert (right, total) == (sum(r for r, _ in children), sum(t for _, t in children))
    assert msgspec.json.decode(table.to_json(), type=Table) == table


def test_the_shipped_table_is_read_once() -> None:
    """Every extractor of a process shares it."""
    assert shipped() is shipped()

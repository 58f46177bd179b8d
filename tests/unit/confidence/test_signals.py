from __future__ import annotations

import pytest

from logdocket.confidence import Agreement, Signals, signals
from logdocket.line import Line, Reading
from logdocket.reading import read


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
    assert signals(read(Line(line))) == Signals(*seen, Agreement.ALONE)


def test_an_unknown_time_is_told_by_its_reason() -> None:
    """Why it is unknown says how far the rest can be trusted."""
    reading: Reading = read(Line("03/04/2026 10:00:00 ERROR payments: card refused"))
    assert reading.timestamp.why is not None
    assert signals(reading).timestamp == reading.timestamp.why


@pytest.mark.parametrize("agreement", Agreement)
def test_an_own_cell_can_be_read_back(agreement: Agreement) -> None:
    """A table tells what was observed, not only counts."""
    seen = Signals("level", "logger", "read", agreement)
    assert Signals.of_cell(seen.cells()[0]) == seen
    assert [Signals.of_cell(cell) for cell in seen.counted()[1:]] == [None] * (
        len(seen.counted()) - 1
    )


def test_an_answer_counts_in_no_cell_of_the_rules() -> None:
    """What two readers agree on would make one of them look better than it is."""
    alone = set(Signals("level", "logger", "read").counted())
    for agreement in (Agreement.AGREES, Agreement.FILLS, Agreement.DIFFERS):
        assert alone.isdisjoint(Signals("level", "logger", "read", agreement).counted())


@pytest.mark.parametrize(
    ("seen", "unseen"),
    [
        (Signals("level", "logger", "read"), True),
        (Signals("cue", "context", "read", Agreement.FILLS), True),
        (Signals("unstated", "unknown", "read", Agreement.FILLS), True),
        (Signals("unstated", "unknown", "absent", Agreement.FILLS), False),
        (Signals("level", "logger", "no_year"), False),
        (Signals("level", "unknown", "read"), False),
        (Signals("unstated", "logger", "read"), False),
        (Signals("level", "logger", "read", Agreement.DIFFERS), False),
    ],
)
def test_what_a_person_sees_anyway_is_known_from_the_signals(seen: Signals, unseen: bool) -> None:
    """An unknown time or service, an unstated severity, a dispute."""
    assert seen.may_go_unseen is unseen


def test_a_persons_word_falls_back_on_nothing_but_its_kind() -> None:
    """How often the rules are right says nothing of it, nor of them how often people are."""
    seen = Signals("level", "logger", "read", Agreement.REVIEWED)
    assert seen.reviewed
    assert seen.cells() == seen.counted()
    assert seen.cells() == (
        "reviewed/level/logger/read",
        "reviewed/level/logger",
        "reviewed/level",
        "reviewed",
    )


@pytest.mark.parametrize(
    ("seen", "unseen"),
    [
        (("level", "logger", "read"), True),
        (("unstated", "unknown", "read"), True),
        (("level", "logger", "no_year"), False),
    ],
)
def test_a_person_may_have_named_what_the_rules_could_not(
    seen: tuple[str, str, str], unseen: bool
) -> None:
    """But what time it was, a line without one never tells."""
    assert Signals(*seen, Agreement.REVIEWED).may_go_unseen is unseen

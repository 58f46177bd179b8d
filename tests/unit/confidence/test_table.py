from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.confidence import (
    PARENT_WEIGHT,
    Agreement,
    Confidence,
    Signals,
    Table,
    fit,
    shipped,
    shown,
)
from logdocket.line import ServiceBasis, SeverityBasis, TimestampWhy

WORDS = [
    (severity.value, service.value, timestamp, agreement.value)
    for severity in SeverityBasis
    for service in ServiceBasis
    for timestamp in ["read", *(why.value for why in TimestampWhy)]
    for agreement in Agreement
]
SEEN = st.sampled_from(WORDS).map(lambda words: Signals(*words))
LABELLED = st.lists(st.tuples(SEEN, st.booleans()))
RISKS = st.floats(0.001, 0.9)
LEVEL = Signals("level", "logger", "read")
OWN = "level/logger/read"


def labels(seen: Signals, right: int, wrong: int = 0) -> list[tuple[Signals, bool]]:
    """So many labels of tickets read like this."""
    return [(seen, True)] * right + [(seen, False)] * wrong


def test_a_cell_that_stands_alone_is_a_beta_mean() -> None:
    """One more right and one more wrong than were seen."""
    assert Table({"level": (98, 98)}).lookup(LEVEL).value == 0.99


def test_a_cell_leans_on_its_parent() -> None:
    """The parent's value counts like five labels, so one label of its own says little."""
    table = Table({OWN: (0, 1), "level": (98, 98)})
    assert table.lookup(LEVEL) == Confidence(0.825, OWN, OWN, 0, 1, 0.99, PARENT_WEIGHT)
    assert table.lookup(LEVEL).value == round(PARENT_WEIGHT * 0.99 / (PARENT_WEIGHT + 1), 4)


def test_a_cell_with_many_labels_answers_for_itself() -> None:
    """What its parent says hardly matters then."""
    assert Table({OWN: (9_995, 9_995), "level": (0, 98)}).lookup(LEVEL).value == 0.9995


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({"level/logger": (8, 8)}, Confidence(0.9, "level/logger", OWN, 8, 8)),
        ({"level": (0, 8), "cue": (9, 9)}, Confidence(0.1, "level", OWN, 0, 8)),
        ({OWN: (0, 0), "level": (8, 8)}, Confidence(0.9, "level", OWN, 8, 8)),
        ({"cue/logger/read": (8, 8)}, Confidence(0.5, "prior", OWN, 0, 0)),
        ({}, Confidence(0.5, "prior", OWN, 0, 0)),
    ],
)
def test_a_cell_without_labels_backs_off_and_says_so(
    cells: dict[str, tuple[int, int]], found: Confidence
) -> None:
    """The time is let go first, then the service; with nothing left it is a coin's toss."""
    assert Table(cells).lookup(LEVEL) == found
    assert found.backed_off


def test_a_cell_with_labels_does_not_back_off() -> None:
    """It answers under its own name."""
    assert not Table({OWN: (1, 2)}).lookup(LEVEL).backed_off


def test_an_answer_that_agrees_falls_back_on_the_rules() -> None:
    """Until such tickets have labels of their own."""
    agrees = Signals("level", "logger", "read", Agreement.AGREES)
    alone = fit(labels(LEVEL, 98))
    assert alone.lookup(agrees).value == alone.lookup(LEVEL).value
    assert alone.lookup(agrees).backed_off
    both = fit([*labels(LEVEL, 98), *labels(agrees, 0, 90)])
    assert both.lookup(agrees).value < 0.2
    assert both.lookup(LEVEL) == alone.lookup(LEVEL)


@pytest.mark.parametrize("agreement", [Agreement.FILLS, Agreement.DIFFERS])
def test_an_answer_that_does_more_earns_nothing_from_the_rules(agreement: Agreement) -> None:
    """It is measured by its own kind alone."""
    seen = Signals("level", "logger", "read", agreement)
    assert fit(labels(LEVEL, 500)).lookup(seen).cell == "prior"
    other = Signals("cue", "app", "read", agreement)
    found = fit([*labels(LEVEL, 500), *labels(other, 1, 7)]).lookup(seen)
    assert (found.cell, found.value) == (agreement, 0.2)


@given(LABELLED, SEEN)
def test_a_confidence_is_never_certain(labelled: list[tuple[Signals, bool]], seen: Signals) -> None:
    """However many were right, or none: strictly between 0 and 1."""
    assert 0 < fit(labelled).lookup(seen).value < 1


@pytest.mark.parametrize("right", [0, 10**9])
def test_no_count_makes_it_certain(right: int) -> None:
    """Nor does rounding."""
    assert 0 < Table({"level": (right, 10**9)}).lookup(LEVEL).value < 1


@given(LABELLED, SEEN)
def test_one_more_that_was_right_never_lowers_it(
    labelled: list[tuple[Signals, bool]], seen: Signals
) -> None:
    """In a cell that has labels already."""
    before = fit([*labelled, (seen, True)]).lookup(seen)
    after = fit([*labelled, (seen, True), (seen, True)]).lookup(seen)
    assert after.value >= before.value
    assert after.total == before.total + 1


@given(LABELLED, SEEN)
def test_one_more_that_was_wrong_never_raises_it(
    labelled: list[tuple[Signals, bool]], seen: Signals
) -> None:
    """In a cell that has labels already."""
    before = fit([*labelled, (seen, False)]).lookup(seen)
    after = fit([*labelled, (seen, False), (seen, False)]).lookup(seen)
    assert after.value <= before.value


@given(LABELLED)
def test_the_order_of_labels_does_not_matter(labelled: list[tuple[Signals, bool]]) -> None:
    """The same counts give the same bytes."""
    assert fit(labelled).to_json() == fit(labelled[::-1]).to_json()


@given(LABELLED)
def test_a_table_is_kept_and_read_again(labelled: list[tuple[Signals, bool]]) -> None:
    """Nothing is lost in the file."""
    table = fit(labelled)
    assert Table.from_json(table.to_json()) == table


@given(LABELLED)
def test_parents_are_the_sums_of_their_children(labelled: list[tuple[Signals, bool]]) -> None:
    """Each label counts in its cell and in every parent of it, once."""
    sums_hold(fit(labelled))


def sums_hold(table: Table) -> None:
    """A parent's counts are its children's together."""
    for name, counts in table.cells.items():
        if Signals.of_cell(name) is None:
            children = [
                counts for other, counts in table.cells.items() if other.rpartition("/")[0] == name
            ]
            assert counts == (sum(r for r, _ in children), sum(t for _, t in children))


def test_each_label_counts_in_its_cell_and_in_the_parents() -> None:
    """So a parent knows as much as its children together."""
    table = fit([(LEVEL, True), (Signals("level", "key", "absent"), False)])
    assert table.cells == {
        OWN: (1, 1),
        "level/logger": (1, 1),
        "level/key/absent": (0, 1),
        "level/key": (0, 1),
        "level": (1, 2),
    }


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"{}",
        b'{"cells":{"level":[1]}}',
        b'{"cells":{"level":[2,1]}}',
        b'{"cells":{"level":[-1,1]}}',
        b'{"cells":{"level":[0.5,1]}}',
        b'{"cells":{},"threshold":0}',
    ],
)
def test_what_is_no_table_is_refused(raw: bytes) -> None:
    """Rather than trusted."""
    with pytest.raises(msgspec.MsgspecError):
        Table.from_json(raw)


# Threshold


def test_without_labels_no_threshold_meets_any_risk() -> None:
    """Nothing is known, so nothing passes."""
    assert Table({}).threshold(0.5) is None


def test_any_risk_lets_everything_pass() -> None:
    """Even what is read in a way that has no labels."""
    assert Table({}).threshold(1) == 0


def test_no_risk_lets_nothing_pass() -> None:
    """No number of right tickets shows that none is wrong."""
    assert fit(labels(LEVEL, 100_000)).threshold(0) is None


@pytest.mark.parametrize(("right", "meets"), [(148, False), (149, True)])
def test_few_labels_show_little(right: int, meets: bool) -> None:
    """Without one wrong ticket it takes 149 to show two per cent: 0.98 ** 149 is under 0.05."""
    table = fit(labels(LEVEL, right))
    assert table.threshold(0.02) == (table.lookup(LEVEL).value if meets else None)


def test_the_lowest_threshold_is_taken() -> None:
    """As many tickets as can go unseen do."""
    weaker = Signals("cue", "app", "read")
    mixed = fit([*labels(LEVEL, 1_000), *labels(weaker, 95, 5)])
    assert mixed.threshold(0.02) == mixed.lookup(weaker).value < mixed.lookup(LEVEL).value
    assert mixed.threshold(0.005) == mixed.lookup(LEVEL).value


def test_a_cell_that_breaks_the_risk_stays_below() -> None:
    """Half wrong is no small addition."""
    table = fit([*labels(LEVEL, 400), *labels(Signals("cue", "app", "read"), 50, 50)])
    assert table.threshold(0.02) == table.lookup(LEVEL).value


@pytest.mark.parametrize(
    "seen",
    [
        Signals("level", "logger", "ambiguous"),
        Signals("level", "unknown", "read"),
        Signals("unstated", "logger", "read"),
        Signals("level", "logger", "read", Agreement.DIFFERS),
    ],
)
def test_tickets_that_a_person_sees_anyway_prove_nothing(seen: Signals) -> None:
    """However often they are right."""
    assert fit(labels(seen, 10_000)).threshold(0.02) is None


def test_answers_that_agree_prove_as_well() -> None:
    """Their tickets are the ones that go unseen."""
    agrees = Signals("level", "logger", "read", Agreement.AGREES)
    assert fit(labels(agrees, 200)).threshold(0.02) is not None


@given(LABELLED, RISKS)
def test_at_and_above_the_threshold_the_risk_is_shown(
    labelled: list[tuple[Signals, bool]], risk: float
) -> None:
    """By the very labels that the table was fitted on."""
    labelled = labelled * 20
    table = fit(labelled)
    threshold = table.threshold(risk)
    if threshold is not None:
        passed = [
            right
            for seen, right in labelled
            if seen.may_go_unseen and table.lookup(seen).value >= threshold
        ]
        assert shown(passed.count(False), len(passed), risk)


@given(LABELLED, RISKS, RISKS)
def test_more_risk_never_raises_the_threshold(
    labelled: list[tuple[Signals, bool]], one: float, other: float
) -> None:
    """Who risks more sees fewer tickets."""
    table = fit(labelled * 20)
    strict, lax = table.threshold(min(one, other)), table.threshold(max(one, other))
    assert strict is None or (lax is not None and lax <= strict)


# As shipped


def test_the_shipped_table_holds_together() -> None:
    """Right never passes total, parents sum their children, and each cell can be asked for."""
    table = shipped()
    known = {name for words in WORDS for name in Signals(*words).counted()}
    assert set(table.cells) <= known
    sums_hold(table)
    assert Table.from_json(table.to_json()) == table


def test_the_shipped_table_is_read_once() -> None:
    """Every extractor of a process shares it."""
    assert shipped() is shipped()


REPEATED = Signals("level", "logger", "read", Agreement.REVIEWED)


def test_what_repeats_a_persons_word_has_a_threshold_of_its_own() -> None:
    """The others' labels prove nothing of it, nor its labels of them."""
    both = fit([*labels(LEVEL, 200), *labels(REPEATED, 100)])
    assert both.threshold(0.02) == both.lookup(LEVEL).value
    assert both.threshold(0.02, reviewed=True) is None
    assert both.threshold(0.05, reviewed=True) == both.lookup(REPEATED).value
    assert fit(labels(REPEATED, 200)).threshold(0.02) is None


def test_a_table_without_reviews_is_the_same_but_for_their_cells() -> None:
    """So that answers in the cache outlive new counts of reviews."""
    plain = fit(labels(LEVEL, 3))
    assert fit([*labels(LEVEL, 3), *labels(REPEATED, 5)]).unreviewed == plain
    assert plain.unreviewed == plain

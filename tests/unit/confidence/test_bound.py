from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.confidence import shown, upper_bound


@pytest.mark.parametrize(
    ("wrong", "total", "bound"),
    [
        # By 1 - 0.05 ** (1 / total), which is what it comes to without a wrong one.
        (0, 1, 0.95),
        (0, 149, 0.019905),
        # From the quantiles of the Beta distribution with (wrong + 1, total - wrong).
        (1, 10, 0.394163),
        (5, 10, 0.777559),
        (10, 10, 1.0),
        (0, 0, 1.0),
    ],
)
def test_the_bound_is_that_of_clopper_and_pearson(wrong: int, total: int, bound: float) -> None:
    """One-sided, at 95 per cent."""
    assert upper_bound(wrong, total) == pytest.approx(bound, abs=1e-6)


@given(st.integers(1, 60), st.data(), st.floats(0.01, 0.99))
def test_a_share_is_shown_when_so_few_wrong_ones_are_unlikely(
    total: int, data: st.DataObject, share: float
) -> None:
    """By the plain sum over the binomial distribution."""
    wrong = data.draw(st.integers(0, total - 1))
    likely = sum(
        math.comb(total, count) * share**count * (1 - share) ** (total - count)
        for count in range(wrong + 1)
    )
    if abs(likely - 0.05) > 1e-9:
        assert shown(wrong, total, share) == (likely < 0.05)


@given(st.integers(1, 100_000), st.data())
def test_the_bound_lies_above_the_share(total: int, data: st.DataObject) -> None:
    """And is shown itself, while a little less is not."""
    wrong = data.draw(st.integers(0, total - 1))
    bound = upper_bound(wrong, total)
    assert wrong / total < bound <= 1
    assert shown(wrong, total, bound)
    assert not shown(wrong, total, bound - 1e-6 * (bound - wrong / total) - 1e-9)


def test_a_million_cases_are_summed_at_once() -> None:
    """Only the terms that matter are: the bound of a large set is close to its share."""
    assert upper_bound(500_000, 1_000_000) == pytest.approx(0.5, abs=0.001)


@pytest.mark.parametrize("most", [0, -1])
def test_nothing_shows_that_none_is_wrong(most: float) -> None:
    """However many were right."""
    assert not shown(0, 10**9, most)

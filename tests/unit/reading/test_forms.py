"""What a word's form tells of its part in a head."""

from __future__ import annotations

import pytest

from logdocket.reading.apps.forms import form, loose_cost


@pytest.mark.parametrize("word", ["-", "Jan", "x:", "E", "warn", "INFO:root", "---"])
def test_a_walk_looks_at_words_that_may_mean_something(word: str) -> None:
    """Separators, months, levels, and what a colon ends."""
    assert form(word).telling
    assert loose_cost(word) == 0


@pytest.mark.parametrize(
    ("word", "cost"),
    [("RAS", 1), ("R02-M1:J12", 1), ("orders", 3), ("web-1", 1), ("while", 0), ("A:B:", 0)],
)
def test_a_loose_word_costs_by_its_form(word: str, cost: int) -> None:
    """Ids and columns are cheap, words of a sentence dear, and some end the head at once."""
    assert loose_cost(word) == cost


@pytest.mark.parametrize(
    ("word", "mere"), [("orders", True), ("a.b.Orders", False), ("auth-worker", False)]
)
def test_a_name_by_its_own_form_is_not_mere(word: str, mere: bool) -> None:
    """Its place need not make it one."""
    assert form(word).mere is mere

from __future__ import annotations

import pytest

from logdocket.grading.sentence import cut, listed, sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [("exit code 1", "Exit code 1."), ("It is so.", "It is so."), ("ähnlich", "Ähnlich.")],
)
def test_a_sentence_has_a_beginning_and_an_end(text: str, said: str) -> None:
    """Each of them once."""
    assert sentence(text) == said


@pytest.mark.parametrize(
    ("most", "said"), [(1, "a and 2 more"), (2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")]
)
def test_of_many_names_some_are_named(most: int, said: str) -> None:
    """And the others counted."""
    assert listed(["a", "b", "c"], most) == said


def test_what_is_cut_says_so() -> None:
    """Within the same bound."""
    assert cut("1234", 4) == "1234"
    assert cut("12345", 4) == "123…"

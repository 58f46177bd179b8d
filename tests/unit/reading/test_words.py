"""A message as words and the gaps between them."""

from __future__ import annotations

from logdocket.reading.outcomes import CUES, FILLERS, FLIPS, MENDED, NONE, NOT, TOLERATED
from logdocket.reading.words import Words, alike


def test_words_and_gaps_make_the_text_again() -> None:
    """Each word has its place, and each gap stands behind its word."""
    text = "(disk /dev/sda1 failed: e-12)"
    words = Words(text)
    assert words.words == ["disk", "/dev/sda1", "failed", "e-12"]
    assert words.gaps == [" ", " ", ": ", ")"]
    assert [text[words.start(at) : words.end(at)] for at in range(4)] == words.words


def test_only_blanks_quotes_and_brackets_let_a_clause_flow() -> None:
    """A colon or a comma ends it."""
    words = Words('not "yet" ready, done: now')
    assert [words.flows(at) for at in range(4)] == [True, True, False, False]


def test_alike_texts_keep_their_zeros_and_lengths() -> None:
    """Ten is not one, and a thousand is not ten."""
    assert alike(b"took 25 ms") == alike(b"took 99 ms")
    assert alike(b"took 20 ms") != alike(b"took 25 ms")
    assert alike(b"took 125 ms") != alike(b"took 25 ms")


def test_no_outcome_word_holds_a_figure_that_alike_texts_lose() -> None:
    """A row such as ``error 42`` would never be found; codes have a table of their own."""
    tables = [*CUES.values(), *FLIPS.values(), *FILLERS, *MENDED, *NONE, *NOT, *TOLERATED]
    assert not set("123456789") & set("".join(tables))

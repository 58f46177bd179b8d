from __future__ import annotations

import pytest

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.evidence import LIMIT, choose, trim
from logdocket.reading.parts import Level


def chosen(text: str, message: tuple[int, int], level: Level | None = None) -> str:
    """The quote chosen from the whole of ``text``."""
    start, end = choose(text, 0, len(text), message, level)
    return text[start:end]


def test_the_message_is_quoted_without_its_prefix() -> None:
    """White space at its ends is left out."""
    assert chosen("ERROR:  gone  ", (6, 14)) == "gone"


@pytest.mark.parametrize("message", [(6, 6), (6, 9)])
def test_a_line_without_a_message_is_quoted_whole(message: tuple[int, int]) -> None:
    """A blank message cannot be quoted."""
    assert chosen("ERROR:   ", message) == "ERROR:"


def test_a_long_message_is_quoted_from_its_beginning() -> None:
    """At most the limit, and no word is cut in two."""
    text = "word " * 400
    quote = chosen(text, (0, len(text)))
    assert LIMIT - 40 <= len(quote) <= LIMIT
    assert quote.endswith("word")


def test_a_long_message_is_quoted_around_what_bears_the_severity_out() -> None:
    """The telling word is in the quote, wherever it stands."""
    text = "word " * 400 + "refused " + "word " * 400
    at = text.index("refused")
    level = Level(at, at + 7, Severity.HIGH, SeverityBasis.CUE)
    quote = chosen(text, (0, len(text)), level)
    assert "refused" in quote
    assert len(quote) <= LIMIT


def test_a_telling_word_at_the_end_keeps_the_words_before_it() -> None:
    """The window does not run past the message."""
    text = "word " * 400 + "refused"
    level = Level(len(text) - 7, len(text), Severity.HIGH, SeverityBasis.CUE)
    quote = chosen(text, (0, len(text)), level)
    assert quote.endswith("refused")
    assert len(quote) > LIMIT // 2


def test_a_message_of_one_endless_word_is_cut() -> None:
    """Without a gap the cut falls inside the word."""
    assert len(chosen("x" * 2000, (0, 2000))) == LIMIT


def test_trimming_a_blank_stretch_leaves_nothing() -> None:
    """Start and end meet."""
    start, end = trim("a   b", 1, 4)
    assert start == end

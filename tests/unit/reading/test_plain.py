from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line, Severity, SeverityBasis, TimestampWhy
from logdocket.reading import read
from logdocket.reading.plain import parse_plain


def test_the_whole_is_the_message() -> None:
    """A line of no known shape has no prefix."""
    text = "the pump stopped"
    assert parse_plain(text, 0, len(text), NO_CONTEXT).message == (0, len(text))


def test_a_stated_level_is_taken() -> None:
    """Brackets mark a level wherever a head may be."""
    text = "pump 7 <error> stopped"
    level = parse_plain(text, 0, len(text), NO_CONTEXT).level
    assert level is not None
    assert (level.value, text[level.start : level.end]) == (Severity.HIGH, "error")


@pytest.mark.parametrize(
    "text",
    [
        "the certificate of the gate expires 2031-05-06T07:08:09Z",
        "moved the job to 2031-05-06 07:08:09",
    ],
)
def test_a_time_inside_a_sentence_is_not_the_records_own(text: str) -> None:
    """When something else happens is not when the line was written."""
    assert read(Line(text)).timestamp.why is TimestampWhy.ABSENT


def test_a_name_inside_a_sentence_is_no_service() -> None:
    """Only a head names who speaks."""
    assert read(Line("the order-service is what we call it")).service.value is None


def test_words_alone_tell_the_outcome() -> None:
    """The cue is the only proof."""
    reading = read(Line("the order could not be saved"))
    assert (reading.severity.value, reading.severity.basis) == ("high", SeverityBasis.CUE)

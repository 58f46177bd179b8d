"""Whether a model's answer is borne out by the line it was asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from logdocket.grounding.evidence import Place, Telling
from logdocket.grounding.name import bare_name, is_name
from logdocket.grounding.ungrounded import LONGEST_EVIDENCE, Ungrounded
from logdocket.line import Answer, Context, Line, Reading, SeverityBasis, Span, TimestampRead
from logdocket.ticket import UNKNOWN

Ungroundeds: TypeAlias = tuple[Ungrounded, ...]
"""All that is wrong with an answer; empty when it is grounded."""

_COUNT: Final = re.compile(r"[\d.,]{1,40}\Z", re.ASCII)


def check(
    answer: Answer,
    line: Line,
    context: Context,
    reading: Reading,
    message: Span,
    stamp: TimestampRead | None,
) -> Ungroundeds:
    """What of ``answer`` the line does not bear out, in the order of the ticket's fields.

    ``reading`` is what the rules read in the line, ``message`` where its message stands, ``stamp``
    what the strict grammar reads in the whole of ``answer.first_seen``; None when it is no time.
    Never raises, and takes time linear in the line.
    """
    text = line.text
    own = _place(line, reading.timestamp.span)
    times = [] if own is None else [own]
    wrong: list[Ungrounded] = []
    dated = _first_seen(answer.first_seen, line, reading, stamp, own)
    if dated is None and answer.first_seen.lower() != UNKNOWN:
        times.extend(_occurrences(text, answer.first_seen))
    for found in (
        _evidence(answer.evidence, line, reading, message, times),
        _service(answer.service, text, context, reading, times),
        dated,
    ):
        if found is not None:
            wrong.append(found)
    return tuple(wrong)


def _evidence(
    quote: str, line: Line, reading: Reading, message: Span, times: list[Place]
) -> Ungrounded | None:
    if not quote or quote.isspace():
        return Ungrounded.EVIDENCE_BLANK
    if len(quote) > LONGEST_EVIDENCE:
        return Ungrounded.EVIDENCE_TOO_LONG
    if quote not in line.text:
        return Ungrounded.EVIDENCE_NOT_QUOTED
    # What a cue stands on is part of the message.
    level = None if reading.severity.basis is SeverityBasis.CUE else reading.severity.span
    spans = (level, reading.service.span)
    others = [place for span in spans if (place := _place(line, span)) is not None]
    told = _place(line, message) or (0, 0)
    if Telling(line.text, told, times, others, reading.format).tells(quote):
        return None
    return Ungrounded.EVIDENCE_SAYS_NOTHING


def _service(
    quote: str, text: str, context: Context, reading: Reading, times: list[Place]
) -> Ungrounded | None:
    name = bare_name(quote)
    if quote.lower() == UNKNOWN or quote == reading.service.value:
        return None
    if quote == name == context.service:
        return None
    if quote not in text:
        return Ungrounded.SERVICE_NOT_NAMED
    if not is_name(name) or name == text.strip():
        return Ungrounded.SERVICE_NO_NAME
    for start, end in _occurrences(text, name):
        if _is_whole(text, start, end) and not any(
            start < last and first < end for first, last in times
        ):
            return None
    return Ungrounded.SERVICE_NOT_WHOLE


def _first_seen(
    quote: str, line: Line, reading: Reading, stamp: TimestampRead | None, own: Place | None
) -> Ungrounded | None:
    """A quote that the grammar reads as a whole, or the very value that it read in this line."""
    if quote.lower() == UNKNOWN or quote == reading.timestamp.value:
        return None
    text = line.text
    if not quote or quote not in text:
        return Ungrounded.FIRST_SEEN_NOT_QUOTED
    if own is not None and quote == text[own[0] : own[1]]:
        return None
    if stamp is None:
        return Ungrounded.FIRST_SEEN_NO_STAMP
    # A number is somebody's count, unless the rules found the record's own time there.
    counted = _COUNT.match(quote) is not None
    for start, end in _occurrences(text, quote):
        if counted and (own is None or not own[0] <= start < end <= own[1]):
            continue
        if not (_cuts_number(text, start) or _cuts_number(text, end)):
            return None
    return Ungrounded.FIRST_SEEN_NO_STAMP


def _place(line: Line, span: Span | None) -> Place | None:
    """Where ``span`` stands in the line's text."""
    if span is None:
        return None
    if len(line.raw) == len(line.text):
        return span.start, span.end
    start = len(line.quote(Span(0, span.start)))
    return start, start + len(line.quote(span))


def _occurrences(text: str, quote: str) -> Iterator[Place]:
    """Each place where ``quote`` stands, none within another; none for an empty one."""
    at = text.find(quote) if quote else -1
    while at >= 0:
        yield at, at + len(quote)
        at = text.find(quote, at + len(quote))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on at either end of the stretch."""
    return not (_joins(text, start) or _joins(text, end))


def _joins(text: str, place: int) -> bool:
    return 0 < place < len(text) and _in_word(text[place - 1]) and _in_word(text[place])


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _cuts_number(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isdecimal() and text[place].isdecimal()

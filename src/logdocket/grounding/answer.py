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

_AROUND: Final = 16
"""Characters around a record's time that a quote of it may have, such as the kernel's blanks."""


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
    dated = _first_seen(answer.first_seen, line, reading, stamp, own)
    times = [] if own is None else [own, *_occurrences(text, text[own[0] : own[1]])]
    if dated is None and answer.first_seen.lower() != UNKNOWN:
        times.extend(_occurrences(text, answer.first_seen))
    # What a cue stands on is part of the message.
    cued = reading.severity.basis is SeverityBasis.CUE
    level = None if cued else _place(line, reading.severity.span)
    taken = times if level is None else [*times, level]
    found = (
        _evidence(answer, line, reading, _place(line, message) or (0, 0), times, taken),
        _service(answer, line, context, reading, taken),
        dated,
    )
    return tuple(wrong for wrong in found if wrong is not None)


def _evidence(
    answer: Answer,
    line: Line,
    reading: Reading,
    message: Place,
    times: list[Place],
    taken: list[Place],
) -> Ungrounded | None:
    quote, text = answer.evidence, line.text
    if not quote or quote.isspace():
        return Ungrounded.EVIDENCE_BLANK
    if len(quote) > LONGEST_EVIDENCE:
        return Ungrounded.EVIDENCE_TOO_LONG
    if quote not in text:
        return Ungrounded.EVIDENCE_NOT_QUOTED
    name = reading.service.value
    others = taken if name is None else [*taken, *_wholes(text, name)]
    if Telling(text, message, times, others, name).tells(quote):
        return None
    return Ungrounded.EVIDENCE_SAYS_NOTHING


def _service(
    answer: Answer, line: Line, context: Context, reading: Reading, taken: list[Place]
) -> Ungrounded | None:
    quote, text = answer.service, line.text
    name = bare_name(quote)
    if quote.lower() == UNKNOWN or quote == reading.service.value:
        return None
    if quote == name == context.service:
        return None
    if quote not in text:
        return Ungrounded.SERVICE_NOT_NAMED
    # Nobody is called what happened.
    said = (text, answer.evidence, line.quote(reading.evidence))
    if not is_name(name) or any(name == bare_name(whole) for whole in said):
        return Ungrounded.SERVICE_NO_NAME
    for start, end in _wholes(text, name):
        if not any(start < last and first < end for first, last in taken):
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
    if own is not None and _is_around(quote, text[own[0] : own[1]]):
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


def _is_around(quote: str, stamp: str) -> bool:
    """Whether ``quote`` is ``stamp`` with no more around it than brackets and klog's letter."""
    before, found, after = quote.partition(stamp)
    around = before + after
    return bool(found) and len(around) <= _AROUND and sum(map(str.isalnum, around)) <= 1


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


def _wholes(text: str, quote: str) -> list[Place]:
    """The places of ``quote`` where no word goes on at either of its ends."""
    return [
        (start, end)
        for start, end in _occurrences(text, quote)
        if not (_joins(text, start) or _joins(text, end))
    ]


def _joins(text: str, place: int) -> bool:
    return 0 < place < len(text) and _in_word(text[place - 1]) and _in_word(text[place])


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _cuts_number(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isdecimal() and text[place].isdecimal()

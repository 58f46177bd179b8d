"""What a reader of quotes must know of a line: whether a quote is a time, where the message is."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, Line, Span, TimestampRead
from logdocket.reading import timestamp
from logdocket.reading.colour import bare, uncoloured
from logdocket.reading.formats import parse, parse_inner
from logdocket.reading.parts import Stamp
from logdocket.reading.read import DEEPEST, peel

_LONGEST: Final = 128
"""Characters that a quoted stamp may have."""

_COUNT: Final = re.compile(r"(?:\d{10}(?:\.\d{1,9})?|\d{13}(?:\.\d{1,6})?|\d{16}|\d{19})", re.ASCII)
_YEAR: Final = re.compile(r"\d{4}", re.ASCII)

_FIELDED: Final = frozenset({"json", "logfmt", "cef", "leef"})
"""Shapes whose fields beside the message may tell what happened as well."""


def read_stamp(text: str, context: Context) -> TimestampRead | None:
    """What the strict grammar reads where the whole of ``text`` is one stamp; None when it is none.

    A stamp that names no one moment has its reason in place of a value. Of counts since 1970 only
    those with as many digits as seconds, or thousandths, millionths or billionths of them, have
    today, and between 1990 and 2100: whether such a number is a record's time, the line must tell.
    The span covers the whole of ``text``.
    """
    if len(text) > _LONGEST:
        return None
    stamp = timestamp.whole(text, 0, len(text), context) or _counted(text, context)
    if stamp is None or (stamp.value is None and _is_version(text)):
        return None
    return TimestampRead(stamp.value, Span(0, _bytes(text, len(text))), stamp.why)


def _counted(text: str, context: Context) -> Stamp | None:
    if _COUNT.fullmatch(text) is None:
        return None
    return timestamp.epoch(text, 0, len(text), context)


def _is_version(text: str) -> bool:
    """Whether three short numbers without a time can as well be a version: ``10.2.33``."""
    return ":" not in text and _YEAR.search(text) is None


def message_span(line: Line, context: Context) -> Span:
    """Where the message of ``line`` stands: what is left when the heads of its records are off.

    Where the record has fields, such as JSON's, all of it counts, since not every key that tells
    what happened is known; which of its fields say something else, the reading tells. Empty where
    nothing follows the head.
    """
    text = line.text
    plain = uncoloured(text)
    if plain is not None:
        text = plain.text
    start, end = bare(text, 0, len(text))
    place = _fielded(text, start, end, context) or peel(text, start, end, context).message
    if plain is not None:
        place = plain.place(*place)
    return Span(_bytes(line.text, place[0]), _bytes(line.text, place[1]))


def _fielded(text: str, start: int, end: int, context: Context) -> tuple[int, int] | None:
    """The outermost record with fields of its own, whatever is wrapped around it."""
    parts = parse(text, start, end, context)
    for _ in range(DEEPEST):
        if parts.format in _FIELDED:
            return start, end
        if parts.inner is None:
            return None
        start, end = bare(text, *parts.inner)
        if start == end:
            return None
        parts = parse_inner(text, start, end, context)
    return None


def _bytes(text: str, place: int) -> int:
    return len(text[:place].encode("utf-8", "surrogateescape"))

"""A line's template in both widths, and places in it that hold in every line of the template."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

import msgspec

from logdocket.line import NO_CONTEXT, Context, Line, Reading, SeverityBasis, Span
from logdocket.reading.evidence import LIMIT
from logdocket.reading.quoted import message_span
from logdocket.reading.template.marking import masks
from logdocket.reading.template.masks import Mask, shown, widely_shown
from logdocket.reading.template.tokens import HELD, STAMP, Token, tokens
from logdocket.reading.template.walk import Walk

_FIELDED: Final = frozenset({"json", "logfmt", "cef", "leef"})
"""Shapes all of which is message."""

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]{0,16}m")
_LOOKED: Final = 8192
"""Characters that are looked at; what follows is kept, which is sound, only less shared."""


class Place(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Where a span stands between the masks: in any line of the same wide template.

    ``first`` and ``last`` count the masks before its start and before its end; ``start`` and
    ``end`` are the bytes from the end of the mask before (or from the line's begin) to it.
    """

    first: int
    start: int
    last: int
    end: int


class Cut(msgspec.Struct, frozen=True, gc=False):
    """One line's template.

    ``text``: lines with equal text may share an answer as they stand. ``wide``: the same with
    all other numbers masked too. ``numbers``: what only ``wide`` masks, as written and in
    order; of long hexadecimal ids, which ``text`` masks too, only ``<num>``.
    ``edges``: where each mask of ``wide`` starts and ends, in bytes; ``length``: of the line.

    A ``<`` of the line itself is doubled in both, so that nothing in a line passes for a mask.
    """

    text: str
    wide: str
    numbers: tuple[str, ...]
    edges: tuple[int, ...]
    length: int

    def place(self, span: Span) -> Place:
        """Where ``span`` of this line stands; an end within a mask goes outwards to its edge."""
        edges = self.edges
        before = bisect_right(edges, span.start)  # odd within a mask
        first = before // 2
        start = edges[before - 1] if before % 2 else span.start
        after = bisect_left(edges, span.end)
        last = (after + 1) // 2
        end = edges[after] if after % 2 else span.end
        return Place(first, start - self._begin(first), last, end - self._begin(last))

    def span(self, place: Place) -> Span:
        """The span of this line at ``place``; raises ValueError where the template has none."""
        start, end = self._at(place.first, place.start), self._at(place.last, place.end)
        if start > end:
            raise ValueError(f"no place in this template: {place}")
        return Span(start, end)

    def _at(self, masks: int, offset: int) -> int:
        if 0 <= masks <= len(self.edges) // 2 and offset >= 0:
            at = self._begin(masks) + offset
            if at <= (self.edges[2 * masks] if 2 * masks < len(self.edges) else self.length):
                return at
        raise ValueError(f"no place in this template: {masks} masks and {offset} bytes")

    def _begin(self, masks: int) -> int:
        return self.edges[2 * masks - 1] if masks else 0


def template(line: Line, reading: Reading, context: Context = NO_CONTEXT) -> str:
    """The line's template: the same for lines that differ only in what is masked."""
    return cut(line, reading, context).text


def cut(line: Line, reading: Reading, context: Context = NO_CONTEXT) -> Cut:
    """The template of ``line`` as ``reading`` reads it under ``context``."""
    text = line.text
    end = len(text) if len(text) <= _LOOKED else text.rfind(" ", 0, _LOOKED) + 1
    found_tokens = tokens(text, end, _fixed(line, reading, end))
    nodes = reading.format.startswith("cluster") or any(
        kind == "location" for kind, _, _ in found_tokens
    )
    walk = Walk(
        text,
        found_tokens,
        lambda: _message(line, reading, context),
        nodes=nodes,
        level=_level(line, reading),
        answered=reading.severity.basis is SeverityBasis.STATUS,
    )
    found = masks(walk)
    return Cut(
        shown(text, 0, len(text), found),
        widely_shown(text, found),
        tuple(mask.number for mask in found if mask.number is not None),
        _edges(line, found),
        len(line.raw),
    )


def _message(line: Line, reading: Reading, context: Context) -> int:
    """Where the message starts, in characters; 0 where the whole line is head."""
    if len(line.raw) <= LIMIT and _FIELDED.isdisjoint(reading.format.split("+")):
        # So short a message is quoted whole, and a line without one from its beginning.
        return _characters(line, reading.evidence)[0]
    first, last = _characters(line, message_span(line, context))
    return first if first < last else 0


def _level(line: Line, reading: Reading) -> int:
    """Where the record states its level behind its time, in characters; -1 when it does not."""
    severity, stamp = reading.severity, reading.timestamp.span
    if severity.basis is not SeverityBasis.LEVEL or severity.span is None or stamp is None:
        return -1
    return _characters(line, severity.span)[0] if stamp.start < severity.span.start else -1


def _edges(line: Line, found: list[Mask]) -> tuple[int, ...]:
    if len(line.raw) == len(line.text):
        return tuple(edge for mask in found for edge in mask[:2])
    edges = []
    at = bytes_ = 0
    for mask in found:
        for edge in mask[:2]:
            bytes_ += len(line.text[at:edge].encode("utf-8", "surrogateescape"))
            edges.append(bytes_)
            at = edge
    return tuple(edges)


def _fixed(line: Line, reading: Reading, end: int) -> list[Token]:
    """What the reading found, sorted; of two that overlap the first."""
    held = [(HELD, reading.severity.span), (HELD, reading.service.span)]
    held.append((STAMP, reading.timestamp.span))
    spans = sorted((*_characters(line, span), kind) for kind, span in held if span is not None)
    if "\x1b[" in line.text:
        spans += ((*colour.span(), HELD) for colour in _COLOUR.finditer(line.text))
        spans.sort()
    fixed: list[Token] = []
    for first, last, kind in spans:
        if first < last <= end and (not fixed or first >= fixed[-1][2]):
            fixed.append((kind, first, last))
    return fixed


def _characters(line: Line, span: Span) -> tuple[int, int]:
    if len(line.raw) == len(line.text):
        return span.start, span.end
    start = len(line.raw[: span.start].decode("utf-8", "surrogateescape"))
    return start, start + len(line.quote(span))

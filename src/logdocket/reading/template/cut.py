"""A line's template in both widths, and places in it that hold in every line of the template."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

import msgspec

from logdocket.line import NO_CONTEXT, Context, Line, Reading, Span
from logdocket.reading.quoted import message_span
from logdocket.reading.template import names, numbers, people
from logdocket.reading.template.masks import Mask, known, slot
from logdocket.reading.template.tables import ID_KEYS
from logdocket.reading.template.tokens import HELD, STAMP, Token, tokens
from logdocket.reading.template.walk import Walk

_LOOKED: Final = 8192
"""Characters that are looked at; what follows is kept, which is sound, only less shared."""

_ID_KEY: Final = re.compile(r"([A-Za-z]{2,16})[_-]?(?:id|Id|ID|uuid)\Z")
_ID_VALUE: Final = re.compile(r"[\"']?+\ ?+[=:]\ ?+[\"']?+((?![\"'\ ])[\w.:/+-]++)")


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
    ordinary small numbers masked too. ``numbers``: what only ``wide`` masks, as written and in
    order; of numbers with five digits or more, which ``text`` masks too, only ``<num>``.
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
    head = _characters(line, message_span(line, context))
    walk = Walk(
        text, tokens(text, end, _fixed(line, reading, end)), head[0] if head[0] < head[1] else 0
    )
    masks = list(_masks(walk))
    narrow: list[str] = []
    wide: list[str] = []
    numbers: list[str] = []
    at = 0
    for mask in masks:
        kept = _plain(text[at : mask.start])
        narrow += (kept, mask.sure or _plain(text[mask.start : mask.end]))
        wide += (kept, mask.wide)
        if mask.number is not None:
            numbers.append(mask.number)
        at = mask.end
    rest = _plain(text[at:])
    edges = _edges(line, masks)
    return Cut("".join(narrow) + rest, "".join(wide) + rest, tuple(numbers), edges, len(line.raw))


def _plain(text: str) -> str:
    """A stretch of the line itself, which must not pass for a mask."""
    return text.replace("<", "<<")


def _edges(line: Line, masks: list[Mask]) -> tuple[int, ...]:
    if len(line.raw) == len(line.text):
        return tuple(edge for mask in masks for edge in mask[:2])
    edges = []
    at = bytes_ = 0
    for mask in masks:
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
    fixed: list[Token] = []
    for first, last, kind in spans:
        if first < last <= end and (not fixed or first >= fixed[-1].end):
            fixed.append(Token(kind, first, last))
    return fixed


def _characters(line: Line, span: Span) -> tuple[int, int]:
    if len(line.raw) == len(line.text):
        return span.start, span.end
    start = len(line.raw[: span.start].decode("utf-8", "surrogateescape"))
    return start, start + len(line.quote(span))


def _masks(walk: Walk) -> Iterator[Mask]:
    """The masks of a line from left to right, none in another."""
    done = 0
    for place, token in enumerate(walk.tokens):
        if token.start < done:
            continue
        for mask in _token(walk, place):
            yield mask
            done = max(done, mask.end)


def _token(walk: Walk, place: int) -> Iterator[Mask]:
    kind, start, end = walk.tokens[place]
    text = walk.text
    if kind == "word":
        yield from _word(walk, place, text[start:end])
    elif kind in (HELD, "location"):
        if kind == "location":
            yield known(start, end, "<id>")
    elif kind in (STAMP, "time"):
        yield known(start, end, "<time>")
    elif kind == "number":
        if (mask := numbers.number(walk, place)) is not None:
            yield mask
    elif kind == "span":
        yield slot(text, start, end)
    elif kind == "ip":
        yield from _address(text, start, end)
    else:
        yield known(start, end, "<ip>" if kind == "ip6" else f"<{kind}>")


def _address(text: str, start: int, end: int) -> Iterator[Mask]:
    """An address and its port are two masks, with the mark between them."""
    address = text[start:end].replace("#", ":").partition(":")[0]
    yield known(start, start + len(address), "<ip>")
    if start + len(address) < end:
        yield known(start + len(address) + 1, end, "<port>")


def _word(walk: Walk, place: int, word: str) -> Iterator[Mask]:
    start, end = walk.tokens[place].start, walk.tokens[place].end
    mask = people.account(walk, place)
    if mask is not None:
        yield mask
    elif word.isalpha():
        yield from _value(walk, word, end)
    elif word.isdigit():
        if word.isascii() and (mask := numbers.number(walk, place)) is not None:
            yield mask
    elif not any(map(str.isdigit, word)):
        yield from _value(walk, word, end)
    elif walk.is_code(place):
        return
    elif word.isalnum():
        mask = (
            names.hexadecimal(walk.text, start, end)
            or names.run(walk.text, start, end)
            or numbers.quantity(walk, place)
        )
        if mask is not None:
            yield mask
    else:
        yield from names.joined(walk.text, start, end)


def _value(walk: Walk, word: str, end: int) -> Iterator[Mask]:
    """The value behind a key that says that it is an id."""
    key = _ID_KEY.match(word)
    if key is None or key[1].lower() not in ID_KEYS:
        return
    value = _ID_VALUE.match(walk.text, end)
    if value is not None:
        yield known(*value.span(1), "<id>")

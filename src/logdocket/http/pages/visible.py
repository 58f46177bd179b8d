"""Text of log lines as a page may show it: escaped, isolated, and nothing in it unseen.

A line is hostile input. Characters that draw nothing, or that change how others are drawn, are
shown as symbols of their own. What a person sees, and may copy, is the *visible form* of the text;
:func:`original` finds what it stands for.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

import msgspec
from markupsafe import Markup, escape

from logdocket.line import Line, Span

LONGEST: Final = 16_384
"""Bytes of a line that a page shows at most."""

_C0: Final = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
).split()
_NAMES: Final = {
    **{chr(code): name for code, name in enumerate(_C0)},
    "\x7f": "DEL",
    "\x85": "NEL",
    "\x9b": "CSI",
    "\xa0": "NBSP",
    "\xad": "SHY",
    "\u061c": "ALM",
    "\u180e": "MVS",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LS",
    "\u2029": "PS",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\u3164": "HF",
    "\ufeff": "BOM",
}
"""Short names of characters that are met in lines (Unicode, NameAliases.txt)."""

_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that draw nothing."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN: Final = re.compile(r"[ -~]+")
_ANSI: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_]"
)
"""Terminal sequences (ECMA-48): CSI, OSC and two-character ones."""


_TOWER: Final = 8
"""Marks upon one letter that are drawn as such: more than any language needs. A tower of them
would cover what stands around it, and is as wide as it likes, for nothing breaks it."""


class Mark(msgspec.Struct, frozen=True):
    """A span of the line that a field of the ticket was read from; ``field`` is its word."""

    field: str
    span: Span


class _Piece(msgspec.Struct, frozen=True):
    """Some characters of a text, from ``start`` to ``end``, as they are shown; ``tells`` is what
    they are where they would not be seen."""

    start: int
    end: int
    shown: str
    tells: str | None = None


def odd(character: str) -> str | None:
    """How a character is shown that would not be seen, or not as what it is; None for others."""
    if " " <= character <= "~":
        return None
    category = unicodedata.category(character)
    if category == "Cs" and "\udc80" <= character <= "\udcff":
        return f"‹{ord(character) - 0xDC00:02X}›"
    if category in _UNSEEN or character in _BLANKS or category == "Zs":
        return f"‹{_NAMES.get(character, f'U+{ord(character):04X}')}›"
    return None


def _symbol(text: str, at: int) -> str | None:
    """How the character at ``at`` is shown where it stands; None for one that is drawn as it is."""
    symbol = odd(text[at])
    if symbol is not None or text[at] <= "~" or at < _TOWER:
        return symbol
    stacked = all(unicodedata.category(each)[0] == "M" for each in text[at - _TOWER : at + 1])
    return f"‹U+{ord(text[at]):04X}›" if stacked else None


def visible(text: str) -> str:
    """The visible form of ``text``."""
    return "".join(piece.shown for piece in _pieces(text))


def marked(text: str) -> Markup:
    """``text`` as HTML: escaped, isolated, and all of it seen."""
    return _bdi(_html(piece) for piece in _pieces(text))


def marked_line(line: Line, marks: Sequence[Mark], longest: int = LONGEST) -> Markup:
    """The line as HTML with ``marks`` in it, the fields' words beside them.

    Of a line of more than ``longest`` bytes the start is shown, and how much was left out.
    """
    raw, cut = _cut(line.raw, 0, longest)
    return _bdi((*_segments(raw, 0, marks, named=True), _left_out(cut, "more")))


def excerpt(line: Line, mark: Mark, longest: int = 300) -> Markup:
    """At most ``longest`` bytes of the line around ``mark``, which is marked in them."""
    span = mark.span
    length = min(span.end - span.start, longest)
    start = max(0, min(span.start - (longest - length) // 3, len(line.raw) - longest))
    start = _boundary(line.raw, start)
    raw, cut = _cut(line.raw, start, longest)
    before = Markup('<span class="cut">…</span>') if start else Markup()
    after = Markup('<span class="cut">…</span>') if cut else Markup()
    return _bdi((before, *_segments(raw, start, [mark], named=False), after))


def shortened(text: str, longest: int = 300) -> Markup:
    """``text`` as :func:`marked` gives it, at most ``longest`` characters of it."""
    if len(text) <= longest:
        return marked(text)
    head = (_html(piece) for piece in _pieces(text[:longest]))
    return _bdi((*head, Markup('<span class="cut">…</span>')))


def original(line: str, quote: str) -> str | None:
    """What of ``line`` a person means who quotes its visible form; None where it has no such text.

    A quote that stands in the line as it is means itself.
    """
    if not quote or quote in line:
        return quote or None
    forms = [_symbol(line, at) or each for at, each in enumerate(line)]
    ends = list(accumulate(map(len, forms)))
    form, sought = "".join(forms), visible(quote)
    at = form.find(sought)
    if at < 0:
        return None
    return line[bisect_right(ends, at) : bisect_left(ends, at + len(sought)) + 1]


def _pieces(text: str) -> Iterator[_Piece]:
    """The text in pieces: plain ones, terminal sequences, and runs of one odd character."""
    at = 0
    while at < len(text):
        if (plain := _PLAIN.match(text, at)) is not None:
            end = plain.end()
            yield _Piece(at, end, text[at:end])
        elif (sequence := _ANSI.match(text, at)) is not None:
            end = sequence.end()
            form = "".join(odd(each) or each for each in text[at:end])
            yield _Piece(at, end, form, "terminal sequence")
        elif (symbol := _symbol(text, at)) is None:
            end = at + 1
            while end < len(text) and text[end] > "~" and _symbol(text, end) is None:
                end += 1
            yield _Piece(at, end, text[at:end])
        else:
            end = at + 1
            while end < len(text) and text[end] == text[at]:
                end += 1
            yield _Piece(at, end, symbol * (end - at), _told(text[at], end - at))
        at = end


def _told(character: str, times: int) -> str:
    """What an odd character is, in words."""
    if "\udc80" <= character <= "\udcff":
        name = f"byte {ord(character) - 0xDC00:02X}, not UTF-8"
    else:
        named = _NAMES.get(character) or unicodedata.name(character, "unnamed").lower()
        name = f"{named}, U+{ord(character):04X}"
    return name if times == 1 else f"{times} × {name}"


def _html(piece: _Piece) -> Markup:
    if piece.tells is None:
        return escape(piece.shown)
    return Markup('<span class="odd" title="{}">{}</span>').format(piece.tells, piece.shown)


def _bdi(parts: Iterator[Markup] | tuple[Markup, ...]) -> Markup:
    """The parts as one text that cannot reorder what stands around it."""
    return Markup('<bdi class="raw">') + Markup().join(parts) + Markup("</bdi>")


def _segments(raw: bytes, base: int, marks: Sequence[Mark], *, named: bool) -> Iterator[Markup]:
    """The bytes between the ends of marks, each within the marks that it belongs to."""
    end = base + len(raw)
    spans = [mark for mark in marks if mark.span.start < end and mark.span.end > base]
    edges = {base, end}
    for mark in spans:
        edges |= {max(base, mark.span.start), min(end, mark.span.end)}
    cuts = sorted(edges)
    for left, right in pairwise(cuts):
        text = raw[left - base : right - base].decode("utf-8", "surrogateescape")
        inner = Markup().join(_html(piece) for piece in _pieces(text))
        within = [mark for mark in spans if mark.span.start <= left and right <= mark.span.end]
        if named:
            yield from (_name(mark) for mark in within if max(base, mark.span.start) == left)
        if within:
            kinds = " ".join(f"of-{mark.field}" for mark in within)
            yield Markup('<mark class="{}">{}</mark>').format(kinds, inner)
        else:
            yield inner


def _name(mark: Mark) -> Markup:
    return Markup('<span class="tag of-{}">{}</span>').format(mark.field, mark.field)


def _cut(raw: bytes, start: int, longest: int) -> tuple[bytes, int]:
    """At most ``longest`` bytes from ``start``, cut between characters, and how many follow."""
    end = min(len(raw), start + longest)
    if end < len(raw):
        end = _boundary(raw, end)
    return raw[start:end], len(raw) - end


def _boundary(raw: bytes, at: int) -> int:
    """The start of the character that byte ``at`` belongs to (RFC 3629: at most 3 bytes back)."""
    for back in range(min(3, at) + 1):
        if not 0x80 <= raw[at - back] <= 0xBF:
            return at - back
    return at


def _left_out(count: int, word: str) -> Markup:
    if not count:
        return Markup()
    return Markup('<span class="cut">… {} bytes {}</span>').format(f"{count:,}", word)
